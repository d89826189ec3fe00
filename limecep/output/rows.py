"""Records of the change log as rows for people."""

from __future__ import annotations

import textwrap
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from limecep.encoding import to_json
from limecep.plan.values import OWN_ATTRIBUTES, TIME, dig

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from limecep.model.walk import Named
    from limecep.output.record import Record

#: Each op with a mark and a colour, so that neither is needed to tell them apart.
_OPS = {"emit": ("+", 32), "correct": ("~", 33), "retract": ("-", 31), "final": ("=", 36)}
_REFUSED = ("!", 35)
#: How much of the digest of a match tells it apart for the eye, and of an id from the data.
_DIGEST = 6
_ID_LENGTH = 12
#: Of larger groups the first few and the last are shown, of longer values the beginning.
_FEW = 5
_LONG = 24
#: Of what could not be used no more lines than this are shown; narrower than this, lines are not made.
_LINES = 4
_NARROWEST = 24


class Rows:
    """Makes a row of each record: op, time of the end event, pattern, key, match, span, delay, and the values
    that made the conditions true (where it carries no payloads, ids).

    Columns are as wide as what they have held so far.

    Args:
        named: The attributes that the conditions of each pattern name.
        coloured: Whether to colour ops.
    """

    def __init__(self, named: Mapping[str, Named], *, coloured: bool = False) -> None:
        self._named = named
        self._coloured = coloured
        self._widths = [len("+ correct"), 0, max(map(len, named), default=0)]

    def row(self, record: Record, width: int | None = None) -> str:
        """The row of a record, of the change log or of the late output. Where it has more than `width`
        characters, what comes last is on lines of its own, and what does not fit goes on below."""
        if "op" in record:
            cells, (mark, colour), word = self._update(record), _OPS[record["op"]], record["op"]
        else:
            cells, (mark, colour), word = _refused(record), _REFUSED, record["reason"].replace("_", " ")
        columns, last = self._aligned([f"{mark} {word}", *cells[:-1]]), _printable(cells[-1])
        text = "  ".join([*columns, last]).rstrip()
        if width is not None and len(text) > width:
            indent, most = " " * (self._widths[0] + 2), None if "op" in record else _LINES
            text = "\n".join(_wrapped(columns, last, max(width, _NARROWEST), indent, most))
        if self._coloured:
            end = len(mark) + 1 + len(word)
            text = f"\x1b[{colour}m{text[:end]}\x1b[0m{text[end:]}"
        return text

    def _aligned(self, cells: Sequence[str]) -> list[str]:
        """Cells as wide as their columns, without those that held nothing so far."""
        self._widths += [0] * (len(cells) - len(self._widths))
        for n, cell in enumerate(cells):
            self._widths[n] = max(self._widths[n], len(cell))
        return [f"{_printable(cell):{self._widths[n]}}" for n, cell in enumerate(cells) if self._widths[n]]

    def _update(self, record: Record) -> list[str]:
        start, end = _instant(record["start"]), _instant(record["end"])
        match = str(record["match"])[:_DIGEST]
        if record["revision"] > 1:
            match += f" r{record['revision']}"
        return [
            _time(record["end"]),
            str(record["pattern"]),
            ",".join(_value(v) for v in (record["key"] or {}).values()),
            match,
            duration(end - start),
            f"+{duration(timedelta(seconds=record['delay'] if 'delay' in record else record['latency']))}",
            "  ".join(filter(None, [*self._values(record), _cause(record)])),
        ]

    def _values(self, record: Record) -> list[str]:
        """What RETURN gives; else what the conditions looked at; where they looked at nothing that is here,
        the ids of the events."""
        if "values" in record:
            return [*_returned(record)]
        groups = {variable: events for variable, events in record.get("events", {}).items() if events}
        named = self._named.get(record["pattern"], {})
        values = [
            f"{variable}.{'.'.join(path)} {_some([_attribute(e, path) for e in events])}"
            for variable, events in groups.items()
            for path in named.get(variable, ())
            if isinstance(events[0], dict)
        ]
        return values or [
            f"{variable} {_some(list(map(_id, events)))}" for variable, events in groups.items()
        ]


