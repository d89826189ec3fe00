"""The component of this plugin."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl

PROFILE = ComponentSpec(
    kind="command",
    name="profile",
    factory="limecep_profile.command:ProfileCommand",
    summary="Say what is in a file of events, and write a pipeline that reads it",
    example="""\
limecep profile readings.csv > readings.yaml""",
)


@hookimpl
def limecep_commands() -> list[ComponentSpec]:
    return [PROFILE]
