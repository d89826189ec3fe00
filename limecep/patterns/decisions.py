"""What a result policy decided: which results are withheld, and which matches are out that are none."""

from __future__ import annotations

from bisect import bisect_left, insort
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from limecep.contracts.changes import Change, Known
from limecep.contracts.shown import shown
from limecep.contracts.tables import Form
from limecep.errors import ContractBreach
from limecep.model.time import FOREVER
from limecep.patterns.archive import Archive
from limecep.patterns.keys import Place, one_each
from limecep.patterns.pairing import pair
from limecep.plan.partition import compile_partition

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from limecep.clock import Clock
    from limecep.contracts.results import ResultPolicy, Step
    from limecep.contracts.tables import Tables
    from limecep.model.event import Event
    from limecep.model.match import Match
    from limecep.patterns.ledger import Key
    from limecep.patterns.match_codec import MatchCodec
    from limecep.patterns.pairing import Pair, Remainders
    from limecep.plan.plan import Plan
    from limecep.statistics import Statistics

    Keyed = dict[Key, Match]
    #: What has come, what has gone, and the late events that did it.
    Difference = tuple[Keyed, Keyed, Remainders | None]


_until = attrgetter("until")


class Entry(msgspec.Struct):
    """A match that is kept.

    Attributes:
        match: The match.
        since, until: The `t_gen` of its start and end. (Asked of the match later they cost more: late events
            have moved what its groups are ranges of.)
        valid: Whether it is a result.
        out: Whether it is out.
        part: The key of its events, as far as the policy is asked key by key.
    """

    match: "Match"
    since: int
    until: int
    valid: bool
    out: bool
    part: Any


