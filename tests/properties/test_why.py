"""What `limecep why` says of matches that stand: their events are theirs, their conditions are true."""

from __future__ import annotations

import os
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import strategies as st
from msgspec.structs import replace

from limecep.clock import ManualClock
from limecep.detection.detection import Detection
from limecep.testing.changelog import net
from limecep.testing.random_tests import for_all
from limecep.testing.strategies import FEATURES, patterns, streams
from limecep_why.asking import why
from limecep_why.following import Following
from limecep_why.subject import Subject
from tests.properties.test_convergence import SELECTS, arrivals, draw

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limecep.model.event import Event
    from limecep.model.pattern import Pattern, Select
    from limecep.model.update import Update
    from limecep_why.arrivals import Arrivals
    from limecep_why.finding import Wanted
    from tests.properties.test_convergence import Case

#: How many pairs of patterns and streams each test draws.
EXAMPLES = int(os.environ.get("LIMECEP_EXAMPLES", "60"))


class Stream:
    """A pattern over events in memory (`limecep_why.asking.Origin`)."""

    where, hint, timed, notes = "the stream", "", True, ()

    def __init__(self, case: Case, events: list[Event]) -> None:
        self.derived: dict[str, str] = {}
        self.refused: dict[tuple[str, str, str], tuple[str, ...]] = {}
        self.updates: list[Update] = []
        self._case = case
        self._events = events

    def follow(self, wanted: Wanted) -> Mapping[str, Subject]:
        clock = ManualClock()
        following = Following(wanted, ())
        detector = self._case.detector("p", clock)
        self.updates = []

        def deliver(update: Update) -> None:
            self.updates.append(update)
            following.take(update)

        def refuse(refusal: Any) -> None:
            self.refused[refusal.event.type, refusal.event.source, refusal.event.id] = refusal.patterns

        sequenced = any(e.seq for e in self._events)
        detection = Detection([detector], clock, deliver=deliver, refuse=refuse, sequenced=sequenced)
        following.place = lambda: detection.place
        for n, event in enumerate(self._events):
            detection.feed([replace(event, t_arr=n * 1_000_000)])
        following.moment = "the end of the input"
        detection.finish()
        return {
            "p": Subject(
                plan=detector.plan, pattern=self._case.pattern, params={}, emit=detector.results.emit
            )
        }

    def go_through(self, arrivals: Arrivals) -> None:
        arrivals.go_through(replace(e, t_arr=n * 1_000_000) for n, e in enumerate(self._events))


class All:
    """Follows every match (`limecep_why.finding.Wanted`)."""

    def __init__(self) -> None:
        self.histories: dict[str, Any] = {}

    def wants(self, match: str, pattern: str) -> bool:
        return True


@pytest.mark.parametrize("select", SELECTS)
def test_every_match_that_stands_is_explained_by_its_events_and_by_conditions_that_are_true(
    select: Select,
) -> None:
    explained = 0

    def body(pattern: Pattern, events: list[Event], seed: int) -> None:
        nonlocal explained
        chosen = Random(seed)
        case = draw(pattern, select, chosen)
        stream = Stream(case, arrivals(events, chosen))
        everything = All()
        stream.follow(everything)
        standing = net(stream.updates)
        live = {m: h for m, h in everything.histories.items() if h.standing != "retracted"}
        assert sorted(_taken(h.groups) for h in live.values()) == sorted(
            tuple((v, tuple(i[2] for i in group)) for v, group in match) for match in standing
        )
        for match, history in list(live.items())[:4]:
            explained += 1
            [told] = why(stream, match, 0, deep=False)
            assert told["match"] == match
            assert told["standing"] == history.standing
            assert sorted((e["variable"], e["id"]) for e in told["events"]) == sorted(
                (v, e.id) for v, group in history.groups.items() for e in group
            )
            assert [e["time"] for e in told["events"]] == sorted(e["time"] for e in told["events"])
            assert "conditions" in told, told["notes"]
            for condition in told["conditions"]:
                assert condition["truth"] is True, condition
                assert all(i["truth"] is True for i in condition["instances"]), condition
            if case.corrects:
                for absence in told["absences"]:
                    assert not any(e["hits"] for e in absence["events"]), absence
            arrived = [a["arrival"] for a in told["arrivals"] if a["arrival"] is not None]
            assert arrived == sorted(arrived)
            assert told["notes"] == []

    for_all(body, patterns(features=FEATURES), streams(), st.integers(0, 2**32), examples=EXAMPLES)
    assert explained > EXAMPLES / 10


def _taken(groups: Mapping[str, tuple[Event, ...]]) -> Any:
    return tuple(sorted((v, tuple(e.id for e in group)) for v, group in groups.items() if group))
