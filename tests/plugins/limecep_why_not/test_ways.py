"""Ways to make a match of an assignment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep_why_not.changes import Added, Removed, Valued, Widened, cost
from limecep_why_not.ways import Ways

if TYPE_CHECKING:
    from collections.abc import Callable


def told(house: Any, text: str, things: int) -> list[list[str]]:
    search = house.search(text, 3)
    [alternative] = house.plan.alternatives
    ways = sorted(Ways(search, alternative).ways(things), key=lambda w: cost(w.changes))
    return [[type(c).__name__ for c in w.changes] for w in ways]


def test_what_is_no_match_becomes_one_by_changes(house: Callable[..., Any]) -> None:
    made = house("SEQ(A a, !X x, B b) WHERE b.v > a.v WITHIN 9 seconds", select="stam")
    assert told(made, "a1=1 b2=3", 0) == [[]]
    assert [Removed.__name__] in told(made, "a1=1 x2 b3=3", 1)
    assert told(made, "a1=5 b3=3", 1)[0] == [Valued.__name__]
    assert told(made, "a1=5 b14=8", 1)[0] == [Widened.__name__]
    assert [Added.__name__] in told(made, "a1=5", 1)
    assert [Valued.__name__, Removed.__name__] in told(made, "a1=5 x2 b3=3", 2)


def test_what_needs_no_change_is_not_changed(house: Callable[..., Any]) -> None:
    made = house("SEQ(A a, B b) WHERE b.v > a.v WITHIN 9 seconds", select="stam")
    assert [Valued.__name__] not in told(made, "a1=1 b2=3", 1)