class Decisions:
    """Asks the result policy of a pattern about each difference, and holds it to what is out.

    Most results are out, and most of what is out are results: kept are the others. Where the policy does not
    pass `emit`, all results are kept as long as they can change, as it may take any of them back.

    Args:
        plan: The pattern's plan.
        policy: Its result policy, one that does not pass everything.
        clock: The arrival clock.
        statistics: Know the latest event time.
        tables: Makes its tables.
        matches: Writes the matches in them, and tells them apart.

    Attributes:
        known: What is kept of matches whose events are in memory, by key.
        old: Of the others, whether they are out.
        settled: No match that starts before this `t_gen` changes any more.
    """

    #: They follow from the policy and the tables.
    transient: ClassVar[frozenset[str]] = frozenset({
        "key", "stopping", "passes", "keeps_results", "partition", "by_part", "contains", "revised", "named",
        "left_out",
    })  # fmt: skip

    def __init__(
        self,
        plan: Plan,
        policy: ResultPolicy,
        clock: Clock,
        statistics: Statistics,
        tables: Tables,
        matches: MatchCodec,
    ) -> None:
        def read(value: Any, events: Mapping[int, Event]) -> tuple[Key, Entry]:
            match = matches.back(value[0], events)
            since, until, valid, out = value[1:]
            return matches.key(match), Entry(match, since, until, valid, out, self._part_of(match))

        self.known: dict[Key, Entry] = tables.table(
            "decisions", Form(lambda _, e: [matches.out(e.match), e.since, e.until, e.valid, e.out], read)
        )
        self.old: Archive[bool] = Archive(
            tables, "old_decisions", lambda out: out, lambda out, events: bool(out)
        )
        self.settled = -FOREVER
        # Compiled code would not call what is no ResultPolicy of its own.
        self._policy: Any = policy
        # Where the pattern stops if its policy fails.
        self._stopping: Any = getattr(policy, "stopping", None)
        self._clock = clock
        self._statistics = statistics
        self._key = matches.key
        #: What a match is known by whatever is said anew of its events, where that may be.
        self._revised, self._named = matches.name is not None, matches.name or matches.key
        self._contains = not one_each(plan)
        self._passes: frozenset[Step] = policy.passes
        self._keeps_results = "emit" not in self._passes
        self._partition: Callable[[Event], Hashable] | None = None
        if plan.partition and not policy.across_keys:
            self._partition = compile_partition(plan.partition)
        #: What is kept of each part, in the order of ends.
        self._by_part: dict[Hashable, list[Entry]] = {}
        #: The keys of matches that are out and no results, by that.
        self._left_out: dict[Key, Key] = {}

    def __len__(self) -> int:
        return len(self.known)

    @property
    def lta(self) -> int:
        """The latest event time seen, in microseconds."""
        return self._statistics.lta

    @property
    def lost_until(self) -> int:
        """The `t_gen` up to which it is not known any more what was decided of matches that ended by then."""
        return self.old.lost_until

    # -- deciding ------------------------------------------------------------------------------------------

    def decide(
        self, come: Keyed, gone: Keyed, late: Remainders | None, *, final: bool
    ) -> tuple[Keyed, Keyed]:
        """What goes out of a difference.

        Args:
            come: The matches that are results now, by key.
            gone: Those that are no more.
            late: The late events that made the difference; None if there were none.
            final: Whether nothing can change them any more.

        Returns:
            The matches that are to be emitted, those of the difference first, and those to be taken back.
        """
        stopping = self._stopping
        if stopping is None:
            return self._decide(come, gone, late, final=final)
        if not stopping.reason:
            try:
                return self._decide(come, gone, late, final=final)
            except MemoryError:
                raise
            except (Exception, SystemExit) as error:
                stopping.fail(error)
        return {}, {}

    def _decide(
        self, come: Keyed, gone: Keyed, late: Remainders | None, *, final: bool
    ) -> tuple[Keyed, Keyed]:
        if not gone and not self._keeps_results and not self.known and not self.old.known:
            return come, gone
        idle: dict[Key, Step] = {}  # What changes no output.
        parts: dict[Hashable, list[Change]] = {}
        difference = (come, gone, late)
        for key, match in gone.items():
            out = self._stands_out(key, match, valid=True)
            parts.setdefault(self._part_of(match), []).append(Change("retract", match, out))
            if out:
                self._keep(key, match, valid=False, out=True)
            else:
                idle[key] = "retract"
        for key, match in come.items():
            out = self._stands_out(key, match, valid=False)
            parts.setdefault(self._part_of(match), []).append(Change("emit", match, out))
            if out:
                idle[key] = "emit"
            if not out or self._keeps_results:
                self._keep(key, match, valid=True, out=out)
        keys = {id(match): key for keyed in (gone, come) for key, match in keyed.items()}
        appear: Keyed = {}
        vanish: Keyed = {}
        for part, changes in parts.items():
            decided = {change.op for change in changes} <= self._passes
            for change in changes if decided else self._asked(changes, part, difference, final):
                self._apply(change, keys, idle, appear, vanish)
        self._check_passed("emit", come, idle, appear)
        self._check_passed("retract", gone, idle, vanish)
        self._spare(appear)
        for key in come if final else ():
            self._drop(key)
        # In the order of the difference, whatever that of the policy.
        first = {key: match for key, match in come.items() if key in appear}
        return first | appear, {key: match for key, match in gone.items() if key in vanish} | vanish

    def _asked(self, changes: list[Change], part: Hashable, difference: Difference, final: bool) -> list[Any]:
        """What the policy says to a difference."""
        told = self._policy.decide(changes, Moment(self, self._clock.now(), part, difference, final))
        try:
            each = iter(told)
        except TypeError:
            what = f"decided {shown(told)} where changes are due"
            raise ContractBreach(self._policy, what) from None
        return list(each)

    def _stands_out(self, key: Key, match: Match, *, valid: bool) -> bool:
        """Whether a match is out that was a result, or was none, until now; it is not kept here any more."""
        entry = self._drop(key)
        if entry is not None:
            return entry.out
        out = self.old.take(match)
        return valid if out is None else out

    def _apply(
        self, change: Any, keys: dict[int, Key], idle: dict[Key, Step], appear: Keyed, vanish: Keyed
    ) -> None:
        """Lets a change that the policy gave go out, if it may."""
        if not isinstance(change, Change):
            raise ContractBreach(self._policy, f"decided {shown(change)} where a Change is due")
        op: Any = change.op
        match: Any = change.match
        key = keys.get(id(match))
        if key is None:
            try:
                key = self._key(match)
            except (AttributeError, TypeError):
                raise ContractBreach(
                    self._policy, f"decided on {shown(match)} where a match is due"
                ) from None
        entry = self.known.get(key)
        if key in appear or key in vanish:
            raise ContractBreach(self._policy, f"decided twice on a match: {_named(match)}")
        if op == "emit" and entry is not None and entry.valid and not entry.out:
            appear[key] = entry.match
            self._drop(key)
            if self._keeps_results:
                self._keep(key, entry.match, valid=True, out=True)
        elif op == "retract" and entry is not None and entry.out:
            vanish[key] = entry.match
            self._drop(key)
            if entry.valid:
                self._keep(key, entry.match, valid=True, out=False)
        elif op == idle.get(key):
            # It is so already.
            return
        else:
            raise ContractBreach(self._policy, f"decided to {op} {_named(match)}, which {_why(op, entry)}")

    def _spare(self, appear: Keyed) -> None:
        """What is out already, with events of which something else was said then, goes out no second time."""
        for key, match in list(appear.items()) if self._left_out else ():
            if (told := self._left_out.get(self._named(match))) is not None:
                del appear[key]
                self._drop(told)

    def _check_passed(self, op: Step, matches: Keyed, idle: dict[Key, Step], said: Keyed) -> None:
        if op in self._passes:
            for key, match in matches.items():
                if key not in said and key not in idle:
                    what = f"says that it passes every {op}, and left out that of {_named(match)}"
                    raise ContractBreach(self._policy, what)

    def announced(self, key: Key, match: Match) -> bool:
        """A result becomes final: whether it is out. Nothing is kept of it any more."""
        return self._stands_out(key, match, valid=True)

    def pairs(self, come: Keyed, gone: Keyed, late: Remainders | None) -> list[Pair]:
        """Which matches of a difference would correct which."""
        contains = self._contains or (late is not None and late.taken)
        return pair({**come}, {**gone}, late) if contains else []

    # -- what is kept --------------------------------------------------------------------------------------

    def matches(self, part: Hashable, since: int | None) -> list[Known]:
        """What is kept of a key, in order, of matches that end at a `t_gen` or later."""
        placed = self._by_part.get(part, [])
        begin = 0 if since is None else bisect_left(placed, since, key=_until)
        entries = sorted(placed[begin:], key=lambda entry: Place(entry.match))
        return [Known(e.match, e.valid, e.out) for e in entries]

    def _part_of(self, match: Match) -> Hashable:
        return () if self._partition is None else self._partition(match.start)

    def _keep(self, key: Key, match: Match, *, valid: bool, out: bool) -> None:
        times = match.start.t_gen, match.end.t_gen
        entry = self.known[key] = Entry(match, *times, valid, out, self._part_of(match))
        self._place(key, entry)

    def _place(self, key: Key, entry: Entry) -> None:
        insort(self._by_part.setdefault(entry.part, []), entry, key=_until)
        if self._revised and entry.out and not entry.valid:
            self._left_out[self._named(entry.match)] = key

    def _drop(self, key: Key) -> Entry | None:
        entry = self.known.pop(key, None)
        if entry is None:
            return None
        placed = self._by_part[entry.part]
        i = bisect_left(placed, entry.until, key=_until)
        while placed[i] is not entry:
            i += 1
        del placed[i]
        if not placed:
            del self._by_part[entry.part]
        if self._revised and entry.out and not entry.valid:
            del self._left_out[self._named(entry.match)]
        return entry

    def forget(self, before: int) -> None:
        """Drops what starts before a `t_gen`, in microseconds: nothing changes it any more."""
        self.settled = max(self.settled, before)
        self.old.forget(before)
        for key in [k for k, entry in self.known.items() if entry.since < before]:
            self._drop(key)

    def archive(self, before: int) -> None:
        """Puts aside what starts before a `t_gen`, in microseconds: memory lets go of its events, which may
        come again."""
        if self._keeps_results:
            # What is older than memory stays as it is.
            self.forget(before)
            return
        for key, entry in list(self.known.items()):
            if entry.since < before:
                self._drop(key)
                self.old.put(entry.match, entry.out, entry.until)

    def snapshot(self) -> dict[str, Any]:
        """What must survive, the table aside."""
        return {"old": self.old.snapshot(), "settled": self.settled}

    def restore(self, known: Mapping[str, Any]) -> None:
        """It is as it was in a snapshot: the table is filled."""
        self.old.restore(known["old"])
        self.settled = known["settled"]
        for key, entry in self.known.items():
            self._place(key, entry)


