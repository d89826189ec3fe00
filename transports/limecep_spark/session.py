"""Spark itself: the session, and what has to be there for it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import warnings
from typing import TYPE_CHECKING, Protocol

from limecep.errors import RunFailure
from limecep_spark.frames import texts
from limecep_spark.noise import LOGGING, sifted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyspark.sql import SparkSession

#: Settings that say what Spark is given besides itself.
_JARS = frozenset({"spark.jars", "spark.jars.packages"})
_JAVA_VERSION = 17
_JAVA = "spark.driver.extraJavaOptions"
_STATE = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"


class Where(Protocol):
    """Where Spark is: whatever options have these fields.

    Attributes:
        master: Spark's master.
        conf: Settings of a Spark that is started for this.
    """

    @property
    def master(self) -> str: ...
    @property
    def conf(self) -> Mapping[str, str | int | float | bool]: ...


class Session:
    """A session of its own, for queries that keep state; on the Spark that this process uses already, if
    there is one.

    Args:
        where: Where Spark is.
        name: What it is called in Spark's pages.
        packages: What Spark has to fetch, unless the settings say what it is given.
        partitions: How many parts rows are divided into by their keys; 0 is as many as there are cores.

    Raises:
        RunFailure: There is no Java, or Spark cannot be started.
    """

    def __init__(self, where: Where, name: str, packages: Sequence[str] = (), *, partitions: int = 0) -> None:
        spark, self._own = running(where, name, packages)
        self.spark = spark.newSession()
        self.spark.conf.set("spark.sql.session.timeZone", "UTC")
        self.spark.conf.set("spark.sql.streaming.schemaInference", "true")
        keeps_state(self.spark)
        parts = partitions or self.spark.sparkContext.defaultParallelism
        self.spark.conf.set("spark.sql.shuffle.partitions", str(parts))

    def close(self) -> None:
        """Stops Spark, if it was started for this. May be called twice."""
        if self._own:
            with warnings.catch_warnings():
                # The signal that ends a run ends Spark's own process as well, perhaps sooner.
                warnings.filterwarnings("ignore", "Unable to cleanly shutdown Spark", RuntimeWarning)
                self.spark.stop()


def keeps_state(spark: SparkSession) -> None:
    """Has queries of a session that begin from now on keep the state of keys where it may be large."""
    spark.conf.set("spark.sql.streaming.stateStore.providerClass", _STATE)
    spark.conf.set("spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled", "true")


def same_python(spark: SparkSession) -> None:
    """Has workers on this machine run the Python that runs here, unless they were told what to run."""
    context = spark.sparkContext
    # Spark was told when it began.
    told = context.pythonExec == os.environ.get("PYSPARK_PYTHON", sys.executable)
    told = told or context.getConf().contains("spark.pyspark.python")
    if context.master.startswith("local") and not told:
        # The setting of Spark alone does not reach the workers of transformWithState.
        context.pythonExec = os.environ["PYSPARK_PYTHON"] = sys.executable


def running(where: Where, name: str, packages: Sequence[str] = ()) -> tuple[SparkSession, bool]:
    """The Spark that this process uses already, or one that is started; says whether it was. As `Session`."""
    _need_java()
    # The setting of Spark alone does not reach the workers of transformWithState.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    known = SparkSession.getActiveSession()
    if known is not None:
        return known, False
    try:
        return _started(where, name, packages), True
    except (PySparkException, RuntimeError, OSError) as error:
        hint = f"; or it could not fetch {', '.join(packages)}" if packages else ""
        raise RunFailure(f"Spark cannot be started: {error}{hint}") from None


def _started(where: Where, name: str, packages: Sequence[str]) -> SparkSession:
    from pyspark.logger import PySparkLogger
    from pyspark.sql import SparkSession

    # What is raised is told; it need not stand in a log as well.
    for logger in ("DataFrameQueryContextLogger", "SQLQueryContextLogger"):
        PySparkLogger.getLogger(logger).disabled = True
    builder = SparkSession.builder.master(where.master).appName(f"limecep {name}")
    settings = {"spark.ui.showConsoleProgress": "false", "spark.log.level": "FATAL"}
    if where.master.startswith("local"):
        # Nobody else has to reach it, whatever the machine's name leads to.
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        settings |= {
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.ui.enabled": "false",
        }
    if packages and not _JARS & where.conf.keys():
        settings["spark.jars.packages"] = ",".join(packages)
    settings |= texts(where.conf)
    # Of two values for one option Java takes the last.
    settings[_JAVA] = f"{LOGGING} {settings.get(_JAVA, '')}".rstrip()
    for key, value in settings.items():
        builder = builder.config(key, value)
    with sifted():
        return builder.getOrCreate()


def kafka_package() -> str:
    """Spark's connector for Kafka, of the version that is installed."""
    import pyspark

    return f"org.apache.spark:spark-sql-kafka-0-10_2.13:{pyspark.__version__}"


def _need_java() -> None:
    # As Spark's own scripts look for it.
    home = os.environ.get("JAVA_HOME")
    java = f"{home}/bin/java" if home else shutil.which("java")
    if java is None:
        raise RunFailure("Spark needs Java 17 or newer: there is none in JAVA_HOME or PATH")
    try:
        shown = subprocess.run([java, "-version"], capture_output=True, text=True, errors="replace").stderr
    except OSError as error:
        raise RunFailure(
            f"Spark needs Java 17 or newer: {java} cannot be run: {error.strerror}. Correct "
            "JAVA_HOME, or unset it"
        ) from None
    # Java 8 called itself 1.8.
    version = re.search(r'version "(?:1\.)?(\d+)', shown)
    if version is not None and int(version[1]) < _JAVA_VERSION:
        raise RunFailure(f"Spark needs Java 17 or newer: {java} is Java {version[1]}")
