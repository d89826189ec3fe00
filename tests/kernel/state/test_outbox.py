"""The outbox: records wait until the sinks have them; what was not sent goes out in the next run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.contracts.state import Row
from limecep.errors import RunFailure
from limecep.output.outlets import Bound
from limecep.state import outbox
from limecep.state.json_values import encode
from limecep.state.outbox import Load

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Kitchen, Memory, Office, Registered


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


def test_records_go_in_order_and_are_struck_out_when_the_sink_has_them(
    memory: Memory, offices: type[Office]
) -> None:
    office = offices(memory)
    office.put(0, 1, 2)
    office.put(1, 3)
    office.put(0, 4)
    assert [(row.number, row.name) for row in memory.rows()] == [
        (1, "outbox/a"),
        (2, "outbox/b"),
        (3, "outbox/a"),
    ]
    loads = office.loads()
    # What comes now waits until the sink has that.
    office.put(0, 5)
    assert office.loads() == {}
    assert (office.a.sent, office.outbox.count) == ([], 5)
    assert office.done(loads["a"]) == [1, 3]
    assert (office.a.sent, office.a.flushed, office.b.sent) == ([1, 2, 4], 3, [])
    assert office.done(office.loads()["a"]) == [4]
    assert office.outbox.count == 1
    assert office.done(loads["b"]) == [2]
    assert (office.outbox.count, list(memory.rows()), office.loads()) == (0, [], {})


@pytest.mark.parametrize("held", [0, 2, 3, 9])
def test_what_is_too_much_to_be_held_is_read_again(
    held: int, memory: Memory, monkeypatch: pytest.MonkeyPatch, offices: type[Office]
) -> None:
    monkeypatch.setattr(outbox, "HELD_RECORDS", held)
    office = offices(memory)
    for turn in (10, 20):
        office.put(0, turn + 1, turn + 2)
        office.put(1, turn + 3)
        office.put(0, turn + 4)
        for load in office.loads().values():
            office.done(load)
    assert office.a.sent == [11, 12, 14, 21, 22, 24]
    assert office.b.sent == [13, 23]


def test_as_many_as_may_be_held_are_not_read_again(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, offices: type[Office]
) -> None:
    monkeypatch.setattr(outbox, "HELD_RECORDS", 2)
    office = offices(memory)
    for _ in range(3):
        office.put(0, 1, 2)
        memory.known.clear()
        office.done(office.loads()["a"])
    assert office.a.sent == [1, 2] * 3


def test_a_sink_is_handed_only_so_much_at_a_time(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, offices: type[Office]
) -> None:
    monkeypatch.setattr(outbox, "LOAD_RECORDS", 3)
    office = offices(memory)
    for first in (1, 3, 5, 7):
        office.put(0, first, first + 1)
    assert [len(load.records) for load in office.loads().values()] == [2]
    office.done(Load(office.outlets[0], "n", []))
    assert office.loads()["a"].records == [[{"n": 5}, {"n": 6}], [{"n": 7}, {"n": 8}]]


def test_what_a_crash_left_is_sent_first(memory: Memory, offices: type[Office]) -> None:
    before = offices(memory)
    before.put(0, 1, 2)
    before.put(1, 3)
    before.loads()
    memory.put([Row(3, "head", b"no records"), Row(4, "outbox/a", encode([{"n": 9}]))])
    again = offices(memory)
    # Older states have no time with the records.
    assert again.outbox.recall(list(memory.rows())) == 4
    again.put(0, 4)
    for load in again.loads().values():
        again.done(load)
    assert (again.a.sent, again.b.sent) == ([1, 2, 9, 4], [3])


def test_a_sink_that_takes_all_or_nothing_knows_a_load_after_a_crash(
    memory: Memory, offices: type[Office], registered: type[Registered]
) -> None:
    office = offices(memory, registered())
    office.put(0, 1)
    office.put(0, 2)
    assert office.assign()
    assert not office.assign()
    office.put(0, 3)
    load = office.loads()["a"]
    assert (load.name, load.records) == ("n:2", [[{"n": 1}], [{"n": 2}]])
    load.carry()
    # It dies before that is struck out.
    sink = registered()
    sink.has = {"n:2"}
    again = offices(memory, sink)
    again.outbox.recall(list(memory.rows()))
    assert not again.assign()
    assert again.done(again.loads()["a"]) == [1, 2]
    assert again.assign()
    again.done(again.loads()["a"])
    assert (sink.sent, sink.loads) == ([3], ["n:2", "n:4"])


def test_a_load_that_was_struck_out_before_a_crash_is_not_waited_for(
    memory: Memory, offices: type[Office], registered: type[Registered]
) -> None:
    office = offices(memory, registered())
    office.put(0, 1)
    office.assign()
    office.done(office.loads()["a"])
    office.put(0, 2)
    again = offices(memory, sink := registered())
    again.outbox.recall(list(memory.rows()))
    again.assign()
    assert again.loads() == {}
    assert again.assign()
    again.done(again.loads()["a"])
    assert sink.sent == [2]


def test_where_there_is_no_room_the_oldest_goes_that_is_not_under_way(
    memory: Memory, offices: type[Office]
) -> None:
    office = offices(memory, bound=Bound(150, drops=True))
    office.put(0, 1)
    (size,) = (len(row.value) for row in memory.rows())
    assert size < 50
    load = office.loads()["a"]
    for n in range(2, 8):
        office.put(0, n)
    office.put(1, 100)
    kept = 150 // size
    assert office.outbox.drop_oldest() == {"a": 7 - kept}
    assert len(list(memory.rows())) == kept + 1
    assert office.outbox.drop_oldest() == {}
    office.done(load)
    office.done(office.loads()["a"])
    assert office.a.sent == [1, *range(9 - kept, 8)]
    assert office.outbox.boxes["a"].told() == {"dropped": 7 - kept}


def test_what_waits_is_told_with_since_when(memory: Memory, offices: type[Office]) -> None:
    office = offices(memory)
    office.now = 1_000_000
    office.put(0, 1, 2)
    office.now = 2_000_000
    office.put(0, 3)
    size = sum(len(row.value) for row in memory.rows())
    waiting = {"records": 3, "bytes": size, "since": "1970-01-01T00:00:01Z"}
    assert office.outbox.boxes["a"].told() == {"waiting": waiting}
    assert office.outbox.boxes["b"].told() == {}
