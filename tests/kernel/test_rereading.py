"""Reading again gives what was read, in the same order, and decodes no more than it must."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
import structlog

from limecep import feeding
from limecep.assembly import Assembly
from limecep.clock import ManualClock
from limecep.config.loader import load_dict
from limecep.feeding import Replay
from limecep.rereading import read_again
from limecep_codecs.csv_codec import CsvCodec
from limecep_codecs.json_codec import JsonCodec

if TYPE_CHECKING:
    from pathlib import Path

    from limecep.feeding import Feed
    from limecep.model.event import Event
    from limecep.registry import Registry

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
    return [(e.id, e.t_gen, e.payload) for e in events]


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


@pytest.mark.parametrize("kind", [sheet, documents])
@pytest.mark.parametrize("seed", range(50))
def test_what_was_read_is_read_again(
    seed: int, kind: Any, tmp_path: Path, installed: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = Random(seed)
    monkeypatch.setattr(feeding, "BATCH", chosen.choice([1, 2, 3, 7]))
    for name in "abc"[: chosen.choice([1, 1, 3])]:
        late = chosen.choice([0, 3, 30])
        times = [max(0, n - chosen.randrange(late + 1)) for n in range(60)]
        (tmp_path / f"{name}.txt").write_text(kind(chosen, times))
    source = feed(tmp_path, installed, "*.txt", format="csv" if kind is sheet else "json")
    replay = Replay(source.parts)
    came: list[Event] = []
    steps = chosen.choice([3, 20, 1000])
    while not source.ended and steps:
        steps -= 1
        for fed in replay.step(0.0):
            came += fed.events
    if source.ended:
        came += source.finish().events
    for _ in range(5):
        low = chosen.randrange(-5, 60) * SECOND
        high = low + chosen.randrange(20) * SECOND
        again = read_again(source, low, high)
        assert again is not None
        found = [e for events in again for e in events if low <= e.t_gen <= high]
        expected = [e for e in came if low <= e.t_gen <= high]
        # What was read and has not come yet is there too.
        waiting = Counter(e.id for e in source.waiting if low <= e.t_gen <= high)
        assert Counter(e.id for e in found) == Counter(e.id for e in expected) + waiting
        if not waiting:
            assert told(found) == told(expected)
    source.close()


@pytest.mark.parametrize("codec", [CsvCodec, JsonCodec])
def test_what_has_nothing_of_the_range_is_not_decoded(
    codec: Any, tmp_path: Path, installed: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feeding, "BATCH", 10)
    if codec is CsvCodec:
        (tmp_path / "e").write_text("id,t\n" + "".join(f"{n},{n}\n" for n in range(1000)))
    else:
        (tmp_path / "e").write_text("".join(f'{{"id": {n}, "t": {n}}}\n' for n in range(1000)))
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
    again = read_again(source, 503 * SECOND, 516 * SECOND)
    assert again is not None
    found = [e.id for events in again for e in events if 503 <= e.t_gen // SECOND <= 516]
    assert found == [str(n) for n in range(503, 517)]
    assert decoded <= 10 + 30
    source.close()


def test_messages_that_are_not_those_noted_are_all_decoded(
    tmp_path: Path, installed: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feeding, "BATCH", 10)
    (tmp_path / "e.csv").write_text("id,t\n" + "".join(f"{n},{n}\n" for n in range(100)))
    source = feed(tmp_path, installed, "e.csv")
    replay = Replay(source.parts)
    while not source.ended:
        replay.step(0.0)
    part = source.parts[0]
    messages = list(part.source.replay(0, 1) or ())
    # A transport may give less than all there was.
    monkeypatch.setattr(part.source, "replay", lambda *_: [messages[0], *messages[45:]])
    again = read_again(source, 60 * SECOND, 62 * SECOND)
    assert again is not None
    assert [e.id for events in again for e in events if 60 <= e.t_gen // SECOND <= 62] == ["60", "61", "62"]
    source.close()


def test_what_has_no_time_of_its_own_is_not_read_again(tmp_path: Path, installed: Registry) -> None:
    (tmp_path / "e.csv").write_text("id,t\n1,1\n")
    source = feed(tmp_path, installed, "e.csv", time=None)
    assert read_again(source, 0, 1) is not None
    assert len(source.parts[0].fill(0.0)) == 0
    assert source.reader.undated == 1
    assert read_again(source, 0, 1) is None
    source.close()
