"""What is wrong with something a user wrote: where, what, and what to do about it."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where something stands: file, line and column (both from 1), the text of that line, and how many
    characters of it are meant. Line 0 is a file as a whole, or what is no file, such as a key of a dict."""

    file: str
    line: int
    column: int
    text: str = ""
    width: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One finding. `code` is a stable name such as `unknown-key`; `hint` says what to do; `also` is where the
    same was found besides; `trace` is the part of a traceback that is of the plugin that failed."""

    code: str
    message: str
    hint: str = ""
    severity: Literal["error", "warning"] = "error"
    place: Place | None = None
    also: tuple[Place | None, ...] = ()
    trace: str = ""

    def __str__(self) -> str:
        where = f"{self.place}: " if self.place else ""
        head = _visible(f"{where}{self.severity}: {self.message} [{self.code}]")
        if self.also:
            others = ", ".join(f"{p.line}:{p.column}" for p in self.also if p is not None and p.line)
            head += f" ({len(self.also) + 1} times{f', also at {others}' if others else ''})"
        lines = [head]
        if self.place and self.place.text:
            text, before = _excerpt(self.place.text, self.place.column - 1)
            # A tab before the caret stays a tab, so that the caret stands under what it means.
            lead = "".join("\t" if c == "\t" else " " for c in text[:before])
            carets = "^" * max(1, min(self.place.width, len(text) - before))
            # One character for one, so that the caret stays where it is.
            shown = "".join("\ufffd" if _visible(c) != c else c for c in text)
            lines += [f"    {shown}", f"    {lead}{carets}"]
        if self.hint:
            lines.append(f"    {_visible(self.hint)}")
        lines += [f"  {line}" for line in _visible(self.trace).splitlines()]
        return "\n".join(lines)


def merged(problems: Iterable[Problem]) -> list[Problem]:
    """Problems with warnings that say the same made one, at the first place."""
    found: dict[object, Problem] = {}
    for problem in problems:
        key: object = problem
        if problem.severity == "warning":
            key = (problem.code, problem.message, problem.hint)
        known = found.get(key)
        if known is not None and problem.place != known.place:
            problem = replace(known, also=(*known.also, problem.place))
        found[key] = problem
    return list(found.values())


def _visible(text: str) -> str:
    """A text whose control characters are escaped: what stands in a file must not command a terminal."""
    return "".join(c if c.isprintable() or c in "\n\t" else c.encode("unicode_escape").decode() for c in text)


def _excerpt(line: str, column: int) -> tuple[str, int]:
    """The part of a line around a column that fits a screen (a whole file may be one line of JSON), and where
    in it the column is."""
    begin = max(0, column - 40) if len(line) > 120 else 0
    shown = line[begin : begin + 120]
    lead = "..." if begin else ""
    return f"{lead}{shown}{'...' if begin + 120 < len(line) else ''}", column - begin + len(lead)


def suggestion(name: str, known: Iterable[str]) -> str:
    """`did you mean 'x'?` for a misspelt name, else the list of what there is (at most ten)."""
    names = sorted(set(known))
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.6) or [
        n for n in names if n.lower() == name.lower()
    ]
    if close:
        return f"did you mean '{close[0]}'?"
    if not names:
        return ""
    shown = ", ".join(names[:10]) + (", ..." if len(names) > 10 else "")
    return f"known: {shown}"
