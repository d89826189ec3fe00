"""A database in a file."""

from __future__ import annotations

import sqlite3
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from limecep.clock import SystemClock
from limecep.contracts.context import Context
from limecep.testing.bench import SilentLogger

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def context(tmp_path: Path) -> Context:
    return Context(
        label="sql",
        clock=SystemClock(),
        counters=Counter(),
        logger=SilentLogger(),
        root=tmp_path,
        pipeline="p",
    )


@pytest.fixture
def sql(tmp_path: Path) -> Callable[..., list[tuple[object, ...]]]:
    """Does something to the database, and gives the rows."""

    def do(statement: str, *values: object) -> list[tuple[object, ...]]:
        with sqlite3.connect(tmp_path / "a.db", timeout=10) as connection:
            return connection.execute(statement, values).fetchall()

    return do
