"""What this distribution brings. Imports only limecep, so that listing plugins stays cheap."""

from __future__ import annotations

from limecep.api import ComponentSpec, hookimpl
from limecep_mine.config import MineOptions

limecep_api = 1


@hookimpl
def limecep_recompute_policies() -> list[ComponentSpec]:
    return [
        ComponentSpec(
            kind="recompute",
            name="mine",
            factory="limecep_mine.policy:MinePolicy",
            options=MineOptions,
            contract=1,
            summary="Two windows after the event, and one before it where that may matter",
            example="recompute: {type: mine, saving: false}",
            distribution="limecep-mine",
            stability="alpha",
        )
    ]
