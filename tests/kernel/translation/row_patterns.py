"""SQL's row pattern matching by brute force: backtracking in the order of preference, on a list of rows.

It shares only the reader with what it is compared with.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from limecep.contracts.results import Skip
from limecep.host import Host
from limecep.language.check import check
from limecep.language.functions import function
from limecep.language.parser import parse
from limecep.language.problems import QueryError
from limecep.model.event import Event
from limecep.spec import NoOptions
from limecep.testing.changelog import net
from limecep.testing.oracle import assignment
from limecep.testing.policy_bench import Correcting, PolicyBench
from limecep.translation.reader import read
from limecep.translation.translate import translate
from limecep_maximal.config import MaximalOptions
from limecep_maximal.engine import MaximalEngine
from limecep_nfa.engine import NfaEngine

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from limecep.model.match import Match
    from limecep.registry import Registry
    from limecep.translation.tree import Node, Part, Statement

    Row = Mapping[str, Any]
    #: The rows taken so far, each with its variable.
    Taken = tuple[tuple[int, str], ...]


def found(text: str, rows: Sequence[Row], within: int) -> list[Taken]:
    """The matches of a statement in rows that are in order; `t` of a row is its time."""
    statement = read(text)
    matcher = _Matcher(statement, rows, within)
    skip = statement.skip
    start, matches = 0, []
    while start < len(rows):
        taken = next((t for _, t in matcher.ways(statement.pattern, start, ())), None)
        if taken is None:
            start += 1
            continue
        matches.append(taken)
        if skip is not None and skip.to == "next":
            start += 1
        elif skip is None or skip.to == "past-last":
            start = taken[-1][0] + 1
        else:
            at = [row for row, variable in taken if variable == skip.variable.key]
            start = at[0 if skip.to == "to-first" else -1]
    return matches


class _Matcher:
    def __init__(self, statement: Statement, rows: Sequence[Row], within: int) -> None:
        self._define = statement.define
        self._subsets = statement.subsets
        self._rows = rows
        self._within = within

    def ways(self, part: Part, at: int, taken: Taken) -> Iterator[tuple[int, Taken]]:
        """Every way through a part from a row on, those that SQL prefers first."""
        yield from self._times(part, 0, at, taken)

    def _times(self, part: Part, count: int, at: int, taken: Taken) -> Iterator[tuple[int, Taken]]:
        if part.reluctant and count >= part.low:
            yield at, taken
        if part.high is None or count < part.high:
            for after, more in self._once(part, at, taken):
                if after > at or count < part.low:
                    yield from self._times(part, count + 1, after, more)
                else:
                    # An empty turn is one, and the last.
                    yield after, more
        if not part.reluctant and count >= part.low:
            yield at, taken

    def _once(self, part: Part, at: int, taken: Taken) -> Iterator[tuple[int, Taken]]:
        if part.op == "variable":
            if at < len(self._rows) and self._takes(part.name.key, at, taken):
                yield at + 1, (*taken, (at, part.name.key))
        elif part.op == "choice":
            for inner in part.parts:
                yield from self.ways(inner, at, taken)
        else:
            yield from self._sequence(part.parts, at, taken)

    def _sequence(self, parts: tuple[Part, ...], at: int, taken: Taken) -> Iterator[tuple[int, Taken]]:
        if not parts:
            yield at, taken
            return
        for after, more in self.ways(parts[0], at, taken):
            yield from self._sequence(parts[1:], after, more)

    def _takes(self, variable: str, at: int, taken: Taken) -> bool:
        if taken and self._rows[at]["t"] - self._rows[taken[0][0]]["t"] > self._within:
            return False
        condition = self._define.get(variable)
        return condition is None or self.value(condition, (*taken, (at, variable))) is True

    def _named(self, node: Node, taken: Taken) -> list[int]:
        """The rows that a column names."""
        qualifier = node.args[0]
        if not qualifier:
            return [row for row, _ in taken]
        union = self._subsets.get(qualifier[0].key)
        variables = {n.key for n in union} if union else {qualifier[0].key}
        return [row for row, variable in taken if variable in variables]

    def _of(self, row: int, node: Node) -> Any:
        return self._rows[row].get(node.args[1].text) if 0 <= row < len(self._rows) else None

    def value(self, node: Node, taken: Taken) -> Any:
        """The value of an expression, given the rows taken so far."""
        op, args = node.op, node.args
        if op == "literal":
            return args[0]
        if op == "interval":
            return int(args[0])
        if op == "column":
            rows = self._named(node, taken)
            return self._of(rows[-1], node) if rows else None
        if op == "call":
            return self._call(node, taken)
        values = [self.value(a, taken) for a in args]
        if op == "case":
            pairs = zip(values[:-1:2], values[1::2], strict=True)
            return next((v for c, v in pairs if c is True), values[-1] if len(values) % 2 else None)
        if op in ("and", "or"):
            decisive = op == "or"
            return decisive if decisive in values else None if None in values else not decisive
        if op == "isnull":
            return values[0] is None
        if op == "in":
            equal = [None if None in (values[0], v) else values[0] == v for v in values[1:]]
            return True if True in equal else None if None in equal else False
        if op == "between":
            low, high = (None if None in (values[0], v) else v for v in values[1:])
            tests = [None if low is None else values[0] >= low, None if high is None else values[0] <= high]
            return False if False in tests else None if None in tests else True
        if None in values:
            return None
        left, right = (*values, None)[:2]
        return {
            "not": lambda: not left, "neg": lambda: -left, "+": lambda: left + right,
            "-": lambda: left - right, "*": lambda: left * right, "=": lambda: left == right,
            "<>": lambda: left != right, "<": lambda: left < right, "<=": lambda: left <= right,
            ">": lambda: left > right, ">=": lambda: left >= right,
            "like": lambda: re.fullmatch(right.replace("%", ".*").replace("_", "."), left) is not None,
        }[op]()  # fmt: skip

    def _call(self, node: Node, taken: Taken) -> Any:
        name, _, what, *arguments = node.args
        if name in ("FIRST", "LAST", "PREV", "NEXT"):
            rows = self._named(arguments[0], taken)
            by = arguments[1].args[0] if len(arguments) > 1 else int(name in ("PREV", "NEXT"))
            if name in ("PREV", "NEXT"):
                return self._of(rows[-1] + (by if name == "NEXT" else -by), arguments[0]) if rows else None
            if by >= len(rows):
                return None
            return self._of(rows[by] if name == "FIRST" else rows[-1 - by], arguments[0])
        if what == "all":
            return len(taken)
        rows = self._named(arguments[0], taken)
        if what == "rows":
            return len(rows)
        values = [v for v in (self._of(r, arguments[0]) for r in rows) if v is not None]
        if name == "COUNT":
            return len(values)
        if not values:
            return None
        totals = {"SUM": sum, "MIN": min, "MAX": max, "AVG": lambda v: Fraction(sum(v), len(v))}
        return totals[name](values)


def measured(text: str, rows: Sequence[Row], taken: Taken) -> dict[str, Any]:
    """The measures of a match by SQL's rules."""
    statement = read(text)
    matcher = _Matcher(statement, rows, 0)
    return {name.text: matcher.value(node, taken) for node, name in statement.measures}


