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

TEST = ComponentSpec(
    kind="command",
    name="plugins_test",
    factory="limecep_scaffold.trying:TryCommand",
    summary="Test a component with the conformance suite of its kind",
    example="""\
limecep plugins test slack/fixed --options "{wait: 2s}"
limecep plugins test engine/my_package.my_engine:MyEngine
limecep plugins test codec/json --messages sent.txt --records records.jsonl""",
    requires=("pytest", "hypothesis"),
    extra="testing",
)


@hookimpl
def limecep_commands() -> list[ComponentSpec]:
    return [NEW, TEST]
