"""The conformance suite for engines: subclass it in a test module, and pytest runs it.

from limecep.testing.engine import EngineConformance

class TestMyEngine(EngineConformance):
    def make_engine(self, plan, context):
        return MyEngine(plan, MyOptions(), context)
"""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from random import Random
from time import process_time
from typing import TYPE_CHECKING, Any, ClassVar

import pytest

from limecep.errors import Stopped
from limecep.language.parser import parse
from limecep.model.event import sort_key
from limecep.plan.compiler import compile_plan
from limecep.testing.bench import Bench
from limecep.testing.cases import Case, answer, ids
from limecep.testing.engine_abilities import EngineAbilities
from limecep.testing.engine_conduct import EngineConduct
from limecep.testing.oracle import Assignment, all_matches, assignment, ruled_matches
from limecep.testing.random_tests import difference
from limecep.testing.streams import shown, shuffled, written

if TYPE_CHECKING:
    from collections.abc import Iterable

    from limecep.model.event import Event
    from limecep.model.pattern import Pattern, Select

#: Exponentially many maximal runs: twenty pairs of equal values, of each of which a run has one.
_PAIRS = "a0 " + " ".join(f"b{n}={n // 2}" for n in range(2, 42)) + " c50"


#: How long an evaluation may take without looking whether the run has to end, in seconds of the processor.
_LONG_SECONDS = 0.5


