"""Options of the observer."""

from __future__ import annotations

from dataclasses import dataclass

from limecep.api import option


@dataclass(frozen=True, slots=True, kw_only=True)
class MineOptions:
    """Options of `mine`."""

    after: int = option(
        60_000_000, unit="duration", help="A source that is silent for longer is logged.", example="5m"
    )

    def __post_init__(self) -> None:
        if self.after <= 0:
            raise ValueError("'after' must be more than 0")
