"""Reading again gives what was read, in the same order, and decodes no more than it must."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from limecep.detection.spans import Spans
from limecep.runtime import feeds, indexed_log, log_index
from limecep.runtime.feeds import Replay
from limecep.runtime.rereader import Memory, Rereader

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from limecep.model.event import Event
    from limecep.runtime.feeds import Feed

SECOND = 1_000_000


def told(events: list[Event]) -> list[tuple[object, ...]]:
    return [(e.id, e.t_gen, e.t_arr, e.payload) for e in events]


def row(chosen: Random, n: int, now: int) -> str:
    """A row of CSV; what it says may go over several lines."""
    text = chosen.choice(["x", '"y"', '"two\nlines"', '"three\n\nlines"', '"a ""quote"""', '"not closed'])
    return chosen.choice(
        [f"{n},{now},{text}\n", f"{n},{now}\n", "id,t,text\n", "\n"] + [f"{n},{now},{text}\n"] * 9
    )


def sheet(chosen: Random, times: list[int]) -> str:
    """A sheet of CSV."""
    return "id,t,text\n" + "".join(row(chosen, n, t) for n, t in enumerate(times))


def documents(chosen: Random, times: list[int]) -> str:
    """Documents of JSON, some of them broken."""
    text = ""
    records = [{"id": n, "t": t, "text": "}"} for n, t in enumerate(times)]
    while records:
        size = chosen.choice([1, 1, 5, 20])
        value, records = records[:size], records[size:]
        text += json.dumps(value if chosen.randrange(3) else value[0], indent=chosen.choice([None, 0, 1, 2]))
        text = (
            text.replace('"t"', chosen.choice(['"t"'] * 4 + ["oops"]), 1) if not chosen.randrange(4) else text
        )
        text += chosen.choice(["\n", "\n", "\n[\n"])
    return text


def logs(chosen: Random, times: list[int]) -> str:
    """Logs of Zeek, one after the other, each written in a way of its own."""
    text, fields = "", ["id", "t", "text"]
    for n, t in enumerate(times):
        if not n or not chosen.randrange(8):
            chosen.shuffle(fields)
            text += "\t".join(["#fields", *fields]) + "\n"
        text += "\t".join({"id": str(n), "t": str(t), "text": "x"}[f] for f in fields) + "\n"
    return text


FORMATS = {sheet: "csv", documents: "json", logs: "zeek"}


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("seed", range(30))
def test_what_was_read_is_read_again(
    seed: int,
    kind: Any,
    tmp_path: Path,
    feed: Callable[..., Feed],
    again: Callable[..., list[Event]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """While more is read, from whatever places, and however little of it is remembered."""
    chosen = Random(seed)
    monkeypatch.setattr(feeds, "BATCH_MESSAGES", chosen.choice([1, 2, 3, 7]))
    monkeypatch.setattr(indexed_log, "BATCH_MESSAGES", chosen.choice([1, 2, 5]))
    monkeypatch.setattr(log_index, "SHELF_UNITS", chosen.choice([2, 5, 100]))
    monkeypatch.setattr("limecep.runtime.rereader.COPY_BYTES", chosen.choice([0, 3000, 1 << 20]))
    monkeypatch.setattr("limecep.runtime.rereader.INDEX_BYTES", chosen.choice([0, 500, 1 << 20]))
    monkeypatch.setattr("limecep_file.stream.CHUNK_BYTES", chosen.choice([16, 200]))
    monkeypatch.setattr(indexed_log, "MOST_EVENTS", chosen.choice([10, 10_000]))
    monkeypatch.setattr(indexed_log, "MOST_LAYOUTS", chosen.choice([2, 1_000]))
    suffix, write = chosen.choice([(".txt.gz", gzip.compress), (".txt", bytes)])
    for name in "abc"[: chosen.choice([1, 1, 3])]:
        late = chosen.choice([0, 3, 30])
        times = [max(0, n - chosen.randrange(late + 1)) for n in range(60)]
        (tmp_path / f"{name}{suffix}").write_bytes(write(kind(chosen, times).encode()))
    source = feed(f"*{suffix}", format=FORMATS[kind])
    rereader = Rereader(source, Memory())
    replay = Replay(source.parts)
    came: list[Event] = []
    for _ in range(5):
        steps = chosen.choice([1, 3, 20])
        while not source.ended and steps:
            steps -= 1
            for fed in replay.step(0.0):
                came += fed.events
        if source.ended and not source.finished:
            came += source.finish().events
        low = chosen.randrange(-5, 60)
        ranges = [(low, low + chosen.randrange(20)), (low + 30, low + 32)]
        spans = Spans((low * SECOND, high * SECOND) for low, high in ranges)
        found = again(rereader, *ranges)
        expected = [e for e in came if e.t_gen in spans]
        # What was read and has not come yet is there too.
        waiting = Counter(e.id for e in source.waiting if e.t_gen in spans)
        assert Counter(e.id for e in found) == Counter(e.id for e in expected) + waiting
        if not waiting:
            assert told(found) == told(expected)
    source.close()


class Plain:
    """A log that cannot be entered."""

    def __init__(self, log: Any) -> None:
        self._log = log

    def __iter__(self) -> Any:
        return iter(self._log)


def test_a_log_that_cannot_be_entered_is_decoded_each_time(
    tmp_path: Path,
    feed: Callable[..., Feed],
    again: Callable[..., list[Event]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "e.csv").write_text("id,t\n" + "".join(f"{n},{n}\n" for n in range(100)))
    source = feed("e.csv")
    replay = Replay(source.parts)
    while not source.ended:
        replay.step(0.0)
    part = source.parts[0]
    messages = list(part.source.replay(0, 1) or ())
    # A transport may give less than all there was.
    monkeypatch.setattr(part.source, "replay", lambda *_: Plain([messages[0], *messages[45:]]))
    rereader = Rereader(source, Memory())
    for low in (60, 70):
        assert [e.id for e in again(rereader, (low, low + 2))] == [str(low + n) for n in range(3)]
    source.close()


def test_times_that_depend_on_those_before_are_read_again_from_the_beginning(
    tmp_path: Path, feed: Callable[..., Feed], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feeds, "BATCH_MESSAGES", 2)
    stamps = ["03:40", "03:50", "03:00", "03:10", "03:20", "03:30", "03:40", "03:50", "04:00"]
    (tmp_path / "e.csv").write_text("id,t\n" + "".join(f"{s},2026-10-25T{s}\n" for s in stamps))
    source = feed("e.csv", time={"field": "t", "zone": "Europe/Athens", "fold": "order"})
    replay = Replay(source.parts)
    came: list[Event] = []
    while not source.ended:
        for fed in replay.step(0.0):
            came += fed.events
    low = came[6].t_gen
    rereader, spans = Rereader(source, Memory()), Spans([(low, low)])
    for _ in range(2):
        found = rereader.read(spans)
        assert found is not None
        assert [e.id for events in found for _, e in events if e.t_gen == low] == ["03:40"]
    source.live = True
    # What a live source has in its log may begin anywhere.
    assert rereader.read(spans) is None
    source.close()


def test_what_has_no_time_of_its_own_is_not_read_again(
    tmp_path: Path, feed: Callable[..., Feed], again: Callable[..., list[Event]]
) -> None:
    (tmp_path / "e.csv").write_text("id,t\n1,1\n")
    source = feed("e.csv", time=None)
    rereader = Rereader(source, Memory())
    assert rereader.possible
    assert len(source.parts[0].fill(0.0)) == 0
    assert source.reader.undated == 1
    assert not rereader.possible
    assert rereader.read(Spans([(0, 1)])) is None
    source.close()
