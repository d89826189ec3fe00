"""A run: the group of a step that is being filled, with what comes before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.model.event import Event
    from limecep.model.match import Group
    from limecep_maximal.starts import Start, Starts
    from limecep_maximal.strands import Strand

    Groups = tuple[Group, ...]


class Run:
    """A group being filled.

    Attributes:
        step: Its step.
        strand: The group.
        groups: The groups before it, as conditions read them; that of the start only where it is
            the only one.
        out: The same as a match has them, the start's aside.
        starts: The groups it may begin with.
        left: The lengths up to this one have led on, or wait in `open`.
        look: Where to look for the first event of the next step.
        open: Lengths that found none yet, each with where to look.
        done: For each start that was completed, the length with which it was, and the order number of the end
            event.
    """

    __slots__ = ("done", "groups", "left", "look", "open", "out", "starts", "step", "strand")

    def __init__(
        self, step: int, strand: Strand, groups: list[Sequence[Event]], out: Groups, starts: Starts
    ) -> None:
        self.step = step
        self.strand = strand
        self.groups = groups
        self.out = out
        self.starts = starts
        self.left = 0
        self.look = 0
        self.open: list[list[int]] = []
        self.done: dict[Start, tuple[int, int]] = {}
        # A single step is known as it is.
        groups[step] = strand.seen(1)
