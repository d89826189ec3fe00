"""The event time, or the arrival time, of a source's records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from limecep.contracts.codec import Spelled
from limecep.intake.fields import Getter, Unusable, getter, missing, plain_name
from limecep.intake.times import (
    FORMATS,
    NUMERIC,
    TimeReader,
    Unreadable,
    form_reader,
    time_reader,
    times_reader,
)
from limecep.intake.zones import LocalTimes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limecep.config.model import TimeConfig
    from limecep.contracts.codec import Record
    from limecep.contracts.source import Message
    from limecep.contracts.time import TimeFormat
    from limecep.intake.years import Years

#: Gives the instant of a record, which arrived at the last argument, if anybody knows.
InstantReader = Callable[["Record", "Message", "int | None"], int]
#: Gives whose time it is, as text.
Owner = Callable[["Record", "Message"], str]


class Instants:
    """Reads one time of each record.

    Args:
        what: What it is called, for messages.
        config: How it is read.
        levels: What separates the levels of a channel.
        owner: Whose readings go forward, where the order of a channel decides.
        decimal: The decimal mark of numbers that come as text; those with a point are read in any case.
        brought: The time format of a plugin that reads it; None where none does.

    Attributes:
        read: Gives it, in microseconds since 1970 UTC. It raises `Unusable`, and `Inexact` where a float
            does not tell it.
        field: The name of the field that says it, where that alone does; else "".
        read_all: Gives it for many values of that field. It raises `Unreadable` or `Inexact` if it cannot be
            told for one of them.
    """

    def __init__(
        self,
        what: str,
        config: TimeConfig,
        levels: str,
        owner: Owner,
        decimal: str = ".",
        brought: TimeFormat | None = None,
    ) -> None:
        self._what = what
        self._config = config
        self._owner = owner
        zoned = config.zone is not None and config.format not in NUMERIC
        self._local = LocalTimes(config.zone or "", config.fold) if zoned else None
        self._years: Years | None = None
        self._brought = brought
        get = getter(config.field, levels) if not config.joined else _joined(what, config.paths, levels)
        if decimal != "." and config.format in NUMERIC:
            get = _pointed(get, decimal)
        read = self._reader()
        self.read: InstantReader = self._reading(get, read)
        self.field = "" if config.joined or decimal != "." or self.remembers else plain_name(config.field)
        self.read_all = times_reader(config.format, read)

    @property
    def remembers(self) -> bool:
        """Whether it remembers anything of what it read, so that each record is to be read once."""
        return self._local is not None or self._years is not None

    @property
    def sequential(self) -> bool:
        """Whether what a record says may depend on those before it."""
        if self._local is not None and self._config.fold == "order":
            return True
        return self._years is not None and self._config.year != "arrival"

    @property
    def changes(self) -> Counter[str]:
        """What there is to count of changes of the clocks, as `LocalTimes.counts`."""
        return Counter() if self._local is None else self._local.counts

    def remembered(self) -> dict[str, Any]:
        """What it has to know, as values of JSON, to go on in a later life of the pipeline."""
        return {
            "zone": None if self._local is None else self._local.remembered(),
            "years": None if self._years is None else self._years.remembered(),
        }

    def recall(self, known: Mapping[str, Any]) -> None:
        """Goes on from what was `remembered`."""
        if self._local is not None and known["zone"] is not None:
            self._local.recall(known["zone"])
        if self._years is not None and known["years"] is not None:
            self._years.recall(known["years"])

    def _reader(self) -> TimeReader:
        format = self._config.format
        if self._brought is not None:
            from limecep.intake.brought_times import brought_reader

            return brought_reader(format, self._brought)
        if format == "iso8601":
            from limecep.intake.iso8601 import iso_reader

            return iso_reader(self._local)
        if format in FORMATS:
            return time_reader(format, None)
        # Most times are of ISO 8601, or numbers.
        from limecep.intake.stamps import Form

        form = Form(format)
        if self._config.year is None:
            return form_reader(format, form.read, self._local)
        from limecep.intake.years import Years

        self._years = Years(form, self._config.year)
        return form_reader(format, self._years.read, self._local)

    def _reading(self, get: Getter, read: TimeReader) -> InstantReader:
        what, path = self._what, " ".join(self._config.paths)

        def plainly(record: Record, message: Message, arrival: int | None) -> int:
            value = get(record, message)
            if value is None:
                raise Unusable(missing(what, path))
            try:
                return read(value)
            except Unreadable as error:
                raise Unusable(f"{what} '{path}' {error}") from None

        local = self._local if self._config.fold == "order" else None
        years, owner = self._years, self._owner

        def knowing(record: Record, message: Message, arrival: int | None) -> int:
            if local is not None:
                local.turn(message.channel, owner(record, message))
            if years is None:
                return plainly(record, message, arrival)
            years.turn(message.channel, arrival)
            t = plainly(record, message, arrival)
            years.note(t)
            return t

        return plainly if local is None and years is None else knowing


def instants(
    what: str,
    config: TimeConfig | None,
    levels: str,
    owner: Owner,
    decimal: str,
    brought: Mapping[str, TimeFormat],
) -> Instants | None:
    """`Instants`, if there is anything to read. `brought` has the time formats of plugins by what they read,
    `time` or `arrival`."""
    return None if config is None else Instants(what, config, levels, owner, decimal, brought.get(what))


def _pointed(get: Getter, decimal: str) -> Getter:
    """Reads numbers with another decimal mark as if it were the point."""

    def pointed(record: Record, message: Message) -> Any:
        value = get(record, message)
        return value.replace(decimal, ".", 1) if type(value) is str and "." not in value else value

    return pointed


def _joined(what: str, paths: tuple[str, ...], levels: str) -> Getter:
    """Reads the text of several fields, with blanks between."""
    parts = [(path, getter(path, levels)) for path in paths]

    def get(record: Record, message: Message) -> str:
        texts = []
        for path, part in parts:
            value = part(record, message)
            if value is None:
                raise Unusable(missing(what, path))
            if type(value) not in (str, int, Spelled):
                raise Unusable(f"{what} '{path}' is neither text nor a whole number")
            texts.append(str(value).strip())
        return " ".join(texts)

    return get
