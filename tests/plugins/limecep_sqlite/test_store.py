"""What is said of odd databases."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import structlog
from structlog.testing import capture_logs

from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep_sqlite.config import SqliteOptions
from limecep_sqlite.store import SqliteStore

if TYPE_CHECKING:
    from pathlib import Path


def test_an_empty_file_is_told_and_a_whole_one_is_not(tmp_path: Path) -> None:
    def said() -> list[str]:
        logger = structlog.get_logger()
        context = Context(
            label="state", clock=ManualClock(), counters=Counter(), logger=logger, root=tmp_path
        )
        store = SqliteStore(SqliteOptions(dir="state"), context)
        with capture_logs() as logs:
            store.open()
        store.close()
        return [f"{entry['log_level']} {entry['event']}" for entry in logs]

    assert said() == said() == []
    (tmp_path / "state" / "state.db").write_bytes(b"")
    assert said() == ["warning the state is an empty file, and begins anew"]
