"""`limecep why-not`: what is told gives a match when it is applied, and brute force finds nothing smaller.

`LIMECEP_EXAMPLES=20000 pytest -s tests/properties/test_why_not.py` goes through so many cases, and says how
many misses they had. With `LIMECEP_PAIRS=1` pairs of changes are tried in every case, too.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING, Any

import structlog
from hypothesis import strategies as st

from limecep.embedding.pipelines import Host, compile_plan, load_dict
from limecep.model.alternatives import spread
from limecep.model.event import Event
from limecep.model.expression import Attribute
from limecep.plan.expressions import rewritten
from limecep.testing.oracle import assignment, identity, of_line
from limecep.testing.oracle.structure import lines
from limecep.testing.random_tests import for_all
from limecep.testing.strategies import FEATURES, patterns, streams
from limecep.testing.streams import SECOND, shown
from limecep_why_not.candidates import Region
from limecep_why_not.changes import Added, Admitted, Lifted, Refused, Removed, Stream, Valued, Widened, cost
from limecep_why_not.search import Search
from limecep_why_not.trials import Trials

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from limecep.model.pattern import Pattern
    from limecep.testing.oracle import Assignment
    from limecep.testing.oracle.structure import Line
    from limecep_why_not.changes import Change

EXAMPLES = int(os.environ.get("LIMECEP_EXAMPLES", "90"))
#: Of so many cases one is gone through by pairs of changes, too, which takes most of the time.
PAIRS = int(os.environ.get("LIMECEP_PAIRS", "30"))
REGISTRY = Host.load().registry
#: What patterns may have: all but functions and tables.
EXACT = FEATURES - {"function", "table"}
#: How many misses there were, by how many changes were told of them.
TOLD: Counter[int] = Counter()
#: Amounts are sums of fractions.
LITTLE = 1e-9


def test_the_change_that_is_told_gives_a_match_and_none_is_smaller() -> None:
    def body(pattern: Pattern, events: list[Event], within: int, select: str, engine: str, seed: int) -> None:
        Case.drawn(pattern, events, within * SECOND, select, engine, Random(seed)).check()

    drawn = (
        patterns(features=EXACT, types="AB", max_steps=3),
        streams(types="AB", size=5, ties=1, odd=False),
        st.sampled_from([2, 3, 4]),
        st.sampled_from(["stam", "stnm", "sc"]),
        st.sampled_from(["maximal", "nfa"]),
        st.integers(0, 2**32),
    )
    for_all(body, *drawn, examples=EXAMPLES)
    told = TOLD.total() - TOLD[0]
    print(f"{told:,} misses, and {TOLD[0]:,} without a change; by their number: {dict(sorted(TOLD.items()))}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A pattern, a stream and a time."""

    pattern: Pattern
    stream: Stream
    select: Any
    maximal: bool
    region: Region
    lines: Sequence[Line] = ()

    @classmethod
    def drawn(
        cls, pattern: Pattern, events: list[Event], within: int, select: str, engine: str, random: Random
    ) -> Case:
        where = pattern.where and rewritten(pattern.where, _of_v)
        pattern = replace(pattern, where=where, within=within, text="")
        refused = [e for e in events if random.random() < 0.15]
        stream = Stream(
            [e for e in events if e not in refused],
            [Refused(e, float(random.randint(11, 20)), 10.0) for e in refused],
        )
        time = random.randint(0, max([0, *(e.t_gen for e in events)]) // SECOND + 1) * SECOND
        region = Region(time=time, radius=within, within=within)
        return cls(
            pattern=pattern,
            stream=stream,
            select=select,
            maximal=engine == "maximal",
            region=region,
            lines=tuple(lines(pattern, {})),
        )

    def __str__(self) -> str:
        late = [(r.event.id, r.score) for r in self.stream.refused]
        everything = [*self.stream.events, *(r.event for r in self.stream.refused)]
        policy = f"{self.select}, maximal {self.maximal}, {self.region}"
        return f"{self.pattern}\n{policy}\nrefused {late}\n{shown(everything)}"

    def check(self) -> None:
        for key in self.keys():
            self.of_key(key).check_key(key)

    def keys(self) -> list[Any]:
        if not self.pattern.partition:
            return [None]
        return sorted(
            {e.payload["k"] for e in [*self.stream.events, *(r.event for r in self.stream.refused)]}
        )

    def of_key(self, key: Any) -> Case:
        if key is None:
            return self
        stream = Stream(
            [e for e in self.stream.events if e.payload["k"] == key],
            [r for r in self.stream.refused if r.event.payload["k"] == key],
        )
        return replace(self, stream=stream)

    def check_key(self, key: Any) -> None:
        if not self.stream.events and not self.stream.refused:
            return
        search = self.search(key)
        standing = search.standing()
        now = self.results(())
        near = [m for m in now if self.region.near(*self.ends(m, ()))]
        assert {frozenset(m) for m in near} == {f.assignment for f in standing}, self
        radius = self.region.radius
        if standing:
            radius = self.region.distance(standing[0].start, standing[0].end) - 1
        if radius < 0:
            return
        case = replace(self, region=replace(self.region, radius=radius))
        misses = search.misses(radius)
        assert not search.left_out, (str(self), search.left_out)
        best = misses[0].cost if misses else None
        TOLD[best.things if best else 0] += 1
        for miss in misses:
            given = case.given(miss.changes, now)
            assert miss.match.assignment in {frozenset(m) for m in given}, f"{case}\ndoes not give {miss}"
        for things in (1, 2):
            if best and best.things < things:
                break
            if things > 1 and TOLD.total() % PAIRS:
                break
            for changes in case.changes(things, best):
                smaller = cost(changes)
                if best and (smaller.things, smaller.amount + LITTLE) >= best:
                    continue
                found = case.given(changes, now)
                assert not found, f"{case}\n{changes}\n gives {found}, and is smaller than {misses}"

    def search(self, key: Any) -> Search:
        query = {"query": "PATTERN SEQ(A a) WITHIN 1 second", "select": self.select}
        query["engine"] = "maximal" if self.maximal else "nfa"
        document = {"version": 1, "patterns": {"p": query}, "sinks": {"o": {"type": "none"}}}
        loaded = load_dict(document, REGISTRY)
        config = loaded.checked()
        made = replace(config.patterns[0], pattern=self.pattern)
        plan = compile_plan(self.pattern, name="p", select=self.select)
        return Search(
            plan=plan,
            stream=self.stream,
            region=self.region,
            trials=Trials(config, loaded.registry, made, structlog.get_logger()),
            key={} if key is None else {("k",): key},
            limit=1,
        )

    # -- brute force ----------------------------------------------------------------------------------------

    def changes(self, things: int, best: Any) -> Iterator[tuple[Change, ...]]:
        singles = list(self.single())
        for chosen in combinations(singles, things):
            if len({id(c.event) for c in chosen if isinstance(c, Valued | Removed)}) < sum(
                isinstance(c, Valued | Removed) for c in chosen
            ):
                continue
            yield chosen

    def single(self) -> Iterator[Change]:
        events = [*self.stream.events, *(r.event for r in self.stream.refused)]
        positive = {
            t for steps in spread(self.pattern.structure) for s in steps if not s.negated for t in s.types
        }
        within, times = self.pattern.within, sorted(e.t_gen for e in events)
        names = "v" in str(self.pattern.where)
        for type_ in sorted(positive):
            for half in range(times[0] - within, times[-1] + within, SECOND):
                for v in range(-1, 6) if names else (0,):
                    at = half + SECOND // 2
                    payload = {"v": v, "k": events[0].payload["k"]}
                    event = Event(type_, f"+{at}{v}", at, at, payload=payload)
                    yield Added(event=event, variable="", types=(), after=0, before=0)
        yield from (Removed(event=e) for e in events)
        for event in events:
            old = event.payload["v"]
            for new in (*range(-2, 8), None) if names else ():
                if new != old:
                    yield Valued(event=event, variable="", path=("v",), old=old, new=new)
        spans = {b - a for a, b in combinations(times, 2)}
        yield from (Widened(old=within, new=s) for s in sorted(spans) if within < s <= 2 * within)
        for r in self.stream.refused:
            yield Admitted(event=r.event, old=r.threshold, new=r.score)
        if self.select != "stam":
            yield Lifted(rule="select", old=self.select)

    def given(self, changes: Sequence[Change], now: set[Assignment]) -> list[Assignment]:
        """The matches that changes give: near, new, and such that every change is needed."""
        there = {identity(e) for e in self.stream.events} | {identity(r.event) for r in self.stream.refused}
        taken = {identity(c.event) for c in changes if isinstance(c, Added | Valued)}
        found = []
        for match in self.results(changes) - now:
            named = {i for _, group in match for i in group}
            start, end = self.ends(match, changes)
            if not taken <= named or not named & there or not self.region.near(start, end):
                continue
            if all(self.needed(c, changes, match, named, start, end) for c in changes):
                found.append(match)
        return found

    def needed(
        self, change: Change, changes: Sequence[Change], match: Assignment, named: Any, start: int, end: int
    ) -> bool:
        edges = {start, end} & {c.event.t_gen for c in changes if isinstance(c, Added)}
        match change:
            case Widened(new=new):
                return end - start == new and not edges
            case Admitted(new=new):
                scores = [r.score for r in self.stream.refused if identity(r.event) in named]
                return bool(scores) and max(scores) == new
            case Valued():
                others = [c for c in changes if c is not change]
                return match not in self.results([*others, Lifted(rule="select", old="")], everything=True)
        return True

    def results(self, changes: Sequence[Change], *, everything: bool = False) -> set[Assignment]:
        """What the oracle finds. Of one key: the lines of the pattern are made once."""
        within = next((c.new for c in changes if isinstance(c, Widened)), self.pattern.within)
        select = "stam" if any(isinstance(c, Lifted) for c in changes) else self.select
        events, maximal = self.stream.changed(changes), self.maximal and not everything
        return {
            assignment({s.variable: g for s, g in zip(line.steps, groups, strict=True)})
            for line in self.lines
            for groups in of_line(line, events, within, select, maximal=maximal)
        }

    def ends(self, match: Assignment, changes: Sequence[Change]) -> tuple[int, int]:
        times = {identity(e): e.t_gen for e in self.stream.changed(changes)}
        taken = [times[i] for _, group in match for i in group]
        return min(taken), max(taken)


def _of_v(leaf: Any) -> Any:
    """Conditions about one attribute: the domain that brute force goes through stays small."""
    return replace(leaf, path=("v",)) if isinstance(leaf, Attribute) else leaf
