"""Why a text is no `MATCH_RECOGNIZE` that can be read. It loads the parser generator, so import it late."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lark.exceptions import UnexpectedToken

from limecep.language.problems import QueryProblem

if TYPE_CHECKING:
    from lark.exceptions import UnexpectedInput

FORM = "what can be read is: SELECT ... FROM table MATCH_RECOGNIZE (... PATTERN (...) DEFINE ...)"

#: What stands where a text cannot be read: what is before it, and it itself; the message, and what to do.
_KNOWN = (
    (r"\b(?P<at>TABLE)\s*$", r"\(", "a table function such as TUMBLE cannot be carried over",
     "name the table itself; windows follow from WITHIN"),
    (r"\bFROM\s*$", r"\(", "a query in the place of a table cannot be carried over",
     "name a table; what the query leaves out must be left out of the source"),
    (r"\(\s*(?P<at>SELECT)\s+$", r"", "a query in an expression cannot be carried over",
     "compare with columns and literals"),
    (r"\bWITHIN\s+(?P<at>\d+)\s+$", r"\w", "a time is an interval", "write INTERVAL '1' HOUR"),
    (r"", r"'", "this text does not end", "close it with '"),
    (r"\b(?P<at>JOIN|WHERE|GROUP|HAVING|ORDER|LIMIT|UNION|INNER|LEFT|CROSS)\s+$", r"",
     "this clause cannot be carried over", f"leave it to whoever reads the results; {FORM}"),
    (r"", r"(JOIN|WHERE|GROUP|HAVING|ORDER|LIMIT|UNION|WINDOW|WITH|QUALIFY|FETCH)\b",
     "this clause cannot be carried over", f"leave it to whoever reads the results; {FORM}"),
    (r"", r"\|\|", "'||' cannot be carried over", "compare the parts of the text each by itself"),
    (r"", r"::", "a cast cannot be carried over", "values keep the kind that they have in the data"),
    (r"", r"(OVER|EXISTS|ANY|SOME|SELECT|ARRAY|ROW)\b", "this expression cannot be carried over",
     "conditions are comparisons of columns, joined by AND, OR and NOT"),
)  # fmt: skip

#: The clauses, in their order.
_CLAUSES = (
    "PARTITION BY", "ORDER BY", "MEASURES", "ONE ROW PER MATCH", "AFTER MATCH SKIP", "PATTERN", "WITHIN",
    "SUBSET", "DEFINE",
)  # fmt: skip

_CALLED = {
    "COMMA": "','", "LPAR": "'('", "RPAR": "')'", "AS": "AS", "NAME": "a name", "PATTERN": "PATTERN",
    "DEFINE": "DEFINE", "FROM": "FROM", "MATCH_RECOGNIZE": "MATCH_RECOGNIZE", "RBRACE": "'}'",
    "NUMBER": "a number", "SELECT": "SELECT", "BY": "BY", "$END": "the end",
}  # fmt: skip


def diagnosed(error: UnexpectedInput, text: str, bare: str) -> QueryProblem:
    """The problem behind an error of the parser.

    Args:
        error: The error.
        text: The text.
        bare: The same without comments and what stands in quotes.
    """
    start = error.pos_in_stream or 0
    end = start + 1
    expected: set[str] = set()
    if isinstance(error, UnexpectedToken):
        expected = set(error.accepts or ()) or set(error.expected or ())
        if error.token.type == "$END":
            start = end = len(bare.rstrip())
        else:
            end = error.token.end_pos or end
    begins = next((c for c in _CLAUSES if c.split()[0] == text[start:end].upper()), None)
    if begins and "NAME" not in expected and expected & {"RPAR", "PATTERN"}:
        hint = f"the order is: {', '.join(_CLAUSES)}"
        message = f"{begins} cannot stand here"
        return QueryProblem(code="misplaced-clause", message=message, hint=hint, start=start, end=end)
    for before, here, message, hint in _KNOWN:
        lead = re.search(before, bare[:start], re.IGNORECASE)
        found = re.match(here, text[start:], re.IGNORECASE)
        if lead and found and start < len(text):
            if "at" in lead.groupdict():
                start, end = lead.span("at")
            else:
                end = max(start + found.end(), start + 1)
            return QueryProblem(code="not-carried-over", message=message, hint=hint, start=start, end=end)
    named = sorted(_CALLED[e] for e in expected if e in _CALLED)
    what = f"unexpected '{text[start:end]}'" if end > start else "the statement ends too early"
    hint = f"expected {', '.join(named)}" if named else ""
    return QueryProblem(code="syntax", message=what, hint=hint, start=start, end=end)
