"""On the driver: what goes out, batch by batch."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

from limecep.errors import RunFailure
from limecep.state.writing import decode
from limecep_spark.work import COUNTS, Output

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from pyspark.sql import DataFrame

    from limecep.config.model import SinkConfig
    from limecep.output.outlets import Outlet


class Directory:
    """A sink of files: JSON lines in `part-*` files, those of a batch there once, however often it is done.

    Args:
        path: The folder.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def open(self) -> None:
        """Makes the folder.

        Raises:
            RunFailure: It cannot be made, or something else stands there.
        """
        try:
            self._path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RunFailure(
                f"cannot write {self._path}: {error.strerror or error}; on Spark it is a folder"
            ) from None

    def write(self, lines: DataFrame, batch: int) -> None:
        """Writes the lines of a batch, in place of what a crash has left of it."""
        staged = self._path / "_staged"
        lines.write.mode("overwrite").text(staged.absolute().as_uri())
        name = f"part-{batch:010d}"
        for old in self._path.glob(f"{name}-*"):
            old.unlink()
        parts = [p for p in sorted(staged.glob("part-*")) if p.stat().st_size]
        for number, part in enumerate(parts):
            part.rename(self._path / f"{name}-{number:05d}.jsonl")
        shutil.rmtree(staged)


class Writing:
    """Hands out what batches give.

    Args:
        folders: The sinks that are folders, by their place in the pipeline.
        outlets: The other sinks that are sent anything.
        sinks: All sinks of the pipeline.
        counted: Takes what was counted.
    """

    def __init__(
        self,
        folders: dict[int, Directory],
        outlets: dict[int, Outlet],
        sinks: Sequence[SinkConfig],
        counted: Callable[[dict[str, Any]], None],
    ) -> None:
        self._folders = folders
        self._outlets = outlets
        self._counted = counted
        self.sent = {s.name: 0 for s in sinks}
        self._names = [s.name for s in sinks]

    def batch(self, rows: DataFrame, number: int) -> None:
        """One batch, which may have been begun before."""
        from pyspark.sql import functions as f

        rows = rows.persist()
        try:
            for row in rows.where(f.col("sink") == COUNTS).collect():
                self._note(decode(row["value"]))
            for sink, folder in self._folders.items():
                folder.write(rows.where(f.col("sink") == sink).select("value"), number)
            if self._outlets:
                self._pass_on(rows.where(f.col("sink").isin(list(self._outlets))))
        finally:
            rows.unpersist()

    def _note(self, counts: dict[str, Any]) -> None:
        for sink, count in counts.pop("sinks", {}).items():
            self.sent[self._names[int(sink)]] += count
        self._counted(counts)

    def _pass_on(self, rows: DataFrame) -> None:
        for row in rows.toLocalIterator():
            self._outlets[row["sink"]].pass_on([decode(row["value"])])
        for outlet in self._outlets.values():
            outlet.flush()


def is_folder(sink: SinkConfig) -> bool:
    """Whether a sink is a folder of files on Spark."""
    return sink.connector.spec.name == "file" and sink.channel != "-"


def output_of(number: int, sink: SinkConfig, made: Any) -> Output | None:
    """What workers make for a sink; None if nothing is.

    Args:
        number: The sink's place in the pipeline.
        sink: The sink.
        made: The sink as the kernel knows it, opened; None for a folder.
    """
    if made is None:
        return Output(sink=number, encoded=True, events=sink.events)
    if made.counts_only:
        return None
    people = bool(getattr(made, "for_people", False))
    return Output(sink=number, encoded=False, events="full" if people else sink.events, delay=people)
