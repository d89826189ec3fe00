"""What goes out is handed to the sinks in order, and none is forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep.errors import RunFailure
from limecep.model.event import Event
from limecep.model.match import Match
from limecep.model.pattern import Quantifier
from limecep.model.update import Update
from limecep.output import delivery
from limecep.output.delivery import Delivery
from limecep.output.outlets import Outlet, UpdateOutlet
from limecep.plan.plan import Alternative, PlanStep, StepFilter

if TYPE_CHECKING:
    from collections.abc import Sequence


class Tape:
    """Keeps what it is sent, and what was asked of it."""

    def __init__(self, *, counts_only: bool = False, fails: str = "", for_people: bool = False) -> None:
        self.counts_only = counts_only
        self.for_people = for_people
        self.records: list[dict[str, Any]] = []
        self.asked: list[str] = []
        self._fails = fails

    def _note(self, what: str) -> None:
        self.asked.append(what)
        if what == self._fails:
            raise RunFailure(f"cannot {what}")

    def open(self) -> None:
        self._note("open")

    def send(self, records: Sequence[dict[str, Any]]) -> None:
        self._note("send")
        self.records += records

    def flush(self) -> None:
        self._note("flush")

    def close(self) -> None:
        self._note("close")


def update(pattern: str = "p", n: int = 0) -> Update:
    step = PlanStep(
        variable="a", filter=StepFilter(types=("A",), accepts=None, signature=""), quantifier=Quantifier()
    )
    match = Match(Alternative(steps=(step,), negations=(), conditions=()), ((Event("A", str(n), 0),),))
    return Update(
        op="emit", pattern=pattern, key=None, match=match, first=match, revision=1, cause="in_order",
        cause_event=None, detected=0, latency=0,
    )  # fmt: skip


def outlet(tape: Tape, *patterns: str) -> UpdateOutlet:
    return UpdateOutlet("out", tape, "ids", patterns)


def test_updates_go_to_the_sinks_that_want_them_in_order() -> None:
    every, one, none = Tape(), Tape(), Tape(counts_only=True)
    made = Delivery([outlet(every), outlet(one, "q"), outlet(none)], [])
    for n, pattern in enumerate("pqpq"):
        made.update(update(pattern, n))
    assert every.records == []
    made.send()
    assert [r["events"]["a"] for r in every.records] == [["0"], ["1"], ["2"], ["3"]]
    assert [r["events"]["a"] for r in one.records] == [["1"], ["3"]]
    assert none.asked == []
    assert [o.sent for o in made.outlets] == [4, 2, 0]


def test_sinks_say_what_they_take_and_get_what_was_rendered_elsewhere() -> None:
    every, one, none, people = Tape(), Tape(), Tape(counts_only=True), Tape(for_people=True)
    made = Delivery([outlet(every), outlet(one, "q"), outlet(none), outlet(people)], [])
    made.open()
    takes = [demand and (demand.events, demand.delay, sorted(demand.patterns)) for demand in made.demands]
    assert takes == [("ids", False, []), ("ids", False, ["q"]), None, ("full", True, [])]
    made.rendered([({"n": 1}, None, None, {"n": 2}), ({"n": 3}, {"n": 4}, None, None)])
    assert [tape.records for tape in (every, one, people)] == [[{"n": 1}, {"n": 3}], [{"n": 4}], [{"n": 2}]]
    assert "send" not in none.asked


def test_late_records_go_to_the_late_sinks_only() -> None:
    updates, late = Tape(), Tape()
    made = Delivery([outlet(updates)], [Outlet("late", late)])
    made.late({"reason": "not open yet"})
    made.open()
    made.late({"reason": "future"})
    made.send()
    assert (updates.records, late.records) == ([], [{"reason": "future"}])


def test_where_nobody_wants_them_records_are_not_kept() -> None:
    silent = Tape(counts_only=True)
    made = Delivery([outlet(silent)], [Outlet("late", silent)])
    assert not made.wants_updates
    made.open()
    made.late({"reason": "future"})
    made.flush()
    assert set(silent.asked) == {"open"}
    assert Delivery([outlet(Tape())], []).wants_updates


def test_much_is_handed_over_before_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery, "FULL_RECORDS", 3)
    updates, late = Tape(), Tape()
    made = Delivery([outlet(updates)], [Outlet("late", late)])
    made.open()
    for n in range(7):
        made.update(update(n=n))
        made.late({"n": n})
    assert min(len(updates.records), len(late.records)) > 4
    made.flush()
    assert [r["n"] for r in late.records] == list(range(7))
    assert len(updates.records) == 7


def test_only_what_was_sent_something_is_flushed() -> None:
    used, unused = Tape(), Tape()
    made = Delivery([outlet(used), outlet(unused, "q")], [])
    made.open()
    made.update(update())
    made.flush()
    made.flush()
    assert used.asked == ["open", "send", "flush"]
    assert unused.asked == ["open"]


def test_a_flush_that_failed_is_tried_again() -> None:
    tape = Tape(fails="flush")
    made = Delivery([outlet(tape)], [])
    made.update(update())
    for _ in range(2):
        with pytest.raises(RunFailure):
            made.flush()
    assert tape.asked == ["send", "flush", "flush"]


def test_what_others_have_opened_and_what_hangs_is_left_alone() -> None:
    tapes = [Tape(), Tape()]
    outlets = [Outlet("a", tapes[0]), Outlet("b", tapes[1])]
    made = Delivery([], outlets)
    made.open(each=False)
    made.late({"n": 1})
    outlets[1].hung = True
    made.send()
    made.close()
    assert [tape.asked for tape in tapes] == [["send", "close"], ["send"]]


def test_every_sink_is_closed_even_if_one_cannot_be() -> None:
    broken, fine = Tape(fails="close"), Tape()
    with pytest.raises(RunFailure, match="cannot close"):
        Delivery([outlet(broken), outlet(fine)], []).close()
    assert fine.asked == ["close"]


@pytest.mark.parametrize("for_people", [False, True])
def test_people_are_shown_all_events_and_how_long_it_took(for_people: bool) -> None:
    tape = Tape(for_people=for_people)
    gone = Delivery([UpdateOutlet("out", tape, "ids", ())], [])
    gone.open()
    gone.update(update(n=7))
    gone.flush()
    (record,) = tape.records
    assert isinstance(record["events"]["a"][0], dict) is for_people
    assert ("delay" in record) is for_people
