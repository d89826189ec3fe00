"""Why a text is no query, in the words of its author. It loads the parser generator, so import it late."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import takewhile
from typing import TYPE_CHECKING

from lark.exceptions import UnexpectedCharacters, UnexpectedToken

from limecep.language.grammar import query_parser
from limecep.language.problems import QueryProblem
from limecep.model.words import KEYWORDS, SELECTIONS

if TYPE_CHECKING:
    from lark import Token
    from lark.exceptions import UnexpectedInput

_CLAUSES = ("WHERE", "WITHIN", "PARTITION", "RETURN")
_CLOSING = {"LPAR": "RPAR", "LSQB": "RSQB", "LBRACE": "RBRACE"}
_NAMES = ("NAME", "QUOTED")
#: Words of the language that are names elsewhere.
_WORDS = (*KEYWORDS, "RETURN", "AS")
_END = "$END"

#: What other languages have, and what it is here.
_ALSO = {"SEQUENCE": "SEQ"}
_ALSO_CLAUSES = {"SELECT": "RETURN", "MEASURES": "RETURN", "EMIT": "RETURN"}
_OPERATORS = {"=>": ">=", "=<": "<=", "===": "=", "!==": "!=", "><": "!="}
#: Operators of other languages that would be mistaken for one of two things.
_FOREIGN = {"&&": "write AND", "||": "write OR; texts are joined by concat(x, y)"}
#: Words of other languages in the place of an operator.
_FOREIGN_WORDS = {
    "ILIKE": "write lower(a.name) LIKE 'k%'",
    **dict.fromkeys(("REGEXP", "RLIKE", "SIMILAR", "REGEX", "GLOB"), "write a.name MATCHES '^k[0-9]+$'"),
    "CONTAINS": "write contains(a.name, 'k')",
    "DISTINCT": "write distinct(b.v): how many different values a group has",
}
_SELECTION = re.compile(r"\bWHERE\s+((?:skip|strict)[\w-]*-[\w-]+)", re.IGNORECASE)

#: How terminals are called in a message. Those that are not here are never named.
_CALLED = {
    "_AND": "AND", "_OR": "OR", "BY": "BY", "NULL": "NULL", "WHERE": "WHERE", "WITHIN": "WITHIN", "IN": "IN",
    "PARTITION": "PARTITION BY", "RETURN": "RETURN", "AS": "AS",
    "WHEN": "WHEN", "THEN": "THEN", "ELSE": "ELSE", "END": "END",
    "BETWEEN": "BETWEEN", "PATTERN": "PATTERN", "COMMA": "','", "DOT": "'.'",
    "LPAR": "'('", "RPAR": "')'", "RSQB": "']'", "RBRACE": "'}'", "NUMBER": "a number",
    "PLUS": "'+'", "MINUS": "'-'",
    _END: "the end of the query",
}  # fmt: skip


def diagnose(error: UnexpectedInput, text: str) -> QueryProblem:
    """The problem behind an error of the parser."""
    if isinstance(error, UnexpectedToken):
        found = error.token
        before = list(query_parser().lex(text)) if found.type == _END else _tokens_before(text, found)
        start = found.start_pos or 0
        end = found.end_pos or 0
        if found.type == _END:
            start = end = before[-1].end_pos or 0 if before else 0
        return _Syntax(found, before, frozenset(error.accepts or ()), start, end, text).problem()
    if isinstance(error, UnexpectedCharacters):
        return _character(text, error.pos_in_stream or 0)
    return QueryProblem(code="syntax", message=str(error), end=len(text))


def misspelt_selection(text: str) -> QueryProblem | None:
    """The problem with a selection policy that is not spelt right, and so reads as a subtraction."""
    found = _SELECTION.search(text)
    if found is None or found[1].lower() in SELECTIONS:
        return None
    near = get_close_matches(found[1].lower(), SELECTIONS, n=1, cutoff=0.6)
    if not near:
        return None
    start, end = found.span(1)
    message, hint = f"unexpected {found[1]}", f"did you mean {near[0]}?"
    return QueryProblem(code="misspelt-keyword", message=message, hint=hint, start=start, end=end)


def _tokens_before(text: str, found: Token) -> list[Token]:
    place = found.start_pos or 0
    return list(takewhile(lambda token: (token.start_pos or 0) < place, query_parser().lex(text)))


def _character(text: str, start: int) -> QueryProblem:
    character = text[start]
    if (foreign := text[start : start + 2]) in _FOREIGN:
        return QueryProblem(
            code="foreign-operator",
            message=f"{foreign} is no operator here",
            hint=_FOREIGN[foreign],
            start=start,
            end=start + 2,
        )
    code, message = "syntax", f"unexpected character {character}"
    hint = "names with other characters than letters, digits and _ stand in backquotes"
    if character in "'\"`":
        code, message = "unclosed-quote", f"the {character} here is never closed"
        hint = f"put a {character} after the {'name' if character == '`' else 'text'}"
    elif character in "‘’“”´":
        hint = "use straight quotes, ' or \""
    elif character == "$":
        hint = "the name of a parameter follows right after $, as in $limit"
    elif character in "&|":
        hint = "write AND or OR"
    elif character == ";":
        hint = "a query ends without it"
    return QueryProblem(code=code, message=message, hint=hint, start=start, end=start + 1)


@dataclass(frozen=True, slots=True)
class _Syntax:
    """What was found at a place, after what, and what could have stood there."""

    found: Token
    before: list[Token]
    accepts: frozenset[str]
    start: int
    end: int
    text: str

    def problem(self) -> QueryProblem:
        for finding in (
            self._first_word, self._case, self._unnamed, self._misspelt, self._misspelt_structure,
            self._brackets, self._within,
            self._order, self._operator, self._percent, self._chain, self._structure, self._arrow, self._dash,
            self._foreign, self._among, self._count_of_all, self._keyword,
        ):  # fmt: skip
            found = finding()
            if found is not None:
                return found
        if self.found.type == _END:
            return self._make("unexpected-end", f"the query ends where {self._expected()} is expected", "")
        return self._make("syntax", f"unexpected {self.found}", f"expected {self._expected()}")

    def _make(self, code: str, message: str, hint: str, at: Token | None = None) -> QueryProblem:
        start, end = (self.start, self.end) if at is None else (at.start_pos or 0, at.end_pos or 0)
        return QueryProblem(code=code, message=message, hint=hint, start=start, end=end)

    def _last(self) -> str:
        return self.before[-1].type if self.before else ""

    def _clause(self) -> str:
        return next((t.type for t in reversed(self.before) if t.type in _CLAUSES), "")

    # Findings, the most telling first

    def _first_word(self) -> QueryProblem | None:
        if self.before or self._near(["PATTERN"]):
            return None
        hint = "as in PATTERN SEQ(A a, B b) WITHIN 10 seconds"
        return self._make("missing-pattern", "a query begins with PATTERN", hint)

    def _near(self, words: list[str], token: Token | None = None) -> str:
        word = self.found if token is None else token
        if word.type != "NAME" or len(word) < 2:
            return ""
        return next(iter(get_close_matches(word.upper(), words, n=1, cutoff=0.6)), "")

    def _misspelt(self) -> QueryProblem | None:
        words = [t.lstrip("_") for t in self.accepts if t.lstrip("_") in _WORDS]
        also = _ALSO_CLAUSES.get(self.found.upper(), "")
        near = also if also in words else self._near(words)
        return (
            self._make("misspelt-keyword", f"unexpected {self.found}", f"did you mean {near}?")
            if near
            else None
        )

    def _case(self) -> QueryProblem | None:
        """SQL's other form: `CASE a.v WHEN 1 THEN ...`."""
        if self._last() != "CASE" or not self.accepts.intersection({"WHEN"}) or self.found.type == "WHEN":
            return None
        hint = "write CASE WHEN a.v = 1 THEN 'one' ELSE 'other' END"
        return self._make("syntax", f"unexpected {self.found or 'end'} after CASE", hint)

    def _unnamed(self) -> QueryProblem | None:
        """A value of RETURN without its name."""
        named = "AS" in self.accepts and not self.accepts.intersection(_NAMES)
        if self._clause() != "RETURN" or not named or self._near(["AS"]):
            return None
        if self.found.type not in (_END, "COMMA", *_NAMES):
            return None
        if self._last() == "AS":
            hint = "a value stands before AS, as in RETURN a.room AS room"
            return self._make("syntax", "a value is missing before AS", hint, self.before[-1])
        hint = "every value has one, as in RETURN a.room AS room, avg(b.celsius) AS mean"
        return self._make("unnamed-value", "AS and a name are missing", hint)

    def _misspelt_structure(self) -> QueryProblem | None:
        if self.found.type != "LPAR" or self._clause() or not self.before:
            return None
        name = self.before[-1]
        near = _ALSO.get(name.upper()) or self._near(["SEQ", "AND", "OR"], name)
        if near:
            return self._make("misspelt-keyword", f"unexpected {name}", f"did you mean {near}?", name)
        return None

    def _brackets(self) -> QueryProblem | None:
        opened: list[Token] = []
        for token in self.before:
            if token.type in _CLOSING:
                opened.append(token)
            elif token.type in _CLOSING.values():
                opened.pop()
        if self.found.type in _CLOSING.values() and not opened:
            return self._make(
                "unmatched-bracket", f"nothing is open that {self.found} closes", "take it away"
            )
        stops = self.found.type in (_END, *_CLAUSES) or self.found.type in _CLOSING.values()
        if opened and stops and self.found.type != _CLOSING[opened[-1].type]:
            closing = _CALLED[_CLOSING[opened[-1].type]]
            place = "" if self.found.type == _END else f" before {self.found}"
            hint = f"put {closing}{place}" if place else f"put {closing} where it ends"
            return self._make("unclosed-bracket", f"the {opened[-1]} here is never closed", hint, opened[-1])
        return None

    def _within(self) -> QueryProblem | None:
        if "WITHIN" not in self.accepts or self.found.type not in (_END, "PARTITION", "RETURN"):
            return None
        hint = "say how long a match may last, as in WITHIN 10 minutes"
        return self._make("missing-within", "WITHIN is missing", hint)

    def _order(self) -> QueryProblem | None:
        if (
            self.found.type not in _CLAUSES
            or self._clause() not in _CLAUSES[_CLAUSES.index(self.found.type) :]
        ):
            return None
        if any(t.type == self.found.type for t in self.before):
            return self._make("clause-order", f"{self.found} stands here a second time", "")
        return self._make(
            "clause-order", f"{self.found} comes too late", "the order is WHERE, WITHIN, PARTITION BY, RETURN"
        )

    def _operator(self) -> QueryProblem | None:
        """Two operators side by side that are one in other languages."""
        last = self.before[-1] if self.before else None
        if last is None or last.type != "COMPARISON" or last.end_pos != self.found.start_pos:
            return None
        meant = _OPERATORS.get(f"{last}{self.found}")
        if meant is None:
            return None
        problem = self._make("syntax", f"unexpected {last}{self.found}", f"did you mean {meant}?", last)
        return replace(problem, end=self.end)

    def _percent(self) -> QueryProblem | None:
        number, sign = self.before[-2:] if len(self.before) > 1 else (None, None)
        if number is None or number.type != "NUMBER" or sign != "%" or not self._expects_value():
            return None
        fraction = f"{float(number) / 100:g}"
        hint = f"% is the remainder of a division; write {number}, or {fraction}, whichever the events have"
        return self._make("syntax", "a percentage is no value", hint, self.before[-1])

    def _arrow(self) -> QueryProblem | None:
        if self._clause() or self.found.type != "MINUS" or not self.text.startswith("->", self.start):
            return None
        hint = "steps stand one after the other in SEQ, as in PATTERN SEQ(A a, B b)"
        return replace(self._make("syntax", "unexpected ->", hint), end=self.start + 2)

    def _chain(self) -> QueryProblem | None:
        if self.found.type != "COMPARISON" or "PLUS" not in self.accepts:
            return None
        hint = "write a.v < b.v AND b.v < c.v, or put one of them in parentheses"
        return self._make("comparison-chain", "comparisons do not chain", hint)

    def _structure(self) -> QueryProblem | None:
        if self._clause():
            return None
        if self.found.type in ("SEQ", "_OR", "_AND") and self._last() in ("COMMA", "LPAR"):
            hint = "(B OR C) x is a step of either type; a choice between sequences is OR(SEQ(...), SEQ(...))"
            return self._make(
                "misplaced-structure", f"{self.found.upper()}(...) cannot stand inside this", hint
            )
        if self.found.type in ("_OR", "_AND") and "WITHIN" in self.accepts:
            hint = f"write {self.found.upper()}(..., ...)"
            return self._make("misplaced-structure", f"{self.found} does not stand between structures", hint)
        return None

    def _dash(self) -> QueryProblem | None:
        if self._clause() or self.found.type != "MINUS" or self._last() != "NAME":
            return None
        hint = (
            "a name with other characters than letters, digits and _ stands in backquotes, as in `door-open`"
        )
        return self._make("syntax", "unexpected -", hint)

    def _foreign(self) -> QueryProblem | None:
        for token in (self.found, *self.before[-1:]):
            hint = _FOREIGN_WORDS.get(token.upper()) if token.type == "NAME" else None
            if hint and self._clause() in ("WHERE", "RETURN"):
                return self._make("syntax", f"{token} is no operator here", hint, token)
        return None

    def _among(self) -> QueryProblem | None:
        """What is no list after IN."""
        if self._last() != "IN" and [t.type for t in self.before[-2:]] != ["IN", "LPAR"]:
            return None
        hint = "write IN (1, 2), IN $list, IN b.v of a group, or IN and the name of a table"
        return self._make("syntax", f"unexpected {self.found or 'end'} after IN", hint)

    def _count_of_all(self) -> QueryProblem | None:
        if self.found != "*" or [t.upper() for t in self.before[-2:]] != ["COUNT", "("]:
            return None
        return self._make("syntax", "unexpected *", "write count(b): how many events b has")

    def _keyword(self) -> QueryProblem | None:
        named = self.accepts.intersection(_NAMES) and self._last() != "NUMBER" and not self._expects_value()
        if not named or self.found.type in _CLAUSES or self.found.upper() not in KEYWORDS:
            return None
        hint = f"to use it as a name, put it in backquotes: `{self.found}`"
        return self._make("keyword-as-name", f"{self.found} is a word of the language", hint)

    # What was expected

    def _expects_value(self) -> bool:
        return "STRING" in self.accepts

    def _expected(self) -> str:
        accepts = set(self.accepts)
        words = []
        if self._expects_value():
            words.append("a value such as a.temperature, 5 or $limit")
            accepts = set()
        if accepts.intersection(_NAMES):
            words.append(self._name(accepts))
            accepts -= {"LPAR", "NUMBER", "RSQB", "AS", "RETURN", "WHEN", "THEN", "ELSE", "END"}
        if "SEQ" in accepts:
            accepts.clear()
        if "COMPARISON" in accepts:
            words.append("a comparison such as > 5")
            accepts -= {"IN", "BETWEEN", "DOT"}
        if "STAR" in accepts:
            accepts -= {"PLUS", "MINUS"}
        if "QUESTION" in accepts:
            words.append("a quantifier such as +")
        words += sorted({_CALLED[t] for t in accepts if t in _CALLED})
        return ", ".join(words[:-1]) + " or " + words[-1] if len(words) > 1 else words[0]

    def _name(self, accepts: set[str]) -> str:
        clause, last = self._clause(), self._last()
        if last == "RANGE":
            return "i"
        if "RANGE" in accepts:
            return "a place such as i, i+1 or 1"
        if last == "AS":
            return "a name for the value"
        if clause == "WITHIN" and last == "NUMBER":
            return "a unit such as seconds"
        if clause:
            return "the name of an attribute"
        if "WITHIN" in accepts or last in (*_NAMES, "RPAR", "RSQB", "RBRACE", "PLUS", "STAR", "QUESTION"):
            return "a variable"
        return "SEQ(...) or an event type" if "SEQ" in accepts else "an event type"
