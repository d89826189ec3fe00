"""What was committed is sent, and struck out once the sinks have it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import structlog
from structlog.testing import capture_logs

from limecep.errors import Stopped
from limecep.output.delivery import Delivery
from limecep.output.outlets import Bound
from limecep.state.sending import Sending, ThreadedSending

if TYPE_CHECKING:
    from conftest import Gate, Memory, Office, Registered


class Ending:
    """A run that is to end when it is told, and may go on for some turns."""

    def __init__(self) -> None:
        self.is_asked = False
        self.turns = 0

    def asked(self) -> bool:
        self.turns += 1
        return self.is_asked

    def check(self, undone: str = "") -> None:
        if self.is_asked:
            raise Stopped(undone)


class Threaded:
    """An office that sends by threads to two sinks, the first of which may be made to wait."""

    def __init__(self, office: Office, memory: Memory) -> None:
        self.put = office.put
        self.office = office
        self.outbox = office.outbox
        self.gate: Gate = office.a  # type: ignore[assignment]
        self.ending = Ending()
        made: Any = (office.outbox, memory, office.book, "n", structlog.get_logger(), self.ending)
        self.sending = ThreadedSending(*made)
        office.outlets[0].shares = "a"
        self.sending.open(Delivery([], office.outlets))


def threaded(offices: type[Office], gates: type[Gate], memory: Memory, bound: Bound) -> Threaded:
    gate: Any = gates()
    return Threaded(offices(memory, gate, bound), memory)


def test_at_once_all_is_delivered_before_it_returns(
    memory: Memory, offices: type[Office], registered: type[Registered]
) -> None:
    office = offices(memory, sink := registered())
    sending = Sending(office.outbox, office.store, office.book, "n")
    office.put(0, 1)
    office.put(1, 2)
    sending.deliver()
    assert (sink.sent, office.b.sent, office.outbox.count) == ([1], [2], 0)
    # What tells the load is durable before it is sent.
    assert memory.commits == [True, False]


def test_the_input_waits_only_where_there_is_no_room(
    memory: Memory, gates: type[Gate], offices: type[Office]
) -> None:
    office = threaded(offices, gates, memory, Bound(100))
    office.gate.may_send.clear()
    office.put(0, 1)
    office.put(1, 2)
    office.sending.deliver()
    office.ending.is_asked = True
    for n in range(3, 9):
        office.put(0, n)
    with capture_logs() as logs:
        # It would wait, were the run not to end.
        office.sending.deliver()
        office.sending.finish()
    assert [entry["event"] for entry in logs] == [
        "sinks did not take all records: they wait for the next run"
    ]
    assert logs[0]["a"] == 7
    office.gate.may_send.set()
    office.ending.is_asked = False
    with capture_logs() as logs:
        office.sending.deliver()
    assert [entry["event"] for entry in logs] in (
        [],
        ["the outbox is full, and the input waits for the sink"],
    )
    office.sending.finish()
    assert office.gate.sent == [{"n": n} for n in (1, 3, 4, 5, 6, 7, 8)]
    assert office.office.b.sent == [2]
    assert office.sending.close() == []


def test_what_is_dropped_is_told_once(memory: Memory, gates: type[Gate], offices: type[Office]) -> None:
    office = threaded(offices, gates, memory, Bound(100, drops=True))
    office.gate.may_send.clear()
    with capture_logs() as logs:
        for n in range(9):
            office.put(0, n)
            office.sending.deliver()
    assert len(logs) == 1
    assert logs[0]["sink"] == "a"
    office.gate.may_send.set()
    office.sending.finish()
    sent = [record["n"] for record in office.gate.sent]
    assert (sent[0], sent[-1]) == (0, 8)
    assert len(sent) + office.outbox.boxes["a"].dropped == 9
    office.sending.close()


def test_what_was_struck_out_is_kept_when_a_run_ends(
    memory: Memory, offices: type[Office], gates: type[Gate]
) -> None:
    office = threaded(offices, gates, memory, Bound())
    office.put(0, 1)
    office.sending.deliver()
    while not office.sending.struck_out:
        office.sending.collect()
    memory.commits.clear()
    assert office.sending.finish()
    assert memory.commits == [False]
    office.sending.close()


def test_a_sink_that_hangs_is_not_closed(memory: Memory, gates: type[Gate], offices: type[Office]) -> None:
    office = threaded(offices, gates, memory, Bound())
    office.gate.may_send.clear()
    office.put(0, 1)
    office.sending.deliver()
    (frames,) = office.sending.close()
    assert frames
    assert [outlet.hung for outlet in office.office.outlets] == [True, False]
    office.gate.may_send.set()
