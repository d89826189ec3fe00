"""Derivations: the events that the matches of a pattern are to other patterns (SEMANTICS 13)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from limecep.model.match import Match

#: When a derived event happens: with the first or the last event of the match, or when its window is over.
Moment = Literal["start", "end", "deadline"]


class Derivation(NamedTuple):
    """What a pattern derives of each match that stands.

    Attributes:
        type: The type of the events.
        time: When they happen.
        within: The window of the pattern, in microseconds.
    """

    type: str
    time: Moment
    within: int

    def t_gen(self, match: Match) -> int:
        """When the event of a match happens, in microseconds."""
        if self.time == "end":
            return match.end.t_gen
        start = match.start.t_gen
        return start if self.time == "start" else start + self.within

    @property
    def behind(self) -> int:
        """How far an event may lie behind the end of its match, in microseconds."""
        return self.within if self.time == "start" else 0


def levels(read: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """How many levels stand below each pattern.

    Args:
        read: The patterns that each one reads of, by name; no circle is among them.
    """
    found: dict[str, int] = {}

    def level(name: str) -> int:
        if name not in found:
            found[name] = max([level(n) + 1 for n in read[name]], default=0)
        return found[name]

    for name in read:
        level(name)
    return found
