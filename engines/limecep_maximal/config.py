"""Options of the engine."""

from __future__ import annotations

from dataclasses import dataclass

from limecep import option


@dataclass(frozen=True, slots=True, kw_only=True)
class MaximalOptions:
    """Options of `maximal`."""

    enumeration: int = option(
        10_000,
        help="How many steps of enumeration at most for one end event, where only enumeration finds the "
        "largest groups: under `stam`, conditions on a whole group such as `sum(b.v) < 500`. What is cut "
        "short is counted (`truncated`). Groups of some ten events are gone through wholly.",
    )

    def __post_init__(self) -> None:
        if self.enumeration < 1:
            raise ValueError("'enumeration' must be at least 1")
