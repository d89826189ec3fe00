"""What this distribution brings. Imports only limecep, so that listing plugins stays cheap."""

from __future__ import annotations

from limecep.api import ComponentSpec, hookimpl
from limecep_mine.config import MineOptions

limecep_api = 1


@hookimpl
def limecep_slack_policies() -> list[ComponentSpec]:
    return [
        ComponentSpec(
            kind="slack",
            name="mine",
            factory="limecep_mine.policy:MinePolicy",
            options=MineOptions,
            contract=1,
            summary="Waits as long as late events were late on average",
            example="slack: {type: mine, most: 5s}",
            distribution="limecep-mine",
            stability="alpha",
        )
    ]
