"""The outbox: records are sent once they are committed; what was not sent goes out in the next run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep.contracts.state import Row
from limecep.errors import RunFailure
from limecep.output.outlets import Outlet
from limecep.state import outbox
from limecep.state.book import Numbers
from limecep.state.outbox import Outbox

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from conftest import Kitchen, Memory

    from limecep.output.record import Record


def test_records_for_a_sink_that_is_no_more_are_not_dropped(tmp_path: Path, kitchen: Kitchen) -> None:
    kitchen.write("a1 b2")
    (tmp_path / "out").mkdir()
    late = {"late": {"type": "file", "path": "late", "of": "late"}}
    (tmp_path / "out").rmdir()
    full = {"out": {"type": "file", "path": "/dev/full"}}
    with pytest.raises(RunFailure):
        kitchen.run(sinks=full)
    with pytest.raises(RunFailure, match="records for the sink 'out', which the pipeline no longer has"):
        kitchen.run(sinks=late)
    kitchen.run()
    assert kitchen.told() == [("emit", ["ea1", "eb2"])]


class Post:
    """A sink that keeps what it is sent, unless it has the batch already."""

    counts_only = False

    def __init__(self) -> None:
        self.sent: list[int] = []
        self.batches: list[str] = []
        self.flushed = 0
        self.has: set[str] = set()

    def begin(self, batch: str) -> bool:
        self.batches.append(batch)
        return batch not in self.has

    def send(self, records: Sequence[Record]) -> None:
        self.sent += [record["n"] for record in records]

    def flush(self) -> None:
        self.flushed = len(self.sent)


class Office:
    """An outbox for two sinks, `a` and `b`."""

    def __init__(self, memory: Memory) -> None:
        self.a, self.b = Post(), Post()
        sinks: Any = {"a": self.a, "b": self.b}
        self.outlets = [Outlet(name, sink) for name, sink in sinks.items()]
        store: Any = memory
        numbers = Numbers()
        for number in memory.known:
            numbers.seen(number)
        self.outbox = Outbox(store, numbers, self.outlets)

    def put(self, outlet: int, *values: int) -> None:
        self.outlets[outlet].post([{"n": value} for value in values])


def test_records_are_sent_in_order_when_they_are_asked_for(memory: Memory) -> None:
    office = Office(memory)
    office.put(0, 1, 2)
    office.put(1, 3)
    office.put(0, 4)
    assert (office.a.sent, len(office.outbox), office.outbox.count) == ([], 3, 4)
    assert [(row.number, row.name) for row in memory.rows()] == [
        (1, "outbox/a"),
        (2, "outbox/b"),
        (3, "outbox/a"),
    ]
    assert office.outbox.deliver("n:1") == [1, 3, 2]
    assert (office.a.sent, office.b.sent) == ([1, 2, 4], [3])
    assert (office.a.flushed, office.b.flushed) == (3, 1)
    assert (office.a.batches, office.b.batches) == (["n:1"], ["n:1"])


def test_what_was_sent_is_not_counted_nor_sent_any_more(memory: Memory) -> None:
    office = Office(memory)
    office.put(0, 1, 2)
    office.outbox.deliver("n:1")
    assert (len(office.outbox), office.outbox.count) == (0, 0)
    assert office.outbox.deliver("n:2") == []
    # Who has nothing for a batch is not told of it.
    assert office.a.batches == ["n:1"]
    office.put(0, 3)
    assert office.outbox.count == 1
    assert office.outbox.deliver("n:3") == [2]
    assert office.a.sent == [1, 2, 3]


@pytest.mark.parametrize("held", [0, 2, 3, 9])
def test_what_is_too_much_to_be_held_is_read_again(
    held: int, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "HELD_RECORDS", held)
    office = Office(memory)
    for turn in (10, 20):
        office.put(0, turn + 1, turn + 2)
        office.put(1, turn + 3)
        office.put(0, turn + 4)
        # The rows of the first turn are still there in the second.
        office.outbox.deliver(f"n:{turn}")
    assert office.a.sent == [11, 12, 14, 21, 22, 24]
    assert office.b.sent == [13, 23]


def test_as_many_as_may_be_held_are_not_read_again(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox, "HELD_RECORDS", 2)
    office = Office(memory)
    office.put(0, 1, 2)
    memory.known.clear()
    office.outbox.deliver("n:1")
    assert office.a.sent == [1, 2]


def test_a_sink_that_has_a_batch_is_not_sent_it_again(memory: Memory) -> None:
    office = Office(memory)
    office.a.has = {"n:1"}
    office.put(0, 1)
    office.put(1, 2)
    assert office.outbox.deliver("n:1") == [1, 2]
    assert (office.a.sent, office.b.sent) == ([], [2])


def test_what_a_crash_left_is_sent_first(memory: Memory) -> None:
    before = Office(memory)
    before.put(0, 1, 2)
    before.put(1, 3)
    memory.put([Row(3, "head", b"no records")])
    again = Office(memory)
    assert again.outbox.recall(memory.rows()) == 3
    assert (len(again.outbox), again.outbox.count) == (2, 3)
    again.put(0, 4)
    assert again.outbox.deliver("n:1") == [1, 4, 2]
    assert (again.a.sent, again.b.sent) == ([1, 2, 4], [3])
