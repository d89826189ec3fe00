"""A reason why a pattern found nothing, or what is odd about its sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.language.problems import QueryProblem
from limecep.model.expression import NOWHERE

if TYPE_CHECKING:
    from limecep.model.expression import Span


def reason(code: str, message: str, hint: str = "", span: Span = NOWHERE) -> QueryProblem:
    """A reason, with the part of the query that it is about, if it is about one."""
    return QueryProblem(code=code, message=message, hint=hint, severity="warning", start=span[0], end=span[1])
