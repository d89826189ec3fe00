"""Spark for tests: one for all of them, as its start takes long."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from limecep.testing.broker import Unavailable, free_port

if TYPE_CHECKING:
    from collections.abc import Iterator

#: What of the machine the tests may have, and a Java that is at work soon rather than fast later.
CONF = {
    "spark.driver.memory": "1g",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}


#: The environment of a cluster's master and workers.
DAEMONS = {"SPARK_DAEMON_MEMORY": "256m", "SPARK_LOCAL_IP": "127.0.0.1"}


def need_spark() -> None:
    if find_spec("pyspark") is None:
        raise Unavailable("there is no Spark: pip install 'limecep[spark]'")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        raise Unavailable("there is no Java: install a JRE, version 17 or newer")


@pytest.fixture
def java() -> dict[str, str]:
    """Settings of Spark for a process of its own."""
    need_spark()
    return CONF


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """The session that runs in this process use."""
    need_spark()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    from pyspark.sql import SparkSession

    from limecep_spark.session import kafka_package

    builder = SparkSession.builder.master("local[2]").appName("tests")
    builder = builder.config("spark.ui.enabled", "false").config("spark.log.level", "ERROR")
    builder = builder.config("spark.ui.showConsoleProgress", "false")
    # For those who read topics; the others do not mind.
    builder = builder.config("spark.jars.packages", kafka_package())
    for key, value in CONF.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    yield session
    session.stop()


@pytest.fixture
def cluster(java: dict[str, str], tmp_path: Path) -> Iterator[str]:
    """The address of a master that has two workers, of one core each."""
    import pyspark

    workers = 2
    start = [str(Path(pyspark.__file__).parent / "bin/spark-class")]
    port, *pages = (free_port() for _ in range(workers + 2))
    place = ["--host", "127.0.0.1"]
    url = f"spark://127.0.0.1:{port}"
    master = [*place, "--port", str(port), "--webui-port", str(pages[0])]
    commands = [[*start, "org.apache.spark.deploy.master.Master", *master]]
    size = ["--cores", "1", "--memory", "1g", "--work-dir", str(tmp_path / "work")]
    for page in pages[1:]:
        worker = [*place, *size, "--webui-port", str(page), url]
        commands.append([*start, "org.apache.spark.deploy.worker.Worker", *worker])
    log = tmp_path / "cluster.log"
    with log.open("wb") as out:
        started = [
            subprocess.Popen(c, stdout=out, stderr=out, env={**os.environ, **DAEMONS}) for c in commands
        ]
        try:
            deadline = time.monotonic() + 120
            while log.read_text().count("Registering worker") < workers:
                assert time.monotonic() < deadline, log.read_text()
                time.sleep(0.2)
            yield url
        finally:
            for process in reversed(started):
                process.terminate()
            for process in started:
                process.wait()
