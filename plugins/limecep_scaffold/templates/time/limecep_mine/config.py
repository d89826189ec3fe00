"""Options of the time format."""

from __future__ import annotations

from dataclasses import dataclass

from limecep.api import option


@dataclass(frozen=True, slots=True, kw_only=True)
class MineOptions:
    """Options of `mine`."""

    hours: float = option(0.0, help="How far the clocks are ahead of UTC, in hours.", example=2)

    def __post_init__(self) -> None:
        if not -24 < self.hours < 24:
            raise ValueError("'hours' must be less than a day")
