"""What this distribution brings. Imports only limecep, so that listing plugins stays cheap."""

from __future__ import annotations

from limecep.api import ComponentSpec, hookimpl
from limecep_mine.config import MineOptions

limecep_api = 1


@hookimpl
def limecep_runners() -> list[ComponentSpec]:
    return [
        ComponentSpec(
            kind="runner",
            name="mine",
            factory="limecep_mine.runner:MineRunner",
            options=MineOptions,
            contract=1,
            summary="Runs a pipeline in this process, and begins again where it fails",
            example="runner: {type: mine, attempts: 3}",
            distribution="limecep-mine",
            stability="alpha",
        )
    ]
