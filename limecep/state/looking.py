"""What a state has, for those who look at it while its pipeline runs, or after it has ended."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from limecep.detection.stated import STATED, identity_of
from limecep.errors import RunFailure
from limecep.model.event import Statement
from limecep.model.time import FOREVER
from limecep.state import segments as journal
from limecep.state.fingerprint import check_format
from limecep.state.json_values import damaged, decode
from limecep.state.keeper import FIGURES, HEAD
from limecep.state.part import whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from limecep.contracts.state import StateStore
    from limecep.model.event import Event


class Looked(NamedTuple):
    """A state at one moment: that of its last commit.

    Attributes:
        head: Whose state it is, with the fingerprint of that pipeline.
        events: The events of the journal, in the order in which they entered.
        withdrawn: The withdrawals that count, each with the event time of what it withdraws. It is not known
            when they came.
        begins: All that entered with an event time from this on are among them, in microseconds.
        lta: The latest event time, also of events of types that no pattern names, which the journal has not.
        until: The time of the arrival clock up to which is known that nothing else came; 0 if unknown.
        counted: What was counted of each pattern: `emitted`, `corrected`, `retracted`, and others.
    """

    head: Mapping[str, Any]
    events: list[Event]
    withdrawn: list[Statement]
    begins: int
    lta: int
    until: int
    counted: Mapping[str, Mapping[str, int]]


def look(store: StateStore) -> Looked:
    """Look at a state without taking it: another process may have it open, and nothing is written.

    Args:
        store: The state store, not open.

    Raises:
        RunFailure: There is none, it is empty, damaged, or of another format.
    """
    store.peek()
    try:
        cells = {row.name: decode(row.value) for name in (HEAD, FIGURES) for row in store.rows(name)}
        where = str(store.figures().get("path", ""))
        if not cells:
            raise RunFailure(f"the state {where} has nothing yet")
        for name in (HEAD, FIGURES):
            if name not in cells:
                raise damaged(f"'{name}' is missing")
        head, figures = cells[HEAD], cells[FIGURES]
        check_format(head, where)
        workers = head.get("workers", 1)
        # Of each process, where several divide the keys.
        parts = (
            [figures]
            if workers == 1
            else [decode(row.value) for row in store.rows() if row.name.endswith(f"/{FIGURES}")]
        )
        stored = store.segments(-FOREVER, FOREVER)
        segments = stored if workers == 1 else whole(stored)
        events = [event for found, _ in journal.read(segments) for event in found]
        times = {identity_of(event): event.t_gen for event in events}
        withdrawn = [
            statement
            for row in store.rows()
            if row.name.rpartition("/")[2] == STATED
            for statement in _withdrawals(decode(row.value), times)
        ]
    finally:
        store.close()
    events.sort(key=attrgetter("ordinal"))
    silence = parts[0]["time"]["silence"] or {}
    return Looked(
        head=head,
        events=events,
        withdrawn=list({identity_of(w): w for w in withdrawn}.values()),
        begins=figures["journal"],
        lta=parts[0]["statistics"]["lta"],
        until=max([silence.get("listened", 0), *(e.t_arr for e in events)]),
        counted={name: _summed([p["managers"][name] for p in parts]) for name in parts[0]["managers"]},
    )


def _withdrawals(
    row: tuple[list[str], list[list[Any]]], times: Mapping[tuple[str, str, str], int]
) -> Iterator[Statement]:
    """The withdrawal of an event that is in the journal, if a row says that it counts for all patterns."""
    (name, source, identity), held = row
    t_gen = times.get((name, source, identity))
    if t_gen is not None and all(withdrawn for _, _, withdrawn, _, _ in held):
        version = max(version for version, *_ in held)
        yield Statement(name, identity, t_gen, source=source, version=version, withdrawn=True)


def _summed(managers: list[dict[str, Any]]) -> dict[str, int]:
    counters = [m["results"]["counters"] for m in managers]
    return {name: sum(c.get(name, 0) for c in counters) for name in {n for c in counters for n in c}}
