"""What this distribution brings. Imports only limecep, so that listing plugins stays cheap."""

from __future__ import annotations

from limecep.api import ComponentSpec, hookimpl
from limecep_naive.config import NaiveOptions

limecep_api = 1


@hookimpl
def limecep_engines() -> list[ComponentSpec]:
    return [
        ComponentSpec(
            kind="engine",
            name="naive",
            factory="limecep_naive.engine:NaiveEngine",
            options=NaiveOptions,
            contract=1,
            summary="All matches, found by trying everything; for small windows (STNM, STAM, SC)",
            example="engine: {type: naive, tries: 100}",
            distribution="limecep-naive",
            stability="alpha",
            capabilities=frozenset({"all"}),
        )
    ]
