"""Options of the state store."""

from __future__ import annotations

from dataclasses import dataclass

from limecep import option


@dataclass(frozen=True, slots=True, kw_only=True)
class SqliteOptions:
    """Options of `sqlite`."""

    dir: str = option(
        help="The folder for the state, of this pipeline alone; made if it is not there.", example="./state"
    )

    def __post_init__(self) -> None:
        if not self.dir:
            raise ValueError("'dir' must name a folder")
