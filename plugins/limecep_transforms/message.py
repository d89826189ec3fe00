"""Says in words what a record is about."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from limecep.encoding import to_json

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from limecep.contracts.context import Context
    from limecep.output.record import Record
    from limecep_transforms.config import MessageOptions

#: What stands where a record has nothing to fill a gap with.
_NOTHING = "-"

_PATH = r"(?P<path>(?:\.[\w$-]+)*)"
_FORMS = (
    re.compile(r"count\((?P<count>\w+)\)"),
    re.compile(rf"(?P<of>first|last)\((?P<group>\w+)\){_PATH}"),
    re.compile(rf"(?P<name>\w+)(?:\[(?P<at>[1-9]\d*)\])?{_PATH}"),
)
#: Text, two braces that stand for one, a gap, or a brace by itself.
_PART = re.compile(r"(?P<text>[^{}]+)|(?P<brace>\{\{|\}\})|\{(?P<gap>[^{}]*)\}|(?P<odd>[{}])")


class Message:
    """Adds a text with gaps that the record fills."""

    def __init__(self, options: MessageOptions, context: Context) -> None:
        self._field = options.field
        self._parts = list(parts(options.text))

    def apply(self, record: Record) -> Record:
        """The record with the text."""
        text = "".join([part if isinstance(part, str) else part(record) for part in self._parts])
        return {**record, self._field: text}


def parts(text: str) -> Iterator[str | Callable[[Record], str]]:
    """What a template is made of: texts, and what fills its gaps.

    Raises:
        ValueError: There is a brace without the other, or what cannot be filled in.
    """
    for part in _PART.finditer(text):
        if part["text"]:
            yield part["text"]
        elif part["brace"]:
            yield part["brace"][0]
        elif part["odd"]:
            raise ValueError(f"has a '{part['odd']}' by itself: write '{part['odd'] * 2}' for one")
        else:
            yield _gap(part["gap"])


def of_events(text: str, variables: Collection[str], *, ids: bool) -> list[str]:
    """The gaps of a template that events fill, of records which have no more of them than their ids, or
    nothing at all."""
    gaps = [part["gap"] for part in _PART.finditer(text) if part["gap"]]
    return list(dict.fromkeys(f"{{{gap}}}" for gap in gaps if _about_events(gap, variables, ids=ids)))


def of_nothing(text: str, fields: Collection[str], variables: Collection[str]) -> list[str]:
    """The gaps of a template that name neither a field nor a variable, as far as they are these."""
    gaps = [part["gap"] for part in _PART.finditer(text) if part["gap"]]
    named = [_named(gap.partition(":")[0]) for gap in gaps]
    found = []
    for name in filter(None, named):
        parts = name.groupdict()
        variable = parts.get("count") or parts.get("group")
        if (variable or parts["name"]) not in (*variables, *(() if variable else fields)):
            found.append(variable or parts["name"])
        elif parts.get("name") == "key" and parts["path"] and f"key{parts['path']}" not in fields:
            found.append(f"key{parts['path']}")
    return list(dict.fromkeys(found))


def _about_events(gap: str, variables: Collection[str], *, ids: bool) -> bool:
    named = _named(gap.partition(":")[0])
    if named is None:
        return False
    found = named.groupdict()
    if found.get("count"):
        return not ids
    # A name by itself may be a field of the record.
    chosen = found.get("of") is not None or found.get("at") is not None or found["name"] in variables
    return chosen and not (ids and found["path"] in ("", ".id"))


def _named(text: str) -> re.Match[str] | None:
    return next((m for f in _FORMS if (m := f.fullmatch(text.strip()))), None)


def _gap(gap: str) -> Callable[[Record], str]:
    name, _, form = gap.partition(":")
    named = _named(name)
    if named is None:
        raise ValueError(
            f"has '{{{gap}}}', which cannot be filled in: there are fields of the record such as {{pattern}} "
            "and {key.room}, attributes such as {a.room}, {b[1].v} and {last(b).v}, and {count(b)}"
        )
    if not any(_fits(value, form) for value in (0, 0.5, "")):
        raise ValueError(f"has '{{{gap}}}', where '{form}' is no format of Python")
    found = named.groupdict()
    # Of a key its values say enough.
    shown = _of_key if name.strip() == "key" else _shown
    return lambda record: shown(_value(record, found), form)


def _value(record: Record, named: dict[str, Any]) -> Any:
    """What a record has for a gap; None where it has nothing."""
    events = record.get("events")
    groups = events if isinstance(events, dict) else {}
    if variable := named.get("count"):
        return len(groups[variable]) if variable in groups else None
    name, steps = named.get("group") or named["name"], [s for s in named["path"].split(".") if s]
    if named.get("of") is None and named.get("at") is None and name in record:
        return _dug(record[name], steps)
    group = groups.get(name) or ()
    at = 0 if named.get("of") == "first" else int(named.get("at") or 0) - 1
    if not -1 <= at < len(group) or not group:
        return None
    event = group[at]
    if not isinstance(event, dict):
        # A record that carries ids alone.
        return event if not steps or steps == ["id"] else None
    if not steps:
        return event.get("id")
    attribute = _dug(event.get("payload"), steps)
    return event.get(steps[0]) if attribute is None and len(steps) == 1 else attribute


def _dug(value: Any, steps: list[str]) -> Any:
    for step in steps:
        value = value.get(step) if isinstance(value, dict) else None
    return value


def _shown(value: Any, form: str) -> str:
    if value is None:
        return _NOTHING
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | dict):
        return to_json(value).decode()
    return format(value, form) if form and _fits(value, form) else str(value)


def _of_key(value: Any, form: str) -> str:
    if isinstance(value, dict):
        return ", ".join(_shown(inner, form) for inner in value.values())
    return _shown(value, form)


def _fits(value: Any, form: str) -> bool:
    try:
        format(value, form)
    except (ValueError, TypeError):
        return False
    return True
