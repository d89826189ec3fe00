"""What is wrong with a query, by offsets into its text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from limecep.errors import LimecepError
from limecep.problems import Place, Problem

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryProblem:
    """One finding in a query. `start` and `end` are offsets of the first character meant and of the one after
    the last; they are equal where something is missing. `fault` is the function that failed
    when it was asked what is wrong, by its name, and what it raised: whose mistake that is says who knows its
    plugin."""

    code: str
    message: str
    hint: str = ""
    severity: Literal["error", "warning"] = "error"
    start: int = 0
    end: int = 0
    fault: tuple[str, BaseException] | None = None

    def within(self, text: str, file: str = "query") -> Problem:
        """The same with line and column, for the text the offsets point into."""
        line = text.count("\n", 0, self.start)
        begin = text.rfind("\n", 0, self.start) + 1
        shown = text[begin:].split("\n", 1)[0].rstrip("\r")
        column = self.start - begin + 1
        width = max(1, min(self.end, begin + len(shown)) - self.start)
        place = Place(file=file, line=line + 1, column=column, text=shown, width=width)
        return Problem(
            code=self.code, message=self.message, hint=self.hint, severity=self.severity, place=place
        )


class QueryError(LimecepError):
    """A text is no query. Carries what is wrong with it, at least one problem, and the text."""

    def __init__(self, problems: Sequence[QueryProblem], text: str) -> None:
        self.problems = tuple(problems)
        self.text = text
        super().__init__("\n".join(str(p.within(text)) for p in self.problems))
