"""Patterns with one lane of end events are evaluated at once, and those that cannot match cost nothing."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.plan.compiler import compile_plan
from limecep.store.lane import Lane
from limecep.store.store import Store
from limecep.testing.bench import SilentLogger
from limecep_maximal.config import MaximalOptions
from limecep_maximal.engine import MaximalEngine

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep_maximal.together import Together


class Patterns:
    """Patterns of one end step, on a store of their own.

    Attributes:
        engines: Their engines.
        together: All of them.
    """

    def __init__(self, queries: Sequence[str]) -> None:
        self.store = Store()
        self.store.watched = True
        plans = [
            compile_plan(parse(f"PATTERN {query} WITHIN 10 us"), name=f"p{n}", select="stnm")
            for n, query in enumerate(queries)
        ]
        context = Context(label="p", clock=ManualClock(), counters=Counter(), logger=SilentLogger())
        self.engines = [MaximalEngine(plan, MaximalOptions(), context) for plan in plans]
        self.views: list[Any] = [self.store.subscribe(plan).only for plan in plans]
        asked = list(zip(self.engines, self.views, strict=True))
        self.together: Together = MaximalEngine.together(asked, self.store.recent)

    def feed(self, text: str) -> Event:
        """Takes in events such as `a1 b2`, in order; gives the last."""
        for word in text.split():
            event = Event(word[0].upper(), word, int(word[1:]), source="s", payload={"v": int(word[1:])})
            self.store.add(event, self.store.types[event.type])
        return event


def test_they_are_counted_where_there_is_anything() -> None:
    made = Patterns(["SEQ(A a, B b, Z z)", "SEQ(D d, B b, Z z)", "SEQ(A a, Z z)", "SEQ(A a, E e, Z z)"])
    assert sorted(made.together.counts(made.feed("a1 a2 b3 z4"))) == [(0, 2), (2, 2)]
    assert made.together.counts(made.feed("z5")) == []


@pytest.mark.interpreted
def test_others_are_asked_when_the_step_before_their_end_may_have_taken_something() -> None:
    made = Patterns(["SEQ(A a, B b, Z z) WHERE z.v > a.v", "SEQ(A a, Z z)", "SEQ(A a, B? b, Z z)"])
    asked = Counter[int]()

    def noting(number: int, count: Any) -> Any:
        def counted(end: Event, view: Any) -> Any:
            asked[number] += 1
            return count(end, view)

        return counted

    for number, engine in enumerate(made.engines):
        evaluator: Any = engine._evaluators[0]
        evaluator.count = noting(number, evaluator.count)
    assert sorted(made.together.counts(made.feed("a1 z2"))) == [(1, 1), (2, 1)]
    assert asked == {2: 1}
    assert made.together.counts(made.feed("b3 z4")) == [(0, None)]
    assert asked == {0: 1, 2: 2}


def test_what_is_given_is_what_each_gives() -> None:
    made = Patterns(["SEQ(A a, B b, Z z)", "SEQ(A a, B b, Z z) WHERE z.v > a.v", "SEQ(A a, B{2,} b[], Z z)"])
    end = made.feed("a1 a2 b3 a4 b5 z6")
    found = {number: [m.key() for m in matches] for number, matches in made.together.matches(end)}
    each = [
        [m.key() for m in engine.matches(end, view)]
        for engine, view in zip(made.engines, made.views, strict=True)
    ]
    assert found == dict(enumerate(each))
    assert len(each[0]) == 3


@pytest.mark.interpreted
def test_the_lanes_of_patterns_that_have_nothing_in_the_window_are_not_looked_at(monkeypatch: Any) -> None:
    looks = Counter[str]()

    class Looked(Lane):
        """A lane that counts how often it is looked at."""

        __slots__ = ()

        @property
        def content(self) -> Any:
            looks["content"] += 1
            return Lane.content.__get__(self)

    def cost(patterns: int) -> int:
        made = Patterns([f"SEQ(X{n} x, Y{n} y, Z z)" for n in range(patterns)])
        for n in (3, 7):
            for name in (f"X{n}", f"Y{n}"):
                t = made.store.arrivals
                made.store.add(Event(name, str(t), t, source="s"), made.store.types[name])
        t = made.store.arrivals
        end = Event("Z", str(t), t, source="s")
        made.store.add(end, made.store.types["Z"])
        for view in made.views:
            for lane in view.steps[0]:
                if type(lane) is Lane:
                    lane.__class__ = Looked
        made.together.counts(end)
        looks.clear()
        assert sorted(made.together.counts(end)) == [(3, 1), (7, 1)]
        return looks["content"]

    assert cost(400) == cost(40)
