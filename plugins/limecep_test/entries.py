"""Entries of the change log as one line of text: `correct gas_fire a=g3 b=t5,t10 c=s18 by t10 @24`."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, get_args

import msgspec

from limecep.encoding import to_json
from limecep.model.update import CauseKind, Op
from limecep_test.words import value

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: What happens to a match, and what may cause it besides an event.
OPS: tuple[str, ...] = get_args(Op)
CAUSES: tuple[str, ...] = get_args(CauseKind)

_TOKEN = re.compile(r'(?:[^\s"]|"(?:[^"\\]|\\.)*")+')
_ID = re.compile(r'"(?:[^"\\]|\\.)*"|[^,"]+')
_BARE = re.compile(r"[^\s,\"'=@]+")
_TIME = re.compile(r"@(\d+(?:\.\d+)?)")


class Unreadable(Exception):
    """A text is no entry.

    Attributes:
        begin, end: Which part is meant.
    """

    def __init__(self, said: str, begin: int, end: int) -> None:
        super().__init__(said)
        self.begin, self.end = begin, end


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One update of a run.

    Attributes:
        op, pattern, match, revision, key: As in the change log.
        events: The ids of the events of each variable that took some.
        values: Those of RETURN; None where there is none.
        cause: The kind.
        cause_event: The id of the event that caused it, or None.
        at: When it was told, in the unit of the test since its start.
    """

    op: str
    pattern: str
    match: str
    revision: int
    key: dict[str, Any] | None
    events: dict[str, tuple[str, ...]]
    values: dict[str, Any] | None
    cause: str
    cause_event: str | None
    at: Decimal

    @property
    def by(self) -> str:
        """The cause: the id of an event, or a kind."""
        return self.cause if self.cause_event is None else self.cause_event

    def line(self, *, op: bool = True, by: bool = False, at: bool = False) -> str:
        """The text of it, as an expectation is written."""
        words = [self.op] if op else []
        words.append(self.pattern)
        words += [f"{name}={','.join(map(quoted, ids))}" for name, ids in self.events.items()]
        if self.values:
            words += ["->", *(f"{name}={_shown(v)}" for name, v in self.values.items())]
        if by:
            words += ["by", quoted(self.by)]
        if at:
            words.append(f"@{number(self.at)}")
        return " ".join(words)

    @property
    def details(self) -> str:
        """Match, revision, key, cause and time, for messages."""
        key = "" if not self.key else ", " + " ".join(f"{k}={_shown(v)}" for k, v in self.key.items())
        return f"match {self.match[:6]} r{self.revision}{key}, by {quoted(self.by)}, @{number(self.at)}"


@dataclass(frozen=True, slots=True)
class Standing:
    """A match that stands in the end, by its last entry."""

    entry: Entry

    def line(self) -> str:
        """The text of it, as an expectation is written."""
        return self.entry.line(op=False)

    @property
    def match(self) -> str:
        """As of its entry."""
        return self.entry.match

    @property
    def details(self) -> str:
        """As of its entry."""
        return self.entry.details


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """One expected update, or match. A field that is None is not compared.

    Attributes:
        text: As written.
        tokens: Where in it stand the names and ids, for messages: by what they are.
    """

    text: str
    op: str | None
    pattern: str
    events: dict[str, tuple[str, ...]] | None
    values: dict[str, Any] | None
    by: str | None
    at: Decimal | None
    tokens: tuple[Token, ...] = ()

    def fits(self, got: Any) -> bool:
        """Return whether an entry, or a match that stands, is this one."""
        entry: Entry = got.entry if isinstance(got, Standing) else got
        return (
            (self.op is None or self.op == entry.op)
            and self.pattern == entry.pattern
            and (self.events is None or self.events == entry.events)
            and (self.values is None or _same_values(self.values, entry.values))
            and (self.by is None or self.by in (entry.by, entry.cause))
            and (self.at is None or self.at == entry.at)
        )


@dataclass(frozen=True, slots=True)
class Token:
    """A name in the text of an expectation: of a `pattern`, a `variable`, an `event` or a `cause`."""

    what: str
    name: str
    begin: int
    end: int


def read(text: str, *, op: bool) -> Expected:
    """An expectation.

    Args:
        text: Its text.
        op: Whether it begins with what happens to the match.

    Raises:
        Unreadable: It is none.
    """
    found = list(_TOKEN.finditer(text))
    names: list[Token] = []
    happens = None
    if op:
        happens = found[0][0] if found else ""
        if happens not in OPS:
            begin, end = found[0].span() if found else (0, len(text))
            raise Unreadable(f"an update begins with one of {', '.join(OPS)}", begin, end)
        found = found[1:]
    if not found or "=" in found[0][0]:
        begin, end = found[0].span() if found else (0, len(text))
        raise Unreadable("the name of a pattern is missing", begin, end)
    names.append(Token("pattern", found[0][0], *found[0].span()))
    events: dict[str, tuple[str, ...]] = {}
    values: dict[str, Any] | None = None
    by, at = None, None
    rest = iter(found[1:])
    for token in rest:
        begin, end = token.span()
        name, equals, said = token[0].partition("=")
        if token[0] == "->":
            values = {}
        elif token[0] == "by":
            after = next(rest, None)
            if after is None:
                raise Unreadable("'by' is followed by the id of an event, or a cause", begin, end)
            by = _unquoted(after[0])
            names.append(Token("cause", by, *after.span()))
        elif time := _TIME.fullmatch(token[0]):
            at = Decimal(time[1])
        elif not equals or not name or not said:
            raise Unreadable("this is no variable with its events: write a=g3, or b=t5,t10", begin, end)
        elif values is not None:
            values[name] = value(said)
        else:
            names.append(Token("variable", name, begin, begin + len(name)))
            ids = [(_unquoted(i[0]), i.start(), i.end()) for i in _ID.finditer(said)]
            before = begin + len(name) + 1
            names += [Token("event", i, before + b, before + e) for i, b, e in ids]
            events[name] = tuple(i for i, _, _ in ids)
    return Expected(
        text=text,
        op=happens,
        pattern=names[0].name,
        events=events or None,
        values=values,
        by=by,
        at=at,
        tokens=tuple(names),
    )


def quoted(text: str) -> str:
    """An id as an expectation has it."""
    return text if _BARE.fullmatch(text) else to_json(text).decode()


def number(value: Decimal) -> str:
    """A time without zeros at its end."""
    return f"{value.normalize():f}"


def _unquoted(text: str) -> str:
    return str(msgspec.json.decode(text)) if text.startswith('"') else text


def _shown(value: Any) -> str:
    return quoted(value) if isinstance(value, str) and value[:1].isalpha() else to_json(value).decode()


def _same_values(expected: Mapping[str, Any], got: Mapping[str, Any] | None) -> bool:
    return got is not None and all(name in got and _same(v, got[name]) for name, v in expected.items())


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    numbers = isinstance(a, (int, float)) and isinstance(b, (int, float))
    return math.isclose(a, b, rel_tol=1e-9) if numbers else bool(a == b)


def net(entries: Sequence[Entry]) -> list[Entry]:
    """The matches that stand in the end, each in its last version, in the order they were first told."""
    live: dict[str, Entry] = {}
    for entry in entries:
        if entry.op == "retract":
            live.pop(entry.match, None)
        else:
            live[entry.match] = entry
    return list(live.values())
