"""What is remembered of a pattern: what was emitted and is not as the engine would find it, and what waits.

It goes by what its managers keep (`limecep.patterns`), which it looks into.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any

from limecep.patterns.deadlines import FOREVER
from limecep.patterns.ledger import Begun, Line
from limecep.patterns.pending import Pending
from limecep.patterns.standing import Emitted
from limecep.state.noting import Noted, NotedList
from limecep.state.spreads import spread_in, spread_out
from limecep.state.writing import Matches, decode, encode, frozen

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from limecep.contracts.state import Row
    from limecep.model.event import Event
    from limecep.patterns.archive import Archive
    from limecep.patterns.containment import Net
    from limecep.patterns.deadlines import Deadlines
    from limecep.patterns.detector import Detector
    from limecep.patterns.event_manager import EventManager
    from limecep.patterns.ledger import Key
    from limecep.patterns.skipping import Skipping
    from limecep.state.noting import Book
    from limecep.store.lane import Ordering

    #: Takes the value of a row, its number, and the events in memory by their ordinals.
    Taker = Callable[[Any, int, Mapping[int, Event]], None]


class PatternState:
    """The state of one pattern.

    Args:
        detector: The components of the pattern.
        manager: Its event manager, to which nothing has happened yet.
        ordering: Precedence in the lanes.
        book: Where changes are noted from now on.
    """

    def __init__(self, detector: Detector, manager: EventManager, ordering: Ordering, book: Book) -> None:
        self._detector = detector
        self._manager = manager
        self._results = manager.results
        self._book = book
        self._name = detector.plan.name
        self._matches = Matches(detector.plan, manager.views, ordering)
        self._takers: dict[str, Taker] = {}
        # What belongs to rows that may come later.
        self._parts: list[tuple[Taker, Any, int]] = []
        self._archives: dict[str, Archive[Any]] = {}
        self._attach_ledger()
        self._attach_nets()
        self._attach_waiting()

    # -- back ----------------------------------------------------------------------------------------------

    def take(self, part: str, row: Row, known: Mapping[int, Event]) -> None:
        """A row that belongs to the pattern is there. Rows come in the order of their numbers."""
        taker, value = self._takers[part], decode(row.value)
        if part.startswith("pending."):
            self._parts.append((taker, value, row.number))
        else:
            taker(value, row.number, known)

    def recall(self, figures: Mapping[str, Any], known: Mapping[int, Event]) -> None:
        """All rows are there; these are the figures."""
        for taker, value, number in self._parts:
            taker(value, number, known)
        self._parts = []
        manager, results = self._manager, self._results
        manager.refused = figures["refused"]
        manager.slack_waits = figures["slack_waits"]
        manager.latest_accepted = figures["latest_accepted"]
        manager.sound_from = figures["sound_from"]
        manager._settled = figures["settled"]
        manager._closed = figures["closed"]
        spread_in(results.latency, figures["latency"])
        self._detector.context.counters.update(Counter(figures["counters"]))
        self._detector.context.truncations.first = figures.get("truncated_first")
        for name, archive in self._archives.items():
            archive.recall(figures["archives"][name])
        if results._skipping is not None:
            results._skipping.recall()
        for name, policy in self._policies().items():
            if name in figures["learnt"] and hasattr(policy, "recall"):
                policy.recall(figures["learnt"][name])
        for deadlines in (manager._deadlines, manager._unsettled):
            deadlines.put_back(manager.views)
        manager.slack_due = min((p.due for p in manager._pending.values()), default=FOREVER)

    # -- out -----------------------------------------------------------------------------------------------

    def figures(self) -> dict[str, Any]:
        """What is to be remembered of it, the rows aside."""
        manager, results = self._manager, self._results
        policies = self._policies().items()
        return {
            "refused": manager.refused,
            "slack_waits": manager.slack_waits,
            "latest_accepted": manager.latest_accepted,
            "sound_from": manager.sound_from,
            "settled": manager._settled,
            "closed": manager._closed,
            "latency": spread_out(results.latency),
            "counters": self._detector.context.counters,
            "truncated_first": self._detector.context.truncations.first,
            "archives": {name: archive.figures() for name, archive in self._archives.items()},
            "learnt": {name: p.remembered() for name, p in policies if hasattr(p, "remembered")},
        }

    def _policies(self) -> dict[str, Any]:
        detector = self._detector
        return {
            "lateness": detector.lateness,
            "slack": detector.slack,
            "recompute": detector.recompute,
            "results": detector.results,
        }

    # -- the ledger ----------------------------------------------------------------------------------------

    def _attach_ledger(self) -> None:
        ledger, standing = self._results._ledger, self._results._standing
        ledger.live = self._noted("live", self._line_out, self._take_line)
        ledger.withdrawn = self._noted("withdrawn", self._line_out, self._take_line)
        ledger.begun = self._noted("begun", self._begun_out, self._take_begun)
        standing.known = self._noted("standing", self._emitted_out, self._take_emitted)
        self._attach_archive("old_live", ledger.old_live, self._old_line_out, self._old_line_in)
        self._attach_archive("old_withdrawn", ledger.old_withdrawn, self._old_line_out, self._old_line_in)
        self._attach_archive("old_begun", ledger.old_begun, lambda lines: lines, lambda lines, _: lines)
        self._attach_archive("old_standing", standing.old, lambda _: True, lambda _, __: True)

    def _line_out(self, key: Key, line: Line) -> bytes:
        present = None if line.present is None else self._matches.out(line.present)
        first = self._matches.out_bare(line.first)
        return encode([first, line.until, line.generation, line.revision, present, line.since])

    def _take_line(self, lines: Noted[Key, Line], value: Any, row: int, known: Mapping[int, Event]) -> None:
        first, until, generation, revision, present, since = value
        line = Line(self._matches.back(first, known), until, generation, revision, None, since)
        if present is not None:
            line.present = self._matches.back(present, known)
        lines.fill(self._results._key(line.present or line.first), line, row)

    def _begun_out(self, key: Key, begun: Begun) -> bytes:
        return encode([self._matches.out(begun.match), begun.lines, begun.until, begun.since])

    def _take_begun(self, begun: Noted[Key, Begun], value: Any, row: int, known: Mapping[int, Event]) -> None:
        match, lines, until, since = value
        first = self._matches.back(match, known)
        begun.fill(self._results._key(first), Begun(lines, until, since, first), row)

    def _emitted_out(self, key: Key, emitted: Emitted) -> bytes:
        return encode([self._matches.out(emitted.match), emitted.since, emitted.until])

    def _take_emitted(
        self, standing: Noted[Key, Emitted], value: Any, row: int, known: Mapping[int, Event]
    ) -> None:
        match, since, until = value
        emitted = Emitted(self._matches.back(match, known), since, until)
        standing.fill(self._results._key(emitted.match), emitted, row)

    def _attach_archive(
        self,
        name: str,
        archive: Archive[Any],
        out: Callable[[Any], Any],
        back: Callable[[Any, Mapping[int, Event]], Any],
    ) -> None:
        def value_out(content: bytes, entry: tuple[Any, int, int]) -> bytes:
            value, until, weight = entry
            return encode([content.hex(), out(value), until, weight])

        def take(entries: Noted[bytes, Any], value: Any, row: int, known: Mapping[int, Event]) -> None:
            content, of, until, weight = value
            entries.fill(bytes.fromhex(content), (back(of, known), until, weight), row)

        archive.known = self._noted(name, value_out, take)
        self._archives[name] = archive

    def _old_line_out(self, line: Line) -> Any:
        first = self._matches.out_bare(line.first)
        return [first, line.until, line.generation, line.revision, line.since]

    def _old_line_in(self, value: Any, known: Mapping[int, Event]) -> Line:
        first, until, generation, revision, since = value
        return Line(self._matches.back(first, known), until, generation, revision, None, since)

    # -- what is live --------------------------------------------------------------------------------------

    def _attach_nets(self) -> None:
        results = self._results
        for n, net in enumerate(results._nets):
            net.starts = self._noted(f"net{n}", partial(self._net_out, net), partial(self._take_net, net))
        if results._counting is not None:
            results._counting.live = self._noted("counting", _counted_out, _take_counted)
        if results._skipping is not None:
            skipping = results._skipping
            skipping.make = lambda: self._noted("skipping", self._skipped_out, None)
            self._takers["skipping"] = partial(self._take_skipped, skipping)
            skipping.figures = self._noted("skipping.lines", _line_figures_out, _take_line_figures)

    def _net_out(self, net: Net, key: Key, start: int) -> bytes:
        return encode(self._matches.out(net.match(key)))

    def _take_net(
        self, net: Net, starts: Noted[Key, int], value: Any, row: int, known: Mapping[int, Event]
    ) -> None:
        match = self._matches.back(value, known)
        starts.fill(match.key(), match.start.ordinal, row)
        net.put_back(match)

    def _skipped_out(self, key: Key, entry: Any) -> bytes:
        # A match that is dropped later is told with its events, which may have left memory by then.
        return encode(self._matches.out_whole(entry.match))

    def _take_skipped(self, skipping: Skipping, value: Any, row: int, known: Mapping[int, Event]) -> None:
        match = self._matches.back(value, known)
        line = skipping.line(match)
        key, entry = line.put_back(match)
        assert isinstance(line.by_key, Noted)
        line.by_key.fill(key, entry, row)

    # -- what waits ----------------------------------------------------------------------------------------

    def _attach_waiting(self) -> None:
        manager = self._manager
        for name, deadlines in (("deadlines", manager._deadlines), ("unsettled", manager._unsettled)):
            self._attach_deadlines(name, deadlines)
        held = Held(self._book, f"{self._name}/pending", self._pending_out, self._hold)
        manager._pending = held
        self._takers["pending"] = partial(self._take_pending, held)
        self._takers["pending.ends"] = partial(self._take_end, held)
        self._takers["pending.before"] = partial(self._take_before, held)

    def _attach_deadlines(self, name: str, deadlines: Deadlines) -> None:
        deadlines.known = self._noted(name, lambda key, end: encode(key), _take_deadline)

    def _pending_out(self, key: int, pending: Pending) -> bytes:
        late = [e.ordinal for e in pending.late]
        return encode([next(iter(pending.ends)), pending.due, pending.low, pending.high, late])

    def _hold(self, pending: Pending) -> None:
        """What waits in one view begins to be noted."""
        waiting = pending.waiting
        pending.ends = self._noted(
            "pending.ends", lambda ordinal, end: encode([ordinal, ordinal in waiting]), None, pending.ends
        )
        pending.before = self._noted(
            "pending.before", lambda key, match: encode(self._matches.out(match)), None, pending.before
        )

    def _take_pending(self, held: Held, value: Any, row: int, known: Mapping[int, Event]) -> None:
        end, due, low, high, late = value
        pending = self._pending_of(known[end])
        pending.due, pending.low, pending.high = due, low, high
        pending.late = [known[n] for n in late]
        held.fill(id(pending.view), pending, row)

    def _pending_of(self, event: Event) -> Pending:
        view = self._manager.views.of(event)
        assert view is not None
        return Pending(view)

    def _take_end(self, held: Held, value: Any, row: int, known: Mapping[int, Event]) -> None:
        ordinal, waits = value
        pending = self._held(held, known[ordinal])
        assert isinstance(pending.ends, Noted)
        pending.ends.fill(ordinal, known[ordinal], row)
        if waits:
            pending.waiting.add(ordinal)

    def _take_before(self, held: Held, value: Any, row: int, known: Mapping[int, Event]) -> None:
        match = self._matches.back(value, known)
        before = self._held(held, match.end).before
        assert isinstance(before, Noted)
        before.fill(self._results._own_key(match), match, row)

    def _held(self, held: Held, event: Event) -> Pending:
        view = self._manager.views.of(event)
        return held[id(view)]

    # ------------------------------------------------------------------------------------------------------

    def _noted(
        self,
        name: str,
        out: Callable[[Any, Any], bytes],
        take: Callable[[Noted[Any, Any], Any, int, Mapping[int, Event]], None] | None,
        held: Mapping[Any, Any] | None = None,
    ) -> Noted[Any, Any]:
        made: Noted[Any, Any] = self._book.noted(f"{self._name}/{name}", out, held)
        if take is not None:
            self._takers[name] = partial(take, made)
        return made


class Held(Noted[int, Pending]):
    """What waits for slack, by view: what waits in one is noted as long as it is here."""

    __slots__ = ("_hold",)

    def __init__(
        self,
        book: Book,
        name: str,
        out: Callable[[int, Pending], bytes],
        hold: Callable[[Pending], None],
    ) -> None:
        super().__init__(book, name, out)
        self._hold = hold

    def __setitem__(self, view: int, pending: Pending) -> None:
        if view not in self:
            self._begin(view, pending)
        super().__setitem__(view, pending)

    def fill(self, view: int, pending: Pending, row: int) -> None:
        self._begin(view, pending)
        super().fill(view, pending, row)

    def __delitem__(self, view: int) -> None:
        pending = self[view]
        for dictionary in (pending.ends, pending.before):
            assert isinstance(dictionary, Noted)
            dictionary.detach()
        super().__delitem__(view)

    def _begin(self, view: int, pending: Pending) -> None:
        self._hold(pending)
        pending.late = NotedList(pending.late, partial(self.touch, view))


def _line_figures_out(name: Any, figures: tuple[Any, int]) -> bytes:
    return encode([name, *figures])


def _take_line_figures(lines: Noted[Any, Any], value: Any, row: int, known: Mapping[int, Event]) -> None:
    name, base, released = frozen(value)
    lines.fill(name, (base, released), row)


def _counted_out(key: Key, live: tuple[int, int]) -> bytes:
    return encode([key, *live])


def _take_counted(live: Noted[Key, Any], value: Any, row: int, known: Mapping[int, Event]) -> None:
    key, count, since = value
    live.fill(frozen(key), (count, since), row)


def _take_deadline(
    deadlines: Noted[tuple[int, int], Event], value: Any, row: int, known: Mapping[int, Event]
) -> None:
    due, ordinal = value
    deadlines.fill((due, ordinal), known[ordinal], row)
