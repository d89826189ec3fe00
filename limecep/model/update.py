"""Updates: the entries of the change log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

if TYPE_CHECKING:
    from limecep.model.event import Event
    from limecep.model.match import Match

Op = Literal["emit", "correct", "retract", "final"]
CauseKind = Literal[
    "in_order", "late_event", "negation", "next_match", "time", "revision", "withdrawal", "derived"
]


class Update(msgspec.Struct, gc=False, eq=False, frozen=True, kw_only=True):
    """One change of the results of one pattern. Digests and event lists are made when a record is written.

    Attributes:
        op: What happens to the match.
        pattern: The pattern's name.
        key: The values of the attributes of PARTITION BY by name, or None.
        match: The present version; for a retraction the one taken back.
        first: The version that was emitted first; it gives the match its id.
        generation: 0; else how many other matches had begun as the same events, and gone on as something
            else, when this one was found: part of the id.
        revision: 1, 2, ... over all ops but `final`, which repeats the last one.
        cause: Why.
        cause_event: The event that caused it, if one did.
        detected: When it was detected, in microseconds of the arrival clock.
        latency: Microseconds from the arrival of the causing event to `detected`.
        final: Whether a match that goes out can change no more.
        before: The version that a correction replaces; else None.
        backfill: Whether it is of a time before the pattern was there.
    """

    op: Op
    pattern: str
    key: dict[str, object] | None
    match: Match
    first: Match
    revision: int
    cause: CauseKind
    generation: int = 0
    cause_event: Event | None
    detected: int
    latency: int
    final: bool = False
    before: Match | None = None
    backfill: bool = False
