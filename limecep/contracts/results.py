"""Result policies decide which differences between old and new results go out, and say when.

An evaluation finds that some matches have become results, and that some are results no more: that is a
*difference*. The policy decides what of it goes out. The kernel knows which results are withheld, and which
matches are out although they are no results any more. It never emits a match that is out, and never takes
back one that is not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from limecep.contracts.changes import Change, Moment

#: When a match goes out. `eager`: as soon as it is found. `complete`: one whose end step may take several
#: events when time has passed its window, others as soon as they are found. `slack`: after the slack that
#: late events are waited for. `final`: when no event that is still accepted can change it.
Emit = Literal["eager", "complete", "slack", "final"]

#: What is out at the end, whatever the order of arrival. `equal`: the results of the events in order.
#: `superset`: all of them, and perhaps matches that were results once. `subset`: none but them.
Promise = Literal["equal", "superset", "subset"]

#: A match goes out, or is taken back. A new match that goes out in place of one that is taken back is one
#: record, `correct`: the kernel pairs them.
Step = Literal["emit", "retract"]

#: What `ResultPolicy.emit` may be.
EMITS = ("eager", "complete", "slack", "final")

#: What `ResultPolicy.promise` may be.
PROMISES = ("equal", "superset", "subset")

#: `ResultPolicy.passes` of a policy that decides nothing.
EVERYTHING: frozenset[Step] = frozenset({"emit", "retract"})


class Skip(msgspec.Struct, gc=False, frozen=True):
    """A skip strategy (SEMANTICS 9): which matches a kept one drops.

    Attributes:
        to: `next`: those with the same start; `past-last`: those that start at or before its end; `first`,
            `last`: those that start before its first, or last, event of `variable`.
        variable: Of the pattern; "" for `next` and `past-last`.
    """

    to: Literal["next", "past-last", "first", "last"]
    variable: str = ""


class ResultPolicy(Protocol):
    """Made once a pattern: `Factory(plan, options, context)`.

    It may remember: `limecep.contracts.remembering.Remembering`. What it decides follows from the differences
    it was asked about, what it may ask of the moment, and what it remembers.
    """

    @property
    def promise(self) -> Promise:
        """What is out at the end, whatever the order of arrival. A policy that is
        `limecep.contracts.changes.Selecting` promises it of the results it selects."""

    @property
    def passes(self) -> frozenset[Step]:
        """What it always lets through: it is not asked about differences that have nothing else."""

    @property
    def across_keys(self) -> bool:
        """Whether what it decides for one key depends on other keys. If not, it is asked key by key. If so,
        its options are `limecep.contracts.options.AcrossKeys`, and the pattern is not divided."""

    @property
    def emit(self) -> Emit:
        """When a match goes out."""

    @property
    def announces(self) -> bool:
        """Whether it is said of a match that was emitted when no event that is still accepted can change it.
        Where matches go out only then, that is said as they do. Of what is withheld nothing is said: it never
        goes out then."""

    @property
    def horizon(self) -> int | None:
        """How far behind the latest event time, in microseconds, an event can still change results, whatever
        the lateness policy accepts; None for as far as it does. What becomes final needs one of the two."""

    @property
    def skip(self) -> Skip | None:
        """Which matches others drop; None for no such. Those are no results: it is not asked about them."""

    def decide(self, changes: Sequence[Change], moment: Moment) -> Iterable[Change]:
        """What goes out. What is left out of an `emit` is withheld, and may go out later; what is left out of
        a `retract` stands, and may be taken back later.

        Args:
            changes: The difference that an evaluation made, what is taken back first. Each match is in it
                once.
            moment: The time, and what is kept.

        Returns:
            Changes of the difference, `emit` of results that are withheld, `retract` of matches that are out.
            Anything else ends the run, with this policy's name.
        """