def by_engine(text: str, rows: Sequence[Row], order: Sequence[int] = ()) -> list[Taken]:
    """The matches that the engine finds with the translation of a statement, in order.

    Args:
        text: The statement.
        rows: The rows.
        order: The order in which they arrive; by default that of time.
    """
    return [taken for taken, _ in with_values(text, rows, order)]


def with_values(
    text: str, rows: Sequence[Row], order: Sequence[int] = ()
) -> list[tuple[Taken, dict[str, Any]]]:
    """As `by_engine`, each match with its values."""
    translation = translate(text)
    skip = None
    if translation.skip is not None:
        to, variable = re.fullmatch(r"(?:to-)?([a-z-]+)(?:\[(.*)\])?", translation.skip).groups()
        skip = Skip(to, variable or "")
    made = {"nfa": (NfaEngine, NoOptions()), "maximal": (MaximalEngine, MaximalOptions())}
    engine, options = made[translation.engine]
    pattern = parse(translation.query, _function)
    assert [p for p in check(pattern) if p.severity == "error"] == []
    bench = PolicyBench(
        pattern,
        "sc",
        results=lambda *_: Correcting(skip),
        engine=lambda plan, context: engine(plan, options, context),
    )
    events = [_event(translation.type, n, row) for n, row in enumerate(rows)]
    bench.run([events[n] for n in order or range(len(rows))])
    values = {assignment(u.match.events()): _values(u.match) for u in bench.updates}
    found = [
        (sorted((int(id), _variable(name)) for name, group in match for *_, id in group), values[match])
        for match in net(bench.updates)
    ]
    return sorted(((tuple(taken), given) for taken, given in found), key=lambda m: m[0])


def _values(match: Match) -> dict[str, Any]:
    returned = match.alternative.returned
    return {} if returned is None else returned(match.events(), match.end)


@cache
def _function(name: str) -> Any:
    return function(_registry(), name)


@cache
def _registry() -> Registry:
    return Host.load().registry


def _event(type: str, number: int, row: Row) -> Event:
    payload = {k: v for k, v in row.items() if k != "t"}
    return Event(type=type, id=str(number), t_gen=row["t"] * 1_000_000, payload=payload)


def _variable(name: str) -> str:
    """The variable of a step: `down` and `down_2` are of DOWN."""
    return re.sub(r"_\d+$", "", name).upper()


def refusal(text: str) -> str:
    """The code with which a statement is refused, at the place where it has a `¦`. What else is wrong with it
    does not matter."""
    before, _, after = text.partition("¦")
    with pytest.raises(QueryError) as caught:
        translate(before + after)
    assert all(p.hint for p in caught.value.problems)
    return " ".join(p.code for p in caught.value.problems if p.start == len(before))


def statement(rest: str) -> str:
    """A statement, given what follows ORDER BY."""
    return f"SELECT * FROM T MATCH_RECOGNIZE (ORDER BY ts\n{rest})"
