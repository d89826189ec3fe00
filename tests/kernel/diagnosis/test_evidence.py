"""What is known of the events that came."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep import ComponentSpec
from limecep.config.model import ComponentConfig, SourceConfig, TimeConfig
from limecep.diagnosis.evidence import Evidence, Seen, SourceSeen
from limecep.model.event import Event
from limecep.runtime.pipeline import Pipeline
from limecep.spec import NoOptions
from limecep.testing.streams import written

if TYPE_CHECKING:
    from conftest import MakeEvent

    from limecep.registry import Registry


AB = "SEQ(Gas a, Smoke b)"


def test_what_has_left_memory_is_remembered_in_part(event: MakeEvent, installed: Registry) -> None:
    document = {
        "version": 1,
        "patterns": {"p": {"query": f"PATTERN {AB} WHERE a.v > 8 AND a.w > 1 WITHIN 1 s"}},
        "retention": {"events": 50},
    }
    pipeline = Pipeline.from_dict(document, registry=installed)
    for n in range(0, 3000, 10):
        pipeline.feed([event("Gas", n + i, v=n % 7) for i in range(10)])
    (first, second, third) = pipeline.report()["patterns"]["p"]["why_none"]
    assert first["message"] == "no Smoke came; there came 'Gas' (3,000)"
    assert second["message"].startswith("a.w was missing in the 2")
    assert second["message"].endswith("Gas looked at (of 3,000): they have 'v'")
    assert third["message"].startswith("a.v > 8 held for none of 2")
    assert third["message"].endswith("Gas looked at (of 3,000)")


def test_of_very_many_events_the_first_are_looked_at(installed: Registry) -> None:
    events = [Event("Gas", str(n), n, n, "s", {"v": n}) for n in range(12_000)]
    document = {"version": 1, "patterns": {"p": {"query": f"PATTERN {AB} WHERE a.w > 1 WITHIN 1 s"}}}
    pipeline = Pipeline.from_dict(document, registry=installed)
    pipeline.feed(events)
    _, absent = pipeline.report()["patterns"]["p"]["why_none"]
    assert absent["message"] == "a.w was missing in the 10,000 Gas looked at (of 12,000): they have 'v'"


def ids(events: list[Event]) -> str:
    return " ".join(e.id for e in events)


def seen(first: str, later: str = "", total: int | None = None) -> Seen:
    came = written(first), written(later)
    return Seen(first=came[0], later=came[1], total=len(came[0]) + len(came[1]) if total is None else total)


def test_events_of_one_type_are_as_they_are() -> None:
    of_a = seen("a1 a2", "a9")
    assert Evidence(seen={"A": of_a, "B": seen("b3")}).of(["A", "X"]) is of_a
    assert ids(of_a.events) == "a1 a2 a9"


def test_events_of_several_types_come_in_order_up_to_where_those_of_one_break_off() -> None:
    whole = Evidence(seen={"A": seen("a1 a5"), "B": seen("b2 b8"), "C": seen("c0")}).of(["A", "B"])
    assert (ids([*whole.first]), ids([*whole.later]), whole.total) == ("a1 b2 a5 b8", "", 4)
    part = Evidence(seen={"A": seen("a1 a5", "a9", total=7), "B": seen("b2 b5 b8")}).of(["A", "B"])
    assert (ids([*part.first]), ids([*part.later]), part.total) == ("a1 b2 a5 b5", "b8 a9", 10)
    none = Evidence(seen={}).of(["A", "B"])
    assert (none.events, none.total) == ([], 0)


@pytest.mark.parametrize(
    ("types", "every", "sampled", "said"),
    [
        (["A"], True, False, "all 2 A"),
        (["A"], False, False, "2 A"),
        (["B"], True, False, "the only B"),
        (["B"], False, False, "1 B"),
        (["A", "B", "X", "D"], True, False, "all 3 A and B"),
        (["C"], True, False, "the 2 C looked at (of 5,000)"),
        (["C"], False, False, "2 C looked at (of 5,000)"),
        (["C"], True, True, "the 2 C looked at (of 5,000)"),
        (["A"], True, True, "all 2 A of the sample"),
        (["B"], False, True, "1 B of the sample"),
    ],
)
def test_how_many_there_are_is_said_in_words(types: list[str], every: bool, sampled: bool, said: str) -> None:
    came = {"A": seen("a1 a2"), "B": seen("b1"), "C": seen("c1 c2", total=5000), "D": seen("")}
    assert Evidence(seen=came, sampled=sampled).amount(types, every=every) == said


FILE = ComponentSpec(kind="source", name="file", factory="nowhere:Nothing", summary="For tests.")


def mine(origin: str) -> ComponentConfig:
    return ComponentConfig(spec=FILE, options=NoOptions(), origin=origin)


@pytest.mark.parametrize(
    ("config", "found"),
    [
        ({}, {"types": None, "epoch": "", "own": {}}),
        ({"event_type": "A", "id": ("n",)}, {"types": frozenset({"A"}), "epoch": "", "own": {"id": "n"}}),
        ({"type_field": "k", "id": ("n", "m")}, {"types": None, "epoch": "", "own": {"type": "k"}}),
        ({"time": TimeConfig(field="t", format="epoch_ms")}, {"types": None, "epoch": "epoch_ms", "own": {}}),
        ({"time": TimeConfig(field="t")}, {"types": None, "epoch": "", "own": {}}),
        ({"time": TimeConfig(field="t", brought=mine("limecep"))}, {}),
        ({"time": TimeConfig(field="t", brought=mine("limecep-mine"))}, {"reader": "file"}),
    ],
)
def test_a_source_is_known_by_what_it_was_configured_to_bring(
    config: dict[str, Any], found: dict[str, Any]
) -> None:
    connector = ComponentConfig(spec=FILE, options=NoOptions())
    source = SourceConfig(name="s", connector=connector, channel="c", **config)
    assert SourceSeen.of(source, {"in_order": 2, "invalid": 3}, 5, 9) == SourceSeen(
        name="s", channel="c", outcomes={"in_order": 2, "invalid": 3}, first=5, latest=9, **found
    )


def test_what_was_read_of_a_source_is_the_sum_of_its_outcomes() -> None:
    assert SourceSeen(name="s", outcomes={"in_order": 2, "invalid": 3}).read == 5


def test_a_source_may_bring_the_types_it_has_or_any() -> None:
    assert SourceSeen(name="s").brings(["A"])
    of_two = SourceSeen(name="s", types=frozenset({"A", "B"}))
    assert of_two.brings(["B", "C"])
    assert not of_two.brings(["C"])
