"""What this plugin brings."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl

LOCAL = ComponentSpec(
    kind="runner",
    name="local",
    factory="limecep_local.runner:local",
    summary="Runs a pipeline in this process",
    default=True,
    example="""\
runner: local""",
)


@hookimpl
def limecep_runners() -> list[ComponentSpec]:
    return [LOCAL]
