"""What this plugin brings."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl

DEV = ComponentSpec(
    kind="command",
    name="dev",
    factory="limecep_dev.command:DevCommand",
    summary="Run brokers to try pipelines with",
    example="""\
limecep dev brokers""",
)


@hookimpl
def limecep_commands() -> list[ComponentSpec]:
    return [DEV]
