"""Reading again gives what was read, in the same order, and decodes no more than it must."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
import structlog

from limecep.clock import ManualClock
from limecep.config.loader import load_dict
from limecep.detection.spans import Spans
from limecep.runtime import feeds, indexed_log, log_index
from limecep.runtime.assembly import Assembly
from limecep.runtime.feeds import Replay
from limecep.runtime.rereader import Memory, Rereader
from limecep_codecs.csv_codec import CsvCodec
from limecep_codecs.json_codec import JsonCodec

if TYPE_CHECKING:
    from pathlib import Path

    from limecep.model.event import Event
    from limecep.registry import Registry
    from limecep.runtime.feeds import Feed

SECOND = 1_000_000


def feed(folder: Path, installed: Registry, channel: str, **source: Any) -> Feed:
    """The feed of files, opened."""
    plain = {
        "type": "file",
        "channel": channel,
        "as": "A",
        "id": "id",
        "time": {"field": "t", "format": "epoch_s"},
    }
    loaded = load_dict(
        {
            "version": 1,
            "sources": {"s": {**plain, **source}},
            "patterns": {"p": {"query": "PATTERN SEQ(A a) WITHIN 1 s"}},
        },
        installed,
        root=folder,
    )
    assert loaded.config is not None, loaded.problems
    (made,) = Assembly(loaded.config, installed, ManualClock(), structlog.get_logger()).feeds()
    made.open()
    return made


def told(events: list[Event]) -> list[tuple[object, ...]]:
    return [(e.id, e.t_gen, e.t_arr, e.payload) for e in events]


def again(rereader: Rereader, *ranges: tuple[int, int]) -> list[Event]:
    """The events of some ranges in seconds, in the order of their arrival."""
    spans = Spans((low * SECOND, high * SECOND) for low, high in ranges)
    read = rereader.read(spans)
    assert read is not None
    found = [arrived for some in read for arrived in some if arrived[1].t_gen in spans]
    return [event for _, event in sorted(found, key=lambda arrived: arrived[0])]


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
    seed: int, kind: Any, tmp_path: Path, installed: Registry, monkeypatch: pytest.MonkeyPatch
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
    source = feed(tmp_path, installed, f"*{suffix}", format=FORMATS[kind])
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


@pytest.mark.parametrize("codec", [CsvCodec, JsonCodec])
def test_what_has_nothing_of_the_ranges_is_decoded_once(
    codec: Any, tmp_path: Path, installed: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even where late events stand among others."""
    monkeypatch.setattr("limecep.runtime.rereader.COPY_BYTES", 0)
    times = sorted(range(2000), key=lambda n: n + (n % 10 == 0) * 977)
    if codec is CsvCodec:
        (tmp_path / "e").write_text("id,t\n" + "".join(f"{n},{n}\n" for n in times))
    else:
        (tmp_path / "e").write_text("".join(f'{{"id": {n}, "t": {n}}}\n' for n in times))
    source = feed(tmp_path, installed, "e", format="csv" if codec is CsvCodec else "json")
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
    tmp_path: Path, installed: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "e").write_text("".join(f'{{"id": {n}, "t": {n}}}\n' for n in range(1000)))
    source = feed(tmp_path, installed, "e", format="json")
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


class Plain:
    """A log that cannot be entered."""

    def __init__(self, log: Any) -> None:
        self._log = log

    def __iter__(self) -> Any:
        return iter(self._log)


def test_a_log_that_cannot_be_entered_is_decoded_each_time(
    tmp_path: Path, installed: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "e.csv").write_text("id,t\n" + "".join(f"{n},{n}\n" for n in range(100)))
    source = feed(tmp_path, installed, "e.csv")
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
    tmp_path: Path, installed: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feeds, "BATCH_MESSAGES", 2)
    stamps = ["03:40", "03:50", "03:00", "03:10", "03:20", "03:30", "03:40", "03:50", "04:00"]
    (tmp_path / "e.csv").write_text("id,t\n" + "".join(f"{s},2026-10-25T{s}\n" for s in stamps))
    source = feed(tmp_path, installed, "e.csv", time={"field": "t", "zone": "Europe/Athens", "fold": "order"})
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


def test_what_has_no_time_of_its_own_is_not_read_again(tmp_path: Path, installed: Registry) -> None:
    (tmp_path / "e.csv").write_text("id,t\n1,1\n")
    source = feed(tmp_path, installed, "e.csv", time=None)
    rereader = Rereader(source, Memory())
    assert rereader.possible
    assert len(source.parts[0].fill(0.0)) == 0
    assert source.reader.undated == 1
    assert not rereader.possible
    assert rereader.read(Spans([(0, 1)])) is None
    source.close()
