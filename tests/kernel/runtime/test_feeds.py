"""Finite sources are read as the one stream they would have been; live ones as they come."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limecep import Event
from limecep.clock import Stopwatch
from limecep.contracts.source import Message
from limecep.intake.reader import Batch, Invalid
from limecep.runtime.feeds import Fed, Feed, Part, Replay, poll_live

if TYPE_CHECKING:
    from collections.abc import Sequence

SECOND = 1_000_000


class Log:
    """A source of arrival times, as many at a time as `pieces` says; 0 is a poll that brings nothing. A
    message of no arrival time is an invalid record."""

    def __init__(
        self,
        name: str,
        arrivals: Sequence[int | None],
        pieces: Sequence[int] = (),
        speed: float | None = None,
    ) -> None:
        self.name = name
        self.speed = speed
        self.timeouts: list[float] = []
        self.committed: list[str] = []
        self.closed = 0
        self._messages = [Message(b"", name, f"{name}:{n}", t) for n, t in enumerate(arrivals, 1)]
        self._pieces = list(pieces)

    def open(self) -> None: ...

    def poll(self, limit: int, timeout: float) -> Sequence[Message]:
        self.timeouts.append(timeout)
        size = min(limit, self._pieces.pop(0) if self._pieces else limit)
        polled, self._messages = self._messages[:size], self._messages[size:]
        return polled

    @property
    def ended(self) -> bool:
        return not self._messages and not self._pieces

    def commit(self, positions: Sequence[str]) -> None:
        self.committed += positions

    def close(self) -> None:
        self.closed += 1

    def replay(self, t_from: int, t_to: int) -> None: ...


class Plain:
    """A reader that makes an event of every message with an arrival time."""

    holding = False
    sequential = False

    def read(self, messages: Sequence[Message]) -> Batch:
        come = [m for m in messages if m.t_arr is not None]
        return Batch(
            events=[Event("A", m.position, 0, m.t_arr or 0, m.channel) for m in come],
            positions=[m.position for m in come],
            invalid=[
                Invalid(error="e", raw="", source=m.channel, position=m.position, message=m)
                for m in messages
                if m.t_arr is None
            ],
        )

    def finish(self) -> Batch:
        return Batch(events=[Event("A", "held back", 0)], positions=["p"], invalid=[])


def part(log: Log, reader: Any = None) -> Part:
    return Part(log, reader or Plain())


def replayed(*logs: Log) -> list[Fed]:
    parts = [part(log) for log in logs]
    replay = Replay(parts)
    fed = []
    while any(p.ready or p.open for p in parts):
        fed += replay.step(0.0)
    assert replay.step(0.0) == []
    return fed


def ids(*logs: Log) -> list[str]:
    return [e.id for fed in replayed(*logs) for e in fed.events]


def test_streams_are_merged_by_arrival() -> None:
    assert ids(Log("a", [1, 4, 5]), Log("b", [2, 3, 6])) == ["a:1", "b:1", "b:2", "a:2", "a:3", "b:3"]


def test_events_of_one_arrival_time_come_in_the_order_of_the_streams() -> None:
    assert ids(Log("b", [1, 1, 2]), Log("a", [1, 2])) == ["b:1", "b:2", "a:1", "b:3", "a:2"]


@pytest.mark.parametrize("pieces", [(), (1, 1, 1, 1), (0, 2, 0, 0, 2)])
def test_ties_do_not_depend_on_how_much_is_read_at_a_time(pieces: Sequence[int]) -> None:
    logs = Log("b", [1, 1, 1, 1], pieces), Log("a", [1, 1])
    assert ids(*logs) == ["b:1", "b:2", "b:3", "b:4", "a:1", "a:2"]


def test_where_arrival_goes_back_the_order_of_the_stream_counts() -> None:
    assert ids(Log("a", [10, 5, 11]), Log("b", [7, 10])) == ["b:1", "a:1", "a:2", "b:2", "a:3"]


def test_arrival_may_lie_before_1970() -> None:
    assert ids(Log("a", [-5, -1]), Log("b", [-7, -3, 2])) == ["b:1", "a:1", "b:2", "a:2", "b:3"]


def test_events_keep_their_positions_and_invalid_records_are_handed_on() -> None:
    fed = replayed(Log("a", [3, None, 5]), Log("b", [4]))
    assert [i.position for f in fed for i in f.invalid] == ["a:2"]
    assert [p for f in fed for p in f.positions] == ["a:1", "b:1", "a:3"]
    merged = next(f for f in fed if len(f.events) > 1)
    assert [merged.position(e) for e in merged.events] == list(merged.positions)
    assert merged.position(Event("A", "another", 0)) == ""


def test_what_cannot_be_read_is_handed_on_in_batches_and_not_gathered() -> None:
    log = Log("a", [None] * 10 + [1], pieces=[2] * 5)
    replay = Replay([part(log)])
    assert [len(f.invalid) for f in replay.step(0.0)] == [2]


def test_one_stream_that_is_not_there_yet_holds_the_others() -> None:
    quiet, other = Log("a", [5], pieces=[0, 0, 1]), Log("b", [1, 9])
    replay = Replay([part(quiet), part(other)])
    assert replay.step(0.25) == []
    assert replay.step(0.25) == []
    assert quiet.timeouts == [0.25, 0.25]
    assert [e.id for fed in replay.step(0.25) for e in fed.events] == ["b:1", "a:1", "b:2"]


def test_no_streams_at_all_give_nothing() -> None:
    assert Replay([]).step(0.0) == []


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(
            st.lists(st.none() | st.integers(-3, 6), max_size=12), st.lists(st.integers(0, 4), max_size=6)
        ),
        max_size=4,
    )
)
def test_merging_is_taking_the_head_that_arrived_first(
    logs: list[tuple[list[int | None], list[int]]],
) -> None:
    waiting = []
    for n, (arrivals, _) in enumerate(logs):
        reached = -10
        line = []
        for place, t in enumerate(arrivals, 1):
            if t is not None:
                reached = max(reached, t)
                line.append((reached, n, f"{n}:{place}"))
        waiting.append(line)
    expected = []
    while any(waiting):
        first = min(line[0] for line in waiting if line)
        expected.append(first[2])
        waiting[first[1]].pop(0)
    assert ids(*(Log(str(n), arrivals, pieces) for n, (arrivals, pieces) in enumerate(logs))) == expected


def test_many_interleaved_events_are_merged_in_few_steps() -> None:
    random = Random(1)
    logs = [Log(name, sorted(random.randrange(10**6) for _ in range(20_000))) for name in "abc"]
    fed = replayed(*logs)
    arrivals = [e.t_arr for f in fed for e in f.events]
    assert arrivals == sorted(arrivals)
    assert len(arrivals) == 60_000
    assert len(fed) < 60


def test_a_paced_replay_gives_events_when_they_are_due() -> None:
    log = Log("a", [0, 2 * SECOND, 2 * SECOND, 4 * SECOND], speed=20)
    replay = Replay([part(log)])
    watch = Stopwatch()
    came = []
    while len(came) < 4:
        came += [(e.id, watch.seconds) for fed in replay.step(1.0) for e in fed.events]
    due = {"a:1": 0.0, "a:2": 0.1, "a:3": 0.1, "a:4": 0.2}
    assert [name for name, _ in came] == list(due)
    assert all(seconds >= due[name] for name, seconds in came)
    assert watch.seconds < 2


def test_a_paced_replay_waits_no_longer_than_it_is_asked_to() -> None:
    replay = Replay([part(Log("a", [0, 3600 * SECOND], speed=1))])
    assert [e.id for fed in replay.step(0.0) for e in fed.events] == ["a:1"]
    watch = Stopwatch()
    assert replay.step(0.02) == []
    assert replay.step(60.0) == []
    assert watch.seconds < 1


def test_the_slowest_pace_asked_for_counts() -> None:
    replay = Replay([part(Log("a", [0, 3600 * SECOND])), part(Log("b", [3600 * SECOND], speed=1))])
    assert [e.id for fed in replay.step(0.0) for e in fed.events] == ["a:1"]
    assert replay.step(0.0) == []


def test_a_live_part_gives_what_there_is_and_commits_it_when_told() -> None:
    log = Log("a", [3, None, 1], pieces=[2, 1])
    live = part(log)
    fed = live.poll(0.5)
    assert ([e.id for e in fed.events], [i.position for i in fed.invalid]) == (["a:1"], ["a:2"])
    assert log.timeouts == [0.5]
    assert log.committed == []
    live.commit()
    live.commit()
    assert log.committed == ["a:1", "a:2"]
    live.poll(0.0)
    live.commit()
    assert log.committed == ["a:1", "a:2", "a:3"]


def test_messages_of_a_record_that_is_not_complete_are_not_committed() -> None:
    class Holding(Plain):
        holding = True

    log, reader = Log("a", [1]), Holding()
    live = part(log, reader)
    live.poll(0.0)
    live.commit()
    assert log.committed == []
    reader.holding = False
    live.commit()
    assert log.committed == ["a:1"]


def test_a_source_of_several_logs_has_a_part_for_each() -> None:
    class Shelf(Log):
        def parts(self) -> list[Log]:
            return [Log("x", [1]), Log("y", [])]

    shelf = Shelf("shelf", [])
    feed = Feed("s", shelf, Plain, live=False)  # type: ignore[arg-type]
    feed.open()
    assert len(feed.parts) == 2
    assert not feed.ended
    assert [e.id for fed in Replay(feed.parts).step(0.0) for e in fed.events] == ["x:1"]
    assert feed.ended
    assert [e.id for e in feed.finish().events] == ["held back"]
    feed.close()
    assert shelf.closed == 1


def test_a_recording_is_read_whole_with_its_arrival_times_and_what_was_held_back() -> None:
    class Shelf(Log):
        def parts(self) -> list[Log]:
            return [Log("x", [1, 5, None, 4], [2, 0]), Log("y", [3])]

    shelf = Shelf("shelf", [])
    feed = Feed("s", shelf, Plain, live=False)  # type: ignore[arg-type]
    came = list(feed.whole())
    arrivals = [(e.id, arrived) for fed, times in came for e, arrived in zip(fed.events, times, strict=True)]
    # What goes back, as the held back does, arrives with the latest so far.
    assert arrivals == [("x:1", 1), ("x:2", 5), ("x:4", 5), ("y:1", 3), ("held back", 5)]
    assert [i.position for fed, _ in came for i in fed.invalid] == ["x:3"]
    assert shelf.closed == 1


def test_a_recording_that_is_left_in_the_middle_is_closed() -> None:
    log = Log("x", [1, 2], [1, 1])
    reading = Feed("s", log, Plain, live=False).whole()  # type: ignore[arg-type]
    next(reading)
    reading.close()
    assert log.closed == 1


# -- live sources ------------------------------------------------------------------------------------------


def test_what_live_sources_have_in_store_is_merged_by_arrival() -> None:
    logs = Log("a", [1, 4, 3, 9]), Log("b", [2, 5, None, 8]), Log("c", [])
    fed = poll_live([part(log) for log in logs], 0.0)
    assert [e.id for e in fed.events] == ["a:1", "b:1", "a:2", "a:3", "b:2", "b:4", "a:4"]
    assert [*fed.positions] == [e.id for e in fed.events]
    assert [i.position for i in fed.invalid] == ["b:3"]


def test_live_sources_share_the_wait_and_nothing_is_waited_for_once_something_came() -> None:
    logs = Log("a", [], [0]), Log("b", [1]), Log("c", [], [0])
    poll_live([part(log) for log in logs], 3.0)
    assert [log.timeouts for log in logs] == [[1.0], [1.0], [0.0]]


def test_a_source_that_can_put_bad_messages_aside_is_told_before_they_are_committed() -> None:
    class Sorting(Log):
        told: list[str]

        def reject(self, message: Message, error: str) -> None:
            assert self.committed == []
            self.told.append(f"{message.position} {error}")

    log = Sorting("a", [1, None, 3])
    log.told = []
    live = part(log)
    live.poll(0.0)
    live.commit()
    assert log.told == ["a:2 e"]
    assert log.committed == ["a:1", "a:2", "a:3"]
