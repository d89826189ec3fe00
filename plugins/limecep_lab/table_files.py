"""Tables in files: Parquet, CSV and JSON lines, one file or a folder of parts, read and written in order."""

from __future__ import annotations

import contextlib
import csv
import glob
import io
import re
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from limecep.errors import ConfigurationError, RunFailure
from limecep.problems import Problem

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from pyspark.sql import DataFrame, SparkSession

FORMATS = ("parquet", "csv", "jsonl")
#: Extensions, with what they stand for.
_EXTENSIONS = {".parquet": "parquet", ".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl"}
#: How Spark is to read and write text: as everyone does.
_CSV = {"quote": '"', "escape": '"'}
_SPARKS = {"parquet": "parquet", "csv": "csv", "jsonl": "json"}


def add_input(parser: argparse.ArgumentParser, help: str) -> None:
    """Adds a table that is read: `--from`, and its format."""
    parser.add_argument("--from", metavar="PATH", dest="source", required=True, help=help)
    parser.add_argument(
        "--from-format",
        dest="source_format",
        choices=FORMATS,
        help="its format, where its name does not tell (.parquet .csv .jsonl)",
    )


def add_output(parser: argparse.ArgumentParser) -> None:
    """Adds a table that is written: `--into`, and its format."""
    parser.add_argument(
        "--into",
        metavar="PATH",
        required=True,
        help="what is written: a file, NAME.csv or NAME.jsonl, or a folder, NAME.parquet or with --format",
    )
    parser.add_argument("--format", choices=FORMATS, help="the format of a folder whose name does not tell")


def format_of(path: str, given: str | None) -> str:
    """The format of a table: what is said of it, else what its name tells, else those of the files in it.

    Raises:
        ConfigurationError: It cannot be told.
    """
    names = [path]
    if "://" not in path and Path(path).is_dir():
        names += sorted(p.name for p in Path(path).iterdir() if p.name[0] not in "._")[:1]
    for name in names:
        found = given or _EXTENSIONS.get(Path(name.removesuffix(".gz")).suffix)
        if found:
            return found
    raise ConfigurationError(
        [
            Problem(
                code="unknown-format",
                message=f"the name of '{path}' does not say what its format is",
                hint=f"end it with {', '.join(_EXTENSIONS)}, or say --format or --from-format",
            )
        ]
    )


def read(spark: SparkSession, path: str, given: str | None = None) -> DataFrame:
    """A table. Cells of CSV are text; the types of JSON are those that Spark finds.

    Args:
        spark: The session.
        path: A file, a folder, or a pattern of either.
        given: Its format, where its name does not tell.

    Raises:
        ConfigurationError: Its format cannot be told.
        RunFailure: It is not there.
        PySparkException: It cannot be read.
    """
    if "://" not in path and not glob.glob(path) and not Path(path).exists():
        raise RunFailure(f"there is no file or folder {path}")
    format = format_of(path, given)
    reader = spark.read.format(_SPARKS[format])
    if format != "parquet":
        reader = reader.option("mode", "FAILFAST")
    if format == "csv":
        reader = reader.options(header=True, **_CSV)
    # What is there is meant by its name, whatever characters that has.
    there = "://" not in path and Path(path).exists()
    return reader.load(literal(path) if there else _absolute(path))


def write(frame: DataFrame, path: str, given: str | None = None) -> None:
    """Writes a table, part by part in its order. What is there is left alone; what fails leaves nothing.

    Args:
        frame: The table.
        path: A file, where its name has the extension of CSV or JSON lines, else a folder.
        given: Its format, where its name does not tell.

    Raises:
        ConfigurationError: Its format cannot be told or is not written, or something is there.
        RunFailure: It cannot be written.
    """
    format = format_of(path, given)
    if path.endswith(".gz"):
        hint = f"name it {path.removesuffix('.gz')}, and compress it afterwards"
        raise ConfigurationError(
            [Problem(code="unknown-format", message=f"{path}: no gzip is written", hint=hint)]
        )
    if "://" in path:
        _written(frame, path, format, header=True)
        return
    whole = Path(_absolute(path))
    vacant(path)
    try:
        whole.parent.mkdir(parents=True, exist_ok=True)
        with _beside(whole) as parts:
            one = format != "parquet" and whole.suffix in _EXTENSIONS
            _written(frame, str(parts), format, header=not one)
            if one:
                head = _head(frame.columns) if format == "csv" else ""
                _join(parts, head)
                (parts / "whole").replace(whole)
            else:
                for number, part in enumerate(_parts(parts)):
                    part.rename(parts / f"part-{number:05}.{format}")
                _clear(parts)
                parts.rename(whole)
    except OSError as error:
        raise RunFailure(f"{error.filename or path} cannot be written: {error.strerror}") from None


def vacant(path: str) -> None:
    """Sees that nothing is there.

    Raises:
        ConfigurationError: There is.
    """
    if "://" not in path and Path(path).exists():
        raise ConfigurationError(
            [
                Problem(
                    code="in-the-way", message=f"{path} is there already", hint="delete it, or name another"
                )
            ]
        )


def beside(path: str, what: str) -> str:
    """The name of a table that belongs to another: `stream.csv` has `stream-planted.parquet`."""
    stem = path.rstrip("/")
    for extension in _EXTENSIONS:
        stem = stem.removesuffix(extension)
    return f"{stem}-{what}.parquet"


def literal(path: str) -> str:
    """A path as Spark is to be told it: from the root, and not as a pattern of several."""
    return path if "://" in path else re.sub(r"([\\\[\]{}*?])", r"\\\1", _absolute(path))


def _head(columns: Sequence[str]) -> str:
    """The first line of CSV."""
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(columns)
    return line.getvalue()


def _absolute(path: str) -> str:
    """A path that Spark takes for the same, whose own folder is where it was started."""
    return path if "://" in path else str(Path(path).absolute())


def _written(frame: DataFrame, path: str, format: str, *, header: bool) -> None:
    writer = frame.write.format(_SPARKS[format])
    if format == "csv":
        writer = writer.options(header=header, **_CSV)
    # The folder is ours and new.
    writer.mode("overwrite" if "://" not in path else "errorifexists").save(path)


@contextlib.contextmanager
def _beside(whole: Path) -> Iterator[Path]:
    """A folder for parts, on the disk where the whole is to be; in the end none is left of this name."""
    parts = Path(tempfile.mkdtemp(prefix=f".{whole.name}-", dir=whole.parent))
    parts.chmod(0o755)
    try:
        yield parts
    finally:
        shutil.rmtree(parts, ignore_errors=True)


def _parts(folder: Path) -> list[Path]:
    """The files with what was written, in order: Spark numbers them with at least five digits."""
    return sorted(folder.glob("part-*"), key=lambda p: (len(p.name.split("-")[1]), p.name))


def _clear(folder: Path) -> None:
    """Deletes what Spark writes besides."""
    for file in folder.iterdir():
        if not file.name.startswith("part-"):
            file.unlink()


def _join(folder: Path, head: str) -> None:
    """Makes one file of the parts; each leaves as soon as it is in, so that the disk holds little twice."""
    with (folder / "whole").open("wb") as whole:
        whole.write(head.encode())
        for part in _parts(folder):
            with part.open("rb") as file:
                shutil.copyfileobj(file, whole, 1 << 20)
            part.unlink()
