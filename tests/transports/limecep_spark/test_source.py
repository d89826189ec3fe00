"""Sources that Spark reads: tables and streams of messages, by the suite that every source passes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from limecep.testing.transport import SourceConformance
from limecep_spark.source import SparkSource
from limecep_spark.source_config import SparkSettings, SparkSourceOptions

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from limecep.contracts.context import Context
    from limecep.testing.transport import Outgoing

pytestmark = pytest.mark.spark

MESSAGES = pa.schema(
    [
        ("value", pa.binary()),
        ("key", pa.binary()),
        ("headers", pa.list_(pa.struct([("key", pa.string()), ("value", pa.binary())]))),
    ]
)
SCHEMA = "value BINARY, key BINARY, headers ARRAY<STRUCT<key: STRING, value: BINARY>>"


class Folders(SourceConformance):
    """Folders of Parquet files, with a message in each row."""

    keys = True
    headers = True

    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path, spark: Any) -> None:
        self._root = tmp_path

    def make_channel(self) -> str:
        name = uuid4().hex
        (self._root / name).mkdir()
        return name

    def publish(self, channel: str, messages: Sequence[Outgoing]) -> None:
        rows = [
            {"value": m.value, "key": m.key, "headers": [{"key": k, "value": v} for k, v in m.headers]}
            for m in messages
        ]
        name = uuid4().hex
        # What is not whole yet begins with a dot, so that Spark passes over it.
        pq.write_table(pa.Table.from_pylist(rows, MESSAGES), self._root / channel / f".{name}")
        (self._root / channel / f".{name}").rename(self._root / channel / f"{name}.parquet")

    def settings(self, channel: str) -> SparkSettings:
        raise NotImplementedError

    def make_source(self, channel: str, context: Context) -> SparkSource:
        context.root = self._root
        return SparkSource(channel, self.settings(channel), SparkSourceOptions(format="parquet"), context)


class TestStream(Folders):
    """A stream of files."""

    def settings(self, channel: str) -> SparkSettings:
        return SparkSettings(message="value", schema=SCHEMA, stream=True, checkpoint=f"checkpoints/{channel}")


class TestTable(Folders):
    """A table."""

    live = False
    log = True

    def settings(self, channel: str) -> SparkSettings:
        return SparkSettings(message="value")

    def make_unreachable(self, context: Context) -> SparkSource:
        return self.make_source("nothing", context)
