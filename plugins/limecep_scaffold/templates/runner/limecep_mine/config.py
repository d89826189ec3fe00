"""Options of the runner."""

from __future__ import annotations

from dataclasses import dataclass

from limecep.api import option


@dataclass(frozen=True, slots=True, kw_only=True)
class MineOptions:
    """Options of `mine`."""

    attempts: int = option(2, help="How often a run is begun before its failure counts.", example=3)

    def __post_init__(self) -> None:
        if self.attempts < 1:
            raise ValueError("'attempts' must be > 0")
