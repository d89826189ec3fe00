"""The policies of a pattern, together."""

from __future__ import annotations

from typing import Any

from limecep.patterns.policies import Policies


class Learning:
    def __init__(self, known: int) -> None:
        self.known = known

    def remembered(self) -> int:
        return self.known

    def recall(self, known: int) -> None:
        self.known = known


def policies(**learning: Any) -> Policies:
    return Policies(
        **{**dict.fromkeys(("lateness", "slack", "recompute", "results"), object()), **learning}  # type: ignore[arg-type]
    )


def test_those_that_learn_go_on_with_what_they_knew() -> None:
    known = policies(lateness=Learning(1), results=Learning(2)).snapshot()
    assert known == {"lateness": 1, "results": 2}
    late, slack = Learning(0), Learning(0)
    policies(lateness=late, slack=slack).restore(known)
    assert (late.known, slack.known) == (1, 0)
