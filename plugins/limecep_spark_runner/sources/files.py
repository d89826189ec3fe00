"""Files: Spark finds them, and the workers read them with the transport of files."""

from __future__ import annotations

import glob
import os
import re
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from limecep.errors import RunFailure
from limecep_spark_runner.sources.contract import Piece

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Iterator

    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

    from limecep.embedding.pipelines import Feed, SourceConfig
    from limecep_spark_runner.config import SparkOptions
    from limecep_spark_runner.work import Work

_BINARY = "path string, modificationTime timestamp, length long, content binary"


class Files:
    """Reads a file, or those that a pattern finds (`limecep_spark_runner.sources.contract`).

    Args:
        work: The pipeline.
        source: The source.
    """

    def __init__(self, work: Work, source: SourceConfig) -> None:
        self._work = work
        # A file that was found is read to its end.
        settings = replace(source.settings, follow=False)
        self._source = replace(source, settings=settings)
        self._root = work.config.root / source.connector.options.root
        self._follows = source.live

    def look(self) -> None:
        """There is at least one; of a folder that is followed the first may be still to come."""
        if self._follows:
            return
        feed = self._feed(self._source.channel)
        try:
            feed.open()
        finally:
            feed.close()
        for name in glob.glob(self._source.channel, root_dir=self._root):
            if _passed_over(Path(name).name):
                raise RunFailure(
                    f"source '{self._source.name}': Spark passes over {name}, for its name: rename it"
                )

    def raw(self, spark: SparkSession, options: SparkOptions) -> DataFrame:
        """The paths of files. Workers open them themselves."""
        # Files that are much older than others are not to be passed over.
        reader = spark.readStream.format("binaryFile").schema(_BINARY).option("maxFileAge", "365000d")
        if options.files_per_batch:
            reader = reader.option("maxFilesPerTrigger", options.files_per_batch)
        return reader.load(_pattern(self._root, self._source.channel)).select("path")

    def pieces(self, batches: Iterable[pa.RecordBatch], counts: Counter[str]) -> Iterator[Piece]:
        """What is in files."""
        for batch in batches:
            for channel in map(self._channel, batch.column("path").to_pylist()):
                if _found(channel, self._source.channel):
                    counts["files"] += 1
                    feed = self._feed(channel)
                    yield from map(Piece._make, feed.whole())
                    counts.update(feed.reader.changes)

    def _feed(self, channel: str) -> Feed:
        # Nobody reads on where a file ends.
        config = replace(self._work.config, sources=(replace(self._source, channel=channel),), state=None)
        (feed,) = self._work.assembly(config).feeds()
        return feed

    def _channel(self, path: str) -> str:
        """What a file is called in one process, too: as the source's channel is, below its root or not."""
        file = path.removeprefix("file:") if not path.startswith("file://") else unquote(urlsplit(path).path)
        if Path(self._source.channel).is_absolute():
            return file
        return os.path.relpath(file, self._root)


def _found(file: str, channel: str) -> bool:
    """Whether a file that Spark has found is one of a channel. Spark also looks into folders that a pattern
    finds, and takes a * for any name, as hidden ones."""
    if not glob.has_magic(channel):
        return True
    names, patterns = (os.path.normpath(p).split("/") for p in (file, channel))
    return len(names) == len(patterns) and all(
        n == p or (fnmatchcase(n, p) and n.startswith(".") == p.startswith("."))
        for n, p in zip(names, patterns, strict=True)
    )


def _passed_over(name: str) -> bool:
    """Whether Spark reads no file of that name."""
    return (name.startswith("_") and "=" not in name) or name.endswith("._COPYING_")


def _pattern(root: Path, channel: str) -> str:
    """The pattern that Spark finds the files of a channel by. Spark takes a single file only as one of those
    that a pattern finds: so one of its letters becomes a set of one."""
    if glob.has_magic(channel) and not (root / channel).exists():
        found = re.sub(r"([{}])", _QUOTE, channel)
        return found if Path(channel).is_absolute() else f"{_quoted(str(root))}/{found}"
    head, letter, tail = re.fullmatch(r"(.*?)(\w?)(\W*)", str(root / channel), re.DOTALL).groups()  # type: ignore[union-attr]
    return f"{_quoted(head)}[{letter}]{_quoted(tail)}"


_QUOTE = r"\\\1"


def _quoted(text: str) -> str:
    """A text as what finds nothing but itself."""
    return re.sub(r"([\\\[\]{}*?])", _QUOTE, text)
