"""Options of the transform."""

from __future__ import annotations

from dataclasses import dataclass

from limecep.api import option


@dataclass(frozen=True, slots=True, kw_only=True)
class MineOptions:
    """Options of `mine`."""

    seconds: float = option(0.0, help="Matches that span less, in seconds, do not go out.", example=1.5)

    def __post_init__(self) -> None:
        if self.seconds < 0:
            raise ValueError("'seconds' must not be negative")
