"""What this distribution brings. Imports only limecep, so that listing plugins stays cheap."""

from __future__ import annotations

from limecep.api import ComponentSpec, hookimpl
from limecep_mine.config import MineOptions

limecep_api = 1


@hookimpl
def limecep_tables() -> list[ComponentSpec]:
    return [
        ComponentSpec(
            kind="table",
            name="mine",
            factory="limecep_mine.table:MineTable",
            options=MineOptions,
            contract=1,
            capabilities=frozenset({"channel", "checked"}),
            summary="Reads a file of names and values",
            example="tables: {limits: {from: mine, channel: limits.conf, key: name}}",
            distribution="limecep-mine",
            stability="alpha",
        )
    ]
