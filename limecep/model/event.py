"""Events: what happened, when, and when it came."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence


class Event(msgspec.Struct, gc=False, eq=False, repr_omit_defaults=True):
    """One event (SEMANTICS 1).

    Two events with one `(type, source, id)` are duplicates. Compared by identity of the object: a pipeline
    holds each event once.

    Attributes:
        type: The event type, as patterns name it.
        id: Text, unique within type and source.
        t_gen: When it happened: microseconds since 1970-01-01 UTC.
        t_arr: When it arrived, in the same unit.
        source: The name of the source it came from.
        payload: Its attributes. Never changed once the event is in a pipeline.
        seq: The sequence number that orders events of one `t_gen`, 0 for sources that declare none.
        ordinal: The place in the order of arrival among the events stored; set by the store, 0 before.
    """

    type: str
    id: str
    t_gen: int
    t_arr: int = 0
    source: str = ""
    payload: dict[str, Any] = {}
    seq: int = 0
    ordinal: int = 0


#: The version of a withdrawal that says none: it withdraws what counts when it comes.
UNVERSIONED = float("-inf")


class Statement(Event, gc=False, eq=False, repr_omit_defaults=True):
    """What a source that may take back what it told says of an event (SEMANTICS 11): of one identity the
    statement with the greatest version counts.

    Attributes:
        version: A number that grows with every statement about this identity.
        withdrawn: Whether it says that there is no such event. It has no payload then.
    """

    version: int | float = 0
    withdrawn: bool = False


class DerivedEvent(Statement, gc=False, eq=False, repr_omit_defaults=True):
    """An event that a pattern derives (SEMANTICS 13): a match that stands. Its source is the pattern."""


def sort_key(event: Event) -> tuple[int, int, str, str, str]:
    """The total order of SEMANTICS 1; it never depends on arrival."""
    return (event.t_gen, event.seq, event.type, event.id, event.source)


def event_out(event: Event) -> list[Any]:
    """An event with all there is to it, as values of JSON."""
    known = [
        event.type, event.id, event.t_gen, event.t_arr, event.source, event.payload, event.seq, event.ordinal
    ]  # fmt: skip
    if not isinstance(event, Statement):
        return known
    known += event.version, event.withdrawn
    return [*known, True] if isinstance(event, DerivedEvent) else known


def event_in(value: Sequence[Any]) -> Event:
    """The event that `event_out` gave."""
    name, identity, t_gen, t_arr, source, payload, seq, ordinal, *stated = value
    # Texts that all events of a kind have in common are there once.
    name, source = sys.intern(name), sys.intern(source)
    if stated:
        kind = Statement if len(stated) == 2 else DerivedEvent
        # JSON has no infinity, and null for it.
        version = UNVERSIONED if stated[0] is None else stated[0]
        return kind(name, identity, t_gen, t_arr, source, payload, seq, ordinal, version, stated[1])
    return Event(name, identity, t_gen, t_arr, source, payload, seq, ordinal)
