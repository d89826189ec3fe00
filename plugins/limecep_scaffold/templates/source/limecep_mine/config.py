"""Options of the connector."""

from __future__ import annotations

from dataclasses import dataclass

from limecep.api import option


@dataclass(frozen=True, slots=True, kw_only=True)
class MineOptions:
    """Options of `mine`."""

    root: str = option(
        "",
        help="The folder that channels are below; default: the folder of the pipeline's file.",
        example="boxes",
    )
