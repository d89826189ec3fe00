"""Transforms change records on their way to a sink."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from limecep.output.record import Record

#: The fields that tell a record of the change log, and what it takes the place of: no transform changes them.
IDENTITY = ("op", "match", "revision", "content", "pattern")


class Transform(Protocol):
    """Made once for each place where a sink names it under `through`: `Factory(options, context)`.

    Duties: what is given for a record depends on the record alone, and not on records before it: after a
    crash a record may come once more, and workers have others each. The fields of `IDENTITY` stay, where the
    record has them. It gets records of the change log, or, for a sink with `of: late`, of the late output.
    """

    def apply(self, record: Record) -> Record | None:
        """A record in place of another, whose values JSON knows: NaN is none, nor are bytes, sets and tuples.
        None where nothing goes to the sink. The one given belongs to others
        too, with all that is in it: change a copy."""
