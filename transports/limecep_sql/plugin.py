"""What this plugin brings."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl
from limecep_sql.config import SqlOptions, SqlSettings, SqlSinkSettings, SqlTableOptions

SOURCE = ComponentSpec(
    kind="source",
    name="sql",
    factory="limecep_sql.source:SqlSource",
    options=SqlOptions,
    settings=SqlSettings,
    summary="Rows of a table of a database, in the order of a column that grows",
    example="""\
connectors:
  plant: {type: sql, url: "sqlite:///plant.db"}
sources:
  readings: {from: plant, channel: readings, by: id, every: 1s, as: Reading, time: ts, id: id}""",
    requires=("sqlalchemy",),
    extra="sql",
    levels=".",
)
SINK = ComponentSpec(
    kind="sink",
    name="sql",
    factory="limecep_sql.sink:SqlSink",
    options=SqlOptions,
    settings=SqlSinkSettings,
    summary="Rows of a table of a database: a row a record, or a match as it is now",
    example="""\
connectors:
  plant: {type: sql, url: "sqlite:///plant.db"}
sinks:
  log: {to: plant, channel: alerts}
  now: {to: plant, channel: alerts_now, mode: upsert}""",
    requires=("sqlalchemy",),
    extra="sql",
    capabilities=frozenset({"channel", "encodes"}),
)
TABLE = ComponentSpec(
    kind="table",
    name="sql",
    factory="limecep_sql.table:SqlTable",
    options=SqlTableOptions,
    summary="Rows of a database: of a query, or of a table",
    example="""\
tables:
  limits: {from: sql, url: "sqlite:///plant.db", query: "SELECT machine, max FROM limits", key: machine}""",
    requires=("sqlalchemy",),
    extra="sql",
    capabilities=frozenset({"checked"}),
)


@hookimpl
def limecep_sources() -> list[ComponentSpec]:
    return [SOURCE]


@hookimpl
def limecep_sinks() -> list[ComponentSpec]:
    return [SINK]


@hookimpl
def limecep_tables() -> list[ComponentSpec]:
    return [TABLE]
