"""Formats that say what an event is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep.config.loader import load_dict
from limecep.host import Host

if TYPE_CHECKING:
    from limecep.config.model import SourceConfig

REGISTRY = Host.load().registry


def loaded(**source: Any) -> Any:
    document = {
        "version": 1,
        "sources": {"s": {"type": "file", "channel": "e.jsonl", **source}},
        "patterns": {"p": {"query": "PATTERN SEQ(A a, A b) WITHIN 5 seconds"}},
    }
    return load_dict(document, REGISTRY)


def only(**source: Any) -> SourceConfig:
    found = loaded(**source)
    assert [p for p in found.problems if p.severity == "error"] == []
    [config] = found.config.sources
    return config  # type: ignore[no-any-return]


def test_cloudevents_need_name_nothing() -> None:
    found = only(format="cloudevents")
    assert (found.type_field, found.id) == ("ce.type", ("ce.source", "ce.id"))
    assert found.time is not None
    assert found.time.paths == ("ce.time",)
    assert only(format={"type": "cloudevents", "attributes": "at"}).type_field == "at.type"


def test_what_is_given_counts() -> None:
    found = only(format="cloudevents", **{"as": "A"}, id="n", time={"field": "t", "format": "epoch_s"})
    assert (found.event_type, found.type_field, found.id) == ("A", None, ("n",))
    assert found.time is not None
    assert found.time.paths == ("t",)
    assert only(format="cloudevents", **{"as": "A"}).id == ("ce.source", "ce.id")


def test_so_it_is_with_senml() -> None:
    found = only(format="senml")
    assert (found.type_field, found.key) == ("n", "bn")
    assert found.time is not None
    assert found.time.format == "epoch_s"


@pytest.mark.parametrize("format", ["json", {"encoding": "latin-1"}, {"type": "csv"}])
def test_other_formats_say_nothing_of_that(format: Any) -> None:
    assert [p.code for p in loaded(format=format).problems if p.severity == "error"] == ["missing-key"]


def test_what_is_wrong_with_such_a_format_is_told_once() -> None:
    problems = loaded(format={"type": "cloudevents", "attributes": "a.b", "sorce": 1}).problems
    codes = [p.code for p in problems if p.severity == "error"]
    assert sorted(codes) == ["bad-value", "missing-key", "unknown-key"]
