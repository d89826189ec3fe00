"""Apache Spark as a runner: a pipeline runs on a cluster, its kernel once for each key; and detection is a
function of DataFrames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from limecep_spark_runner.dataframes import detect

__all__ = ["detect"]


def __getattr__(name: str) -> Any:
    """Imports what is asked for, so that listing plugins imports no more than their options."""
    if name == "detect":
        from limecep_spark_runner.dataframes import detect

        return detect
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
