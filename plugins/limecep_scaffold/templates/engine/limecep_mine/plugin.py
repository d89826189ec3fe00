"""What this distribution brings. Imports only limecep, so that listing plugins stays cheap."""

from __future__ import annotations

from limecep.api import ComponentSpec, hookimpl
from limecep_mine.config import MineOptions

limecep_api = 1


@hookimpl
def limecep_engines() -> list[ComponentSpec]:
    return [
        ComponentSpec(
            kind="engine",
            name="mine",
            factory="limecep_mine.engine:MineEngine",
            options=MineOptions,
            contract=1,
            summary="All matches, found by trying everything",
            example="engine: {type: mine, tries: 100}",
            distribution="limecep-mine",
            stability="alpha",
            # Which matches it gives: "all", "rule", or by default those contained in no other.
            capabilities=frozenset({"all"}),
        )
    ]
