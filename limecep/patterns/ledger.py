"""The ledger: which match has which identity and revision.

It stores no match that was emitted once and left alone: the emitted matches of an end event are what the
engine gives for it, so only what was corrected or taken back needs a line here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from limecep.contracts.tables import PLAIN, Form
from limecep.model.time import FOREVER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limecep.contracts.tables import Tables
    from limecep.model.event import Event
    from limecep.model.match import Match
    from limecep.patterns.archive import Archive
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


class Old(NamedTuple):
    """What is known of matches that memory has let go, as of those it has."""

    live: "Archive[Line]"
    withdrawn: "Archive[Line]"
    begun: "Archive[int]"


class Ledger:
    """The lines of one pattern, by the key of the present version, or where events are revised by what that
    is known by; those of matches that memory has let go,
    by content.

    Args:
        tables: Makes its tables.
        matches: Writes the matches in them.

    Attributes:
        live, withdrawn: The lines of matches that are live, and that were taken back.
        begun: How many lines began with these events; only those are counted that no longer stand as they
            began.
        old: The same of matches that memory has let go; None as long as it has let go of none.
    """

    def __init__(self, tables: Tables, matches: MatchCodec) -> None:
        self._matches = matches
        line = Form(self._line_out, self._line_in)
        self.live: dict[Key, Line] = tables.table("live", line)
        self.withdrawn: dict[Key, Line] = tables.table("withdrawn", line)
        self.begun: dict[Key, Begun] = tables.table("begun", Form(self._begun_out, self._begun_in))
        # Most runs put nothing aside.
        self.old: Old | None = None if tables is PLAIN else self._made_old(tables)

    def _made_old(self, tables: Tables) -> Old:
        from limecep.patterns.archive import Archive

        old = self._old_line_out, self._old_line_in
        live: Archive[Line] = Archive(tables, "old_live", *old)
        withdrawn: Archive[Line] = Archive(tables, "old_withdrawn", *old)
        begun: Archive[int] = Archive(
            tables, "old_begun", lambda lines: lines, lambda lines, events: int(lines)
        )
        return Old(live, withdrawn, begun)

    def __len__(self) -> int:
        return len(self.live) + len(self.withdrawn) + len(self.begun)

    @property
    def lost_until(self) -> int:
        """The `t_gen` up to which something about the matches that ended was given up."""
        return -FOREVER if self.old is None else max(a.lost_until for a in self.old)

    def line(self, key: Key, match: Match) -> Line:
        """That of a match that is live."""
        key = self._named(key, match)
        old = None if self.old is None else self.old.live.get(match)
        return self.live.get(key) or old or Line(match, match.end.t_gen)

    def emit(self, key: Key, match: Match) -> Line:
        """A match is found: anew, or again."""
        key = self._named(key, match)
        line = self.withdrawn.pop(key, None) or _recalled(self.old and self.old.withdrawn, match)
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

    def decided(self, match: Match) -> Line:
        """A match is decided by time, or by its end event: found anew, unless its events have moved since it
        was taken back."""
        if self._matches.name is None or not self._remembers:
            return Line(match, 0)
        return self.emit((), match)

    @property
    def _remembers(self) -> bool:
        """Whether it knows of any match that is not live as it was emitted."""
        old = self.old
        return bool(self.withdrawn or self.begun) or (
            old is not None and len(old.withdrawn) + len(old.begun) > 0
        )

    def correct(self, old_key: Key, old: Match, key: Key, new: Match) -> Line:
        """A match takes another form."""
        key = self._named(key, new)
        line = self._leave(self._named(old_key, old), old)
        line.revision += 1
        line.until = max(line.until, new.end.t_gen)
        line.present, line.since = new, new.start.t_gen
        self.live[key] = line
        return line

    def retract(self, key: Key, match: Match) -> Line:
        """A match is taken back. Found again, it goes on counting."""
        key = self._named(key, match)
        line = self._leave(key, match)
        line.revision += 1
        self.withdrawn[key] = line
        return line

    def _named(self, key: Key, match: Match) -> Key:
        """What the line of a match goes by."""
        return key if self._matches.name is None else self._matches.name(match)

    def _leave(self, key: Key, match: Match) -> Line:
        line = self.live.pop(key, None) or _recalled(self.old and self.old.live, match)
        if line is None:
            line = Line(match, match.end.t_gen)
            self._begin(key, line, self._beginnings(key, match) + 1)
        return line

    def _begin(self, key: Key, line: Line, count: int) -> None:
        line.since = line.first.start.t_gen
        self.begun[key] = Begun(count, line.until, line.since, line.first)

    def _beginnings(self, key: Key, match: Match) -> int:
        begun = self.begun.get(key)
        if begun is not None:
            return begun.lines
        return 0 if self.old is None else self.old.begun.get(match) or 0

    def forget(self, before: int) -> None:
        """Drops the lines of matches that start before a `t_gen`, in microseconds: none is found again."""
        for known in (self.live, self.withdrawn, self.begun):
            for key in [k for k, line in known.items() if line.since < before]:
                del known[key]
        for archive in self.old or ():
            archive.forget(before)

    def archive(self, before: int) -> None:
        """Puts aside the lines of matches that start before a `t_gen`, in microseconds: memory lets go of
        their events, which may come again."""
        if not len(self):
            return
        from limecep.patterns.archive import Bare

        bare = Bare()
        old = self.old = self.old or self._made_old(PLAIN)
        for lines, archive in ((self.live, old.live), (self.withdrawn, old.withdrawn)):
            for key, line in list(lines.items()):
                if line.since < before:
                    del lines[key]
                    present = line.present or line.first
                    line.first, line.present = bare.match(line.first), None
                    archive.put(present, line, line.until, 1 + sum(map(len, line.first.groups)))
        for key, begun in list(self.begun.items()):
            if begun.since < before:
                del self.begun[key]
                old.begun.put(begun.match, begun.lines, begun.until)

    # -- what survives a crash -----------------------------------------------------------------------------

    def snapshot(self) -> dict[str, Any]:
        """What must survive, the tables aside."""
        return {} if self.old is None else {f"old_{n}": a.snapshot() for n, a in self.old._asdict().items()}

    def restore(self, known: Mapping[str, Any]) -> None:
        """It is as it was in a snapshot."""
        if known:
            self.old = self.old or self._made_old(PLAIN)
            for name, archive in self.old._asdict().items():
                archive.restore(known[f"old_{name}"])

    def _line_out(self, key: Key, line: Line) -> Any:
        present = None if line.present is None else self._matches.out(line.present)
        return [*self._old_line_out(line), present]

    def _line_in(self, value: Any, events: Mapping[int, Event]) -> tuple[Key, Line]:
        *old, present = value
        line = self._old_line_in(old, events)
        if present is not None:
            line.present = self._matches.back(present, events)
        present = line.present or line.first
        return self._named(self._matches.key(present), present), line

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
        return self._named(self._matches.key(begun.match), begun.match), begun


def _recalled(archive: Archive[Line] | None, match: Match) -> Line | None:
    """The line of a match whose events are in memory again."""
    line = None if archive is None else archive.take(match)
    if line is not None:
        line.present, line.since = match, match.start.t_gen
    return line
