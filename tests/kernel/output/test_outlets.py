"""Outlets send a sink what it takes, and flush it when there is something to flush."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from limecep.model.event import Event
from limecep.model.match import Match
from limecep.model.pattern import Quantifier
from limecep.model.update import Update
from limecep.output.outlets import Outlet, UpdateOutlet
from limecep.output.owned import owned
from limecep.plan.plan import Alternative, PlanStep, StepFilter

if TYPE_CHECKING:
    from collections.abc import Sequence


class Kept:
    """A sink that keeps what happens to it."""

    counts_only = False

    def __init__(self) -> None:
        self.happened: list[Any] = []

    def open(self) -> None:
        self.happened.append("open")

    def send(self, records: Sequence[Any]) -> None:
        self.happened.append([*records])

    def flush(self) -> None:
        self.happened.append("flush")

    def close(self) -> None:
        self.happened.append("close")


class Counting(Kept):
    counts_only = True


class Transactional(Kept):
    """Has every batch already but the one called `new`."""

    def begin(self, batch: str) -> bool:
        self.happened.append(("begin", batch))
        return batch == "new"


class ForPeople(Kept):
    for_people = True


def update(pattern: str = "p") -> Update:
    step = PlanStep(
        variable="a", filter=StepFilter(types=("A",), accepts=None, signature=""), quantifier=Quantifier()
    )
    event = Event("A", "a1", 0)
    found = Match(Alternative(steps=(step,), negations=(), conditions=()), ((event,),))
    return Update(
        op="emit", pattern=pattern, key=None, match=found, first=found, revision=1, cause="in_order",
        cause_event=event, detected=0, latency=0,
    )  # fmt: skip


def test_a_sink_is_sent_records_and_flushed_once_for_them() -> None:
    sink = Kept()
    outlet = Outlet("out", sink)
    outlet.open()
    outlet.flush()
    outlet.post([{"n": 1}, {"n": 2}])
    outlet.post([])
    assert outlet.sent == 2
    outlet.flush()
    outlet.flush()
    outlet.post([{"n": 3}])
    outlet.flush()
    outlet.close()
    assert sink.happened == ["open", [{"n": 1}, {"n": 2}], "flush", [{"n": 3}], "flush", "close"]
    assert (outlet.sent, outlet.stuck, outlet.writes) == (3, False, True)


def test_a_sink_that_counts_is_sent_nothing() -> None:
    sink = Counting()
    outlet = UpdateOutlet("out", sink, "full", [])
    outlet.send([update()])
    outlet.pass_on([{"n": 1}])
    outlet.flush()
    assert (sink.happened, outlet.sent, outlet.writes) == ([], 0, False)


def test_a_sink_says_which_batches_it_has() -> None:
    sink = Transactional()
    outlet = Outlet("out", sink)
    assert [outlet.begin("old"), outlet.begin("new")] == [False, True]
    assert sink.happened == [("begin", "old"), ("begin", "new")]
    assert Outlet("out", Kept()).begin("any")


@pytest.mark.parametrize(("patterns", "taken"), [([], ["p", "q"]), (["q"], ["q"]), (["r"], [])])
def test_a_sink_takes_the_updates_of_its_patterns(patterns: list[str], taken: list[str]) -> None:
    sink = Kept()
    outlet = UpdateOutlet("out", sink, "ids", patterns)
    outlet.send([update("p"), update("q")])
    assert [r["pattern"] for sent in sink.happened for r in sent] == taken
    assert outlet.sent == len(taken)


def test_what_lies_between_gets_the_records_in_place_of_the_sink() -> None:
    sink = Kept()
    outlet = UpdateOutlet("out", sink, "none", [])
    between: list[Any] = []
    outlet.post = between.append
    outlet.send([update()])
    assert sink.happened == []
    assert [r["pattern"] for records in between for r in records] == ["p"]


def test_people_are_shown_all_there_is() -> None:
    sent: dict[str, Any] = {}
    for sink in (Kept(), ForPeople()):
        outlet = UpdateOutlet("out", sink, "none", [])
        outlet.open()
        outlet.send([update()])
        (sent[type(sink).__name__],) = sink.happened[-1]
    assert "events" not in sent["Kept"]
    assert sent["ForPeople"]["events"]
    assert "delay" in sent["ForPeople"]


class Changing(Kept):
    """Changes what it is sent."""

    def send(self, records: Sequence[Any]) -> None:
        for record in records:
            for event in record["events"]["a"]:
                event["payload"].pop("room")
                event["payload"]["tags"].clear()
            record["key"].clear()


def test_a_sink_that_may_change_records_is_handed_copies() -> None:
    payload, key = {"room": 1, "tags": ["x"]}, {"room": 1}
    made = msgspec.structs.replace(update(), key=key)
    made.match.start.payload = payload
    UpdateOutlet("out", Changing(), "full", [], owned).send([made])
    record = {"events": {"a": [{"payload": payload}]}, "key": key}
    Outlet("late", Changing(), owned).take([record])
    assert (payload, key) == ({"room": 1, "tags": ["x"]}, {"room": 1})


def test_one_that_changes_none_is_handed_those_of_the_events() -> None:
    made, sink = update(), Kept()
    UpdateOutlet("out", sink, "full", []).send([made])
    [[record]] = sink.happened
    assert record["events"]["a"][0]["payload"] is made.match.start.payload
