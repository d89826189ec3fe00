"""What this distribution brings. Imports only limecep, so that listing plugins stays cheap."""

from __future__ import annotations

from limecep.api import ComponentSpec, hookimpl
from limecep_mine.config import MineOptions

limecep_api = 1


@hookimpl
def limecep_sources() -> list[ComponentSpec]:
    return [
        ComponentSpec(
            kind="source",
            name="mine",
            factory="limecep_mine.source:MineSource",
            options=MineOptions,
            contract=1,
            summary="Files of a folder, each a message",
            example="""\
connectors:
  inbox: {type: mine}
sources:
  smoke: {from: inbox, channel: smoke, format: json, as: Smoke, time: ts, id: id}""",
            distribution="limecep-mine",
            stability="alpha",
        )
    ]
