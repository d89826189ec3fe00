"""A pipeline with state over files, which is run again and again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from limecep import Pipeline

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from limecep.contracts.state import Row
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
