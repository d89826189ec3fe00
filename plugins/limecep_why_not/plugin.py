"""The component of this plugin."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl

WHY_NOT = ComponentSpec(
    kind="command",
    name="why_not",
    factory="limecep_why_not.command:WhyNotCommand",
    summary="Say which smallest changes would have given a match near a time",
    example="""\
limecep why-not gas_fire --pipeline smart_home.yaml --near 2026-01-05T10:10:21Z --key kitchen""",
)


@hookimpl
def limecep_commands() -> list[ComponentSpec]:
    return [WHY_NOT]
