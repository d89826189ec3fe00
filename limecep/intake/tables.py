"""The rows of tables: read once, before the first event."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from limecep.contracts.codec import (
    DecimalMarked,
    KeepingText,
    ReadingText,
    Spelled,
    Undecodable,
)
from limecep.contracts.options import Encoded, EndingLines
from limecep.contracts.source import Message
from limecep.contracts.stand_in import sound_rows
from limecep.encoding import to_json
from limecep.errors import words
from limecep.intake.fields import Unusable, exact, getter
from limecep.intake.given import attributes
from limecep.intake.instants import Instants
from limecep.intake.payload import plain
from limecep.intake.times import Inexact
from limecep.model.keys import canonical
from limecep.model.table import Table, TableRow
from limecep.problems import Problem, suggestion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from limecep.config.model import ComponentConfig, TimeConfig
    from limecep.contracts.codec import Codec, Decoded, Record
    from limecep.contracts.context import Context

    #: Makes a component of a spec, a context and what comes before it in the arguments of a factory.
    Make = Callable[..., Any]

#: How many rows, or keys, are shown of those with which something is wrong.
_SHOWN = 3
#: What stands for the message of a row, whose time may depend on those before it.
_NOWHERE = Message(b"", "", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class TableConfig:
    """One table: a block under `tables`.

    Attributes:
        name: As queries call it.
        component: What brings its rows.
        channel: Where they are: a file's path; "" where nothing is said.
        codec: The codec of the messages in which they come; None where they come in none.
        key: The columns of its key.
        from_time: How the time is read from which on a row holds; None: rows always hold.
        table: What queries look into: its rows are filled in once they are read.
    """

    name: str
    component: ComponentConfig
    channel: str = ""
    codec: ComponentConfig | None = None
    key: tuple[str, ...]
    from_time: TimeConfig | None = None
    table: Table


@dataclass(slots=True)
class Reading:
    """What reading a table gave.

    Attributes:
        rows: Its rows, as `limecep.model.table.Rows` lists them.
        problems: What is wrong with them, each with the key of the table's block that it is about.
    """

    rows: list[TableRow] = field(default_factory=list)
    problems: list[tuple[str, Problem]] = field(default_factory=list)

    @property
    def digest(self) -> str:
        """Tells the rows from others."""
        return digest(self.rows)


def digest(rows: Sequence[TableRow]) -> str:
    """Tells rows from others. The order of those that hold from one time on makes no difference, nor that of
    their columns."""
    told = sorted((r.begins or 0, to_json([r.key, r.begins, sorted(r.values.items())])) for r in rows)
    return hashlib.sha256(b"\n".join(text for _, text in told)).hexdigest()


class _Row(dict[str, Any]):
    """A row that knows where it stood, and how its values were written: of a time every digit may count."""

    position = ""
    written: Record


class MessageRows:
    """Makes rows of messages (`limecep.contracts.table.RowReader`). Cells of an untyped format are what they
    read as, like those of events.

    Args:
        codec: The codec.

    Attributes:
        refused: Where what was no row stood, and why it is none.
    """

    def __init__(self, codec: Codec) -> None:
        self.refused: list[tuple[str, str]] = []
        self._codec = codec
        self._reads: Callable[[str], Any] | None = None
        self._texts: frozenset[str] = frozenset()
        if codec.untyped:
            self._reads = codec.plain if isinstance(codec, ReadingText) else plain
            if isinstance(codec, KeepingText):
                self._texts = frozenset(codec.texts)

    def read(self, messages: Sequence[Message]) -> Iterator[_Row]:
        """The rows of some messages."""
        return self._rows(self._codec.decode(messages))

    def finish(self) -> Iterator[_Row]:
        """What was held back."""
        return self._rows(self._codec.finish())

    def _rows(self, decoded: Sequence[Decoded]) -> Iterator[_Row]:
        reads = self._reads
        for message, record in decoded:
            if isinstance(record, Undecodable):
                self.refused.append((message.position, record.error))
                continue
            row = _Row(record)
            if reads is not None:
                for name, cell in record.items():
                    if name not in self._texts and isinstance(cell, str):
                        row[name] = reads(cell)
            row.position, row.written = message.position, record
            yield row


def read_table(config: TableConfig, make: Make, context: Context) -> Reading:
    """The rows of a table.

    Args:
        config: The table.
        make: Makes components.
        context: What the component is given.

    Raises:
        RunFailure: They cannot be read.
        Exception: The component raises what it should not.
    """
    messages = None
    decimal = "."
    if config.codec is not None:
        options = config.codec.options
        if isinstance(options, Encoded):
            context.encoding = options.encoding
        if isinstance(options, EndingLines):
            context.whole = options.whole
        context.lines = "lines" in config.component.spec.capabilities
        codec = make(config.codec.spec, context, options)
        if config.codec.brought:
            from limecep.intake.checked import checked

            codec = checked(codec)
        decimal = codec.decimal if isinstance(codec, DecimalMarked) else "."
        context.rows = messages = MessageRows(codec)
    component = make(config.component.spec, context, config.channel, config.component.options)
    reading = _Reading(config, _instants(config, make, context, decimal))
    for row in sound_rows(component):
        reading.take(row)
    return reading.done([] if messages is None else messages.refused)


def _instants(config: TableConfig, make: Make, context: Context, decimal: str) -> Instants | None:
    time = config.from_time
    if time is None:
        return None
    brought = None if time.brought is None else make(time.brought.spec, context, time.brought.options)
    return Instants("from_time", time, "/", lambda record, message: "", decimal, brought)


class _Reading:
    """Takes rows."""

    def __init__(self, config: TableConfig, instants: Instants | None) -> None:
        self._config = config
        self._instants = instants
        self._getters = [getter(path, "/") for path in config.key]
        self._known: dict[tuple[Any, ...], tuple[str, TableRow]] = {}
        self._columns: dict[str, None] = {}
        self._count = 0
        self._wrong: list[str] = []
        self._twice: list[str] = []

    def take(self, given: Mapping[str, Any]) -> None:
        """The next row."""
        self._count += 1
        place = getattr(given, "position", "") or f"row {self._count:,}"
        # A row with a value that cannot be used has its columns all the same.
        self._columns.update((name, None) for name in given if isinstance(name, str))
        try:
            values = dict(given) if isinstance(given, _Row) else attributes(given)
            written = given.written if isinstance(given, _Row) else values
            row = TableRow(self._key(values), self._begins(written), values)
        except Unusable as error:
            self._wrong.append(f"{place}: {error}")
            return
        # True is 1 to Python, and another key here.
        told = (row.begins, *((type(part) is bool, part) for part in row.key))
        before = self._known.pop(told, None)
        if before is not None:
            self._twice.append(f"{self._shown(row)} at {before[0]} and {place}")
        self._known[told] = place, row

    def _key(self, values: dict[str, Any]) -> tuple[Any, ...]:
        found = []
        for path, get in zip(self._config.key, self._getters, strict=True):
            value = get(values, _NOWHERE)
            if value is None:
                raise Unusable(f"there is no value in the column '{path}' of the key")
            part = canonical(value)
            if part is None:
                raise Unusable(f"the column '{path}' of the key holds {value!r}, which is no key")
            found.append(part)
        return tuple(found)

    def _begins(self, values: dict[str, Any]) -> int | None:
        if self._instants is None:
            return None
        try:
            return self._instants.read(values, _NOWHERE, None)
        except Inexact:
            spelled = {n: Spelled(repr(v)) if type(v) is float else v for n, v in values.items()}
            return self._instants.read(spelled, _NOWHERE, None)

    def _shown(self, row: TableRow) -> str:
        key = ", ".join(map(repr, row.key))
        return f"({key})" if len(row.key) > 1 else key

    def done(self, refused: Sequence[tuple[str, str]]) -> Reading:
        """What all the rows gave."""
        component = self._config.component
        by = f" (of '{component.spec.name}' of {component.origin})" if component.brought else ""
        what = f"table '{self._config.name}'{by}"
        found = Reading(rows=[row for _, row in self._known.values()])
        found.rows.sort(key=lambda row: row.begins or 0)

        def add(key: str, code: str, message: str, hint: str, warning: bool = False) -> None:
            severity: Any = "warning" if warning else "error"
            found.problems.append((key, Problem(code=code, message=message, hint=hint, severity=severity)))

        times = () if self._config.from_time is None else self._config.from_time.paths
        named = [*(("key", path) for path in self._config.key), *(("from_time", path) for path in times)]
        missing = [(key, path) for key, path in named if not self._has(path)]
        if self._count and missing and len(self._wrong) == self._count:
            for key, path in missing:
                near = suggestion(path, self._columns)
                add(key, "unknown-column", f"no row of {what} has the column '{path}'", near)
            return found
        wrong = [*(f"{place}: {error}" for place, error in refused), *self._wrong]
        if wrong:
            said = f"{_rows(len(wrong))} of {what} cannot be used: {'; '.join(wrong[:_SHOWN])}"
            more = "; ..." if len(wrong) > _SHOWN else ""
            add("channel", "bad-row", said + more, "mend or remove it: what is not read would be missing")
        if self._twice:
            said = f"{what} has several rows for one key{self._of_time()}, and the last counts: "
            more = "; ..." if len(self._twice) > _SHOWN else ""
            hint = "remove all but one, or name in 'key' all that tells rows apart"
            add("channel", "duplicate-row", said + "; ".join(self._twice[:_SHOWN]) + more, hint, True)
        if not found.rows and not wrong:
            add("channel", "empty-table", f"{what} has no rows: all that is looked up is missing", "", True)
        return found

    def _has(self, path: str) -> bool:
        names = exact(path) or (path, path.partition(".")[0])
        return names[0] in self._columns or names[-1] in self._columns

    def _of_time(self) -> str:
        return "" if self._instants is None else " and time"


def _rows(count: int) -> str:
    return "1 row" if count == 1 else f"{count:,} rows"


def unread(config: TableConfig, error: BaseException) -> str:
    """Why a table cannot be read, in words for the user."""
    where = f" ({config.channel})" if config.channel and config.channel not in words(error) else ""
    return f"table '{config.name}'{where} cannot be read: {words(error)}"
