"""What this distribution brings. Imports only limecep, so that listing plugins stays cheap."""

from __future__ import annotations

from limecep.api import ComponentSpec, hookimpl
from limecep_mine.config import MineOptions

limecep_api = 1


@hookimpl
def limecep_result_policies() -> list[ComponentSpec]:
    return [
        ComponentSpec(
            kind="results",
            name="mine",
            factory="limecep_mine.policy:MinePolicy",
            options=MineOptions,
            contract=1,
            summary="Emits matches when it is told so, and corrects them",
            example="results: {type: mine, emit: complete}",
            distribution="limecep-mine",
            stability="alpha",
        )
    ]
