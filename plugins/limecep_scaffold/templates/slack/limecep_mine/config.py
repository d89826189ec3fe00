"""Options of the policy."""

from __future__ import annotations

from dataclasses import dataclass

from limecep.api import option


@dataclass(frozen=True, slots=True, kw_only=True)
class MineOptions:
    """Options of `mine`."""

    most: int = option(
        2_000_000, help="How long it waits for more late events at most.", example="5s", unit="duration"
    )

    def __post_init__(self) -> None:
        if self.most < 0:
            raise ValueError("'most' must not be negative")
