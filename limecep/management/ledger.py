"""The ledger: which match has which identity and revision.

It stores no match that was emitted once and left alone: the emitted matches of an end event are what the
engine gives for it, so only what was corrected or taken back needs a line here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from limecep.model.match import Match

Key = tuple[Any, ...]


class Line(msgspec.Struct):
    """One match through its versions.

    Attributes:
        first: The version emitted first; it names the match.
        generation: 0, or how many other matches began as the same events while this name was in use.
        revision: How many updates there were.
        until: The `t_gen` of the latest end event of any version.
    """

    first: Match
    until: int
    generation: int = 0
    revision: int = 1


class Ledger:
    """The lines of one pattern, by the key of the present version."""

    def __init__(self) -> None:
        self._live: dict[Key, Line] = {}
        self._withdrawn: dict[Key, Line] = {}
        # How many lines began with these events; only those are counted that no longer stand as they began.
        self._begun: dict[Key, tuple[int, int]] = {}

    def line(self, key: Key, match: Match) -> Line:
        """That of a match that is live."""
        return self._live.get(key) or Line(match, match.end.t_gen)

    def emit(self, key: Key, match: Match) -> Line:
        """A match is found: anew, or again."""
        line = self._withdrawn.pop(key, None)
        if line is not None:
            line.revision += 1
            self._live[key] = line
            return line
        until = match.end.t_gen
        generation = self._begun.get(key, (0, 0))[0]
        line = Line(match, until, generation)
        if generation:
            self._begun[key] = (generation + 1, until)
            self._live[key] = line
        return line

    def correct(self, old_key: Key, old: Match, key: Key, new: Match) -> Line:
        """A match takes another form."""
        line = self._leave(old_key, old)
        line.revision += 1
        line.until = max(line.until, new.end.t_gen)
        self._live[key] = line
        return line

    def retract(self, key: Key, match: Match) -> Line:
        """A match is taken back. Found again, it goes on counting."""
        line = self._leave(key, match)
        line.revision += 1
        self._withdrawn[key] = line
        return line

    def _leave(self, key: Key, match: Match) -> Line:
        line = self._live.pop(key, None)
        if line is None:
            until = match.end.t_gen
            line = Line(match, until)
            self._begun[key] = (self._begun.get(key, (0, 0))[0] + 1, until)
        return line

    def forget(self, before: int) -> None:
        """Drops the lines of matches that ended before a `t_gen`, in microseconds."""
        for lines in (self._live, self._withdrawn):
            for key in [k for k, line in lines.items() if line.until < before]:
                del lines[key]
        for key in [k for k, (_, until) in self._begun.items() if until < before]:
            del self._begun[key]
