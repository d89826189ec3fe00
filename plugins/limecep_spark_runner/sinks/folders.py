"""A sink of files as a folder."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from limecep.errors import RunFailure

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import DataFrame

    from limecep_spark_runner.work import Form


class Directory:
    """A sink of files: JSON lines in `part-*` files, those of a batch there once, however often it is done.

    Args:
        path: The folder.
        anew: Whether it is begun with: batches are numbered from 0, and would take the place of others.
    """

    form: Form = "line"

    def __init__(self, path: Path, anew: bool) -> None:
        self._path = path
        self._anew = anew

    def open(self) -> None:
        """Makes the folder.

        Raises:
            RunFailure: It cannot be made, or something else stands there: such as what another run wrote.
        """
        try:
            self._path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RunFailure(
                f"cannot write {self._path}: {error.strerror or error}; on Spark it is a folder"
            ) from None
        if self._anew and any(self._path.glob("part-*")):
            raise RunFailure(
                f"{self._path} has what was written with another checkpoint: go on with that, "
                "move the folder away, or use another path"
            )

    def write(self, values: DataFrame, batch: int) -> None:
        """Writes the lines of a batch, in place of what a crash has left of it."""
        staged = self._path / "_staged"
        values.write.mode("overwrite").text(f"file://{staged.absolute()}")
        name = f"part-{batch:010d}"
        for old in self._path.glob(f"{name}-*"):
            old.unlink()
        parts = [p for p in sorted(staged.glob("part-*")) if p.stat().st_size]
        for number, part in enumerate(parts):
            part.rename(self._path / f"{name}-{number:05d}.jsonl")
        shutil.rmtree(staged)
