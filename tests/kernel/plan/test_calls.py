"""Functions in conditions: called once, with what they take, and harmless where they raise."""

from __future__ import annotations

from asyncio import CancelledError
from collections import Counter
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.model.function import Function
from limecep.plan.compiler import compile_plan
from limecep.signature import read

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.plan.plan import Alternative

NAN = float("nan")


class Spy:
    """A function that remembers what it was called with."""

    def __init__(self, signature: str, value: Any = True) -> None:
        self.function = Function("f", read(signature), self)
        self.calls: list[tuple[Any, ...]] = []
        self._value = value

    def __call__(self, *arguments: Any) -> Any:
        self.calls.append(arguments)
        if isinstance(self._value, BaseException):
            raise self._value
        return self._value


def alternative(where: str, spy: Spy, counters: Counter[str] | None = None) -> Alternative:
    pattern = parse(f"PATTERN SEQ(A a, B+ b[], C c) WHERE {where} WITHIN 1 s", {"f": spy.function}.get)
    (made,) = compile_plan(pattern, name="p", params={"p": "x"}, counters=counters).alternatives
    return made


def event(v: Any = None, w: Any = None) -> Event:
    return Event("A", "1", 0, payload={k: x for k, x in (("v", v), ("w", w)) if x is not None})


def accepts(where: str, spy: Spy, of: Event, counters: Counter[str] | None = None) -> bool:
    decide = alternative(where, spy, counters).steps[0].filter.accepts
    assert decide is not None
    return decide(of)


@pytest.mark.parametrize(
    ("kind", "value", "called"),
    [
        ("str", "x", True),
        ("str", 1, False),
        ("str", None, False),
        ("int", 1, True),
        ("int", 10**400, True),
        ("int", 1.0, False),
        ("int", True, False),
        ("float", 1, True),
        ("float", 1.5, True),
        ("float", NAN, False),
        ("float", False, False),
        ("float", "1", False),
        ("bool", True, True),
        ("bool", 1, False),
        ("object", [1], True),
        ("object", None, True),
        ("object", NAN, True),
        ("str | None", None, True),
        ("str | None", "x", True),
        ("str | None", 1, False),
        ("float | None", None, True),
        ("float | None", NAN, False),
    ],
)
def test_it_is_called_with_the_kinds_that_it_takes_alone(kind: str, value: Any, called: bool) -> None:
    spy, counters = Spy(f"(x: {kind}) -> bool"), Counter[str]()
    assert accepts("f(a.v)", spy, event(value), counters) is called
    assert len(spy.calls) == called
    assert counters == ({} if called else {"unknown": 1})


def test_literals_and_parameters_are_arguments_like_others() -> None:
    spy = Spy("(x: str, y: int, *more: object) -> bool")
    assert accepts("f($p, 3, null, a.v + 1, NOT a.w)", spy, event(4, True))
    assert spy.calls == [("x", 3, None, 5, False)]
    spy = Spy("(x: str, y: int) -> bool")
    assert not accepts("f('x', 1.5) OR f(null, a.v)", spy, event(2))
    assert spy.calls == []


def test_what_it_gives_is_a_value_like_others() -> None:
    for value, where in [
        (True, "f(a.v)"),
        (False, "NOT f(a.v)"),
        (3, "f(a.v) = 3"),
        (3, "f(a.v) + 1 > 3"),
        (3, "f(a.v) IN (1, 3)"),
        (3, "f(a.v) BETWEEN 1 AND 3"),
        ("x", "f(a.v) = $p"),
        ("x", "f(f(a.v)) = 'x'"),
        (None, "f(a.v) IS NULL"),
        (None, "f(a.v) = 3 OR f(a.v) IS NULL"),
    ]:
        assert accepts(where, Spy("(x: object) -> object", value), event(1)), where
    for value, where in [(1, "f(a.v)"), ("x", "NOT f(a.v)"), (None, "f(a.v)"), (NAN, "f(a.v) != 3")]:
        counters = Counter[str]()
        assert not accepts(where, Spy("(x: object) -> object", value), event(1), counters), where
        assert counters == {"unknown": 1}, where


