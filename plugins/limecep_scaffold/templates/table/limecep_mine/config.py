"""Options of the table."""

from __future__ import annotations

from dataclasses import dataclass

from limecep.api import option


@dataclass(frozen=True, slots=True, kw_only=True)
class MineOptions:
    """Options of `mine`."""

    mark: str = option("=", help="What stands between name and value.", example=":")

    def __post_init__(self) -> None:
        if not self.mark:
            raise ValueError("'mark' is empty")
