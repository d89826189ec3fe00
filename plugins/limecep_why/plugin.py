"""What this plugin brings."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl

WHY = ComponentSpec(
    kind="command",
    name="why",
    factory="limecep_why.command:WhyCommand",
    summary="Say why a match was emitted, corrected or retracted",
    example="""\
limecep why 78bb3f --pipeline pipeline.yaml --data events.jsonl""",
)


@hookimpl
def limecep_commands() -> list[ComponentSpec]:
    return [WHY]
