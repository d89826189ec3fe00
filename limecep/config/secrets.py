"""What `${...}` put into a configuration is kept out of messages: it may be a password, or a piece of one."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING
from urllib.parse import quote, quote_plus, unquote

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

#: What messages quote.
_QUOTED = re.compile(r"""(['"])(.*?)\1""", re.DOTALL)
#: What ends a quotation, or is written otherwise in one.
_ENDS = re.compile(r"""['"\\\x00-\x1f]+""")
#: What clients take a value apart at.
_DELIMITERS = re.compile(r"""['"@/:#?&=;,%\\\x00-\x1f]+""")
#: Shorter values and pieces are no secrets, and stand in much that is none.
_SHORTEST = 3
#: So many characters of a value are a piece of it; of a shorter value all.
_PIECE = 5


class Secrets:
    """Values by the reference that gave each, such as `${NAME}`.

    Attributes:
        keys: What messages may quote although it has a piece of a value: keys of the file.
    """

    def __init__(self) -> None:
        self.keys: Collection[str] = ()
        self._references: dict[str, str] = {}

    def add(self, value: str, reference: str) -> None:
        """Keeps a value out of messages, what of it stands between quotation marks, and how clients spell
        it."""
        for form in _forms(value):
            for part in (form, *_ENDS.split(form)):
                if len(part) >= _SHORTEST:
                    self._references.setdefault(part, reference)
        for secret in _secret(value):
            for part in _DELIMITERS.split(secret):
                if len(part) >= _PIECE:
                    self._references.setdefault(part, reference)

    def hidden(self, message: str) -> str:
        """A message with references in place of values, and of what it quotes of them."""

        def unquoted(quoted: re.Match[str]) -> str:
            mark, text = quoted.groups()
            if text in self.keys:
                return quoted[0]
            return next(
                (f"{mark}{r}{mark}" for v, r in self._references.items() if _share(text, v)), quoted[0]
            )

        # The longest first: one may stand in another.
        for value in sorted(self._references, key=len, reverse=True):
            message = self._references[value].join(_whole(value).split(message))
        return _QUOTED.sub(unquoted, message)


def _forms(value: str) -> Iterator[str]:
    """A value as it may stand in a message: as it is, in an address, escaped; of an address also the password
    alone, which clients show in other words."""
    for part in (value, *_secret(value)):
        plain = unquote(part)
        yield from (part, quote(part, safe=""), quote(part), quote_plus(part), plain)
        yield from (repr(part)[1:-1], json.dumps(part)[1:-1], json.dumps(part, ensure_ascii=False)[1:-1])


def _secret(value: str) -> list[str]:
    """What of a value nobody is to know: of an address the password, as it is written and as it is."""
    if "://" not in value:
        return [value]
    password = value.rpartition("@")[0].rpartition("/")[2].partition(":")[2]
    return [password, unquote(password)]


def _whole(value: str) -> re.Pattern[str]:
    """Where a value stands; a short one by itself: not 500 in 1500, nor `max` in `maximal`."""
    by_itself = len(value) < _PIECE
    before = r"(?<!\w)" if by_itself and re.match(r"\w", value) else ""
    after = r"(?!\w)" if by_itself and re.search(r"\w\Z", value) else ""
    return re.compile(f"{before}{re.escape(value)}{after}")


def _share(text: str, value: str) -> bool:
    """Whether a text has a piece of a value."""
    long = min(_PIECE, len(value), max(len(text), _SHORTEST))
    return any(value[n : n + long] in text for n in range(len(value) - long + 1))
