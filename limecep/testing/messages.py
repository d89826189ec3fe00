"""Messages and records that the suites send, and what must be true of those that come."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from limecep.clock import Stopwatch
from limecep.contracts.source import Connecting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.contracts.source import Message, Source
    from limecep.output.record import Record

#: How long a suite waits for what must come, in seconds, and for what must not.
PATIENCE_SECONDS = 30.0
QUIET_SECONDS = 1.5
#: How much longer than its timeout a call may take on a busy machine, in seconds.
SLOW_SECONDS = 0.5


class Outgoing(NamedTuple):
    """A message to publish. Transports without keys or headers leave them away."""

    value: bytes
    key: bytes | None = None
    headers: tuple[tuple[str, bytes], ...] = ()


def numbered(count: int) -> list[Outgoing]:
    """Messages of four keys, numbered."""
    return [
        Outgoing(json.dumps({"key": f"k{n % 4}", "n": n}).encode(), f"k{n % 4}".encode())
        for n in range(count)
    ]


def connect(*sources: Source) -> None:
    """Polls until all are connected; nothing may come."""
    watch = Stopwatch()
    while not all(s.connected for s in sources if isinstance(s, Connecting)):
        assert watch.seconds < PATIENCE_SECONDS, "not connected"
        for source in sources:
            assert len(source.poll(100, 0.05)) == 0, "a message nobody sent"


def drain(source: Source, count: int) -> list[Message]:
    """The next messages, exactly that many."""
    watch = Stopwatch()
    came: list[Message] = []
    while len(came) < count and watch.seconds < PATIENCE_SECONDS:
        came += source.poll(count - len(came), 0.1)
    assert len(came) == count, f"{len(came)} messages came, {count} expected"
    return came


def nothing_more(source: Source, seconds: float = QUIET_SECONDS) -> None:
    """That nothing comes for a while."""
    watch = Stopwatch()
    while watch.seconds < seconds:
        assert [m.value for m in source.poll(100, 0.1)] == []


def in_order(came: Sequence[Message], sent: Sequence[Outgoing]) -> None:
    """That what came is what was sent, and in the order of each key."""
    assert Counter(m.value for m in came) == Counter(m.value for m in sent)
    for key in {json.loads(m.value)["key"] for m in sent}:
        numbers = [r["n"] for m in came if (r := json.loads(m.value))["key"] == key]
        assert numbers == sorted(numbers), f"key {key} out of order"


def records(count: int) -> list[Record]:
    """Records of the change log, of three matches."""
    return [
        {
            "op": "emit" if n < 3 else "correct",
            "match": f"m{n % 3}",
            "revision": n // 3 + 1,
            "content": f"c{n}",
            "pattern": "p",
            "key": None,
            "start": "2026-01-05T10:00:03Z",
            "end": "2026-01-05T10:00:21Z",
            "events": {"a": [f"a{n}"]},
            "cause": {"kind": "in_order", "event": None},
            "detected": "2026-01-05T10:00:21.5Z",
            "latency": 0.5,
        }
        for n in range(count)
    ]