def test_the_same_call_is_made_once() -> None:
    spy = Spy("(x: float) -> float", 3)
    assert accepts("f(a.v) > 2 OR f(a.v) < 1 OR f(a.w) > 9", spy, event(1, 2))
    assert spy.calls == [(1,), (2,)]


@pytest.mark.parametrize("error", [MemoryError(), SystemExit(0), KeyboardInterrupt(), CancelledError()])
def test_what_is_no_mistake_about_a_value_goes_on(error: BaseException) -> None:
    counters = Counter[str]()
    with pytest.raises(type(error)):
        accepts("f(a.v) IS NULL", Spy("(x: float) -> float", error), event(1), counters)
    assert not counters


def test_what_raises_is_missing_and_counted() -> None:
    spy, counters = Spy("(x: float) -> float", KeyError("x")), Counter[str]()
    assert not accepts("f(a.v) > 2", spy, event(1), counters)
    assert counters == {"raised_by_f": 1, "unknown": 1}
    assert accepts("f(a.v) IS NULL", spy, event(1), counters)
    assert counters == {"raised_by_f": 2, "unknown": 1}


@pytest.mark.parametrize(
    ("result", "value", "fits"),
    [
        ("str", "x", True),
        ("str", 3, False),
        ("int", 3, True),
        ("int", 3.0, False),
        ("int", True, False),
        ("float", 3, True),
        ("float", 3.5, True),
        ("float", NAN, False),
        ("float", "3", False),
        ("float", Decimal(3), False),
        ("bool", False, True),
        ("bool", 1, False),
        ("object", "x", True),
        ("object", [1], True),
        ("str", None, True),
    ],
)
def test_what_is_of_another_kind_than_it_says_is_missing_and_counted(
    result: str, value: object, fits: bool
) -> None:
    spy, counters = Spy(f"(x: object) -> {result}", value), Counter[str]()
    assert accepts("f(a.v) IS NULL", spy, event(1), counters) == (value is None or not fits)
    assert counters == ({} if fits else {"other_kind_by_f": 1})


def holds(where: str, spy: Spy, groups: Sequence[Sequence[Event]]) -> bool:
    (condition,) = alternative(where, spy).conditions
    return condition.holds(groups)


def test_in_a_group_it_is_called_for_each_event_that_is_named() -> None:
    groups = [[event(0)], [event(1), event(2), event(3)], [event(9)]]
    for where, calls in [
        ("f(b.v, a.v)", [(1, 0), (2, 0), (3, 0)]),
        ("f(b[i].v, b[i-1].v)", [(2, 1), (3, 2)]),
        ("f(first(b).v, last(b).v)", [(1, 3)]),
        ("f(count(b), sum(b.v))", [(3, 6)]),
        ("f(b[i].v, max(b[..i-1].v))", [(2, 1), (3, 2)]),
        ("f(f(a.v, 1), b[i].v)", [(0, 1), (True, 1), (True, 2), (True, 3)]),
    ]:
        spy = Spy("(x: object, y: object) -> bool")
        assert holds(where, spy, groups), where
        assert spy.calls == calls, where


def test_where_a_group_took_nothing_it_is_not_called() -> None:
    spy = Spy("(x: object, y: object) -> bool", False)
    assert holds("f(b.v, a.v)", spy, [[event(0)], [], [event(9)]])
    assert spy.calls == []


def test_filters_are_shared_by_calls_that_say_the_same() -> None:
    def signature(where: str) -> str:
        return alternative(where, Spy("(x: object, *y: object) -> bool")).steps[0].filter.signature

    assert signature("f(a.v, 3)") == signature("f( a.v,3 )")
    assert (
        len({signature(where) for where in ("f(a.v, 3)", "f(3, a.v)", "f(a.v)", "f(a.w, 3)", "a.v = 3")}) == 5
    )
