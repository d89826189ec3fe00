"""A log that can be entered anywhere, read again: of it only what is asked for is decoded."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest

from limecep.detection.spans import Spans
from limecep.model.event import Event
from limecep.runtime import indexed_log
from limecep.runtime.feeds import Replay
from limecep.runtime.indexed_log import COPY_OVERHEAD_BYTES, Copies, IndexedLog
from limecep.runtime.log_index import IndexRoom, Unit
from limecep.runtime.rereader import Memory, Rereader
from limecep.testing.streams import SECOND
from limecep_codecs.csv_codec import CsvCodec
from limecep_codecs.json_codec import JsonCodec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from limecep.contracts.source import Message
    from limecep.runtime.feeds import Feed

ALL = Spans([(0, 10**12)])


def unit(begin: int) -> Unit:
    return Unit(begin, 2, 0)


def decoded(*times: int) -> list[tuple[int, Event]]:
    return [(n, Event("A", str(t), t, t + 1, "s", {"v": t}, 3)) for n, t in enumerate(times)]


def test_a_copy_gives_the_events_of_some_ranges_as_they_were() -> None:
    copies = Copies(10_000)
    copies.put(1, unit(0), decoded(5, 9, 7))
    found = copies.get(1, unit(0), Spans([(5, 6), (7, 8)]))
    assert found is not None
    assert [(n, repr(e)) for n, e in found] == [(n, repr(e)) for n, e in decoded(5, 9, 7) if e.t_gen != 9]
    assert copies.get(1, unit(2), ALL) is None
    assert copies.get(2, unit(0), ALL) is None


def test_the_copies_used_last_are_held() -> None:
    one = Copies(10**6)
    one.put(0, unit(0), decoded(1))
    size = 10**6 - one._left
    copies = Copies(2 * size)
    for begin in (0, 2):
        copies.put(0, unit(begin), decoded(1))
    assert copies.get(0, unit(0), ALL) is not None
    copies.put(0, unit(4), decoded(1))
    assert [copies.get(0, unit(begin), ALL) is not None for begin in (0, 2, 4)] == [True, False, True]
    assert size > COPY_OVERHEAD_BYTES


def test_where_there_is_no_room_nothing_is_held() -> None:
    copies = Copies(COPY_OVERHEAD_BYTES)
    copies.put(0, unit(0), decoded(1))
    assert copies.get(0, unit(0), ALL) is None


class Entered:
    """A log of some messages, which counts those that are passed over and those that are read."""

    def __init__(self, messages: list[Message]) -> None:
        self._rest = iter(messages)
        self.skipped = self.read = 0

    def skip(self, count: int) -> None:
        self.skipped += len(list(islice(self._rest, count)))

    def __iter__(self) -> Iterator[Message]:
        return self

    def __next__(self) -> Message:
        message = next(self._rest)
        self.read += 1
        return message


def messages(source: Feed) -> list[Message]:
    return list(source.parts[0].source.replay(0, 1) or ())


def index(source: Feed, copies: int = 0) -> IndexedLog:
    return IndexedLog((source.make_reader(), source.make_reader()), IndexRoom(10**6), Copies(copies))


def caught_up(indexed: IndexedLog, log: list[Message]) -> Entered:
    entered = Entered(log)
    for _ in indexed.catch_up(entered, ended=True):
        pass
    return entered


def ids(indexed: IndexedLog, log: list[Message], low: int, high: int) -> tuple[list[str], Entered]:
    """The ids of the events of a range in seconds, and what was read of the log for them."""
    entered = Entered(log)
    spans = Spans([(low * SECOND, high * SECOND)])
    found = [event.id for some in indexed.events(entered, spans) for _, event in some]
    return found, entered


@pytest.fixture
def hundred(tmp_path: Path, feed: Callable[..., Feed]) -> Iterator[Feed]:
    """A hundred events, one a second."""
    (tmp_path / "e").write_text("".join(f'{{"id": {n}, "t": {n}}}\n' for n in range(100)))
    source = feed("e", format="json")
    while not source.ended:
        Replay(source.parts).step(0.0)
    yield source
    source.close()


def test_of_a_log_only_the_unit_of_a_range_is_read(hundred: Feed) -> None:
    log, indexed = messages(hundred), index(hundred)
    assert caught_up(indexed, log).read == 100
    found, entered = ids(indexed, log, 50, 52)
    assert found == ["50", "51", "52"]
    assert (entered.skipped, entered.read) == (48, 16)
    assert ids(indexed, log, 200, 300)[0] == []


def test_what_was_taken_in_is_passed_over_the_next_time(hundred: Feed) -> None:
    log, indexed = messages(hundred), index(hundred)
    caught_up(indexed, log[:40])
    assert ids(indexed, log, 39, 41)[0] == ["39"]
    entered = caught_up(indexed, log)
    assert (entered.skipped, entered.read) == (40, 60)
    assert ids(indexed, log, 39, 41)[0] == ["39", "40", "41"]


def test_what_is_at_hand_is_not_read(hundred: Feed) -> None:
    log, indexed = messages(hundred), index(hundred, copies=10**6)
    caught_up(indexed, log)
    found, entered = ids(indexed, log, 50, 52)
    assert (found, entered.read) == (["50", "51", "52"], 0)


def test_of_one_record_without_end_no_index_is_made(
    tmp_path: Path, feed: Callable[..., Feed], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexed_log, "MOST_EVENTS", 30)
    (tmp_path / "e").write_text("[\n" + ",\n".join(f'{{"id": {n}, "t": {n}}}' for n in range(100)) + "\n]\n")
    source = feed("e", format="json")
    while not source.ended:
        Replay(source.parts).step(0.0)
    log, indexed = messages(source), index(source)
    assert indexed.possible
    entered = caught_up(indexed, log)
    assert not indexed.possible
    assert entered.read < 60
    assert caught_up(indexed, log).read == 0
    source.close()


@pytest.mark.parametrize("codec", [CsvCodec, JsonCodec])
def test_what_has_nothing_of_the_ranges_is_decoded_once(
    codec: Any,
    tmp_path: Path,
    feed: Callable[..., Feed],
    again: Callable[..., list[Event]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Even where late events stand among others."""
    monkeypatch.setattr("limecep.runtime.rereader.COPY_BYTES", 0)
    times = sorted(range(2000), key=lambda n: n + (n % 10 == 0) * 977)
    if codec is CsvCodec:
        (tmp_path / "e").write_text("id,t\n" + "".join(f"{n},{n}\n" for n in times))
    else:
        (tmp_path / "e").write_text("".join(f'{{"id": {n}, "t": {n}}}\n' for n in times))
    source = feed("e", format="csv" if codec is CsvCodec else "json")
    replay = Replay(source.parts)
    while not source.ended:
        replay.step(0.0)
    decoded = 0
    decode = codec.decode

    def counted(self: Any, messages: Any) -> Any:
        nonlocal decoded
        decoded += len(messages)
        return decode(self, messages)

    monkeypatch.setattr(codec, "decode", counted)
    rereader = Rereader(source, Memory())
    assert {e.id for e in again(rereader, (0, 3))} == {"0", "1", "2", "3"}
    assert decoded < 2001 + 3 * indexed_log.BATCH_MESSAGES
    decoded = 0
    assert {e.id for e in again(rereader, (503, 516))} == {str(n) for n in range(503, 517)}
    # Two units in order, and one for the event that came late.
    assert decoded <= 3 * indexed_log.BATCH_MESSAGES
    source.close()


def test_what_was_decoded_last_is_at_hand(
    tmp_path: Path,
    feed: Callable[..., Feed],
    again: Callable[..., list[Event]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "e").write_text("".join(f'{{"id": {n}, "t": {n}}}\n' for n in range(1000)))
    source = feed("e", format="json")
    replay = Replay(source.parts)
    while not source.ended:
        replay.step(0.0)
    rereader = Rereader(source, Memory())
    first = again(rereader, (100, 150))
    monkeypatch.setattr(JsonCodec, "decode", None)
    second = again(rereader, (120, 170))
    assert [e.id for e in second] == [str(n) for n in range(120, 171)]
    # They are objects of their own.
    assert not {id(e) for e in first} & {id(e) for e in second}
    source.close()
