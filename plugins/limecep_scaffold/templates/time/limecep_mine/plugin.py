"""What this distribution brings. Imports only limecep, so that listing plugins stays cheap."""

from __future__ import annotations

from limecep.api import ComponentSpec, hookimpl
from limecep_mine.config import MineOptions

limecep_api = 1


@hookimpl
def limecep_time_formats() -> list[ComponentSpec]:
    return [
        ComponentSpec(
            kind="time",
            name="mine",
            factory="limecep_mine.time:MineTime",
            options=MineOptions,
            contract=1,
            summary="Reads a week, the day in it and the hour",
            example="time: {field: at, format: {type: mine, hours: 2}}",
            distribution="limecep-mine",
            stability="alpha",
        )
    ]
