"""The function does what every function must do, and what it is for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.testing.function import FunctionConformance
from limecep_mine.function import mine
from limecep_mine.plugin import limecep_functions

if TYPE_CHECKING:
    from collections.abc import Callable


class TestMineFunction(FunctionConformance):
    declared = limecep_functions()[0].signature

    def make_function(self) -> Callable[..., str | None]:
        return mine


def test_it_gives_the_first_letters() -> None:
    assert mine("John Fitzgerald Kennedy") == "jfk"
    assert mine("Bank of Greece", 3) == "bg"
    assert mine("  ") is None
