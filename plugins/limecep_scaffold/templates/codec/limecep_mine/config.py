"""Options of the codec."""

from __future__ import annotations

from dataclasses import dataclass

from limecep.api import option


@dataclass(frozen=True, slots=True, kw_only=True)
class MineOptions:
    """Options of `mine`."""

    between: str = option(";", help="What stands between two fields: one character.", example="|")

    def __post_init__(self) -> None:
        if len(self.between) != 1 or self.between in "=\r\n":
            raise ValueError("'between' must be one character, and neither '=' nor the end of a line")
