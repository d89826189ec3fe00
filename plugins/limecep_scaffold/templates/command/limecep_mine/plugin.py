"""What this distribution brings. Imports only limecep, so that listing plugins stays cheap."""

from __future__ import annotations

from limecep.api import ComponentSpec, hookimpl

limecep_api = 1

MINE = ComponentSpec(
    kind="command",
    name="mine",
    factory="limecep_mine.command:MineCommand",
    contract=1,
    summary="Count the records of a change log",
    example="limecep mine out.jsonl",
    distribution="limecep-mine",
    stability="alpha",
)


@hookimpl
def limecep_commands() -> list[ComponentSpec]:
    return [MINE]
