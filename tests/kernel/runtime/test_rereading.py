"""Events that memory no longer holds, had again from a journal or from logs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from limecep.detection.past import Unavailable
from limecep.runtime.feeds import Replay
from limecep.runtime.retrieval import Retrieval
from limecep.testing.streams import SECOND, written

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from limecep.model.event import Event
    from limecep.runtime.feeds import Feed


class Kept:
    """A journal of some events."""

    def __init__(self, stream: str, begins: int = 0) -> None:
        self._events = written(stream)
        self.begins = begins * SECOND
        self.asked: list[tuple[int, int]] = []

    def events(self, t_from: int, t_to: int) -> Sequence[Event]:
        self.asked.append((t_from // SECOND, t_to // SECOND))
        return [replace(e) for e in self._events if t_from <= e.t_gen <= t_to]


def span(low: float, high: float) -> tuple[int, int]:
    return int(low * SECOND), int(high * SECOND)


def fetched(
    past: Retrieval, needed: tuple[int, int], *others: tuple[int, int], room: int = 100,
    batch: Sequence[Event] = (), at: int = 0,
) -> tuple[list[tuple[int, int]], list[str]]:  # fmt: skip
    """The ranges that were had, in seconds, and the ids of their events."""
    spans, events = past.fetch(span(*needed), [span(*o) for o in others], room, batch, at)
    return [(low // SECOND, high // SECOND) for low, high in spans], [e.id for e in events]


STREAM = "a1 a2 a3 a4 a5 a6 a7 a8"


def test_a_journal_has_what_entered() -> None:
    past = Retrieval([], Kept(STREAM))
    assert past.possible
    assert fetched(past, (2, 3), (6, 7)) == ([(2, 3), (6, 7)], ["a2", "a3", "a6", "a7"])


def test_where_there_is_no_room_other_ranges_are_given_up_the_last_ones_first() -> None:
    for room, spans in [(4, [(2, 3), (5, 5), (7, 7)]), (3, [(2, 3), (5, 5)]), (2, [(2, 3)]), (1, [(2, 3)])]:
        assert fetched(Retrieval([], Kept(STREAM)), (2, 3), (5, 5), (7, 7), room=room)[0] == spans


def test_of_the_batch_what_has_entered_is_had_too() -> None:
    batch = written("a2.5 a3.5 a2.7")
    batch[0].ordinal = 9
    past = Retrieval([], Kept(STREAM))
    assert fetched(past, (2, 3), batch=batch, at=2)[1] == ["a2", "a3", "a2.5"]
    assert fetched(past, (2, 3), batch=batch, at=0)[1] == ["a2", "a3"]
    assert fetched(past, (4, 5), batch=batch, at=2)[1] == ["a4", "a5"]


def test_ranges_that_begin_before_the_journal_are_not_asked_of_it() -> None:
    journal = Kept(STREAM, begins=3)
    assert fetched(Retrieval([], journal), (4, 5), (2, 2), (7, 7))[0] == [(4, 5), (7, 7)]
    assert journal.asked == [(4, 5), (7, 7)]
    assert fetched(Retrieval([], journal), (3, 3))[1] == ["a3"]
    with pytest.raises(
        Unavailable, match="no source to read again, and the journal does not reach back so far"
    ):
        fetched(Retrieval([], journal), (2, 5))


@pytest.fixture
def source(tmp_path: Path, feed: Callable[..., Feed]) -> Iterator[Feed]:
    """Five events, one of them late, and a copy of one."""
    (tmp_path / "e.csv").write_text("id,t\n" + "".join(f"{n},{n}\n" for n in (1, 2, 4, 3, 2)))
    made = feed("e.csv")
    yield made
    made.close()


def read(source: Feed) -> list[Event]:
    found: list[Event] = []
    replay = Replay(source.parts)
    while not source.ended:
        for fed in replay.step(0.0):
            found += fed.events
    return found


def test_logs_have_what_was_read_in_the_order_of_arrival(source: Feed) -> None:
    read(source)
    past = Retrieval([source])
    assert past.possible
    assert fetched(past, (2, 4)) == ([(2, 4)], ["2", "4", "3", "2"])
    assert fetched(past, (1, 1), (3, 3)) == ([(1, 1), (3, 3)], ["1", "3"])
    assert (past.times, past.events) == (2, 6)


def test_of_a_batch_what_has_not_come_is_left_out_and_earlier_copies_are_not(source: Feed) -> None:
    batch = read(source)
    past = Retrieval([source])
    # The batch is the whole file: from a place on nothing has come yet.
    assert fetched(past, (1, 4), batch=batch, at=5)[1] == ["1", "2", "4", "3", "2"]
    past = Retrieval([source])
    for at, ids in [(0, []), (2, ["1", "2"]), (4, ["1", "2", "4", "3"]), (5, ["1", "2", "4", "3", "2"])]:
        assert fetched(past, (1, 4), batch=batch, at=at)[1] == ids


def test_what_waits_in_a_source_has_not_come(source: Feed) -> None:
    source.parts[0].fill(0.0)
    waiting = [e.id for e in source.waiting]
    assert waiting
    assert fetched(Retrieval([source]), (1, 4))[1] == []


def test_a_source_that_cannot_be_read_again_is_named(source: Feed, monkeypatch: pytest.MonkeyPatch) -> None:
    read(source)
    monkeypatch.setattr(source.parts[0].source, "replay", lambda *_: None)
    past = Retrieval([source])
    assert not past.possible
    with pytest.raises(Unavailable, match="source 's' cannot be read again"):
        fetched(past, (1, 2))
    with pytest.raises(Unavailable, match="source 's' cannot be read again, and the journal does not reach"):
        fetched(Retrieval([source], Kept(STREAM, begins=3)), (1, 2))


def test_whoever_has_to_end_ends_reading_as_well(source: Feed) -> None:
    class Over(Exception):
        """The run is to end."""

    def over() -> None:
        raise Over

    read(source)
    for past in (Retrieval([source], None, over), Retrieval([], Kept(STREAM), over)):
        with pytest.raises(Over):
            fetched(past, (1, 2))
        assert past.times == 1
