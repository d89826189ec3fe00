"""The `observers` block."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from limecep.config.loader import load_dict
from limecep.config.schema import schema

if TYPE_CHECKING:
    from limecep.config.loader import Loaded
    from limecep.registry import Registry


def document(observers: Any) -> dict[str, Any]:
    return {
        "version": 1,
        "sources": {"s": {"type": "file", "channel": "s.jsonl", "as": "A", "id": "id", "time": "t"}},
        "patterns": {"p": {"query": "PATTERN SEQ(A a) WITHIN 1 s"}},
        "observers": observers,
    }


def loaded(observers: Any, registry: Registry) -> Loaded:
    return load_dict(document(observers), registry)


def test_they_are_read_with_their_options_in_their_order(installed: Registry) -> None:
    given = {
        "service": {"type": "sd_notify", "on_error": "disable"},
        "metrics": {"type": "prometheus", "port": 9999, "commit_within": "2m"},
    }
    config = loaded(given, installed).checked()
    service, metrics = config.observers
    assert (service.name, service.on_error) == ("service", "disable")
    assert (metrics.name, metrics.on_error, metrics.component.spec.name) == ("metrics", "fail", "prometheus")
    assert (metrics.component.options.port, metrics.component.options.commit_within) == (9999, 120_000_000)


@pytest.mark.parametrize("observers", [None, {}])
def test_there_may_be_none(observers: Any, installed: Registry) -> None:
    assert loaded(observers, installed).checked().observers == ()


@pytest.mark.parametrize(
    ("observers", "path", "said", "hint"),
    [
        ({"m": {"port": 1}}, "observers.m", "observer 'm' needs 'type' [missing-key]", "known: "),
        ({"m": "prometheus"}, "observers.m", "'m' must be a block", "write m: {type: prometheus}"),
        ({"m": {"type": "promethus"}}, "observers.m.type", "no observer named", "did you mean 'prometheus'?"),
        ({"m": {"type": "prometheus", "prot": 1}}, "observers.m.prot", "has no key 'prot'", "mean 'port'?"),
        ({"m": {"type": "sd_notify", "port": 1}}, "observers.m.port", "no key 'port'", "type: prometheus"),
        ({"m": {"type": "prometheus", "port": 70000}}, "observers.m.port", "must be from 0 to 65535", ""),
        ({"m": {"type": "sd_notify", "on_error": "skip"}}, "observers.m.on_error", "fail, disable", ""),
        (["prometheus"], "observers", "'observers' must be a block of keys", ""),
    ],
)
def test_a_mistake_is_named_where_it_stands(
    observers: Any, path: str, said: str, hint: str, installed: Registry
) -> None:
    result = loaded(observers, installed)
    [problem] = [p for p in result.problems if p.severity == "error"]
    assert said in f"{problem.message} [{problem.code}]"
    assert hint in problem.hint
    assert path in str(problem)
    assert result.config is None


def test_editors_know_them(installed: Registry) -> None:
    known = schema(installed)
    jsonschema.validate(document({"m": {"type": "prometheus", "on_error": "disable"}}), known)
    for wrong in ({"port": 1}, {"type": "promethus"}, {"type": "sd_notify", "port": 1}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(document({"m": wrong}), known)
