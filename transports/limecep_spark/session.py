"""Spark itself: the session, and what has to be there for it."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from limecep.errors import RunFailure
from limecep_spark.quiet import LOGGING, sifted

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from limecep_spark.config import SparkOptions

_JAVA = "spark.driver.extraJavaOptions"
_STATE = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"


class Session:
    """A session with the settings that the runner needs; on the Spark that this process uses already, if
    there is one.

    Args:
        options: The runner's.
        name: What it is called in Spark's pages.

    Raises:
        RunFailure: There is no Java, or Spark cannot be started.
    """

    def __init__(self, options: SparkOptions, name: str) -> None:
        _need_java()
        # The setting of Spark alone does not reach the workers of transformWithState.
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        from pyspark.errors import PySparkException
        from pyspark.sql import SparkSession

        known = SparkSession.getActiveSession()
        self._own = known is None
        try:
            started = known or _started(options, name)
        except (PySparkException, RuntimeError, OSError) as error:
            raise RunFailure(f"Spark cannot be started: {error}") from None
        self.spark = started.newSession()
        settings = self.spark.conf
        settings.set("spark.sql.session.timeZone", "UTC")
        settings.set("spark.sql.streaming.stateStore.providerClass", _STATE)
        settings.set("spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled", "true")
        parts = options.partitions or self.spark.sparkContext.defaultParallelism
        settings.set("spark.sql.shuffle.partitions", str(parts))

    def close(self) -> None:
        """Stops Spark, if it was started for this. May be called twice."""
        if self._own:
            self.spark.stop()


def _started(options: SparkOptions, name: str) -> SparkSession:
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(options.master).appName(f"limecep {name}")
    settings = {"spark.ui.showConsoleProgress": "false", "spark.log.level": "ERROR"}
    if options.master.startswith("local"):
        # Nobody else has to reach it, whatever the machine's name leads to.
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        settings |= {
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.ui.enabled": "false",
        }
    settings |= options.conf
    # Of two values for one option Java takes the last.
    settings[_JAVA] = f"{LOGGING} {settings.get(_JAVA, '')}".rstrip()
    for key, value in settings.items():
        builder = builder.config(key, value)
    with sifted():
        return builder.getOrCreate()


def _need_java() -> None:
    home = os.environ.get("JAVA_HOME")
    if not (home and (Path(home) / "bin/java").exists()) and shutil.which("java") is None:
        raise RunFailure("the runner spark needs Java 17 or newer: there is none in JAVA_HOME or PATH")