class EngineConformance(EngineAbilities, EngineConduct):
    """What every engine must do. A test class: subclass it and say how the engine is made.

    Random tests are drawn anew each run, but where the environment variable `CI` is set; what fails is shown
    with the seed, which may then be set here.

    Attributes:
        selects, examples, seed, features, cases: See `EngineTrials`.
    """

    def test_gives_the_right_answer_in_a_small_case(self, case: Case) -> None:
        """One rule of the semantics."""
        pattern = parse(f"PATTERN {case.query}")
        bench = Bench(
            compile_plan(pattern, name="case", select=case.select, params=case.params), self.make_engine
        )
        events = _in_order(written(case.events))
        engine: Any = bench.engine
        expected = case.maximal if engine.results == "maximal" else case.all
        if expected is None:
            pytest.skip("too many matches to give all")
        if engine.results == "rule":
            found = ruled_matches(pattern, events, engine.keeps, select=case.select, params=case.params)
            assert bench.run(events) == found, str(case)
            return
        assert ids(bench.run(events)) == answer(expected), str(case)

    def test_agrees_with_the_oracle_in_order(self, select: Select, focus: str) -> None:
        """End events are asked about as they come."""
        self._agrees(select, focus, self.examples if focus == "everything" else self.examples // 2, _in_turn)

    def test_agrees_when_its_memo_is_emptied_at_random(self, select: Select) -> None:
        """What an engine keeps between calls changes nothing but the time taken."""
        self._agrees(select, "everything", self.examples // 2, _forgetful)

    def test_agrees_on_past_end_events(self, select: Select) -> None:
        """End events are asked about again, in any order, with later events in the view."""
        self._agrees(select, "everything", self.examples // 2, _afterwards)

    def test_agrees_after_disorder(self, select: Select) -> None:
        """Events come in any order; every end event is asked about again at the end."""
        self._agrees(select, "everything", self.examples // 2, _disordered)

    def test_agrees_where_sequence_numbers_decide(self, select: Select) -> None:
        """Precedence goes by time and sequence number."""
        self._agrees(select, "everything", self.examples // 2, _in_turn, sequenced=True)

    def test_agrees_where_events_of_and_have_one_time(self, select: Select) -> None:
        """Events of neighbouring steps of one AND may have one time."""
        for drive in (_forgetful, _disordered):
            self._agrees(select, "everything", self.examples // 4, drive, conjunctions=True)
        self._agrees(select, "everything", self.examples // 4, _in_turn, conjunctions=True, sequenced=True)

    def test_gives_equal_matches_equal_keys_whenever_it_finds_them(self, select: Select) -> None:
        """What tells matches apart does not depend on what came between: see `Match.key`."""

        def body(pattern: Pattern, events: list[Event]) -> None:
            bench = Bench(compile_plan(pattern, name="random", select=select), self.make_engine)
            keys: dict[tuple[int, Assignment], object] = {}
            for event in shuffled(events, len(events)):
                bench.feed(event)
                for match in [m for end in bench.ends for m in bench.matches(end)]:
                    named = (id(match.alternative), assignment(match.events()))
                    key = keys.setdefault(named, match.key())
                    told = f"{pattern}\nselect {select}, on\n{shown(events)}\n{named[1]}"
                    assert match.key() == key, f"{told}: {match.key()} and {key}"

        for where in ("sum(b.v) < 5", "count(b) <= 2", "count(b) <= 2 AND first(b).v > 1"):
            for number in range(20):
                events = shuffled(written("a1 b2=2 b3=2 b4=3 b5=1 c6 c7"), number)
                body(parse(f"PATTERN SEQ(A a, B+ b[], C c) WHERE {where} WITHIN 10 s"), events)
        self._random(body, "conditions", self.examples // 4)

    def test_gives_only_matches_when_it_stops_early(self, select: Select) -> None:
        """What comes before `max_per_end` is reached are matches; what is not cut short is complete."""

        def body(pattern: Pattern, events: list[Event]) -> None:
            plan = compile_plan(pattern, name="random", select=select, max_per_end=3)
            bench = Bench(plan, self.make_engine)
            results = bench.run(events)
            strangers = results - all_matches(pattern, events, select="stam")
            assert not strangers, difference(pattern, select, events, results - strangers, results)
            cut = bench.counters["truncated"] or any(
                len(bench.matches(end)) == plan.max_per_end for end in bench.ends
            )
            if not cut:
                expected = self._expected(bench, pattern, events, select)
                assert results == expected, difference(pattern, select, events, expected, results)

        self._random(body, "everything", self.examples // 4)

    def test_stops_at_the_bound_and_says_so(self) -> None:
        """A million maximal matches for one end event are not all looked for."""
        if "stam" not in self.selects:
            pytest.skip("only skip-till-any-match has that many")
        query = "PATTERN SEQ(A a, B+ b[], C c) WHERE b[i+1].v > b[i].v WITHIN 100 s"
        bench = self._fed(query, _PAIRS)
        (end,) = bench.ends
        view = bench.view(end)
        given_ = list(islice(bench.engine.matches(end, view), 11))
        assert len(given_) > 10 or bench.counters["truncated"] == 1, (
            f"gave {len(given_)} of more than a million matches, stopped, and did not count it"
        )
        for match in given_:
            values = [e.payload["v"] for e in match.events()["b"]]
            assert values == sorted(set(values)), f"no match: {assignment(match.events())}"

    def test_bounds_its_work_where_nothing_matches(self) -> None:
        """A condition on a whole group that no group fulfils does not mean going through all groups."""
        query = "PATTERN SEQ(A a, B+ b[], C c) WHERE sum(b.v) == 0.5 WITHIN 100 s"
        for select in self.selects:
            bench = self._fed(query, _PAIRS, select)
            (end,) = bench.ends
            assert bench.matches(end) == []
            assert bench.counters["truncated"] <= 1, "counted more than once for one end event"

    def test_looks_at_a_window_and_not_at_all_that_is_kept(self, select: Select) -> None:
        """Under the default lateness policy a view holds up to a million events, and every late one empties
        what the engine keeps: an evaluation must not begin with the first event there is."""
        for condition in ("b[i+1].v > b[i].v", "b[i].v > a.v", "avg(b.v) > 0", "c.v > a.v"):
            query = f"PATTERN SEQ(A a, B+ b[], C c) WHERE {condition} WITHIN 10 s"
            few, many = (self._looked_at(query, select, rounds) for rounds in (20, 200))
            # What is kept of one evaluation for the next may be looked at beforehand.
            assert many <= 3 * few, (
                f"{query}\nselect {select}: an evaluation reads {few} values where 80 events are kept, and "
                f"{many} where there are 800"
            )

    def _looked_at(self, query: str, select: Select, rounds: int) -> int:
        """How many values are read for an end event of the past and then one of the present, nothing being
        known before."""
        plan = compile_plan(parse(query), name="kept", select=select)
        bench = Bench(plan, self.make_engine)
        text = " ".join(f"a{n} b{n + 1} b{n + 2} c{n + 3}" for n in range(0, 4 * rounds, 4))
        for number, event in enumerate(written(text)):
            event.payload = _Read(v=number)
            bench.feed(event)
        _Read.count = 0
        bench.forget()
        for end in (bench.ends[10], bench.ends[-1]):
            bench.matches(end)
        return _Read.count

    def test_a_long_search_can_be_stopped(self) -> None:
        """An evaluation that takes long looks whether the run has to end."""
        query = "PATTERN SEQ(A a, B+ b[], C c) WHERE sum(b.v) == 0.5 WITHIN 100 s"
        for select in self.selects:
            bench = self._fed(query, _PAIRS, select, most=300_000)
            (end,) = bench.ends
            bench.stopped = True
            watch = process_time()
            with suppress(Stopped):
                bench.matches(end)
            took = process_time() - watch
            assert bench.looks or took < _LONG_SECONDS, (
                f"an evaluation under {select} took {took:.1f} s, and nothing could have stopped it: call "
                "context.raise_if_stopped() every few hundred steps"
            )

    def _fed(self, query: str, events: str, select: Select = "stam", most: int = 10) -> Bench:
        plan = compile_plan(parse(query), name="many", select=select, max_per_end=most)
        bench = Bench(plan, self.make_engine)
        for event in written(events):
            bench.feed(event)
        return bench


class _Read(dict[str, Any]):
    """A payload that counts how often a value is read."""

    count: ClassVar[int] = 0

    def get(self, key: str, default: Any = None) -> Any:
        _Read.count += 1
        return super().get(key, default)


def _in_order(events: Iterable[Event]) -> list[Event]:
    return sorted(events, key=sort_key)


def _in_turn(bench: Bench, events: list[Event]) -> set[Assignment]:
    return bench.run(events)


def _forgetful(bench: Bench, events: list[Event]) -> set[Assignment]:
    random = Random(len(events))
    return bench.run(events, after_each=lambda: bench.forget() if random.random() < 0.4 else None)


def _afterwards(bench: Bench, events: list[Event]) -> set[Assignment]:
    bench.run(events)
    ends = list(bench.ends)
    Random(len(events)).shuffle(ends)
    # What was derived in order may hide what asking in any order does.
    bench.forget()
    return bench.ask(ends)


def _disordered(bench: Bench, events: list[Event]) -> set[Assignment]:
    bench.run(shuffled(events, len(events)))
    return bench.ask(bench.ends)
