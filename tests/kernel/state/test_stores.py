"""What a state store of a plugin answers, before anything is made of it."""

from __future__ import annotations

from typing import Any

import pytest

from limecep.contracts.state import Row
from limecep.errors import ContractBreach
from limecep.state.stores import checked

CIRCLE: dict[str, Any] = {}
CIRCLE["circle"] = CIRCLE

ROW = Row(1, "head", b"{}")


class Store:
    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def rows(self, name: str | None) -> Any:
        return self.answer

    def segments(self, low: int, high: int) -> Any:
        return self.answer

    figures: Any = lambda self: self.answer


def store(answer: Any) -> Any:
    return checked(Store(answer))  # type: ignore[arg-type]


def test_what_the_contract_says_is_given_on() -> None:
    assert [*store(iter([ROW])).rows("head")] == [ROW]
    assert [*store([b"x"]).segments(0, 1)] == [b"x"]
    assert store({"path": "x"}).figures() == {"path": "x"}
    assert store(5).answer == 5


@pytest.mark.parametrize(
    "answer",
    [
        None,
        5,
        [(1, "head", b"{}")],
        [ROW._replace(value="{}")],
        [ROW._replace(number="1")],
        [ROW._replace(name=None)],
        [""],
        [b""],
        {1: 2},
    ],
)
def test_anything_else_is_a_breach(answer: Any) -> None:
    asked = store(answer)
    for ask in (asked.figures, lambda: [*asked.rows()], lambda: [*asked.segments(0, 1)]):
        with pytest.raises(ContractBreach, match="gave"):
            ask()


@pytest.mark.parametrize(
    "told", [CIRCLE, {"a": {(1,): 2}}, {"a": float("nan")}, {"bytes": "5"}, {"bytes": -1}, {"path": None}]
)
def test_figures_are_what_json_can_say_and_of_their_kind(told: Any) -> None:
    with pytest.raises(ContractBreach, match=r"gave .* figures, (which JSON cannot say|where .* is due)"):
        store(told).figures()