class Moment:
    """What a policy may ask about a difference (`limecep.contracts.results.Moment`).

    Args:
        decisions: What is kept.
        now: The arrival time.
        key: The key.
        difference: The difference.
        final: Whether nothing can change its matches any more.
    """

    def __init__(
        self,
        decisions: Decisions,
        now: int,
        key: Hashable,
        difference: Difference,
        final: bool,
    ) -> None:
        self._decisions = decisions
        self.now = now
        self.lta = decisions.lta
        self.key = key
        self.final = final
        self.settled = decisions.settled
        self._difference = difference
        self._replaced: dict[int, Match] | None = None

    def matches(self, since: int | None = None) -> Sequence[Known]:
        return self._decisions.matches(self.key, since)

    def replaced(self, match: Match) -> Match | None:
        if self._replaced is None:
            come, gone, late = self._difference
            self._replaced = {id(new): old for _, old, _, new in self._decisions.pairs(come, gone, late)}
        return self._replaced.get(id(match))


def _named(match: Any) -> str:
    """A match in words."""
    return " ".join([f"{name}: {', '.join([e.id for e in g])};" for name, g in match.events().items() if g])


def _why(op: Any, entry: Entry | None) -> str:
    """What is wrong with a change."""
    if op == "emit":
        return "is out already" if entry is not None and entry.valid else "is no result that is withheld"
    return "is not out" if op == "retract" else "is neither 'emit' nor 'retract'"
