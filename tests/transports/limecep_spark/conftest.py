"""Spark for tests: one for all of them, as its start takes long."""

from __future__ import annotations

import os
import shutil
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

#: What of the machine the tests may have, and a Java that is at work soon rather than fast later.
CONF = {
    "spark.driver.memory": "1g",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Spark is started only for who asks for it."""
    if "spark" in config.option.markexpr:
        return
    unasked = pytest.mark.skip(reason="starts Spark: ask for it with -m spark")
    for item in items:
        if item.get_closest_marker("spark"):
            item.add_marker(unasked)


def need_spark() -> None:
    """The test skips where there is no Spark or Java, and fails where there must be."""
    missing = "pip install 'limecep[spark]'" if find_spec("pyspark") is None else ""
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        missing = "Java 17"
    if missing and os.environ.get("CI"):
        pytest.fail(f"Spark's tests need: {missing}")
    if missing:
        pytest.skip(f"needs: {missing}")


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
