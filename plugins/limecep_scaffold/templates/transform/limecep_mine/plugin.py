"""What this distribution brings. Imports only limecep, so that listing plugins stays cheap."""

from __future__ import annotations

from limecep.api import ComponentSpec, hookimpl
from limecep_mine.config import MineOptions

limecep_api = 1


@hookimpl
def limecep_transforms() -> list[ComponentSpec]:
    return [
        ComponentSpec(
            kind="transform",
            name="mine",
            factory="limecep_mine.transform:MineTransform",
            options=MineOptions,
            contract=1,
            summary="Adds how long a match spans, and drops short ones",
            example="out: {type: stdout, through: [{type: mine, seconds: 1.5}]}",
            distribution="limecep-mine",
            stability="alpha",
        )
    ]
