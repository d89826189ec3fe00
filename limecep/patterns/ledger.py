"""The ledger: which match has which identity and revision.

It stores no match that was emitted once and left alone: the emitted matches of an end event are what the
engine gives for it, so only what was corrected or taken back needs a line here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from limecep.contracts.tables import Form
from limecep.patterns.archive import Archive, Bare

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limecep.contracts.tables import Tables
    from limecep.model.event import Event
    from limecep.model.match import Match
    from limecep.patterns.match_codec import MatchCodec

Key = tuple[Any, ...]


class Line(msgspec.Struct):
    """One match through its versions.

    Attributes:
        first: The version emitted first; it names the match.
        until: The `t_gen` of the latest end event of any version.
        generation: 0, or how many other matches began as the same events while this name was in use.
        revision: How many updates there were.
        present: The present version, where that is not `first`.
        since: The `t_gen` at which the present version starts. (Asked of the match later it costs more: late
            events have moved what its groups are ranges of.)
    """

    first: "Match"
    until: int
    generation: int = 0
    revision: int = 1
    present: Match | None = None
    since: int = 0


class Begun(NamedTuple):
    """How many lines began as a match, and when that ends and starts."""

    lines: int
    until: int
    since: int
    match: "Match"


class Ledger:
    """The lines of one pattern, by the key of the present version; those of matches that memory has let go,
    by content.

    Args:
        tables: Makes its tables.
        matches: Writes the matches in them.

    Attributes:
        live, withdrawn: The lines of matches that are live, and that were taken back.
        begun: How many lines began with these events; only those are counted that no longer stand as they
            began.
        old_live, old_withdrawn, old_begun: The same of matches that memory has let go.
    """

    def __init__(self, tables: Tables, matches: MatchCodec) -> None:
        self._matches = matches
        line, old = Form(self._line_out, self._line_in), (self._old_line_out, self._old_line_in)
        self.live: dict[Key, Line] = tables.table("live", line)
        self.withdrawn: dict[Key, Line] = tables.table("withdrawn", line)
        self.begun: dict[Key, Begun] = tables.table("begun", Form(self._begun_out, self._begun_in))
        self.old_live: Archive[Line] = Archive(tables, "old_live", *old)
        self.old_withdrawn: Archive[Line] = Archive(tables, "old_withdrawn", *old)
        self.old_begun: Archive[int] = Archive(
            tables, "old_begun", lambda lines: lines, lambda lines, events: int(lines)
        )

    def __len__(self) -> int:
        return len(self.live) + len(self.withdrawn) + len(self.begun)

    @property
    def lost_until(self) -> int:
        """The `t_gen` up to which something about the matches that ended was given up."""
        return max(a.lost_until for a in (self.old_live, self.old_withdrawn, self.old_begun))

    def line(self, key: Key, match: Match) -> Line:
        """That of a match that is live."""
        return self.live.get(key) or self.old_live.get(match) or Line(match, match.end.t_gen)

    def emit(self, key: Key, match: Match) -> Line:
        """A match is found: anew, or again."""
        line = self.withdrawn.pop(key, None) or _recalled(self.old_withdrawn, match)
        if line is not None:
            line.revision += 1
            self.live[key] = line
            return line
        generation = self._beginnings(key, match)
        line = Line(match, match.end.t_gen, generation)
        if generation:
            self._begin(key, line, generation + 1)
            self.live[key] = line
        return line

    def correct(self, old_key: Key, old: Match, key: Key, new: Match) -> Line:
        """A match takes another form."""
        line = self._leave(old_key, old)
        line.revision += 1
        line.until = max(line.until, new.end.t_gen)
        line.present, line.since = new, new.start.t_gen
        self.live[key] = line
        return line

    def retract(self, key: Key, match: Match) -> Line:
        """A match is taken back. Found again, it goes on counting."""
        line = self._leave(key, match)
        line.revision += 1
        self.withdrawn[key] = line
        return line

    def _leave(self, key: Key, match: Match) -> Line:
        line = self.live.pop(key, None) or _recalled(self.old_live, match)
        if line is None:
            line = Line(match, match.end.t_gen)
            self._begin(key, line, self._beginnings(key, match) + 1)
        return line

    def _begin(self, key: Key, line: Line, count: int) -> None:
        line.since = line.first.start.t_gen
        self.begun[key] = Begun(count, line.until, line.since, line.first)

    def _beginnings(self, key: Key, match: Match) -> int:
        begun = self.begun.get(key)
        return begun.lines if begun is not None else self.old_begun.get(match) or 0

    def forget(self, before: int) -> None:
        """Drops the lines of matches that start before a `t_gen`, in microseconds: none is found again."""
        for known in (self.live, self.withdrawn, self.begun):
            for key in [k for k, line in known.items() if line.since < before]:
                del known[key]
        for archive in (self.old_live, self.old_withdrawn, self.old_begun):
            archive.forget(before)

    def archive(self, before: int) -> None:
        """Puts aside the lines of matches that start before a `t_gen`, in microseconds: memory lets go of
        their events, which may come again."""
        bare = Bare()
        for lines, archive in ((self.live, self.old_live), (self.withdrawn, self.old_withdrawn)):
            for key, line in list(lines.items()):
                if line.since < before:
                    del lines[key]
                    present = line.present or line.first
                    line.first, line.present = bare.match(line.first), None
                    archive.put(present, line, line.until, 1 + sum(map(len, line.first.groups)))
        for key, begun in list(self.begun.items()):
            if begun.since < before:
                del self.begun[key]
                self.old_begun.put(begun.match, begun.lines, begun.until)

    # -- what survives a crash -----------------------------------------------------------------------------

    def snapshot(self) -> dict[str, Any]:
        """What must survive, the tables aside."""
        return {
            "old_live": self.old_live.snapshot(),
            "old_withdrawn": self.old_withdrawn.snapshot(),
            "old_begun": self.old_begun.snapshot(),
        }

    def restore(self, known: Mapping[str, Any]) -> None:
        """It is as it was in a snapshot."""
        self.old_live.restore(known["old_live"])
        self.old_withdrawn.restore(known["old_withdrawn"])
        self.old_begun.restore(known["old_begun"])

    def _line_out(self, key: Key, line: Line) -> Any:
        present = None if line.present is None else self._matches.out(line.present)
        return [*self._old_line_out(line), present]

    def _line_in(self, value: Any, events: Mapping[int, Event]) -> tuple[Key, Line]:
        *old, present = value
        line = self._old_line_in(old, events)
        if present is not None:
            line.present = self._matches.back(present, events)
        return self._matches.key(line.present or line.first), line

    def _old_line_out(self, line: Line) -> Any:
        first = self._matches.out_bare(line.first)
        return [first, line.until, line.generation, line.revision, line.since]

    def _old_line_in(self, value: Any, events: Mapping[int, Event]) -> Line:
        first, until, generation, revision, since = value
        return Line(self._matches.back(first, events), until, generation, revision, None, since)

    def _begun_out(self, key: Key, begun: Begun) -> Any:
        return [begun.lines, begun.until, begun.since, self._matches.out(begun.match)]

    def _begun_in(self, value: Any, events: Mapping[int, Event]) -> tuple[Key, Begun]:
        lines, until, since, match = value
        begun = Begun(lines, until, since, self._matches.back(match, events))
        return self._matches.key(begun.match), begun


def _recalled(archive: Archive[Line], match: Match) -> Line | None:
    """The line of a match whose events are in memory again."""
    line = archive.take(match)
    if line is not None:
        line.present, line.since = match, match.start.t_gen
    return line
