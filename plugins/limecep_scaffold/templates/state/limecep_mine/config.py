"""Options of the state store."""

from __future__ import annotations

from dataclasses import dataclass

from limecep.api import option


@dataclass(frozen=True, slots=True, kw_only=True)
class MineOptions:
    """Options of `mine`."""

    dir: str = option(help="The folder for the state, of this pipeline alone.", example="./state")
