"""The suite for engines, as far as it is about what one may leave out: what it gives besides `matches` has to
agree with that."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import strategies as st
from msgspec.structs import replace

from limecep.contracts.engine import OPTIONAL, Engine, Explaining, Exposing, Picking, Ruling
from limecep.language.parser import parse
from limecep.model.event import sort_key
from limecep.model.picks import best
from limecep.plan.compiler import compile_plan
from limecep.testing.bench import Bench
from limecep.testing.changelog import net
from limecep.testing.engine_trials import FOCUS, EngineTrials
from limecep.testing.oracle import Assignment, all_matches, assignment, identity, ruled, ruled_matches
from limecep.testing.policy_bench import PolicyBench
from limecep.testing.random_tests import difference, for_all
from limecep.testing.spelling import check_spelling
from limecep.testing.strategies import patterns, streams
from limecep.testing.streams import shown, shuffled

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from limecep.model.event import Event
    from limecep.model.match import Match
    from limecep.model.pattern import Pattern, Select
    from limecep.model.picks import Pick
    from limecep.testing.oracle import Identity


class EngineAbilities(EngineTrials):
    """What every engine must do that has one of `limecep.contracts.engine.OPTIONAL`."""

    def test_says_one_thing_of_each_alternative(self, select: Select) -> None:
        """If it explains itself at all."""
        for structure in ("A a", "SEQ(A a, B+ b[], C c)", "OR(A a, SEQ(B b, !C c))", "AND(A a, B? b, C* c)"):
            plan = compile_plan(parse(f"PATTERN {structure} WITHIN 10 s"), name="p", select=select)
            engine = Bench(plan, self.make_engine).engine
            if not isinstance(engine, Explaining):
                pytest.skip("it does not")
            said: Any = engine.explain()
            assert isinstance(said, (list, tuple)), f"{structure}: {said!r:.200} is no list of texts"
            assert len(said) == len(plan.alternatives), f"{structure}: {said}"
            assert all(text and "\n" not in text for text in said), f"{structure}: {said}"

    def test_no_optional_ability_is_misspelt(self) -> None:
        """The kernel would not find it."""
        plan = compile_plan(parse("PATTERN SEQ(A a, B b) WITHIN 10 s"), name="p", select=self.selects[0])
        check_spelling(Bench(plan, self.make_engine).engine, Engine, OPTIONAL)

    def test_its_rule_minds_the_matches_alone(self, select: Select) -> None:
        """A rule keeps some of the matches of an end event, the same ones in whatever order they are found
        and their events arrive."""

        def body(pattern: Pattern, events: list[Event]) -> None:
            engine = Bench(compile_plan(pattern, name="random", select=select), self.make_engine).engine
            if engine.results != "rule":
                pytest.skip("it has none")
            assert isinstance(engine, Ruling), "results = 'rule', and no 'rule' and 'keeps'"
            assert isinstance(engine.rule, str), f"'rule' is {engine.rule!r:.200}, no text"
            assert engine.rule, "'rule' says nothing"
            assert "\n" not in engine.rule, "'rule' has more than one line"
            everything = sorted(all_matches(pattern, events, select=select))
            kept = []
            for order in map(Random, range(3)):
                order.shuffle(everything)
                kept.append(ruled(engine.keeps, _groups(everything, _arrived(events, order))))
            told = f"{pattern}\nselect {select}, on\n{shown(events)}"
            assert kept[0] <= set(everything), f"{told}: keeps what it was not given"
            assert kept[0] == kept[1] == kept[2], (
                f"{told}: keeps others where matches or events come in another order"
            )

        self._random(body, "everything", self.examples // 4)

    def test_what_its_rule_keeps_stands_after_any_arrival(self, select: Select) -> None:
        """The kernel corrects what it has emitted, until it is what the rule keeps of the ordered stream."""

        def body(pattern: Pattern, events: list[Event]) -> None:
            made = PolicyBench(pattern, select, batch=2, engine=self.make_engine)
            engine: Any = made.engine
            if engine.results != "rule":
                pytest.skip("it has no rule")
            if any(n.after > a.ends[0] for a in made.plan.alternatives for n in a.negations):
                # `limecep check` refuses it.
                return
            made.run(shuffled(events, len(events)))
            expected = ruled_matches(pattern, events, engine.keeps, select=select)
            got = net(made.updates, made.plan.name)
            assert got == expected, difference(pattern, select, events, expected, got)

        self._random(body, "everything", self.examples // 4)

    def test_counts_what_it_gives(self, select: Select) -> None:
        """`count` says how many matches there are, or None."""

        def drive(bench: Bench, events: list[Event]) -> set[Assignment]:
            results = bench.run(events)
            for end in bench.ends:
                count, given_ = bench.count(end), len(bench.matches(end))
                assert count is None or count == given_, f"counted {count} for {end.id}, gave {given_}"
            return results

        self._agrees(select, "everything", self.examples // 4, drive)

    def test_picks_the_best_of_what_it_gives(self) -> None:
        """Where it finds the match that a plan picks without the others, in order and afterwards, it is the
        one that the kernel would find among them."""

        def body(pattern: Pattern, events: list[Event], order: int) -> None:
            chosen = Random(order)
            pick: Pick = chosen.choice(["first", "last", "longest", "shortest"])
            select = chosen.choice(often)
            plan = compile_plan(pattern, name="random", select=select, pick=pick)
            bench = Bench(plan, self.make_engine)
            if not isinstance(bench.engine, Picking):
                pytest.skip("it does not")

            def compare(end: Event) -> None:
                picked = bench.picked(end)
                if picked is None:
                    return
                match = best(pick, bench.matches(end))
                expected = [] if match is None else [assignment(match.events())]
                told = f"{pattern}\nselect {select}, pick {pick}, {end.id} on\n{shown(events)}"
                assert [assignment(m.events()) for m in picked] == expected, told
                keys = {m.assignment(): m.key() for m in bench.matches(end)}
                assert all(m.key() == keys[m.assignment()] for m in picked), f"{told}\nhas another key"

            for event in shuffled(events, order) if chosen.random() < 0.3 else events:
                if (end := bench.feed(event)) is not None:
                    compare(end)
            for end in chosen.sample(bench.ends, len(bench.ends)):
                compare(end)

        # Under skip-till-any-match there is most to be spared.
        often = [*self.selects, *[s for s in self.selects if s == "stam"] * 3]
        features, size = FOCUS["groups"]
        drawn = patterns(features=features & self.features), streams(size=size, ties=3), st.integers(0, 2**32)
        for_all(body, *drawn, examples=self.examples // 5, seed=self.seed)

    def test_gives_for_several_end_events_what_it_gives_for_each(self, select: Select) -> None:
        """Where it gives the matches of several end events at once, they are those of one after the other."""

        def drive(bench: Bench, events: list[Event]) -> set[Assignment]:
            results = bench.run(events)
            shards: dict[int, list[Event]] = {}
            for end in bench.ends:
                shards.setdefault(id(bench.view(end)), []).append(end)
            for ends in shards.values():
                together = bench.matches_of(ends)
                each = [[m.key() for m in bench.matches(end)] for end in ends]
                assert together is None or [[m.key() for m in given] for given in together] == each
            return results

        self._agrees(select, "everything", self.examples // 4, drive)

    def test_gives_of_a_start_what_it_gives_of_all(self, select: Select) -> None:
        """Where it gives the matches with a given start, they are those among all."""

        def drive(bench: Bench, events: list[Event]) -> set[Assignment]:
            results = bench.run(events)
            for end in bench.ends:
                found = bench.matches(end)
                for t_gen in {e.t_gen for e in events}:
                    given = bench.matches_from(end, t_gen)
                    started = Counter(m.key() for m in found if m.start.t_gen == t_gen)
                    assert given is None or Counter(m.key() for m in given) == started
            return results

        self._agrees(select, "everything", self.examples // 4, drive)

    @pytest.mark.parametrize(
        "query",
        [
            "SEQ(A a, B b, !C n) WHERE n.v = b.v",
            "SEQ(A{2,} a[], !B n) WHERE n.v = a[1].v",
            "SEQ(A+ a[], B b, !C n) WHERE n.v = b.v",
        ],
    )
    def test_tells_what_an_event_brings_to_light(self, select: Select, query: str) -> None:
        """Where it tells the end events whose matches become more with an event, there are no others."""
        pattern = parse(f"PATTERN {query} WITHIN 6 s")
        plan = compile_plan(pattern, name="p", select=select)
        if not isinstance(Bench(plan, self.make_engine).engine, Exposing):
            pytest.skip("it does not")

        def body(events: list[Event]) -> None:
            bench = Bench(plan, self.make_engine)
            before: dict[int, Counter[Any]] = {}

            def compare() -> None:
                exposed = bench.exposed()
                for end in bench.ends:
                    found = Counter(m.key() for m in bench.matches(end))
                    if exposed is not None and end.ordinal in before and end not in exposed:
                        assert found <= before[end.ordinal], f"not told of {end.id}"
                    before[end.ordinal] = found

            got = bench.run(events, after_each=compare)
            expected = self._expected(bench, pattern, events, select)
            assert got == expected, difference(pattern, select, events, expected, got)

        for_all(body, streams(size=11, odd=False), examples=self.examples // 2, seed=self.seed)

    def test_gives_for_several_patterns_what_it_gives_for_each(self, select: Select) -> None:
        """Where it evaluates several patterns at once, it is as if it evaluated one after the other."""

        def drive(bench: Bench, events: list[Event]) -> set[Assignment]:
            def compare() -> None:
                if not bench.ends or (given := bench.together(bench.ends[-1])) is None:
                    return
                counts, matches = given
                each = [m.key() for m in bench.matches(bench.ends[-1])]
                assert [[m.key() for m in matches.get(n, [])] for n in (0, 1)] == [each, each]
                assert {counts.get(n, 0) for n in (0, 1)} <= {len(each), None}

            return bench.run(events, after_each=compare)

        self._agrees(select, "everything", self.examples // 4, drive)
        self._agrees(select, "plain", self.examples // 4, drive)

    def test_tells_all_that_a_late_event_touches(self, select: Select) -> None:
        """Where it tells which end events an event touches that is about to enter the past, the matches of no
        other differ afterwards."""

        def body(pattern: Pattern, events: list[Event]) -> None:
            bench = Bench(compile_plan(pattern, name="random", select=select), self.make_engine)
            late = _fed_but_one(bench, events)
            if late is None or (told := bench.touched(late)) is None:
                return
            before = {end.id: _assignments(bench, end) for end in bench.ends}
            bench.feed(late)
            changed = {end.id for end in bench.ends if before.get(end.id, set()) != _assignments(bench, end)}
            missed = changed - {end.id for end in told} - {late.id}
            assert not missed, f"{pattern}\nselect {select}, on\n{shown(events)}\n{late.id} touches {missed}"

        self._random(body, "everything", self.examples // 4)

    def test_finds_all_that_a_late_event_changes(self, select: Select) -> None:
        """Where it finds the matches that an event changes which is about to enter the past, no other match
        comes or goes."""

        def body(pattern: Pattern, events: list[Event]) -> None:
            bench = Bench(compile_plan(pattern, name="random", select=select), self.make_engine)
            late = _fed_but_one(bench, events)
            if late is None or (told := bench.going(late)) is None:
                return
            found, changed = told
            going, before = _keys(found), _keys(_all(bench))
            bench.feed(late)
            after = _keys(_all(bench))
            coming = set() if changed is None else _keys(bench.coming(late, changed))
            said = f"{pattern}\nselect {select}, on\n{shown(events)}\n{late.id} changes"
            assert going <= before, f"{said} what was no match: {going - before}"
            assert coming <= after, f"{said} into what is no match: {coming - after}"
            assert before - going == after - coming, f"{said} {(before - going) ^ (after - coming)} too"

        for focus in ("everything", "plain"):
            self._random(body, focus, self.examples // 4)


def _keys(found: Iterable[Match]) -> set[object]:
    return {(id(m.alternative), m.key()) for m in found}


def _all(bench: Bench) -> list[Match]:
    return [m for end in bench.ends for m in bench.matches(end)]


def _assignments(bench: Bench, end: Event) -> set[Assignment]:
    return {assignment(m.events()) for m in bench.matches(end)}


def _fed_but_one(bench: Bench, events: list[Event]) -> Event | None:
    """Feeds all events but one that is not the last; gives that, None if there is none."""
    late = next((e for e in shuffled(events, len(events)) if sort_key(e) < sort_key(events[-1])), None)
    if late is not None:
        for event in events:
            if event.id != late.id:
                bench.feed(event)
    return late


def _groups(matches: Sequence[Assignment], events: Mapping[Identity, Event]) -> list[dict[str, list[Event]]]:
    return [{variable: [events[e] for e in group] for variable, group in match} for match in matches]


def _arrived(events: list[Event], order: Random) -> dict[Identity, Event]:
    """The events as some arrival has numbered them."""
    places = order.sample(range(len(events)), len(events))
    numbered = [replace(e, ordinal=1 + n, t_arr=n) for e, n in zip(events, places, strict=True)]
    # The first of duplicates counts.
    return {identity(e): e for e in reversed(numbered)}
