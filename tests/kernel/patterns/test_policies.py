"""The policies of a pattern, together."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from limecep.model.time import FOREVER
from limecep.patterns.policies import Policies


class Learning:
    """A policy that learns."""

    def __init__(self, known: Any = None) -> None:
        self.known = known

    def remembered(self) -> Any:
        return self.known

    def recall(self, known: Any) -> None:
        self.known = known


def made(**own: Any) -> Policies:
    plain: dict[str, Any] = dict.fromkeys(("lateness", "slack", "recompute", "results"), SimpleNamespace())
    return Policies(**(plain | own))


@pytest.mark.parametrize(
    ("lateness", "results", "horizon"),
    [(None, None, -FOREVER), (40, None, 40), (None, 10, 90), (95, 10, 95), (40, 10, 90)],
)
def test_the_later_horizon_counts(lateness: int | None, results: int | None, horizon: int) -> None:
    statistics: Any = SimpleNamespace(lta=100)
    policies = made(
        lateness=SimpleNamespace(horizon=lambda known: lateness if known is statistics else 0),
        results=SimpleNamespace(horizon=results),
    )
    assert policies.horizon(statistics) == horizon


def test_those_that_learn_know_again_what_they_knew() -> None:
    known = made(lateness=Learning(1), slack=Learning([2])).snapshot()
    assert known == {"lateness": 1, "slack": [2]}
    lateness, slack, new = Learning(), Learning(), Learning("own")
    # One that has learnt nothing yet, and one that does not learn any more.
    made(lateness=lateness, slack=slack, recompute=new).restore({**known, "results": 3})
    assert (lateness.known, slack.known, new.known) == (1, [2], "own")
