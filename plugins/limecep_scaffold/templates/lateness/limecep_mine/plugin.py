"""What this distribution brings. Imports only limecep, so that listing plugins stays cheap."""

from __future__ import annotations

from limecep.api import ComponentSpec, hookimpl
from limecep_mine.config import MineOptions

limecep_api = 1


@hookimpl
def limecep_lateness_policies() -> list[ComponentSpec]:
    return [
        ComponentSpec(
            kind="lateness",
            name="mine",
            factory="limecep_mine.policy:MinePolicy",
            options=MineOptions,
            contract=1,
            summary="Uses late events up to a bound",
            example="lateness: {type: mine, within: 10s}",
            distribution="limecep-mine",
            stability="alpha",
        )
    ]
