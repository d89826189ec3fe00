"""The words of queries: keywords, names and how they are quoted, units of time."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from limecep.model.expression import Span
    from limecep.model.pattern import Select

KEYWORDS = (
    "PATTERN", "SEQ", "AND", "OR", "NOT", "WHERE", "IN", "BETWEEN", "IS", "NULL", "TRUE", "FALSE", "WITHIN",
    "PARTITION", "BY",
)  # fmt: skip

SELECTIONS: dict[str, Select] = {
    "skip-till-next-match": "stnm",
    "skip-till-any-match": "stam",
    "strict-contiguity": "sc",
}

#: Microseconds of each unit of WITHIN, longest first; the first spelling of each is the one that is printed.
UNITS = (
    (86_400_000_000, ("days", "day", "d")),
    (3_600_000_000, ("hours", "hour", "h")),
    (60_000_000, ("minutes", "minute", "mins", "min")),
    (1_000_000, ("seconds", "second", "secs", "sec", "s")),
    (1_000, ("ms",)),
    (1, ("us",)),
)
MICROSECONDS = {spelling: size for size, spellings in UNITS for spelling in spellings}

# Case is ignored by the regular expression, as the lexer does it: there are letters outside ASCII that it
# takes for those of a keyword.
_KEYWORD = re.compile("|".join(KEYWORDS), re.IGNORECASE)
_PLAIN = re.compile(r"[^\W\d]\w*")


def is_plain(name: str) -> bool:
    """Whether a name may stand in a query as it is, keywords aside."""
    return _PLAIN.fullmatch(name) is not None


def quoted(name: str) -> str:
    """A name as it is written in a query: in backquotes where it is a keyword or no identifier."""
    if _PLAIN.fullmatch(name) and not _KEYWORD.fullmatch(name):
        return name
    return "`" + name.replace("`", "``") + "`"


def find(name: str, text: str, span: Span) -> Span:
    """Where a name stands in a part of a text; the whole part if it cannot be found."""
    found = re.search(rf"(?<!\w){re.escape(quoted(name))}(?!\w)", text[slice(*span)])
    return (span[0] + found.start(), span[0] + found.end()) if found else span


def unquoted(token: str) -> str:
    """The name that `quoted` wrote."""
    return token[1:-1].replace("``", "`") if token.startswith("`") else str(token)


def path_text(path: tuple[str, ...]) -> str:
    """`payload.temp`."""
    return ".".join(map(quoted, path))


def duration_text(microseconds: int) -> str:
    """`10 minutes`: in the longest unit that gives a whole number."""
    for size, (spelling, *_) in UNITS:
        number, rest = divmod(microseconds, size)
        if rest == 0 and number:
            return f"{number} {spelling[:-1] if number == 1 and size >= 1_000_000 else spelling}"
    return "0 us"
