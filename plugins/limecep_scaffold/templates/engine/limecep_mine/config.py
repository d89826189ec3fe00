"""Options of the engine."""

from __future__ import annotations

from dataclasses import dataclass

from limecep.api import option


@dataclass(frozen=True, slots=True, kw_only=True)
class MineOptions:
    """Options of `mine`."""

    tries: int = option(
        10,
        help="Partial matches looked at for one end event, for each match that max_per_end allows. Where "
        "more are needed, matches are missed, and the end event is counted as truncated.",
        example=100,
    )

    def __post_init__(self) -> None:
        if self.tries < 1:
            raise ValueError("'tries' must be at least 1")
