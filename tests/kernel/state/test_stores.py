"""What a state store answers when a run begins."""

from __future__ import annotations

from typing import Any

import pytest

from limecep.contracts.state import Row
from limecep.errors import ContractBreach
from limecep.state.stores import figures_of, rows_of

ROW = Row(1, "head", b"{}")


class Store:
    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def rows(self, name: str) -> Any:
        return self.answer

    figures: Any = lambda self: self.answer


def test_rows_and_figures_are_given_on() -> None:
    assert [*rows_of(Store(iter([ROW])), "head")] == [ROW]  # type: ignore[arg-type]
    assert figures_of(Store({"path": "x"})) == {"path": "x"}  # type: ignore[arg-type]


@pytest.mark.parametrize("answer", [None, 5, [(1, "head", b"{}")], [ROW._replace(value="{}")]])
def test_anything_else_is_a_breach(answer: Any) -> None:
    for ask in (figures_of, lambda store: rows_of(store, "head")):
        with pytest.raises(ContractBreach, match="gave"):
            ask(Store(answer))
