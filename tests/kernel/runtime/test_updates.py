"""Updates as a program gets them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep import Pipeline, Updates
from limecep.output.render import Renderer
from limecep.testing.streams import written

if TYPE_CHECKING:
    from limecep.registry import Registry


@pytest.fixture
def fed(installed: Registry) -> Any:
    """A pipeline that finds groups of B."""
    query = "PATTERN SEQ(A a, B+ b[], C c) WITHIN 1 h PARTITION BY v"
    document = {"version": 1, "patterns": {"p": {"query": query, "slack": "none"}}}
    with Pipeline.from_dict(document, registry=installed) as pipeline:
        yield pipeline


def test_an_update_has_an_id_a_record_and_a_short_text(fed: Pipeline) -> None:
    (found,) = fed.feed(written("a1=5 b2=5 b3=5 b5=5 c9=5"))
    before = found.record()
    (corrected,) = fed.feed(written("b4=5"))
    assert (found.op, corrected.op) == ("emit", "correct")
    assert found.id == corrected.id == found.record()["match"]
    assert repr(found) == f"<emit p {{'v': 5}} {found.id[:6]} r1: a=a1 b=b2,b3,b5 c=c9>"
    assert repr(corrected) == f"<correct p {{'v': 5}} {found.id[:6]} r2: a=a1 b=b2,b3,b4,… c=c9>"
    # It stays as it was when it was given.
    assert found.record() == before == Renderer().render(found)
    assert found.record("ids")["events"] == {"a": ["a1"], "b": ["b2", "b3", "b5"], "c": ["c9"]}


def test_who_changes_a_record_changes_no_event(fed: Pipeline) -> None:
    updates = fed.feed(written("a1=5 b2=5 c3=5"))
    for record in (updates[0].record(), *updates.records()):
        record["events"]["a"][0]["payload"].clear()
        record["key"].clear()
    assert [u.match.start.payload for u in fed.feed(written("b2.5=5"))] == [{"v": 5}]
    assert updates[0].record()["key"] == {"v": 5}


def test_updates_of_several_calls_are_added_with_what_was_refused(fed: Pipeline) -> None:
    total = Updates()
    total += fed.feed(written("a1=5 b2=5 c3=5"))
    total += fed.feed({"type": "A"}, invalid="refuse")
    total = total + fed.feed(written("a4=6 b5=6 c6=6"))
    assert [u.match.end.id for u in total] == ["c3", "c6"]
    assert [r.reason for r in total.refused] == ["invalid"]
    assert [r["events.b"] for r in total.rows()] == [["b2"], ["b5"]]


def test_values_of_return_are_those_of_the_record_and_columns_of_rows(installed: Registry) -> None:
    query = "PATTERN SEQ(A a, B+ b[]) WITHIN 1 h RETURN count(b) AS n, a.k AS key"
    document = {
        "version": 1,
        "patterns": {"p": {"query": query}, "plain": {"query": "PATTERN SEQ(A a) WITHIN 1 s"}},
    }
    with Pipeline.from_dict(document, registry=installed) as pipeline:
        updates = pipeline.feed(written("a1=5 b2=5"))
        assert [u.values for u in updates] == [None, {"n": 1, "key": None}]
        assert [(r["values.n"], r["values.key"]) for r in updates.rows()] == [(None, None), (1, None)]
        (grown,) = pipeline.feed(written("b3=5"))
    assert (grown.op, grown.values, grown.record("none")["values_before"]["n"]) == (
        "correct", {"n": 2, "key": None}, 1,
    )  # fmt: skip
