"""Which optional abilities options only nearly have. The suites' tests have components."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from limecep import option
from limecep.contracts.options import OPTIONAL
from limecep.contracts.spelling import misspelt


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    bound: int = option(1, help="What a user sets is spelt as its author likes.")

    def vetted(self, plan: Any) -> Any: ...


def test_a_member_that_nobody_asks_for_is_told_and_what_a_user_sets_is_not() -> None:
    said = "nobody asks for 'vets' of Nearly: did you mean 'vet'?"
    assert misspelt(type("Nearly", (), {"vets": None}), object, OPTIONAL["slack"]) == said
    assert misspelt(Options, object, OPTIONAL["lateness"]) == ""
