"""The built-in state store does what every state store must do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.testing.state import StateConformance
from limecep_sqlite.config import SqliteOptions
from limecep_sqlite.store import SqliteStore

if TYPE_CHECKING:
    from limecep.contracts.context import Context


class TestSqlite(StateConformance):
    def make_store(self, context: Context) -> SqliteStore:
        return SqliteStore(SqliteOptions(dir="state"), context)
