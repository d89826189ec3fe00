"""What this plugin brings."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl

DATA = ComponentSpec(
    kind="command",
    name="data",
    factory="limecep_lab.command:DataCommand",
    summary="Make and judge streams of any size, as jobs of Apache Spark",
    example="""\
limecep data generate --events 1000000 --into stream.jsonl""",
    requires=("pyspark", "pandas", "pyarrow", "google"),
    extra="spark",
    stability="alpha",
)


@hookimpl
def limecep_commands() -> list[ComponentSpec]:
    return [DATA]
