"""What this plugin brings."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl

COMPARE = ComponentSpec(
    kind="command",
    name="compare",
    factory="limecep_compare.command:CompareCommand",
    summary="Say which matches come, go and change with another file",
    example="""\
limecep compare pipeline.yaml changed.yaml --data events.jsonl""",
)


@hookimpl
def limecep_commands() -> list[ComponentSpec]:
    return [COMPARE]
