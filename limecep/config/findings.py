"""Collects what is wrong with a configuration: everything, not the first."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from limecep.problems import Place, Problem, merged

if TYPE_CHECKING:
    from limecep.config.nodes import Node
    from limecep.config.secrets import Secrets


class Findings:
    """Problems found so far.

    Attributes:
        keys: Those that blocks may have.
        secrets: What the problems do not tell.
    """

    def __init__(self) -> None:
        self.keys: set[str] = set()
        self.secrets: Secrets | None = None
        self._problems: dict[Problem, None] = {}

    def error(self, code: str, message: str, where: Node | Place | None, hint: str = "") -> None:
        """Adds what makes the configuration unusable."""
        self.add(Problem(code=code, message=message, hint=hint), where)

    def warning(self, code: str, message: str, where: Node | Place | None, hint: str = "") -> None:
        """Adds what may surprise."""
        self.add(Problem(code=code, message=message, hint=hint, severity="warning"), where)

    def add(self, problem: Problem, where: Node | Place | None) -> None:
        """Adds a problem that knows no place yet. The same one counts once: aliases repeat them."""
        place = where if where is None or isinstance(where, Place) else where.origin.place()
        self._problems.setdefault(replace(problem, place=place))

    @property
    def errors(self) -> int:
        """How many errors there are among them."""
        return sum(p.severity == "error" for p in self._problems)

    @property
    def failed(self) -> bool:
        """Whether there is an error among them."""
        return self.errors > 0

    def sorted(self) -> list[Problem]:
        """All of them, by place. Warnings that say the same are one."""
        by_place = sorted(
            map(self._told, self._problems),
            key=lambda p: (p.place.file, p.place.line, p.place.column) if p.place else ("", 0, 0),
        )
        return merged(by_place)

    def _told(self, problem: Problem) -> Problem:
        if self.secrets is None:
            return problem
        self.secrets.keys = self.keys
        told = (self.secrets.hidden(text) for text in (problem.message, problem.hint, problem.trace))
        message, hint, trace = told
        return replace(problem, message=message, hint=hint, trace=trace)
