"""Options of the engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from limecep.api import Problem, option, suggestion

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limecep.api import Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class TopOptions:
    """Options of `top`."""

    by: str = option(
        help="A variable of the pattern and an attribute of its events: matches with a greater sum of it are "
        "better. What is no number counts as 0.",
        example="b.celsius",
    )
    count: int = option(1, help="How many matches of one end event there are at most.", example=3)
    tries: int = option(
        10,
        help="Partial matches looked at for one end event, for each match that max_per_end allows. Where "
        "more are needed, matches are missed, and the end event is counted as truncated.",
        example=100,
    )

    def __post_init__(self) -> None:
        variable, _, attribute = self.by.partition(".")
        if not variable or not attribute:
            raise ValueError("'by' must be a variable and an attribute, such as b.celsius")
        for name in ("count", "tries"):
            if getattr(self, name) < 1:
                raise ValueError(f"'{name}' must be at least 1")

    def vet(self, plan: Plan) -> Iterator[tuple[str, Problem]]:
        """What it cannot do for a pattern, found by `limecep check`: each with its option."""
        variable = self.by.partition(".")[0]
        known = {step.variable for alternative in plan.alternatives for step in alternative.steps}
        if variable not in known:
            said = f"'by' names '{variable}', which is no variable of the pattern that takes events"
            yield "by", Problem(code="unknown-variable", message=said, hint=suggestion(variable, known))
