"""What this distribution brings. Imports only limecep, so that listing plugins stays cheap."""

from __future__ import annotations

from limecep.api import ComponentSpec, hookimpl
from limecep_mine.config import MineOptions

limecep_api = 1


@hookimpl
def limecep_sinks() -> list[ComponentSpec]:
    return [
        ComponentSpec(
            kind="sink",
            name="mine",
            factory="limecep_mine.sink:MineSink",
            options=MineOptions,
            contract=1,
            summary="Files in a folder, one for each record",
            example="""\
connectors:
  outbox: {type: mine}
sinks:
  fires: {to: outbox, channel: fires}""",
            distribution="limecep-mine",
            stability="alpha",
            capabilities=frozenset({"channel"}),
        )
    ]
