"""What this distribution brings. Imports only limecep, so that listing plugins stays cheap."""

from __future__ import annotations

from limecep.api import ComponentSpec, hookimpl
from limecep_mine.config import MineOptions

limecep_api = 1


@hookimpl
def limecep_codecs() -> list[ComponentSpec]:
    return [
        ComponentSpec(
            kind="codec",
            name="mine",
            factory="limecep_mine.codec:MineCodec",
            options=MineOptions,
            contract=1,
            summary="Fields as NAME=VALUE, a record a line",
            example='format: {type: mine, between: "|"}',
            distribution="limecep-mine",
            stability="alpha",
        )
    ]
