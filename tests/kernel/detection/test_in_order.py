"""The hot path: events in order are stored, counted and told of; others go to the late path."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from limecep.clock import ManualClock
from limecep.detection.agenda import Agenda
from limecep.detection.event_time import EventTime, SourceTraits
from limecep.detection.in_order import InOrderPath
from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.model.time import FOREVER
from limecep.plan.compiler import compile_plan
from limecep.statistics import Statistics
from limecep.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.interpreted


class Manager:
    """Waits for event time and for slack, and notes what it is told.

    Attributes:
        said: What it was told.
        then: Done whenever it is told anything.
    """

    def __init__(self, statistics: Statistics, *, waits: bool) -> None:
        self.waits, self.gathers = waits, False
        self.slack_due = FOREVER
        self.next_deadline = FOREVER
        self.said: list[str] = []
        self.then: Callable[[Event], None] = lambda event: None
        self._statistics = statistics

    def came(self, event: Event) -> None:
        self.said.append(f"{event.id} came at {self._statistics.lta}")
        self.then(event)

    def run_due(self) -> None:
        self.said.append(f"due at {self._statistics.lta}")
        self.next_deadline = FOREVER

    def run_slack(self, now: int) -> None:
        self.said.append(f"slack at {now}")
        self.slack_due = FOREVER


class Made:
    """The hot path before a store of A and B, that B may end, in which A has a lane of its own.

    Attributes:
        late: What went to the late path, with the outcomes as they were, the latest event, and how many were
            stored.
    """

    def __init__(
        self, query: str = "SEQ(A a, B b) WHERE a.v = 1", *, waits: bool = False, sequenced: bool = False,
        skew: int | None = None, partition: str = "",
    ) -> None:  # fmt: skip
        plan = compile_plan(parse(f"PATTERN {query} WITHIN 1 h {partition}"), name="p")
        self.store = Store(sequenced=sequenced)
        self.views = self.store.subscribe(plan)
        self.statistics = Statistics(self.store.types)
        self.clock = ManualClock()
        self.manager = Manager(self.statistics, waits=waits)
        managers: Any = [self.manager]
        self.correcting = managers
        traits = {"s": SourceTraits(max_future_skew=skew)}
        self.time = EventTime(self.statistics, self.clock, traits, awaits_sources=False)
        self.agenda = Agenda(managers, self.clock, self.time, self.statistics)
        self.late: list[tuple[str, dict[str, int], str | None, int]] = []
        late: Any = self
        router: Any = SimpleNamespace(enders={"B": managers})
        self.path = InOrderPath(self.store, router, late, late, self.agenda, self.time, self.statistics)

    def take(self, event: Event, latest: Event | None, outcomes: dict[str, int]) -> Event | None:
        """As the late path."""
        counts = {name: n for name, n in outcomes.items() if n}
        self.late.append((event.id, counts, latest and latest.id, self.store.arrivals))
        return latest

    def parted(self, events: list[Event], skew: int, figures: Any) -> list[tuple[int, list[Event]]]:
        self.heard = self.clock.now()
        near = [e for e in events if e.t_gen <= e.t_arr + skew]
        return [(len(events) - len(near), near)]

    def feed(self, *words: str) -> Made:
        """`a3` is an A at 3 that arrives then; `a3@9` one that arrives at 9; `a3.5` one with the number 5."""
        events = []
        for word in words:
            name, _, arrival = word.partition("@")
            time, _, seq = name[1:].partition(".")
            t_arr = int(arrival or time)
            payload = {"v": int(time) % 2, "k": int(time)}
            events.append(Event(name[0].upper(), name, int(time), t_arr, "s", payload, int(seq or 0)))
        self.path.take("s", events)
        return self

    @property
    def counts(self) -> dict[str, int]:
        return {name: n for name, n in self.statistics.source("s").outcomes.items() if n}

    def stored(self, type: str) -> list[str]:
        return [e.id for e in self.store.types[type].events.content.events]


def test_events_in_order_are_stored_counted_and_told_of() -> None:
    made = Made().feed("a1", "x2", "a3", "b4", "a6", "x7")
    assert (made.stored("A"), made.stored("B")) == (["a1", "a3", "a6"], ["b4"])
    assert [e.ordinal for e in made.store.types["A"].events.content.events] == [1, 2, 4]
    assert made.store.types["A"].events.content.order == [1, 3, 6]
    assert made.manager.said == ["b4 came at 4"]
    assert made.counts == {"in_order": 4, "irrelevant": 2}
    assert (made.statistics.lta, made.store.arrivals, made.late) == (7, 4, [])
    source = made.statistics.source("s")
    assert (source.first, source.latest) == (1, 7)
    made.store.check()


def test_the_place_is_that_of_the_event_it_is_at() -> None:
    made, places = Made(), []
    made.manager.then = lambda event: places.append(made.path.place)
    made.feed("a1", "b2", "x3", "b4").feed("b5", "a3", "b6", "x7")
    assert places == [2, 4, 5, 7]
    assert made.path.place == 8


def test_only_what_a_step_accepts_stands_in_its_lane() -> None:
    made = Made().feed("a1", "a2", "a3")
    (view,) = made.views.all()
    lane = view.steps[0][0].content
    assert ([e.id for e in lane.events], lane.order) == (["a1", "a3"], [1, 3])


def test_events_stand_in_the_lanes_of_their_keys() -> None:
    made = Made("SEQ(A a, B b)", partition="PARTITION BY k").feed("a1", "a2")
    assert made.store.partitions.keys == 2
    made.store.check()


def test_sequence_numbers_stand_in_order_numbers() -> None:
    made = Made(sequenced=True).feed("a1.5", "a2.3")
    content = made.store.types["A"].events.content
    assert content.order == [made.store.ordering.of(e) for e in content.events]


def test_under_strict_contiguity_events_of_every_type_are_stored() -> None:
    made = Made()
    made.store.takes_all = True
    made.feed("a1", "x2", "x3")
    assert made.stored("X") == ["x2", "x3"]
    assert made.counts == {"in_order": 3}


def test_copies_are_counted_and_nothing_else() -> None:
    made = Made().feed("a1").feed("a2")
    copy = Event("A", "a1", 5, 5, "s")
    made.path.take("s", [copy, Event("A", "a6", 6, 6, "s")])
    assert made.stored("A") == ["a1", "a2", "a6"]
    assert made.counts == {"in_order": 3, "duplicate": 1}
    assert made.statistics.lta == 6


def test_what_is_not_later_than_all_before_goes_to_the_late_path_with_figures_as_they_are() -> None:
    made = Made().feed("a1", "x2", "a4", "a4@6", "a3@7", "a9")
    assert made.late == [
        ("a4", {"in_order": 2, "irrelevant": 1}, "a4", 2),
        ("a3", {"in_order": 2, "irrelevant": 1}, "a4", 2),
    ]
    assert made.stored("A") == ["a1", "a4", "a9"]
    # The late path counts what it takes.
    assert made.counts == {"in_order": 3, "irrelevant": 1}


def test_copies_before_a_late_event_are_counted_by_then() -> None:
    made = Made().feed("a1", "a2")
    made.path.take(
        "s", [Event("A", "a1", 5, 5, "s"), Event("A", "a7", 7, 7, "s"), Event("A", "a3", 3, 8, "s")]
    )
    assert made.late == [("a3", {"in_order": 3, "duplicate": 1}, "a7", 3)]
    assert made.counts == {"in_order": 3, "duplicate": 1}


def test_a_late_event_of_a_type_that_nothing_takes_is_counted_only() -> None:
    made = Made().feed("a5", "x3@6", "x2@7")
    assert made.late == []
    assert made.counts == {"in_order": 1, "irrelevant": 2}
    assert (made.statistics.source("s").first, made.statistics.source("s").latest) == (2, 5)


@pytest.mark.parametrize("change", ["waits", "all", "slack"])
def test_a_late_event_of_any_type_goes_on_where_it_may_move_something(change: str) -> None:
    made = Made(waits=change == "waits")
    made.store.takes_all = change == "all"
    if change == "slack":
        made.agenda.slack_due = 6
    made.feed("a5", "x3@6")
    assert [name for name, *_ in made.late] == ["x3"]
    made.agenda.slack_due = 8 if change == "slack" else made.agenda.slack_due
    made.feed("x2@7")
    assert [name for name, *_ in made.late] == (["x3"] if change == "slack" else ["x3", "x2"])


def test_a_late_event_is_heard_of_before_what_waits_for_slack_is_looked_at() -> None:
    made = Made()
    made.manager.slack_due = 6
    made.agenda.note()
    made.feed("a9@5", "a3@7")
    assert made.manager.said == ["slack at 7"]
    assert [name for name, *_ in made.late] == ["a3"]


def test_the_late_path_finds_how_far_time_has_come_and_what_it_stores_counts_on() -> None:
    made = Made()
    seen: list[tuple[int, int | None]] = []

    def take(event: Event, latest: Event | None, outcomes: dict[str, int]) -> Event | None:
        seen.append((made.statistics.lta, made.statistics.source("s").latest))
        made.store.add(event, made.store.types["A"])
        return latest

    made.take = take  # type: ignore[method-assign]
    made.feed("a1", "a5", "a3@6", "a9")
    assert seen == [(5, 5)]
    assert [e.ordinal for e in made.store.types["A"].events.content.events] == [1, 3, 2, 4]
    assert made.store.arrivals == 4


@pytest.mark.parametrize(
    ("event", "due"), [("a7", []), ("a8", ["due at 8"]), ("x7", []), ("x8", ["due at 8"])]
)
def test_a_deadline_is_run_before_an_event_that_passes_it(event: str, due: list[str]) -> None:
    made = Made(waits=True)
    made.manager.next_deadline = 7
    made.agenda.note()
    made.feed("a5", event)
    assert made.manager.said == due
    assert made.statistics.source("s").latest == int(event[1:])


@pytest.mark.parametrize(
    ("event", "done"),
    [
        ("a6@7", []),
        ("x6@7", []),
        ("a6@8", ["slack at 8"]),
        ("x6@8", ["slack at 8"]),
        # Time may be due before slack is.
        ("a11@7", ["due at 11"]),
        ("x11@7", ["due at 11"]),
        ("a10@7", []),
        ("x10@7", []),
    ],
)
def test_slack_is_looked_at_when_an_event_arrives_in_time_for_it(event: str, done: list[str]) -> None:
    made = Made(waits=True)
    made.manager.slack_due = 8
    made.manager.next_deadline = 10
    made.agenda.note()
    made.feed("a5@5", event)
    assert made.manager.said == done


def test_an_end_event_sees_how_many_came_in_order_where_something_waits() -> None:
    made = Made(waits=True)
    seen: list[dict[str, int]] = []
    made.manager.then = lambda event: seen.append(made.counts)
    made.feed("a1", "x2", "b3", "a4", "b5", "x6")
    assert seen == [{"in_order": 2}, {"in_order": 4}]
    assert made.counts == {"in_order": 4, "irrelevant": 2}


def test_what_an_end_event_begins_to_wait_for_is_noted_at_once() -> None:
    made = Made(waits=True)

    def wait(event: Event) -> None:
        made.manager.next_deadline = event.t_gen + 2

    made.manager.then = wait
    made.feed("b1", "a3", "a4", "a5")
    assert made.manager.said == ["b1 came at 1", "due at 4"]


def test_a_late_event_may_let_time_pass_where_something_waits() -> None:
    made = Made(waits=True)
    made.feed("a5")
    made.manager.next_deadline = 4
    made.feed("a3@6")
    assert made.manager.said == ["due at 5"]
    # And what it begins to wait for is noted.
    untimed = Made()
    untimed.feed("a5")
    untimed.manager.slack_due = 8
    untimed.feed("a3@6")
    assert untimed.agenda.slack_due == 8


def test_the_arrival_clock_stands_as_the_event_arrived() -> None:
    made = Made()
    seen: list[int] = []
    made.manager.then = lambda event: seen.append(made.clock.now())
    made.feed("b1@4", "a2@7", "b3@9", "a4@12")
    assert seen == [4, 9]
    assert made.clock.now() == 12


def test_counts_are_right_where_the_run_has_to_end_in_the_middle() -> None:
    made = Made()

    def stop(event: Event) -> None:
        raise KeyboardInterrupt

    made.manager.then = stop
    with pytest.raises(KeyboardInterrupt):
        made.feed("a1", "x2", "b3", "a4", "a5")
    assert made.counts == {"in_order": 2, "irrelevant": 1}


def test_what_claims_to_be_from_too_far_ahead_moves_nothing() -> None:
    made = Made(skew=10).feed("a1@1", "a99@2", "a3@3")
    assert made.stored("A") == ["a1", "a3"]
    # The first event has been heard of before they are judged.
    assert made.heard == 1
    made.feed("a99@5")
    assert (made.statistics.lta, made.clock.now()) == (3, 5)
    assert Made().feed("a99@2").stored("A") == ["a99"]


def test_the_latest_event_is_known_after_a_crash_without_its_payload() -> None:
    made, new = Made().feed("a1", "a2"), Made()
    known = made.path.snapshot()
    assert made.store.types["A"].events.content.events[-1].payload == {"v": 0, "k": 2}
    assert (known["latest"].id, known["latest"].payload) == ("a2", {})
    new.path.restore({"latest": {"type": "A", "id": "a2", "t_gen": 2}})
    new.statistics.lta = 2
    new.feed("a2")
    assert new.late[0][2] == "a2"
    new.path.restore({"latest": None})
    assert new.path.snapshot() == {"latest": None}


def test_a_source_behind_others_is_no_further_than_its_own_events() -> None:
    for word in ("x3", "a3"):
        made = Made()
        made.statistics.lta = 20
        made.feed(word)
        assert (made.statistics.source("s").first, made.statistics.source("s").latest) == (3, 3)


def test_a_late_event_may_be_the_first_of_its_source() -> None:
    made = Made().feed("a5", "a3@6")
    assert (made.statistics.source("s").first, made.statistics.source("s").latest) == (3, 5)


@pytest.mark.parametrize("type", ["a", "x"])
def test_events_in_order_cost_no_look_at_the_agenda_until_something_is_due(
    type: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Made(waits=True)
    made.manager.slack_due, made.manager.next_deadline = 8, 10
    made.agenda.note()
    looked: list[int] = []
    run = made.agenda.run
    monkeypatch.setattr(made.agenda, "run", lambda upcoming, _: looked.append(upcoming) or run(upcoming))
    made.feed(f"{type}4", f"{type}5", f"{type}6", f"{type}9")
    assert looked == [9]
