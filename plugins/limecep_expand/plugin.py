"""What this plugin brings."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl

EXPAND = ComponentSpec(
    kind="command",
    name="expand",
    factory="limecep_expand.command:ExpandCommand",
    summary="Give all matches that those of a change log contain",
    example="""\
limecep expand matches.jsonl --pipeline pipeline.yaml --count""",
)


@hookimpl
def limecep_commands() -> list[ComponentSpec]:
    return [EXPAND]
