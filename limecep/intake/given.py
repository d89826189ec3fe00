"""What a program has to events: dictionaries, tables of pandas, Arrow, Polars and numpy, and events
themselves, which are checked.

    events(frame, type="Reading", time="timestamp", zone="UTC")
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from limecep.contracts.codec import Spelled
from limecep.errors import LimecepError
from limecep.intake.fields import Unusable
from limecep.intake.identity import digest, spelled
from limecep.intake.times import Inexact, Unreadable, time_problem, time_reader
from limecep.intake.values import KNOWN, identity, instant, plain, whole
from limecep.intake.zones import LocalTimes
from limecep.model.event import Event
from limecep.model.time import EARLIEST, LATEST
from limecep.problems import suggestion

if TYPE_CHECKING:
    from collections.abc import Callable

_HINT = "give an Event, a dict, a list of these, or a table of pandas, Arrow, Polars or numpy"


class InvalidEvent(LimecepError, ValueError):
    """A program gave what cannot become an event.

    Attributes:
        number: Its place among what was given, the first being 0.
        given: The event or the record.
        error: What is wrong with it, in words for the user.
    """

    def __init__(self, number: int, given: object, error: str) -> None:
        self.number = number
        self.given = given
        self.error = error
        super().__init__(f"event {number} of those given{_called(given)}: {error}")

    def __reduce__(self) -> tuple[type, tuple[int, object, str]]:
        return type(self), (self.number, self.given, self.error)


class Records:
    """Makes events of what a program has.

    Args:
        type: The event type of all; None: the field `type_field` says it.
        type_field: The field with the event type.
        time, id, arrival, order, source: The fields with the event time, the identity, the arrival time,
            the sequence number and the name of the source. All but `time` may be missing: the id is then a
            digest of time and attributes, as for records of files.
        format: How times are read that are text or numbers, as in a pipeline file: `iso8601`, `epoch_ms`, ...
        zone: The zone of times without one, an IANA name or `UTC`; None: there are none.
        now: Gives the arrival time of those that have none; None: the latest event time so far.
        latest: That event time, in microseconds.

    Raises:
        ValueError: There is no such format or zone.
    """

    def __init__(
        self,
        *,
        type: str | None = None,
        type_field: str = "type",
        time: str = "time",
        id: str = "id",
        arrival: str = "arrival",
        order: str = "seq",
        source: str = "source",
        format: str = "iso8601",
        zone: str | None = None,
        now: Callable[[], int] | None = None,
        latest: int = EARLIEST,
    ) -> None:
        if problem := time_problem(format, zone):
            raise ValueError(problem)
        self._type = type
        self._type_field, self._time, self._id, self._arrival = type_field, time, id, arrival
        self._order, self._source = order, source
        self._own = {time, id, arrival, order, source, *([] if type is not None else [type_field])}
        self._read = time_reader(format, zone)
        self._local = None if zone is None else LocalTimes(zone)
        self._now = now
        self._latest = max(latest, EARLIEST)

    def read(self, data: Any, refuse: Callable[[InvalidEvent], None] | None = None) -> list[Event]:
        """The events, in order.

        Args:
            data: Events, dictionaries or a table, or one event or dictionary.
            refuse: Takes what cannot become an event; None: it is raised.

        Raises:
            InvalidEvent: The first that cannot become an event.
            TypeError: `data` is nothing of that.
        """
        events: list[Event] = []
        for number, given in enumerate(rows(data)):
            try:
                events.append(checked(given) if isinstance(given, Event) else self._event(given))
            except Unusable as error:
                invalid = InvalidEvent(number, given, str(error))
                if refuse is None:
                    raise invalid from None
                refuse(invalid)
        return events

    def _event(self, record: Any) -> Event:
        if not isinstance(record, Mapping):
            raise Unusable(f"is {_article(record)}, no event: {_HINT}")
        name = record.get(self._type_field) if self._type is None else self._type
        if name is None:
            raise Unusable(f"no type: {self._absent(record, self._type_field)}, or say type='...' for all")
        if not isinstance(name, str):
            raise Unusable(f"'{self._type_field}' {_no_text(name)}")
        if record.get(self._time) is None:
            raise Unusable(f"no time: {self._absent(record, self._time)}")
        t_gen = self._instant(record, self._time)
        seq = whole_field(self._order, record.get(self._order))
        payload = self._payload(record)
        given_id, given_source = record.get(self._id), record.get(self._source)
        if given_id is None:
            made = digest(t_gen if not seq else (t_gen, seq), None, spelled(payload))
        else:
            made = _field(self._id, identity, given_id)
        self._latest = max(self._latest, t_gen)
        if record.get(self._arrival) is not None:
            t_arr = self._instant(record, self._arrival)
        else:
            t_arr = self._latest if self._now is None else self._now()
        source = "" if given_source is None else _field(self._source, identity, given_source)
        return Event(str.__str__(name), made, t_gen, t_arr, source, payload, seq)

    def _instant(self, record: Mapping[str, Any], field: str) -> int:
        value = record[field]
        try:
            if type(value) not in KNOWN:
                if hasattr(value, "year") or type(value).__name__ == "datetime64":
                    return instant(value, self._local)
                value = plain(value)
            return self._read(value)
        except Inexact:
            return self._read(Spelled(repr(value)))
        except (Unreadable, Unusable) as error:
            raise Unusable(f"'{field}' {error}") from None

    def _payload(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """The attributes: what stands under `payload`, as in the records of sinks, else all other fields."""
        inner, own = record.get("payload"), self._own
        if isinstance(inner, Mapping):
            if strange := [name for name in record if name not in own and name not in ("payload", "type")]:
                raise Unusable(f"has both 'payload' and '{strange[0]}': put all attributes into one of them")
            return attributes(inner, self._local)
        return attributes({name: value for name, value in record.items() if name not in own}, self._local)

    def _absent(self, record: Mapping[str, Any], field: str) -> str:
        there = [str(name) for name in record]
        near = suggestion(field, there)
        has = f"it has {', '.join(map(repr, there[:10]))}" if there else "it has no fields"
        return f"'{field}' is missing; {has}{f'; {near}' if near.startswith('did') else ''}"


#: What says how events are made of what a program has; these may be None.
FIELDS = ("type", "type_field", "time", "id", "arrival", "order", "source", "format", "zone")
_MAY_BE_NONE = ("type", "zone")


def check_fields(fields: Mapping[str, Any]) -> None:
    """Sees to it that keywords are those of `Records`, and their values text.

    Raises:
        TypeError: One is not.
    """
    for name, value in fields.items():
        if name not in FIELDS:
            near = suggestion(name, FIELDS)
            raise TypeError(f"there is no keyword '{name}': {near}")
        if not (isinstance(value, str) or (value is None and name in _MAY_BE_NONE)):
            raise TypeError(f"'{name}' must be text, not {value!r}")


def events(data: Any, **fields: Any) -> list[Event]:
    """The events of what a program has, in order.

    Args:
        data: Events, dictionaries or a table, or one event or dictionary.
        fields: As of `Records`: `type="Reading"`, `time="timestamp"`, `zone="UTC"`, ...

    Raises:
        InvalidEvent: The first that cannot become an event.
        TypeError: `data` is nothing of that, or `fields` has another keyword, or something that is no text.
        ValueError: There is no such format or zone.
    """
    check_fields(fields)
    return Records(**fields).read(data)


def checked(event: Event) -> Event:
    """The event where everything in it is as conditions know it; else a copy where it is.

    Raises:
        Unusable: Something cannot be converted.
    """
    changed: dict[str, Any] = {}
    if type(event.t_gen) is not int or type(event.t_arr) is not int or type(event.seq) is not int:
        changed["t_gen"] = _moment("t_gen", event.t_gen)
        changed["t_arr"] = _moment("t_arr", event.t_arr)
        changed["seq"] = whole_field("seq", event.seq)
    t_gen, t_arr = changed.get("t_gen", event.t_gen), changed.get("t_arr", event.t_arr)
    if not (EARLIEST <= t_gen <= LATEST and EARLIEST <= t_arr <= LATEST):
        raise Unusable(f"a time is not in the years 1 to 9999: {event}")
    if type(event.id) is not str:
        changed["id"] = _field("id", identity, event.id)
    for name in ("type", "source"):
        value: Any = getattr(event, name)
        if not isinstance(value, str):
            raise Unusable(f"'{name}' {_no_text(value)}")
        if type(value) is not str:
            changed[name] = str.__str__(value)
    payload: Any = event.payload
    if type(payload) is not dict:
        if not isinstance(payload, Mapping):
            raise Unusable(f"'payload' is {_article(payload)}: give a dict")
        changed["payload"] = attributes(payload)
    else:
        for value in payload.values():
            # Nearly all are of these, and a NaN that is there is unknown to conditions anyway.
            if type(value) not in KNOWN:
                attributes_known = attributes(payload)
                if any(attributes_known[name] is not value for name, value in payload.items()):
                    changed["payload"] = attributes_known
                break
    return msgspec.structs.replace(event, **changed) if changed else event


def attributes(payload: Mapping[Any, Any], local: LocalTimes | None = None) -> dict[str, Any]:
    """A payload with values as conditions know them.

    Raises:
        Unusable: One of them cannot be converted, or a name is no text.
    """
    known = {}
    for name, value in payload.items():
        if not isinstance(name, str):
            raise Unusable(f"the field {name!r} has a name that is no text: rename it")
        kind = type(value)
        if kind in KNOWN and kind is not float:
            known[name] = value
            continue
        try:
            known[name] = plain(value, local)
        except Unusable as error:
            raise Unusable(f"'{name}' {error}") from None
    return known


def rows(data: Any) -> Iterator[Any]:
    """The events and records that data has, one after the other.

    Raises:
        TypeError: It has none.
    """
    if isinstance(data, (Event, Mapping)):
        return iter([data])
    library = type(data).__module__.partition(".")[0]
    if library == "pandas" and hasattr(data, "columns"):
        names = [name.item() if hasattr(name, "item") else name for name in data.columns]
        return _by_columns(names, [data.iloc[:, n].tolist() for n in range(len(names))])
    if library == "pyarrow" and hasattr(data, "to_pylist"):
        return iter(data.to_pylist())
    if library == "pyarrow" and hasattr(data, "read_next_batch"):
        return (record for batch in data for record in batch.to_pylist())
    if library == "polars" and hasattr(data, "iter_rows"):
        return iter(data.iter_rows(named=True))
    if library == "numpy" and getattr(data.dtype, "names", None):
        return ({name: row[name] for name in data.dtype.names} for row in data.reshape(-1))
    foreign = library in ("pandas", "pyarrow", "polars", "numpy")
    if foreign or isinstance(data, (str, bytes)) or not isinstance(data, Iterable):
        raise TypeError(f"{_article(data)} holds no events: {_HINT}")
    return iter(data)


def _by_columns(names: list[Any], columns: list[list[Any]]) -> Iterator[dict[Any, Any]]:
    if len({*names}) < len(names):
        twice = next(name for n, name in enumerate(names) if name in names[:n])
        raise TypeError(f"the table has the column {twice!r} twice: rename one of them")
    return (dict(zip(names, values, strict=True)) for values in zip(*columns, strict=True))


def whole_field(name: str, value: Any) -> int:
    """A sequence number, 0 where there is none.

    Raises:
        Unusable: It is no integer of 64 bits.
    """
    if value is None:
        return 0
    seq = int(_field(name, whole, value))
    if -(2**63) <= seq < 2**63:
        return seq
    raise Unusable(f"'{name}' does not fit 64 bits: {seq}")


def _moment(name: str, value: Any) -> int:
    """Microseconds, or a datetime."""
    is_time = hasattr(value, "year") or type(value).__name__ == "datetime64"
    return int(_field(name, instant if is_time else whole, value))


def _field(name: str, convert: Callable[[Any], Any], value: Any) -> Any:
    try:
        return convert(value)
    except Unusable as error:
        raise Unusable(f"'{name}' {error}") from None


def _no_text(value: object) -> str:
    return f"is no text: {value!r}: give the name as a str"


def _called(given: object) -> str:
    known = given.get("id") if isinstance(given, Mapping) else getattr(given, "id", None)
    return "" if known is None else f" (id {known!r})"


def _article(value: object) -> str:
    kind = type(value)
    name = kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"
    return f"a value of the type {name}"