def _returned(record: Record) -> Iterator[str]:
    before = record.get("values_before") or record["values"]
    for name, value in record["values"].items():
        old = before.get(name)
        yield f"{name} {'' if old == value else f'{_value(old)} → '}{_value(value)}"


def _wrapped(columns: Sequence[str], last: str, width: int, indent: str, most: int | None) -> list[str]:
    """The lines of a row: columns stay whole, what comes last begins a line and breaks between words."""
    lines = [columns[0]]
    for column in columns[1:]:
        if len(lines[-1]) + 2 + len(column.rstrip()) <= width:
            lines[-1] += f"  {column}"
        else:
            lines.append(indent + column)
    below = textwrap.wrap(
        last,
        width,
        initial_indent=indent,
        subsequent_indent=indent,
        break_on_hyphens=False,
        max_lines=most,
        placeholder=" …",
    )
    return [line.rstrip() for line in [*lines, *below]]


def duration(time: timedelta) -> str:
    """A span of time in at most two units: `40ms`, `18.4s`, `11m13s`, `2h05m`, `3d04h`."""
    seconds = time.total_seconds()
    if seconds < 1:
        return f"{seconds * 1000:.{0 if seconds >= 0.01 else 1}f}ms" if seconds else "0s"
    if seconds < 60:
        return f"{seconds:.1f}".removesuffix(".0") + "s"
    minutes, rest = divmod(int(seconds), 60)
    if minutes < 60:
        return f"{minutes}m{rest:02}s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours}h{minutes:02}m" if hours < 48 else f"{hours // 24}d{hours % 24:02}h"


def _printable(text: str) -> str:
    """Data decides what stands in a row, and must not move the cursor."""
    return "".join(c if c.isprintable() else "?" for c in text)


def _refused(record: Record) -> list[str]:
    event = record.get("event")
    about = "" if event is None else f"{event['type']} {_value(event['id'])}"
    if "score" in record and "threshold" in record:
        about += f"  score {record['score']:.3g}, threshold {record['threshold']:.3g}"
    why = "  ".join(filter(None, [about, record.get("error"), record.get("raw")]))
    return [_time(event["time"]) if event else "", str(record["source"]), "", str(record["position"]), why]


def _cause(record: Record) -> str:
    """Why, where it is not simply that the match was complete."""
    kind, event = record["cause"]["kind"], record["cause"]["event"]
    if kind == "in_order" and record["op"] == "emit":
        return ""
    return f"({' '.join([kind.replace('_', ' '), *([] if event is None else [_value(event)])])})"


def _some(values: Sequence[Any]) -> str:
    shown = [_value(v) for v in values]
    if len(shown) > _FEW + 1:
        shown = [*shown[: _FEW - 1], "…", shown[-1], f"({len(shown)})"]
    return " ".join(shown)


def _value(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return str(value).lower()
    text = to_json(value).decode() if isinstance(value, (list, dict)) else str(value)
    if isinstance(value, float) and len(text) > 12:
        text = f"{value:.6g}"
    return _cut(text, _LONG)


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"


def _attribute(event: Mapping[str, Any], path: tuple[str, ...]) -> Any:
    """As `limecep.plan.values.attribute`, of an event in a record."""
    if path == TIME:
        return event["time"]
    if len(path) == 1 and path[0] in OWN_ATTRIBUTES:
        return event["payload"].get(path[0], event[path[0]])
    return dig(event["payload"], path)


def _id(event: Mapping[str, Any] | str) -> str:
    return _cut(event if isinstance(event, str) else event["id"], _ID_LENGTH)


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _time(text: str) -> str:
    return text.replace("T", " ")
