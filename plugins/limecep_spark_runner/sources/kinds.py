"""The types of sources that can be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep_spark_runner.sources.files import Files
from limecep_spark_runner.sources.streams import Streams
from limecep_spark_runner.sources.topics import Topics

if TYPE_CHECKING:
    from limecep_spark_runner.sources.contract import Reading
    from limecep_spark_runner.work import Work

_KINDS: dict[str, type[Files] | type[Topics] | type[Streams]] = {
    "file": Files,
    "kafka": Topics,
    "spark": Streams,
}


def readings(work: Work) -> list[Reading]:
    """A reading for each source of a pipeline that was vetted."""
    return [_KINDS[s.connector.spec.name](work, s) for s in work.config.sources]
