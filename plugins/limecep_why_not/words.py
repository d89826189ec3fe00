"""Changes in words."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from limecep.embedding.pipelines import rfc3339
from limecep.model.words import SELECTIONS, duration_text
from limecep_why_not.changes import MISSING, Added, Admitted, Lifted, Removed, Valued, Widened

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limecep.model.event import Event
    from limecep_why_not.changes import Change

_SELECTIONS = {short: long for long, short in SELECTIONS.items()}


def told(change: Change, key: Mapping[str, object] | None, lateness: str) -> str:
    """A change in one line.

    Args:
        change: The change.
        key: The key of the match, which added events have.
        lateness: The name of the lateness policy.
    """
    match change:
        case Added():
            return _added(change, key or {})
        case Removed(event=event, negated=""):
            return f"without {named(event)}, which is taken instead or in the way"
        case Removed(event=event, negated=negated):
            return f"without {named(event)}, which the negated step {negated} forbids"
        case Valued():
            return _valued(change)
        case Widened(old=old, new=new):
            wider = duration_text(new - old)
            return f"WITHIN {duration_text(new)} in the place of {duration_text(old)}: {wider} wider"
        case Admitted():
            return _admitted(change, lateness)
        case Lifted(rule="select", old=old):
            return f"select: stam in the place of {old}: {_SELECTIONS[old]} took other events"  # type: ignore[index]
        case Lifted(rule="results", old=old):
            return f"results: corrected, with no skip, in the place of {old}, which dropped the match"
        case Lifted(old=old):
            return f"no pick, in the place of pick: {old}, which chose another match of the same end event"
    raise AssertionError(change)


def named(event: Event) -> str:
    """An event, for people."""
    return f"{event.type} {event.id} at {time(event.t_gen)}"


def time(t: int) -> str:
    """A time, as rows show it."""
    return rfc3339(t).replace("T", " ")


def clock(t: int, beside: int) -> str:
    """A time, without the day where that is the day of another."""
    text, other = time(t), time(beside)
    return text[11:] if text[:10] == other[:10] else text


def value(of: Any) -> str:
    """A value, for people."""
    if of is MISSING:
        return "no value"
    if isinstance(of, bool):
        return str(of).lower()
    return f"'{of}'" if isinstance(of, str) else f"{of:,}" if isinstance(of, int) else str(of)


def _added(change: Added, key: Mapping[str, object]) -> str:
    event = change.event
    after, before = _bound(change.after), _bound(change.before)
    where = f"between {time(after)} and {clock(before, after)}"
    others = _attributes(event.payload, key)
    having = f", with {others}" if others else ""
    variable = f" {change.variable}" if change.variable != event.type else ""
    return f"one more {event.type}{variable} {where}{having}"


def _bound(t: int) -> int:
    """A bound of a gap. One that comes of a window is included, so the gap goes a microsecond farther."""
    return next((t + d for d in (0, 1, -1) if (t + d) % 1_000 == 0), t)


def _attributes(payload: Mapping[str, Any], key: Mapping[str, object], above: str = "") -> str:
    found = []
    for name, of in payload.items():
        path = f"{above}{name}"
        if isinstance(of, dict):
            inner = _attributes(of, key, f"{path}.")
            if inner:
                found.append(inner)
        elif path not in key:
            found.append(f"{path} {value(of)}")
    return " and ".join(found)


def _valued(change: Valued) -> str:
    path, event = ".".join(change.path), change.event
    said = f"{path} {value(change.new)} in the place of {value(change.old)}"
    if type(change.old) in (int, float) and type(change.new) in (int, float):
        more = change.new - change.old
        said += f": {_number(abs(more))} {'more' if more > 0 else 'less'}"
    because = f", for {change.broken}" if change.broken else ""
    return f"{named(event)} with {said}{because}"


def _number(of: float) -> str:
    return f"{of:,}" if isinstance(of, int) else f"{of:.6g}"


def _admitted(change: Admitted, lateness: str) -> str:
    event = change.event
    if lateness == "bound":
        new, old = _span(round(change.new * 1e6)), _span(round(change.old * 1e6))
        return f"lateness: {{type: bound, within: {new}}} in the place of {old}, which refused {named(event)}"
    said = f"a threshold of {change.new:g} in the place of {change.old:g} of the lateness policy {lateness}"
    return f"{said}, which refused {named(event)}: {change.reason}"


def _span(microseconds: int) -> str:
    """A duration, exactly, as a pipeline has it."""
    for unit, name in ((86_400_000_000, "d"), (3_600_000_000, "h"), (60_000_000, "m")):
        if microseconds and microseconds % unit == 0:
            return f"{microseconds // unit}{name}"
    return f"{Decimal(microseconds) / 1_000_000}s"
