"""What this distribution brings. Imports only limecep, so that listing plugins stays cheap."""

from __future__ import annotations

from limecep.api import ComponentSpec, hookimpl
from limecep_mine.config import MineOptions

limecep_api = 1


@hookimpl
def limecep_state_stores() -> list[ComponentSpec]:
    return [
        ComponentSpec(
            kind="state",
            name="mine",
            factory="limecep_mine.store:MineStore",
            options=MineOptions,
            contract=1,
            summary="Keeps the state in memory, and writes every batch to the end of a file",
            example="state: {type: mine, dir: ./state}",
            distribution="limecep-mine",
            stability="alpha",
        )
    ]
