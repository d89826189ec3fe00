"""An engine on its bench, and one that is held to the oracle on small streams."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from limecep.language.parser import parse
from limecep.model.event import Event, sort_key
from limecep.plan.compiler import compile_plan
from limecep.store.lane import Lane
from limecep.testing.bench import Bench
from limecep.testing.oracle import maximal_matches
from limecep.testing.random_tests import difference
from limecep.testing.streams import SECOND, written
from limecep_maximal.config import MaximalOptions
from limecep_maximal.engine import MaximalEngine

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.model.pattern import Select
    from limecep.store.lane import Content


def bench_of(
    query: str, select: Select = "stnm", max_per_end: int = 10**6, enumeration: int = 10**5
) -> Bench:
    """A bench for a pattern: `bench_of("SEQ(A a, B b) WITHIN 5 s")`."""
    plan = compile_plan(parse(f"PATTERN {query}"), name="p", select=select, max_per_end=max_per_end)
    options = MaximalOptions(enumeration=enumeration)
    return Bench(plan, lambda plan, context: MaximalEngine(plan, options, context))


@pytest.fixture
def bench() -> Callable[..., Bench]:
    return bench_of


def way_of(driven: Bench) -> str:
    """The way that the first alternative is evaluated."""
    assert isinstance(driven.engine, MaximalEngine)
    return driven.engine.explain()[0].split(":")[0]


def stream(random: Random, size: int, types: str) -> list[Event]:
    """Some events, several of them at one time."""
    events, t = [], 0
    for n in range(size):
        t += random.choice([0, 1, 1, 2]) * SECOND
        payload = {"v": random.choice([0, 1, 1, 2])}
        events.append(Event(random.choice(types), f"e{n}", t, payload=payload))
    return sorted(events, key=sort_key)


@pytest.fixture
def hold() -> Callable[..., None]:
    """Holds the engine to the oracle, on streams of a pattern's own: `hold("SEQ(A a, B b)", way="plain")`."""

    def hold(query: str, select: Select = "stnm", *, way: str, streams: int = 16, size: int = 9) -> None:
        pattern = parse(f"PATTERN {query} WITHIN 6 s")
        random = Random(query)
        # Of types that the pattern does not name only strict contiguity minds some.
        types = "AABBC" if select == "sc" or "C" in query else "AB"
        found = 0
        for n in range(streams):
            driven = bench_of(f"{query} WITHIN 6 s", select)
            assert way_of(driven) == way
            events = stream(random, size, types)
            expected = maximal_matches(pattern, events, select=select)
            got = driven.run(events)
            assert got == expected, difference(pattern, select, events, expected, got)
            # And again, end events out of turn.
            if n % 3 == 0:
                driven.forget()
                again = driven.ask(random.sample(driven.ends, len(driven.ends)))
                assert again == expected, difference(pattern, select, events, expected, again)
            found += len(expected)
        assert found

    return hold


@pytest.fixture
def lanes() -> Callable[..., list[Content]]:
    """Lanes of events: `lanes(["a1=2", "a3"], ["b2"])`. Ordinals count from 1 over all of them."""

    def lanes(*streams: list[str]) -> list[Content]:
        contents, ordinal = [], 0
        for stream in streams:
            lane = Lane()
            for event in written(" ".join(stream)):
                ordinal += 1
                event.ordinal = ordinal
                lane.add(event.t_gen, event)
            contents.append(lane.content)
        return contents

    return lanes
