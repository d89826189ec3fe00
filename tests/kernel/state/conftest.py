"""A pipeline with state over files, which is run again and again."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, Any

import pytest

from limecep import Pipeline
from limecep.output.outlets import Bound, Outlet
from limecep.state.book import Book, Numbers
from limecep.state.outbox import Load, Outbox

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from limecep.contracts.state import Row
    from limecep.output.record import Record
    from limecep.registry import Registry


class Kitchen:
    """The pipeline, in a folder of its own."""

    def __init__(self, folder: Path, registry: Registry) -> None:
        self._folder = folder
        self._registry = registry

    def document(self, query: str = "PATTERN SEQ(A a, B b) WITHIN 10 s", **more: Any) -> dict[str, Any]:
        source = {
            "type": "file", "channel": "*.jsonl", "as": {"field": "type"}, "id": "id",
            "time": {"field": "t", "format": "epoch_s"},
        }  # fmt: skip
        return {
            "version": 1,
            "name": "kitchen",
            "sources": {"s": source},
            "patterns": {"p": {"query": query, "lateness": "accept", "slack": "none"}},
            "sinks": {"out": {"type": "file", "path": "out"}},
            "state": {"dir": "state"},
            **more,
        }

    def write(self, text: str, name: str = "e") -> None:
        """Appends events, such as `a1`: type A, at one second."""
        with (self._folder / f"{name}.jsonl").open("a") as file:
            for word in text.split():
                event = {"type": word[0].upper(), "id": f"{name}{word}", "t": float(word[1:])}
                file.write(json.dumps(event) + "\n")

    def run(self, seconds: float | None = None, **more: Any) -> dict[str, Any]:
        pipeline = Pipeline.from_dict(self.document(**more), root=self._folder, registry=self._registry)
        try:
            pipeline.run(duration_seconds=seconds)
        finally:
            pipeline.close()
        return pipeline.report()

    def told(self) -> list[tuple[str, list[str]]]:
        records = [json.loads(line) for line in (self._folder / "out").read_text().splitlines()]
        return [(r["op"], [e["id"] for group in r["events"].values() for e in group]) for r in records]


@pytest.fixture
def kitchen(tmp_path: Path, installed: Registry) -> Kitchen:
    return Kitchen(tmp_path, installed)


class Memory:
    """A state store that keeps its rows and segments in memory."""

    def __init__(self) -> None:
        self.known: dict[int, Row] = {}
        self.journal: list[tuple[int, int, bytes]] = []
        self.trimmed: list[int] = []
        self.commits: list[bool] = []

    def delete(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            self.known.pop(number, None)

    def commit(self, *, durable: bool = True) -> None:
        self.commits.append(durable)

    def rows(self, name: str | None = None) -> Iterator[Row]:
        yield from [row for row in self.known.values() if name in (None, row.name)]

    def put(self, rows: Iterable[Row]) -> None:
        self.known.update((row.number, row) for row in rows)

    def append(self, first: int, last: int, value: bytes) -> None:
        self.journal.append((first, last, value))

    def segments(self, low: int, high: int) -> Iterator[bytes]:
        yield from [value for first, last, value in self.journal if last >= low and first <= high]

    def trim(self, before: int) -> None:
        self.trimmed.append(before)


@pytest.fixture
def memory() -> Memory:
    return Memory()


class Post:
    """A sink that keeps what it is sent."""

    counts_only = False

    def __init__(self) -> None:
        self.sent: list[int] = []
        self.flushed = 0

    def open(self) -> None: ...

    def send(self, records: Sequence[Record]) -> None:
        self.sent += [record["n"] for record in records]

    def flush(self) -> None:
        self.flushed = len(self.sent)


class Registered(Post):
    """One that takes all of a load or nothing, and has some already."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.has: set[str] = set()

    def begin(self, batch: str) -> bool:
        self.loads.append(batch)
        return batch not in self.has


class Office:
    """An outbox for two sinks, `a` and `b`."""

    def __init__(self, memory: Memory, a: Post | None = None, bound: Bound = Bound()) -> None:  # noqa: B008
        self.a, self.b = a or Post(), Post()
        sinks: Any = {"a": self.a, "b": self.b}
        self.outlets = [Outlet(name, sink, bound=bound) for name, sink in sinks.items()]
        self.store: Any = memory
        self.numbers = Numbers()
        for number in memory.known:
            self.numbers.seen(number)
        self.book = Book(self.numbers)
        self.now = 0
        self.outbox = Outbox(self.store, self.numbers, self.book, self.outlets, lambda: self.now)

    def put(self, outlet: int, *values: int) -> None:
        self.outlets[outlet].post([{"n": value} for value in values])

    def assign(self) -> bool:
        """Decides, and commits that."""
        decided = self.outbox.assign()
        put, deleted = self.book.changes()
        self.store.put(put)
        self.store.delete(deleted)
        return decided

    def loads(self) -> dict[str, Load]:
        """What is handed over, by the name of the sink."""
        return {load.outlet.name: load for load in self.outbox.loads("n")}

    def done(self, load: Load) -> list[int]:
        """The sink takes it; gives the rows that are struck out."""
        load.carry()
        rows = self.outbox.done(load)
        self.store.delete(rows)
        return rows


#: How long something that is to happen is waited for, in seconds.
WAIT = 5.0


class Gate:
    """A sink that waits where it is told to, and is in one thread at a time."""

    counts_only = False

    def __init__(self) -> None:
        self.sent: list[Any] = []
        self.threads: set[int] = set()
        self.may_open, self.may_send = threading.Event(), threading.Event()
        self.may_open.set()
        self.may_send.set()
        self.raises: BaseException | None = None

    def open(self) -> None:
        assert self.may_open.wait(WAIT)
        if self.raises is not None:
            raise self.raises

    def send(self, records: Sequence[Any]) -> None:
        self.threads.add(threading.get_ident())
        assert self.may_send.wait(WAIT)
        if self.raises is not None:
            raise self.raises
        self.sent += records

    def flush(self) -> None: ...


@pytest.fixture
def offices() -> type[Office]:
    return Office


@pytest.fixture
def registered() -> type[Registered]:
    return Registered


@pytest.fixture
def gates() -> type[Gate]:
    return Gate
