"""What this distribution brings. Imports only limecep, so that listing plugins stays cheap."""

from __future__ import annotations

from limecep.api import ComponentSpec, hookimpl

limecep_api = 1


@hookimpl
def limecep_functions() -> list[ComponentSpec]:
    return [
        ComponentSpec(
            kind="function",
            name="mine",
            factory="limecep_mine.function:mine",
            signature="(text: str, least: int = ...) -> str",
            contract=1,
            summary="The first letters of the words of a text; missing where it has none",
            example="mine(a.name) = 'jfk'",
            distribution="limecep-mine",
            stability="alpha",
        )
    ]
