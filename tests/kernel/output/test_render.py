"""Records of the change log and of the late output."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limecep.encoding import to_canonical_json, to_json
from limecep.model.event import Event
from limecep.model.instants import rfc3339
from limecep.model.match import Match
from limecep.model.pattern import Quantifier
from limecep.model.update import Update
from limecep.output.render import Renderer, match_record
from limecep.plan.plan import Alternative, PlanStep, StepFilter

FILTER = StepFilter(types=("A",), accepts=None, signature="")


def match(**groups: list[Event]) -> Match:
    steps = tuple(PlanStep(variable=v, filter=FILTER, quantifier=Quantifier()) for v in groups)
    return Match(Alternative(steps=steps, negations=(), conditions=()), tuple(map(tuple, groups.values())))


def event(id: str, t: int = 0, type: str = "A", **payload: Any) -> Event:
    return Event(type, id, t, t, "src", payload)


def update(present: Match, first: Match | None = None, **changes: Any) -> Update:
    settings: dict[str, Any] = {
        "op": "emit", "pattern": "p", "key": None, "match": present, "first": first or present, "revision": 1,
        "cause": "in_order", "cause_event": None, "detected": 0, "latency": 0, **changes,
    }  # fmt: skip
    return Update(**settings)


def match_id(present: Match, **changes: Any) -> str:
    return str(Renderer("none").render(update(present, **changes))["match"])


A, B, C = event("a1", 1_000_000, v=1), event("b2", 2_500_000), event("c3", 3_000_001)


def test_a_record_says_all_of_an_update_in_order() -> None:
    record = Renderer().render(
        update(
            match(a=[A], b=[B, C]),
            key={"room": "k1"},
            cause="late_event",
            cause_event=B,
            detected=4,
            latency=4000,
        )
    )
    assert list(record) == [
        "op", "match", "revision", "content", "pattern", "key", "start", "end", "events", "cause", "detected",
        "latency",
    ]  # fmt: skip
    assert (record["start"], record["end"]) == ("1970-01-01T00:00:01Z", "1970-01-01T00:00:03.000001Z")
    assert record["key"] == {"room": "k1"}
    assert record["events"]["a"] == [
        {"type": "A", "id": "a1", "time": "1970-01-01T00:00:01Z", "source": "src", "payload": {"v": 1}}
    ]
    assert [e["id"] for e in record["events"]["b"]] == ["b2", "c3"]
    assert record["cause"] == {"kind": "late_event", "event": "b2"}
    assert (record["detected"], record["latency"]) == ("1970-01-01T00:00:00.000004Z", 0.004)


def test_events_are_given_in_full_as_ids_or_not_at_all() -> None:
    change = update(match(a=[A], b=[], c=[C]))
    assert Renderer("ids").render(change)["events"] == {"a": ["a1"], "b": [], "c": ["c3"]}
    assert "events" not in Renderer("none").render(change)


def test_the_match_is_that_of_the_first_version_and_the_content_that_of_the_present_one() -> None:
    first, grown = match(a=[A], b=[B]), match(a=[A], b=[B, C])
    emitted = Renderer().render(update(first))
    corrected = Renderer("ids").render(update(grown, first, op="correct", revision=2))
    assert emitted["match"] == corrected["match"]
    assert emitted["content"] != corrected["content"]
    assert Renderer().render(update(grown))["content"] == corrected["content"]


def test_a_match_of_an_and_is_the_same_in_either_order() -> None:
    assert match_id(match(a=[A], b=[B])) == match_id(match(b=[B], a=[A], c=[]))


@pytest.mark.parametrize(
    ("present", "changes"),
    [
        (match(a=[A, B]), {"pattern": "q"}),
        (match(a=[A, B]), {"key": {"k": 1}}),
        (match(a=[A, B]), {"generation": 1}),
        (match(a=[A], b=[B]), {}),
        (match(b=[A, B]), {}),
        (match(a=[event("a1b2")]), {}),
        (match(a=[event("a1", type="X"), B]), {}),
    ],
)
def test_other_matches_have_other_ids(present: Match, changes: dict[str, Any]) -> None:
    assert match_id(present, **changes) != match_id(match(a=[A, B]))


def test_matches_that_began_as_the_same_events_are_told_apart_by_their_generation() -> None:
    assert len({match_id(match(a=[A]), generation=n) for n in range(4)}) == 4


@pytest.mark.parametrize(
    ("t", "text"),
    [(0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59.999999Z"), (100_000, "1970-01-01T00:00:00.1Z"),
     (10**30, "9999-12-31T23:59:59.999999Z"), (-(10**30), "0001-01-01T00:00:00Z")],
)  # fmt: skip
def test_instants_have_as_many_decimals_as_needed(t: int, text: str) -> None:
    assert rfc3339(t) == text


def deep(levels: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"x": float("inf"), "y": [float("nan")]}, '{"x":null,"y":[null]}'),
        ({1: float("nan"), "y": 2**80}, '{"1":null,"y":1208925819614629174706176}'),
        ({"x": "\ud800"}, '{"x":"?"}'),
        ({"x": {(1, 2): {"deep": object}}}, None),
        (deep(5000), None),
    ],
)
def test_whatever_is_encoded_is_json(value: object, text: str | None) -> None:
    for encode in (to_json, to_canonical_json):
        encoded = encode(value).decode()
        assert text is None or encoded == text
        json.loads(encoded)


@given(st.dictionaries(st.text(), st.floats() | st.integers() | st.text() | st.none()))
def test_equal_payloads_have_one_canonical_text(payload: dict[str, Any]) -> None:
    backwards = dict(reversed(payload.items()))
    assert to_canonical_json(payload) == to_canonical_json(backwards)
    assert b"NaN" not in to_json(list(payload.values())) or any(
        "NaN" in str(v) for v in payload.values() if v
    )


@pytest.mark.parametrize(
    ("cause", "detected", "delay"), [("in_order", 9_000_000, 0.5), ("time", 9_000_001, 6.0), ("time", 0, 0.0)]
)
def test_the_delay_of_what_time_decided_counts_from_the_last_event(
    cause: str, detected: int, delay: float
) -> None:
    decided = update(match(a=[A], b=[B, C]), cause=cause, detected=detected, latency=500_000)
    assert Renderer(delay=True).render(decided)["delay"] == delay
    assert "delay" not in Renderer().render(decided)


def test_values_stand_in_the_record_and_those_of_before_where_a_correction_changed_them() -> None:
    def counted(*events: Event) -> Match:
        made = match(a=[A], b=list(events))
        returned = lambda groups, end: {"n": len(groups["b"]), "end": end.id, "room": "k"}  # noqa: E731
        return Match(dataclasses.replace(made.alternative, returned=returned), made.groups)

    short, grown = counted(B), counted(B, C)
    first = Renderer("none").render(update(short))
    assert list(first)[6:9] == ["start", "end", "values"]
    assert first["values"] == {"n": 1, "end": "b2", "room": "k"}
    corrected = Renderer("none").render(update(grown, short, op="correct", revision=2, before=short))
    assert corrected["values"] == {"n": 2, "end": "c3", "room": "k"}
    assert corrected["values_before"] == first["values"]
    same = Renderer("none").render(update(counted(B), short, op="correct", revision=2, before=short))
    assert "values_before" not in same
    assert match_record("p", None, grown)["values"] == corrected["values"]
