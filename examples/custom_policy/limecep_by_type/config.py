"""Options of the policy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from limecep.api import Problem, option, suggestion

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limecep.api import Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class ByTypeOptions:
    """Options of `by_type`."""

    within: dict[str, int] = option(
        help="How far behind the latest event time events of a type may be and still be used, by type.",
        example={"Smoke": "5s", "Heat": "1m"},
        unit="duration",
    )
    otherwise: int | None = option(
        None, help="The same for types that are not named; off: however far.", example="10s", unit="duration"
    )

    def __post_init__(self) -> None:
        if min(self.within.values(), default=0) < 0:
            raise ValueError("'within' must not be negative")
        if self.otherwise is not None and self.otherwise < 0:
            raise ValueError("'otherwise' must not be negative")

    @property
    def bounded(self) -> bool:
        """Whether the policy has a horizon. limecep looks at this before it makes the policy."""
        return self.otherwise is not None

    def vet(self, plan: Plan) -> Iterator[tuple[str, Problem]]:
        """What is wrong with them for a pattern. `limecep check` says it, at its place in the file."""
        for name in self.within:
            if name not in plan.types:
                yield (
                    "within",
                    Problem(
                        code="unknown-type",
                        message=f"'within' names '{name}', which is no event type of the pattern",
                        hint=suggestion(name, plan.types),
                    ),
                )
