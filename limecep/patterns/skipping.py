"""Skip strategies: which matches are kept, in the order of their ends, and which those drop (SEMANTICS 9)."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec
from sortedcontainers import SortedKeyList

from limecep.contracts.tables import Form
from limecep.encoding import frozen
from limecep.model.event import sort_key
from limecep.model.time import FOREVER
from limecep.patterns.keys import place

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping

    from limecep.contracts.results import Skip
    from limecep.contracts.tables import Tables
    from limecep.model.event import Event
    from limecep.model.match import Match
    from limecep.patterns.ledger import Key
    from limecep.patterns.match_codec import MatchCodec

#: Sort keys are compared with it: what starts before a barrier is dropped.
Barrier = tuple[Any, ...]

#: Nothing is before it; everything is.
_NONE: Barrier = ()
_ALL: Barrier = (FOREVER,)
_BARE: tuple[Barrier, int] = (_NONE, 0)


class Entry(msgspec.Struct, eq=False):
    """A candidate.

    Attributes:
        order: Its place among all.
        match: The match.
        kept: Whether none before it drops it.
        barrier: What it and those before it drop.
    """

    order: Any
    match: Match
    kept: bool = False
    barrier: Barrier = _NONE


class Skipping:
    """The candidates of one pattern, and which of them are kept.

    Args:
        skip: The strategy.
        partition: The values of PARTITION BY of an event.
        tables: Makes its tables.
        matches: Writes the matches in them, and tells them apart.

    Attributes:
        candidates: All candidates, by key.
        figures: What there is of each line, its candidates aside, where that is anything.
    """

    #: They follow from the tables.
    transient: ClassVar[frozenset[str]] = frozenset({"key", "lines"})

    def __init__(
        self, skip: Skip, partition: Callable[[Event], Hashable], tables: Tables, matches: MatchCodec
    ) -> None:
        def read(value: Any, events: Mapping[int, Event]) -> tuple[Key, Entry]:
            match = matches.back(value, events)
            return matches.key(match), Entry(place(match), match)

        # A match that is dropped later is told with its events, which may have left memory by then.
        self.candidates: dict[Key, Entry] = tables.table(
            "skipping", Form(lambda _, entry: matches.out_whole(entry.match), read)
        )
        self.figures: dict[Hashable, tuple[Barrier, int]] = tables.table(
            "skipping.lines", Form(lambda name, figures: [name, *figures], _read_figures)
        )
        self._skip = skip
        self._partition = partition
        self._key = matches.key
        self._lines: dict[Hashable, Line] = {}

    def __len__(self) -> int:
        return len(self.candidates)

    def change(self, come: Iterable[Match], gone: Iterable[Match]) -> tuple[list[Match], list[Match]]:
        """Takes in candidates that came, and takes out those that went.

        Returns:
            The matches that are kept and were not; those that were and are not.
        """
        changes: dict[Hashable, tuple[list[Match], list[Match]]] = {}
        for side, matches in enumerate((come, gone)):
            for match in matches:
                changes.setdefault(self._line_of(match), ([], []))[side].append(match)
        appeared: list[Match] = []
        vanished: list[Match] = []
        for name, (new, old) in changes.items():
            now, before = self._line_named(name).change(new, old)
            appeared += now
            vanished += before
        return appeared, vanished

    def _line_named(self, name: Hashable) -> Line:
        line = self._lines.get(name)
        if line is None:
            line = self._lines[name] = Line(self._barrier, self._key, self.candidates)
        return line

    def keeps(self, match: Match) -> bool:
        """Whether a candidate is kept."""
        line = self._lines.get(self._line_of(match))
        return line is not None and line.keeps(match)

    def restore(self) -> None:
        """The tables are filled: decides again which candidates are kept."""
        lines: dict[Hashable, list[Entry]] = {name: [] for name in self.figures}
        for entry in self.candidates.values():
            lines.setdefault(self._line_of(entry.match), []).append(entry)
        for name, entries in lines.items():
            self._line_named(name).restore(entries, *self.figures.get(name, _BARE))

    def _note(self, name: Hashable, line: Line) -> None:
        if self.figures.get(name, _BARE) != line.figures:
            self.figures[name] = line.figures

    def release(self, before: int) -> list[Match]:
        """Gives each kept match once, when nothing can change that any more: all candidates are known that
        end before a `t_gen`, in microseconds."""
        found: list[Match] = []
        for name, line in self._lines.items():
            found += line.release(before)
            self._note(name, line)
        return sorted(found, key=place)

    def forget(self, before: int) -> None:
        """Lets go of what ended before a `t_gen`, in microseconds. What it dropped stays dropped."""
        for name, line in list(self._lines.items()):
            line.forget(before)
            self._note(name, line)
            # A start that is older than all that is kept is not met again.
            if not len(line) and self._skip.to == "next":
                del self._lines[name]
                self.figures.pop(name, None)

    def _line_of(self, match: Match) -> Hashable:
        """Candidates of different lines have nothing to do with each other."""
        key = self._partition(match.start)
        return (key, match.start.ordinal) if self._skip.to == "next" else key

    def _barrier(self, match: Match) -> Barrier:
        """Before what others may not start, if a match is kept."""
        to = self._skip.to
        if to == "next":
            return _ALL
        if to == "past-last":
            # After everything that starts as it ends.
            return (*sort_key(match.end), 0)
        events = match.events().get(self._skip.variable)
        return sort_key(events[0 if to == "first" else -1]) if events else _NONE


class Line:
    """The candidates of one key, in order of end event, then start, then the more events the sooner.

    Args:
        barrier: Before what others may not start, if a match is kept.
        key: What tells a match from others.
        by_key: The candidates of this line and of others.
    """

    #: The tables of all lines have it.
    transient: ClassVar[frozenset[str]] = frozenset({"entries", "base", "released"})

    def __init__(
        self, barrier: Callable[[Match], Barrier], key: Callable[[Match], Key], by_key: dict[Key, Entry]
    ) -> None:
        self._barrier = barrier
        self._key = key
        self._entries: SortedKeyList[Entry, Any] = SortedKeyList(key=attrgetter("order"))
        self._by_key = by_key
        self._base: Barrier = _NONE
        # How many of the entries were given.
        self._released = 0

    def __len__(self) -> int:
        return len(self._entries)

    def keeps(self, match: Match) -> bool:
        """Whether a candidate is kept."""
        entry = self._by_key.get(self._key(match))
        return entry is not None and entry.kept

    def change(self, come: list[Match], gone: list[Match]) -> tuple[list[Match], list[Match]]:
        """As `Skipping.change`."""
        entries = self._entries
        appeared: list[Match] = []
        vanished: list[Match] = []
        changed = []
        for match in gone:
            entry = self._by_key.pop(self._key(match), None)
            # What is older than retention stays as it was.
            if entry is not None:
                entries.remove(entry)
                changed.append(entry.order)
                if entry.kept:
                    vanished.append(match)
        for match in come:
            entry = self._by_key[self._key(match)] = Entry(place(match), match)
            entries.add(entry)
            changed.append(entry.order)
        if not changed:
            return appeared, vanished
        last = max(changed)
        self._decide(entries.bisect_key_left(min(changed)), last, appeared, vanished)
        return appeared, vanished

    def _decide(self, i: int, last: Any, appeared: list[Match], vanished: list[Match]) -> None:
        """Decides which are kept, from an entry on; from one after `last` on only as far as that changes."""
        entries = self._entries
        barrier = entries[i - 1].barrier if i else self._base
        for entry in entries.islice(i):
            kept = sort_key(entry.match.start) >= barrier
            if kept:
                barrier = max(barrier, self._barrier(entry.match))
            if entry.order > last and (entry.kept, entry.barrier) == (kept, barrier):
                # From here on everything is as it was.
                break
            if kept != entry.kept:
                (appeared if kept else vanished).append(entry.match)
            entry.kept, entry.barrier = kept, barrier

    @property
    def figures(self) -> tuple[Barrier, int]:
        """What there is of it, the candidates aside."""
        return self._base, self._released

    def restore(self, entries: list[Entry], base: Barrier, released: int) -> None:
        """It is as it was when it had these candidates, and these were its figures."""
        self._entries.update(entries)
        self._base, self._released = base, released
        if self._entries:
            self._decide(0, self._entries[-1].order, [], [])

    def release(self, before: int) -> Iterator[Match]:
        """As `Skipping.release`."""
        while self._released < len(self._entries) and self._entries[self._released].match.end.t_gen < before:
            entry = self._entries[self._released]
            self._released += 1
            if entry.kept:
                yield entry.match

    def forget(self, before: int) -> None:
        """As `Skipping.forget`."""
        # The first part of an order is the sort key of the end event, which begins with its time.
        cut = self._entries.bisect_key_left(((before,),))
        if cut:
            self._base = self._entries[cut - 1].barrier
            for entry in self._entries[:cut]:
                del self._by_key[self._key(entry.match)]
            del self._entries[:cut]
            self._released = max(0, self._released - cut)


def _read_figures(value: Any, events: Mapping[int, Event]) -> tuple[Hashable, tuple[Barrier, int]]:
    name, base, released = frozen(value)
    return name, (base, released)
