"""The short form of events: `g3(percentage=62) t5 s18@24 @60`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import msgspec

from limecep.embedding.documents import resolve

if TYPE_CHECKING:
    from collections.abc import Iterator

_NUMBER = r"\d+(?:\.\d+)?"
_HEAD = re.compile(rf"(?P<name>[A-Za-z_]\w*?):?(?P<time>{_NUMBER})(?![\w.:])")
_CLOCK = re.compile(rf"@(?P<time>{_NUMBER})(?![\w.])")
_ATTRIBUTE = re.compile(r"""\s*,?\s*(?P<name>[\w.-]+)=(?P<value>"(?:[^"\\]|\\.)*"|'[^']*'|[^\s,()"']+)""")
_CLOSED = re.compile(r"\s*\)")
_BLANK = re.compile(r"\s*")
_HOW = "write type and time, as in g3, GasLeak3.5, g3(percentage=62), g3@7 for one that arrives at 7"


class Misspelt(Exception):
    """A part of a text is no event.

    Attributes:
        begin, end: Which part.
        hint: What to do about it.
    """

    def __init__(self, said: str, begin: int, end: int, hint: str = _HOW) -> None:
        super().__init__(said)
        self.begin, self.end, self.hint = begin, end, hint


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """One event of the short form, or a time of the clock.

    Attributes:
        text: What names the event: type and time, as written.
        name: Its type, or the beginning of it; "" for a time of the clock.
        time: When it happened, or what the clock says, in the unit of the test.
        arrival: When it arrives; None if that is not written.
        attributes: What stands in parentheses; None where there are none.
        begin, end: Where in the text it stands.
    """

    text: str
    name: str
    time: Decimal
    arrival: Decimal | None
    attributes: dict[str, Any] | None
    begin: int
    end: int


def words(text: str) -> Iterator[Word]:
    """Yield the words of a text, in its order.

    Raises:
        Misspelt: Something in it is none.
    """
    at = _end(_BLANK, text, 0)
    while at < len(text):
        word = _word(text, at)
        yield word
        at = _end(_BLANK, text, word.end)
        if at == word.end < len(text):
            raise Misspelt("a blank is missing between two events", at, at + 1)


def _word(text: str, begin: int) -> Word:
    clock = _CLOCK.match(text, begin)
    if clock is not None:
        return Word(
            text=clock[0],
            name="",
            time=Decimal(clock["time"]),
            arrival=None,
            attributes=None,
            begin=begin,
            end=clock.end(),
        )
    head = _HEAD.match(text, begin)
    if head is None:
        end = re.compile(r"\S+").match(text, begin)
        assert end is not None
        raise Misspelt(f"'{end[0]}' is no event", begin, end.end())
    at, attributes = head.end(), None
    if text.startswith("(", at):
        attributes, at = _attributes(text, at + 1)
    arrival = _CLOCK.match(text, at)
    return Word(
        text=head[0],
        name=head["name"],
        time=Decimal(head["time"]),
        arrival=None if arrival is None else Decimal(arrival["time"]),
        attributes=attributes,
        begin=begin,
        end=at if arrival is None else arrival.end(),
    )


def _attributes(text: str, at: int) -> tuple[dict[str, Any], int]:
    """Return the attributes in parentheses, and the offset after them."""
    attributes: dict[str, Any] = {}
    while (closed := _CLOSED.match(text, at)) is None:
        found = _ATTRIBUTE.match(text, at)
        if found is None:
            raise Misspelt("this is no attribute", at, at + 1, 'write name=value, texts with blanks as "..."')
        attributes[found["name"]] = value(found["value"])
        at = found.end()
    return attributes, closed.end()


def value(text: str) -> Any:
    """Read a value: JSON, a text in quotes, or as in YAML."""
    if text[0] == "'":
        return text[1:-1]
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return resolve(text)


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return at if found is None else found.end()
