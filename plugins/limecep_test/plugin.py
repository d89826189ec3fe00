"""The component of this plugin."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl

TEST = ComponentSpec(
    kind="command",
    name="test",
    factory="limecep_test.command:TestingCommand",
    summary="Run the tests that stand beside pipelines, in files *.test.yaml",
    example="""\
limecep test examples --junit report.xml""",
)


@hookimpl
def limecep_commands() -> list[ComponentSpec]:
    return [TEST]
