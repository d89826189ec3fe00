"""The suite for engines, as far as it is about how they behave beside what they find."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.language.parser import parse
from limecep.plan.compiler import compile_plan
from limecep.testing.bench import Bench
from limecep.testing.elsewhere import check_hashes
from limecep.testing.engine_trials import EngineTrials
from limecep.testing.leaks import check_growth
from limecep.testing.oracle import assignment
from limecep.testing.streams import stream
from limecep.testing.untouched import untouched

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random
    from typing import Any

    from limecep.model.event import Event
    from limecep.model.pattern import Select

#: What is asked in all of these.
_QUERIES = (
    "PATTERN SEQ((A OR B OR D) a, B+ b[], C c) WHERE b[i].v > a.v WITHIN 10 s",
    "PATTERN AND(A a, B b, C c) WITHIN 6 s PARTITION BY k",
)


class EngineConduct(EngineTrials):
    """What every engine must do with events, memory and hashes."""

    def test_events_are_left_as_they_are(self, select: Select) -> None:
        """Other patterns have them, too."""
        for query in _QUERIES:
            events, bench = _events(), self._bench(query, select)
            with untouched(events):
                bench.run(events)
                for end in bench.ends:
                    bench.count(end)

    def test_memory_is_bounded(self, select: Select) -> None:
        """An evaluation leaves nothing but what is in `view.memo`, which the kernel empties."""
        bench = self._bench(_QUERIES[0], select)
        for event in _events():
            bench.feed(event)

        def ask(n: int) -> None:
            for number in range(n):
                bench.matches(bench.ends[number % len(bench.ends)])
                bench.forget()

        check_growth(ask, 1_000, "evaluations")

    def test_what_it_gives_depends_on_no_hash_and_no_wall_clock(self) -> None:
        """They differ from process to process, and a run goes on in another one after a crash."""
        check_hashes(self)

    def trace(self) -> Iterator[str]:
        """As of `Traced`: also which matches are among the first few."""
        for select in self.selects:
            for query in _QUERIES:
                bench = self._bench(query, select)
                for event in _events():
                    if (end := bench.feed(event)) is not None:
                        found = sorted(assignment(match.events()) for match in bench.matches(end))
                        yield f"{query} {select} {end.id} {found}"

    def _bench(self, query: str, select: Select) -> Bench:
        return Bench(compile_plan(parse(query), name="p", select=select, max_per_end=20), self.make_engine)


def _events() -> list[Event]:
    drawn: dict[str, Callable[[Random], Any]] = {
        "v": lambda random: random.randrange(9),
        "k": lambda random: random.choice("xyz"),
    }
    return stream(1, 80, "ABCD", attributes=drawn)
