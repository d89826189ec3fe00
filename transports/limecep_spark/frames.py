"""What Spark reads as messages: a row as one, or a column that has them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from limecep.contracts.source import Message

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

    from limecep_spark.config import SparkSettings, SparkSourceOptions

#: Rows as JSON, with times that have a zone and all their digits.
_JSON = {
    "timestampFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX",
    "timestampNTZFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSS",
}
#: What else a message has, where the columns beside it are those of Kafka, by the types they then have.
_BESIDE = {
    "key": ("binary", "string"),
    "headers": ("array<struct<key:string,value:binary>>",),
    "topic": ("string",),
    "partition": ("int",),
    "offset": ("bigint",),
    "timestamp": ("timestamp",),
}
#: Room for the rows of a micro-batch in the numbers of all rows.
_ROOM_ROWS = 1_000_000_000


def read(
    spark: SparkSession, channel: str, settings: SparkSettings, options: SparkSourceOptions, root: Path
) -> DataFrame:
    """What a source names, as a whole or as a stream.

    Args:
        spark: The session.
        channel: A path, a table or a topic.
        settings: The source's.
        options: Its connector's.
        root: The folder that relative paths are below.

    Raises:
        pyspark.errors.PySparkException: Spark cannot have it.
    """
    reader: Any = spark.readStream if settings.stream else spark.read
    given = dict(texts(options.options))
    if options.format == "kafka":
        named = not {"subscribe", "subscribePattern", "assign"}.isdisjoint(given)
        # Spark's expressions match whole names.
        by = {"subscribePattern": f"(?:{channel}).*"} if channel.startswith("^") else {"subscribe": channel}
        given = {"includeHeaders": "true", **({} if named else by), **given}
    if settings.schema:
        reader = reader.schema(settings.schema)
    reader = reader.options(**given)
    if not options.format:
        return reader.table(channel)
    reader = reader.format(options.format)
    return reader.load() if options.format == "kafka" else reader.load(path(channel, root))


def message_column(settings: SparkSettings, options: SparkSourceOptions) -> str:
    """The column that holds messages; "" where rows are records."""
    own = options.format == "kafka" and not settings.select
    return settings.message or ("value" if own else "")


def texts(options: Mapping[str, str | int | float | bool]) -> dict[str, str]:
    """Options as Spark takes them."""
    return {k: str(v).lower() if isinstance(v, bool) else str(v) for k, v in options.items()}


def path(channel: str, root: Path) -> str:
    """Where a path leads to; what has a scheme, or begins at the top, is left as it is."""
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]+:", channel) or channel.startswith("/"):
        return channel
    # The folder of a pipeline is no pattern, whatever it is called.
    return re.sub(r"([\\\[\]{}*?])", r"\\\1", str(root.absolute())) + f"/{channel}"


def taken(frame: DataFrame, select: str) -> DataFrame:
    """What is selected, by expressions or by a query of `input`.

    Raises:
        pyspark.errors.PySparkException: It means nothing to Spark.
    """
    if not select.strip():
        return frame
    spark, view = frame.sparkSession, f"limecep_{id(frame)}"
    head = select.split(None, 1)[0]
    if head.upper() == "WITH":
        query = f", {select.strip()[len(head) :]}"
    else:
        query = select if head.upper() == "SELECT" else f"SELECT {select} FROM input"
    frame.createOrReplaceTempView(view)
    try:
        # The name `input` is the query's own: a view of that name may be there already.
        return spark.sql(f"WITH input AS (SELECT * FROM {view}) {query}")
    finally:
        spark.catalog.dropTempView(view)


class Shape:
    """How rows become messages.

    Args:
        frame: The rows.
        message: The column that holds the message; none: the row is a record, written as JSON.

    Attributes:
        fields: The fields that all records have; None where only the codec knows.
        frame: The columns needed: `value`, and those of `columns` that are there.

    Raises:
        ValueError: There is no such column, or it holds no messages, or two have one name.
    """

    def __init__(self, frame: DataFrame, message: str) -> None:
        from pyspark.sql import functions as f

        types = dict(frame.dtypes)
        if len(types) < len(frame.columns):
            twice = sorted({c for c in frame.columns if frame.columns.count(c) > 1})
            raise ValueError(f"there are two columns named {', '.join(twice)}: give them names by 'select'")
        self.fields: tuple[str, ...] | None = None
        self.columns = ["value"]
        if not message:
            self.fields = tuple(frame.columns)
            value = f.to_json(f.struct("*"), _JSON)
            self.frame = frame.select(value.alias("value"))
            return
        if types.get(message) not in ("binary", "string"):
            said = "there is none" if message not in types else f"it holds {types[message]}"
            raise ValueError(
                f"'message' must name a column of text or bytes, not '{message}': {said}; there are: "
                f"{', '.join(f'{c} {t}' for c, t in types.items())}"
            )
        beside = [c for c, wanted in _BESIDE.items() if c != message and types.get(c) in wanted]
        if not {"topic", "partition", "offset"} <= set(beside):
            beside = [c for c in beside if c not in ("partition", "offset")]
        self.columns += beside
        # Bytes would cost twice as much on their way to Python.
        self.frame = frame.select(
            _column(message).alias("value"),
            *(f.unix_micros(c).alias(c) if c == "timestamp" else _column(c) for c in beside),
        )


class Rows:
    """Makes messages of rows.

    Args:
        columns: Those of the shape.
        channel: The channel of messages that do not name theirs.
        placed: Whether rows stand where they say, if they do.

    Attributes:
        placed: Whether rows say themselves where they stand.
    """

    def __init__(self, columns: list[str], channel: str, *, placed: bool) -> None:
        self._at = {name: n for n, name in enumerate(columns)}
        self._channel = channel
        self.placed = placed and "offset" in self._at

    def place(self, row: Any, batch: int, number: int) -> tuple[str, int]:
        """Where a row stands: the log, and the place in it.

        Args:
            row: The row.
            batch: The number of the micro-batch.
            number: Its number in there, from 1.
        """
        at = self._at
        if self.placed:
            return f"{row[at['topic']]}:{row[at['partition']]}", row[at["offset"]]
        return self._channel, batch * _ROOM_ROWS + number

    def message(self, row: Any, position: str, t_arr: int | None) -> Message:
        """The message of a row."""
        headers = [tuple(h.values()) if isinstance(h, dict) else h for h in self._of(row, "headers") or ()]
        return Message(
            _bytes(row[0]) or b"",
            self._of(row, "topic") or self._channel,
            position,
            t_arr,
            _bytes(self._of(row, "key")),
            tuple([(name, bytes(value or b"")) for name, value in headers]),
            self._of(row, "timestamp"),
        )

    def _of(self, row: Any, column: str) -> Any:
        return row[self._at[column]] if column in self._at else None


def _bytes(value: Any) -> bytes | None:
    if value is None:
        return None
    return value.encode() if isinstance(value, str) else bytes(value)


def _column(name: str) -> Any:
    from pyspark.sql import functions as f

    # A dot in a name is part of it.
    return f.col("`" + name.replace("`", "``") + "`")
