"""Spark for the jobs of data, which are small here."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(autouse=True)
def _there() -> None:
    pytest.importorskip("pyspark", reason="the jobs of data need: pip install 'limecep[spark]'")


@pytest.fixture(scope="session")
def spark(spark: Any) -> Any:
    small = spark.newSession()
    small.conf.set("spark.sql.session.timeZone", "UTC")
    small.conf.set("spark.sql.shuffle.partitions", "2")
    return small
