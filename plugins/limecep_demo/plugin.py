"""What this plugin brings."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl

DEMO = ComponentSpec(
    kind="command",
    name="demo",
    factory="limecep_demo.command:DemoCommand",
    summary="Tell a story with generated data, step by step",
    example="""\
limecep demo gas_leak --into gas_leak""",
)
INIT = ComponentSpec(
    kind="command",
    name="init",
    factory="limecep_demo.init:InitCommand",
    summary="Make a folder with a pipeline, sample data, tests, a systemd unit and a container file",
    example="""\
limecep init kitchen --from gas_leak""",
)


@hookimpl
def limecep_commands() -> list[ComponentSpec]:
    return [DEMO, INIT]
