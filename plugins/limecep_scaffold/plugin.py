"""What this plugin brings."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl

NEW = ComponentSpec(
    kind="command",
    name="plugins_new",
    factory="limecep_scaffold.command:NewCommand",
    summary="Write a plugin of your own to start from",
    example="""\
limecep plugins new engine my_engine""",
)


@hookimpl
def limecep_commands() -> list[ComponentSpec]:
    return [NEW]
