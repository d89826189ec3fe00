"""A database: connections to it, its tables, and what its errors mean."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, InterfaceError, NoSuchTableError, OperationalError, SQLAlchemyError

from limecep.errors import RunFailure
from limecep.problems import suggestion
from limecep_sql.address import CONNECT_SECONDS, address_of, arguments_of, shown

if TYPE_CHECKING:
    from collections.abc import Collection

    from limecep.contracts.context import Context
    from limecep_sql.config import SqlOptions

#: The first wait before a new try, in seconds.
FIRST_WAIT_SECONDS = 0.5
#: What waiting does not change, in the words of PostgreSQL and its client; for what else is an error of
#: operation it is no use to look at the words.
_FOR_GOOD = (
    "authentication failed",
    "does not exist",
    "no pg_hba.conf",
    "no password supplied",
    "permission denied",
)
#: What waiting may change with SQLite, whose errors are nearly all errors of operation.
_FOR_NOW = ("locked", "busy")


class Trouble(NamedTuple):
    """Why something could not be done.

    Attributes:
        words: For the user.
        again: Whether it may be tried again.
    """

    words: str
    again: bool


class Database:
    """A database of one component.

    Args:
        options: The connector's options.
        context: Of the component.
        seconds: How long a connection may take; None for as long as connections may.

    Attributes:
        engine: Makes connections.
        file: The file it is; None where it is none.
        shown: Where it is, for the user.
        serial: Whether transactions that write come one after the other.
    """

    def __init__(self, options: SqlOptions, context: Context, seconds: int | None = None) -> None:
        address = address_of(options.url, context.root)
        self.shown = shown(options.url)
        self.serial = address.get_backend_name() == "sqlite"
        self.file = address.database if self.serial else None
        arguments = arguments_of(address, f"limecep {context.pipeline}", seconds or CONNECT_SECONDS)
        self._password = address.password or ""
        self._longest = options.retry_max / 1_000_000
        try:
            self.engine = sa.create_engine(address, connect_args=arguments, pool_size=1)
        except (SQLAlchemyError, ImportError) as error:
            raise RunFailure(f"{self.shown}: there is no driver for it: {error}") from None

    def trouble(self, error: Exception) -> Trouble:
        """What an error means."""
        cause = getattr(error, "orig", None) or error
        said = " ".join(str(cause).split()) or type(cause).__name__
        if self._password:
            said = said.replace(self._password, "***")
        low = said.lower()
        if isinstance(error, DBAPIError) and error.connection_invalidated:
            again = True
        elif isinstance(error, (OperationalError, InterfaceError)):
            again = any(w in low for w in _FOR_NOW) if self.serial else not any(w in low for w in _FOR_GOOD)
        else:
            again = False
        return Trouble(f"{self.shown}: {said[:500]}", again)

    def wait(self, tries: int) -> float:
        """How long to wait after so many tries, in seconds."""
        wait: float = min(self._longest, FIRST_WAIT_SECONDS * 2.0 ** min(tries - 1, 16))
        return wait * random.uniform(0.8, 1.0)

    def table(self, connection: sa.Connection, name: str) -> sa.Table:
        """A table as it is.

        Raises:
            RunFailure: There is none of that name.
        """
        schema, _, plain = name.rpartition(".")
        try:
            return sa.Table(plain, sa.MetaData(), schema=schema or None, autoload_with=connection)
        except NoSuchTableError:
            inspector = sa.inspect(connection)
            there = [
                *inspector.get_table_names(schema or None),
                *inspector.get_view_names(schema or None),
            ]
            hint = suggestion(plain, there)
            raise RunFailure(f"{self.shown} has no table '{name}'" + (f": {hint}" if hint else "")) from None

    def close(self) -> None:
        """Ends the connections."""
        self.engine.dispose()


def check_growing(connection: sa.Connection, table: sa.Table, by: str, column: str) -> None:
    """Whether a table can be read by a column.

    Raises:
        RunFailure: A column is missing, or is not what it must be.
    """
    for key, name in (("by", by), ("column", column)):
        if name and name not in table.columns:
            raise RunFailure(_no_column(table, key, name))
    if not isinstance(table.columns[by].type, sa.Integer):
        kind = table.columns[by].type
        raise RunFailure(
            f"table '{table.name}': column '{by}', which 'by' names, is no whole number but {kind}"
        )
    keys: list[set[str | None]] = [{c.name for c in table.primary_key.columns}]
    inspector = sa.inspect(connection)
    keys += [set(c["column_names"]) for c in inspector.get_unique_constraints(table.name, table.schema)]
    keys += [set(i["column_names"]) for i in inspector.get_indexes(table.name, table.schema) if i["unique"]]
    view = table.name in inspector.get_view_names(table.schema)
    if {by} not in keys and not view:
        raise RunFailure(
            f"table '{table.name}': no two rows may have one '{by}', or some would be missed: give it "
            "a unique index"
        )


def _no_column(table: sa.Table, key: str, name: str) -> str:
    names: Collection[Any] = table.columns.keys()
    hint = suggestion(name, names)
    return f"table '{table.name}' has no column '{name}', which '{key}' names" + (f": {hint}" if hint else "")
