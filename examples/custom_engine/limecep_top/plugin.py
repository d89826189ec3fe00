"""What this distribution brings. Imports only limecep, so that listing plugins stays cheap."""

from __future__ import annotations

from limecep.api import ComponentSpec, hookimpl
from limecep_top.config import TopOptions

limecep_api = 1


@hookimpl
def limecep_engines() -> list[ComponentSpec]:
    return [
        ComponentSpec(
            kind="engine",
            name="top",
            factory="limecep_top.engine:TopEngine",
            options=TopOptions,
            contract=1,
            summary="The best matches of each end event, by a sum; for small windows (STNM, STAM, SC)",
            example="engine: {type: top, by: b.celsius, count: 3}",
            distribution="limecep-top",
            stability="alpha",
            capabilities=frozenset({"rule"}),
        )
    ]
