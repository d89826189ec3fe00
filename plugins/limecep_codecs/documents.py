"""JSON over several lines: documents, of which each record is given as soon as it is complete.

Of a document only what is around the record is kept: the lists and objects on the way to it. Between values
commas are not asked for, so that lists that are still written, or cut out of one, are read as well.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from limecep.contracts.codec import Decoded, Undecodable
from limecep.contracts.source import Message  # noqa: TC001 - looked up at run time

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limecep.contracts.codec import Record

    #: Makes a record of a value: of its text, the number of names that lead to it, and its number in a list;
    #: 0 where it stands by itself.
    Outcome = Callable[[str, int, int], Record | Undecodable]

#: The longest value that is read, in characters: it is held until it is complete.
LONGEST_CHARACTERS = 8_388_608

#: How deeply a value may be nested that is not complete.
DEEPEST_LEVELS = 900

_BETWEEN = re.compile("[ \t\r\n,\ufeff]*")
_BLANKS = re.compile("[ \t\r\n]*")
# Texts, which may be broken off, and what begins and ends levels.
_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]', re.DOTALL)
# Numbers are left as they are: this only finds where values end.
_scan = json.JSONDecoder(parse_float=str, parse_int=str).raw_decode


class Frame(msgspec.Struct, omit_defaults=True):
    """A list or an object around records.

    Attributes:
        kind: Its first character.
        count: How many items it has had, or how often the name that leads on.
        awaits: Whether that name was the last thing in it.
    """

    kind: Literal["[", "{"]
    count: int = 0
    awaits: bool = False


class Document(msgspec.Struct, omit_defaults=True):
    """How far a text has been read.

    Attributes:
        layout: How it is written; "" while nobody knows.
        stack: What is around the next record, the outermost first.
        held: The lines from that on in which a value begins that is not complete.
        done: How much of the first of them was read.
        lost: Whether it is broken, and the beginning of another one is looked for.
    """

    layout: Literal["", "lines", "document"] = ""
    stack: list[Frame] = []
    held: list[Message] = []
    done: int = 0
    lost: bool = False

    def give_up(self) -> None:
        """It is broken."""
        self.stack, self.held, self.done, self.lost = [], [], 0, True


class _Broken(Exception):
    """Text that is not JSON.

    Attributes:
        first: The line in which the broken value begins.
        after: The first line that may be something else.
        told: What to say of it.
    """

    def __init__(self, first: int, after: int, said: str) -> None:
        self.first = first
        self.after = after
        self.told = Undecodable(f"{said}; reading goes on where a line begins with {{ or [")


class Documents:
    """Reads documents.

    Args:
        path: The names that lead to records.
        text: Makes text of a message, or says why there is none.
        outcome: Makes records of values.

    Attributes:
        spellings: The texts of the values last read, by the position of their messages.
    """

    def __init__(
        self, path: Sequence[str], text: Callable[[Message], str | Undecodable], outcome: Outcome
    ) -> None:
        self.spellings: dict[str, list[str]] = {}
        self._path = path
        self._text = text
        self._outcome = outcome

    def read(
        self, document: Document, messages: Sequence[Message], decoded: list[Decoded]
    ) -> Sequence[Message]:
        """Reads lines on.

        Returns:
            Lines to be read anew: what they were taken for is broken.
        """
        if document.lost:
            for n, message in enumerate(messages):
                if message.value[:1] in (b"{", b"["):
                    document.layout, document.lost = "", False
                    return messages[n:]
            return []
        lines = [*document.held, *messages]
        texts: list[str] = []
        unreadable = None
        for message in lines:
            text = self._text(message)
            if isinstance(text, Undecodable):
                unreadable = text
                break
            texts.append(text)
        walk = _Walk(self._path, self._outcome, document, lines, texts)
        broken = walk.go()
        for message, outcome, spelling in walk.found:
            decoded.append((message, outcome))
            self.spellings.setdefault(message.position, []).append(spelling)
        first = walk.hold()
        if broken is None and walk.held_size > LONGEST_CHARACTERS:
            said = f"the value that begins here is longer than {LONGEST_CHARACTERS:,} characters"
            if not self._path:
                said += ": if the records are in a list inside of it, 'path' names that"
            broken = _Broken(first, len(texts), said)
        if broken is None and unreadable is not None and document.held:
            position = lines[len(texts)].position
            said = f"not JSON: the value that begins here is broken off at {position}"
            broken = _Broken(first, len(texts), said)
        if broken is not None:
            decoded.append((lines[broken.first], broken.told))
            document.give_up()
            return lines[broken.after :]
        if unreadable is not None:
            decoded.append((lines[len(texts)], unreadable))
            document.give_up()
            return lines[len(texts) + 1 :]
        return []

    def finish(self, document: Document, decoded: list[Decoded]) -> Sequence[Message]:
        """Nothing comes any more. Returns lines to be read anew."""
        lines = document.held
        if lines:
            broken = _Broken(0, 1, "not JSON: the value that begins here does not end")
            decoded.append((lines[0], broken.told))
        document.give_up()
        return lines[1:]


class _Walk:
    """Goes through some lines of a document as far as they lead.

    Attributes:
        found: What was found: the line in which it begins, the record or why there is none, its text.
        held_size: The size of the value that is not complete, in characters.
    """

    def __init__(
        self,
        path: Sequence[str],
        outcome: Outcome,
        document: Document,
        lines: Sequence[Message],
        texts: Sequence[str],
    ) -> None:
        self.found: list[tuple[Message, Record | Undecodable, str]] = []
        self.held_size = 0
        self._path = path
        self._outcome = outcome
        self._document = document
        self._lines = lines
        self._starts = [0, *accumulate(len(text) + 1 for text in texts)]
        self._text = "\n".join(texts)
        # What ends here may go on.
        self._end = len(self._text.rstrip())
        self._at = document.done
        #: How many names of the path lead here.
        self._level = sum(frame.kind == "{" for frame in document.stack)

    def go(self) -> _Broken | None:
        """Reads up to the end, or to a value that is not complete. Gives what is not JSON, if anything."""
        try:
            self._go()
        except _Broken as broken:
            return broken
        return None

    def _go(self) -> None:
        text, stack = self._text, self._document.stack
        while True:
            self._at = self._blanks(self._at, _BETWEEN)
            if self._at >= self._end:
                return
            frame = stack[-1] if stack else None
            if frame is not None and not frame.awaits:
                if text[self._at] == ("]" if frame.kind == "[" else "}"):
                    self._leave()
                    continue
                if frame.kind == "{":
                    if not self._name(frame):
                        return
                    continue
            if not self._value(frame):
                return
            if frame is not None:
                frame.count += frame.kind == "["
                frame.awaits = False

    def hold(self) -> int:
        """Keeps the lines that are still needed. Returns the first of them by its place."""
        document = self._document
        first = self._line(self._at)
        if self._at < self._end:
            self.held_size = self._end - self._at
            document.held = list(self._lines[first : len(self._starts) - 1])
            document.done = self._at - self._starts[first]
        else:
            document.held, document.done = [], 0
        return first

    def _broken(self, begin: int, at: int, reason: str) -> _Broken:
        """A value that begins somewhere is broken, there or elsewhere."""
        first, line = self._line(begin), self._line(at)
        where = f"column {at - self._starts[line] + 1}"
        if line != first:
            where += f" of {self._lines[line].position}"
        return _Broken(first, first + 1, f"not JSON at {where}: {reason[:1].lower()}{reason[1:]}")

    def _line(self, at: int) -> int:
        return min(bisect_right(self._starts, at), len(self._starts) - 1) - 1

    def _blanks(self, at: int, pattern: re.Pattern[str] = _BLANKS) -> int:
        found = pattern.match(self._text, at)
        assert found is not None
        return found.end()

    def _scanned(self, begin: int, at: int) -> tuple[Any, int] | None:
        """A value and where it ends; None if it is not complete. It belongs to what begins at `begin`."""
        if at >= self._end:
            return None
        try:
            return _scan(self._text, at)
        except json.JSONDecodeError as error:
            if error.pos < self._end:
                raise self._broken(begin, error.pos, error.msg) from None
            # Newer Pythons go on for ten thousand levels: so often each of as many torn lines would be read.
            if _open_levels(self._text, at) <= DEEPEST_LEVELS:
                return None
        except RecursionError:
            pass
        said = "the JSON that begins here is nested too deeply"
        raise _Broken(self._line(begin), len(self._starts) - 1, said)

    def _leave(self) -> None:
        """At the end of a list or of an object."""
        frame = self._document.stack.pop()
        if frame.kind == "{":
            self._level -= 1
            if not frame.count:
                name = ".".join(self._path[: self._level + 1])
                self._add(self._at, Undecodable(f"there is no '{name}'"))
        self._at += 1

    def _name(self, frame: Frame) -> bool:
        """At a name in an object on the way: passes over its value, unless it leads on. False if it is not
        complete."""
        begin = self._at
        found = self._scanned(begin, begin)
        if found is None:
            return False
        name, end = found
        colon = self._blanks(end)
        if type(name) is not str or (colon < self._end and self._text[colon] != ":"):
            raise self._broken(begin, begin if type(name) is not str else colon, "expected a name and ':'")
        value = self._blanks(colon + 1)
        if name == self._path[self._level - 1]:
            if value >= self._end:
                return False
            frame.count, frame.awaits, self._at = frame.count + 1, True, value
            return True
        passed = self._scanned(begin, value)
        if passed is not None:
            self._at = passed[1]
        return passed is not None

    def _value(self, frame: Frame | None) -> bool:
        """At a value: goes into it, or it is a record. False if it is not complete."""
        kind, begin = self._text[self._at], self._at
        if (kind == "[" and (frame is None or frame.kind == "{")) or (
            kind == "{" and self._level < len(self._path)
        ):
            self._document.stack.append(Frame("[" if kind == "[" else "{"))
            self._level += kind == "{"
            self._at += 1
            return True
        found = self._scanned(begin, begin)
        if found is None:
            return False
        self._at = found[1]
        item = frame.count + 1 if frame is not None and frame.kind == "[" else 0
        self._add(begin, self._outcome(self._text[begin : self._at], self._level, item))
        return True

    def _add(self, at: int, outcome: Record | Undecodable) -> None:
        self.found.append((self._lines[self._line(at)], outcome, self._text[at : self._at]))


def _open_levels(text: str, at: int) -> int:
    """How many lists and objects of a text are not at their end, from a place on; 0 if it is surely few."""
    if text.count("[", at) + text.count("{", at) <= DEEPEST_LEVELS:
        return 0
    found = (token[0] for token in _TOKENS.finditer(text, at))
    return sum((token in "[{") - (token in "]}") for token in found)
