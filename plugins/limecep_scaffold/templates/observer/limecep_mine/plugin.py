"""What this distribution brings. Imports only limecep, so that listing plugins stays cheap."""

from __future__ import annotations

from limecep.api import ComponentSpec, hookimpl
from limecep_mine.config import MineOptions

limecep_api = 1


@hookimpl
def limecep_observers() -> list[ComponentSpec]:
    return [
        ComponentSpec(
            kind="observer",
            name="mine",
            factory="limecep_mine.observer:MineObserver",
            options=MineOptions,
            contract=1,
            summary="Logs which sources fall silent, and when they speak again",
            example="observers: {silence: {type: mine, after: 5m}}",
            distribution="limecep-mine",
            stability="alpha",
        )
    ]
