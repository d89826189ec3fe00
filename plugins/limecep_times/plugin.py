"""What this package brings."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl
from limecep_times.config import SinceOptions


@hookimpl
def limecep_time_formats() -> list[ComponentSpec]:
    return [
        ComponentSpec(
            kind="time",
            name="since",
            factory="limecep_times.since:Since",
            options=SinceOptions,
            summary="Reads days, seconds or other units counted from some day on",
            example="time: {field: ts, format: {type: since, begin: 1899-12-30, unit: days}}",
        )
    ]
