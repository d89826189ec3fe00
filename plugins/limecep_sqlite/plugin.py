"""What this plugin brings."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl
from limecep_sqlite.config import SqliteOptions

STATE = ComponentSpec(
    kind="state",
    name="sqlite",
    factory="limecep_sqlite.store:SqliteStore",
    options=SqliteOptions,
    summary="Keeps the state in a folder, in an SQLite database",
    default=True,
    example="""\
state: {dir: ./state}""",
)


@hookimpl
def limecep_state_stores() -> list[ComponentSpec]:
    return [STATE]
