"""What this plugin brings."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl
from limecep_local.config import LocalOptions

LOCAL = ComponentSpec(
    kind="runner",
    name="local",
    factory="limecep_local.runner:local",
    options=LocalOptions,
    summary="Runs a pipeline on this machine, in one process or with several that divide the keys",
    default=True,
    example="""\
runner: {type: local, workers: 2}""",
)


@hookimpl
def limecep_runners() -> list[ComponentSpec]:
    return [LOCAL]
