"""A statement with `MATCH_RECOGNIZE` as a pipeline: a query, and the keys that it needs beside it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from limecep.language.problems import QueryError
from limecep.model.words import duration_text, quoted
from limecep.translation.choices import decided, longest, skipping
from limecep.translation.conditions import Writer
from limecep.translation.following import on_the_next_row, parted
from limecep.translation.formula import (
    conjunction,
    known_comparison,
    present_in,
    replaced,
    truth,
    without_nulls,
)
from limecep.translation.intervals import duration
from limecep.translation.measures import Measures, checked_totals, returned
from limecep.translation.navigation import Navigator, Scope
from limecep.translation.reader import read
from limecep.translation.slots import shape
from limecep.translation.times import TIME, timed
from limecep.translation.tree import Name, Node, Refused, Skip

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limecep.translation.slots import Edge, Shape
    from limecep.translation.tree import Statement

_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Translation:
    """What a statement comes to.

    Attributes:
        query: The query.
        type: The type of its events: the table.
        time: The column with the time.
        order: The column that orders rows of one time, or None.
        engine: Which matches are found: `nfa`, all; `maximal`, those contained in no other.
        skip: The skip strategy, or None.
        notes: What must be known of the data for the results to be the same.
    """

    query: str
    type: str
    time: str
    order: str | None
    engine: str
    skip: str | None
    notes: tuple[str, ...]

    def __str__(self) -> str:
        """A whole pipeline, that reads a file."""
        name = re.sub(r"\W", "_", self.type).strip("_").lower() or "rows"
        source = [
            f"channel: {_yaml(f'{name}.csv')}",
            f"as: {_yaml(self.type)}",
            f"time: {{field: {_yaml(self.time)}, zone: UTC}}",
        ]
        if self.order is not None:
            source.append(f"order: {_yaml(self.order)}")
        lines = [
            "version: 1",
            "sources:",
            f"  {_yaml(name)}:",
            "    type: file        # or where the rows come from",
        ]
        lines += [f"    {line}" for line in source]
        lines += ["patterns:", f"  {_yaml(f'{name}_matches')}:", "    query: |"]
        lines += [f"      {line}" for line in self.query.splitlines()]
        lines += ["    select: sc", f"    engine: {self.engine}"]
        # One that may grow at its end goes out once, as in SQL.
        results = ["emit: complete"] if self.engine == "maximal" else []
        results += [f"skip: {_yaml(self.skip)}"] if self.skip is not None else []
        if results:
            lines.append(f"    results: {{type: corrected, {', '.join(results)}}}")
        return "\n".join([*(f"# {note}" for note in self.notes), *lines])


def translate(text: str) -> Translation:
    """The query that finds what a statement finds.

    Raises:
        QueryError: It cannot be carried over; with the place of each thing that cannot, as far as they can be
            told one by one.
    """
    statement = read(text)
    try:
        return _Translator(statement).made()
    except Refused as refused:
        raise QueryError([refused.problem], text) from None
    except RecursionError:
        problem = Refused("too-deep", "it is nested too deeply", "take it apart", (0, len(text))).problem
        raise QueryError([problem], text) from None


class _Translator:
    def __init__(self, statement: Statement) -> None:
        self._statement = statement
        self._columns: dict[str, Name] = {}
        self._time = TIME

    def made(self) -> Translation:
        """The translation."""
        s = self._statement
        if s.rows is not None:
            raise Refused(
                "all-rows",
                "ALL ROWS PER MATCH cannot be carried over",
                "each record of a match has its events; write ONE ROW PER MATCH",
                s.rows,
            )
        time, order = self._order()
        self._time = time
        partition = self._partition()
        steps = shape(s.pattern)
        scope = Scope(shape=steps, unions=self._unions(steps), column=self._column)
        formulas, present = self._formulas(scope, time, {time, TIME, *partition})
        formulas = decided(steps, formulas)
        engine = "maximal" if longest(steps) else "nfa"
        skip = skipping(steps, formulas, s.skip or Skip("past-last", None, s.pattern.span))
        writer = Writer(steps)
        conditions = [c for slot in steps.numbers for c in writer.conditions(slot, formulas)]
        kind = s.table[-1].text
        clauses = [f"PATTERN {_structure(steps, kind)}"]
        if conditions:
            clauses.append("WHERE " + "\n  AND ".join(dict.fromkeys(conditions)))
        clauses.append(f"WITHIN {duration_text(self._within())}")
        if partition:
            clauses.append(f"PARTITION BY {', '.join(map(quoted, partition))}")
        values = self._values(Measures(scope, writer, present, time), partition)
        if values:
            clauses.append(returned(values))
        return Translation(
            query="\n".join(clauses),
            type=kind,
            time=time,
            order=order,
            engine=engine,
            skip=skip,
            notes=self._notes(time, order, partition),
        )

    def _notes(self, time: str, order: str | None, partition: Sequence[str]) -> tuple[str, ...]:
        of = f"{time} and {order}" if order else time
        notes = [
            f"No two rows may have the same {of}: SQL leaves their order open; here neither follows "
            f"the other."
        ]
        if partition:
            notes[0] = notes[0].replace("rows may", f"rows of one {', '.join(partition)} may")
            notes.append(f"Rows without {' or '.join(partition)} take no part; in SQL they are a partition.")
        if TIME in {n.text for n in self._columns.values()}:
            notes.append(f"Values of '{TIME}' are written as of RFC 3339, whatever the data has.")
        own = sorted({n.text for n in self._columns.values()} & {"id", "type", "source"})
        if own:
            notes.append(f"Rows must have {' and '.join(own)}: without, it is that of the event itself.")
        return tuple(notes)

    def _column(self, name: Name) -> str:
        known = self._columns.setdefault(name.key, name)
        if known.text != name.text:
            raise Refused(
                "two-spellings",
                f"this column is written '{known.text}' before, and attributes are told apart by their case",
                "write it one way, as the data does",
                name.span,
            )
        if name.text == TIME != self._time:
            raise Refused(
                "time-column",
                f"'{TIME}' is the time of an event here, and not a column",
                "name the column otherwise, in the data too",
                name.span,
            )
        return name.text

    def _plain(self, node: Node, what: str) -> str:
        """The name of a column that stands alone."""
        if node.op != "column" or node.args[0] or node.args[1] is None:
            hint = "name a column; what is computed must come with the rows"
            raise Refused("no-column", f"{what} must be a column", hint, node.span)
        return self._column(node.args[1])

    def _order(self) -> tuple[str, str | None]:
        s = self._statement
        if not s.order:
            raise Refused(
                "no-order", "there is no ORDER BY", "add ORDER BY with the column of the time", s.pattern.span
            )
        for sort in s.order:
            if sort.descending:
                hint = "events go forward in time; leave out DESC"
                raise Refused("descending", "rows must be in ascending order", hint, sort.span)
        names = [self._plain(sort.expression, "what rows are ordered by") for sort in s.order]
        if len(names) > 2:
            hint = "order by the time and a number that counts rows of one time"
            raise Refused("long-order", "rows are ordered by two columns at most", hint, s.order[2].span)
        return names[0], names[1] if len(names) > 1 else None

    def _partition(self) -> list[str]:
        return [self._plain(node, "what rows are partitioned by") for node in self._statement.partition]

    def _unions(self, steps: Shape) -> dict[str, frozenset[str]]:
        s = self._statement
        variables = _variables(s)
        unions = {v: frozenset({v}) for v in variables}
        for key, name in s.named.items():
            if key not in variables:
                message = f"'{name.text}' is defined, and is not in PATTERN"
                raise Refused("unknown-variable", message, "leave out its definition", name.span)
        for key, names in s.subsets.items():
            for name in names:
                if name.key not in variables:
                    hint = "SUBSET joins variables of PATTERN"
                    raise Refused("unknown-variable", f"'{name.text}' is not in PATTERN", hint, name.span)
            if key in variables:
                hint = "give the subset a name of its own"
                raise Refused("unknown-variable", f"{key} is a variable and a subset", hint, names[0].span)
            unions[key] = frozenset(name.key for name in names)
        return unions

    def _formulas(
        self, scope: Scope, time: str, always: set[str]
    ) -> tuple[dict[Edge, Node], Callable[[int, str], bool]]:
        """When rows are taken, by edge, and which columns of which slots are never null."""
        steps = scope.shape
        formulas: dict[Edge, Node] = {}
        conditions = {
            s: parted(self._statement.define.get(steps.slots[s].variable, Node("literal", (True,))))
            for s in steps.numbers
        }
        for q, t in steps.edges:
            later = () if q is None else conditions[q][1]
            parts = [Navigator(scope, (q, t)).resolve(conditions[t][0])]
            parts += [on_the_next_row(scope, q or 0, part) for part in later]
            formulas[q, t] = conjunction(truth(timed(part, time)) for part in parts)
        for s, (_, later) in conditions.items():
            if later and s in steps.ends:
                on_the_next_row(scope, s, later[0])
        there = {slot: _present(slot, formulas) for slot in steps.numbers}

        def present(slot: int, column: str) -> bool:
            columns = there[slot]
            return column in always or columns is None or column in columns

        made = {}
        for (q, t), formula in formulas.items():

            def known(value: Node, q: int | None = q, t: int = t) -> bool:
                match value.op, value.args:
                    case "cur", (column,):
                        return column in always
                    case "prev", (column,):
                        return q is not None and present(q, column)
                    case "last", (slot, column):
                        return steps.must_with(slot, t) and present(slot, column)
                    case "nth", (slot, 1, column):
                        return (slot == t or steps.must_with(slot, t)) and present(slot, column)
                return False

            def needed(node: Node, t: int = t) -> Node:
                if node.op == "needs" and not present(t, node.args[0].args[0]):
                    column = node.args[0].args[0]
                    raise Refused(
                        "sum-with-null",
                        f"aggregates leave out rows without '{column}', which cannot be carried over",
                        f"add AND {column} IS NOT NULL to this condition",
                        node.span,
                    )
                return node.args[0] if node.op in ("needs", "given") else known_comparison(node)

            simple = without_nulls(formula, known)
            made[q, t] = replaced(checked_totals(simple, scope, present), needed)
        return made, present

    def _within(self) -> int:
        s = self._statement
        if s.within is None:
            raise Refused(
                "no-within",
                "there is no WITHIN, and a match must not last for ever",
                "add WITHIN INTERVAL '1' HOUR after PATTERN (...), with a time that no match exceeds",
                (s.pattern.span[1], s.pattern.span[1]),
            )
        found = duration(s.within) if s.within.op == "interval" else None
        if found is None:
            raise Refused(
                "bad-interval",
                "this is no time that can be carried over",
                "write INTERVAL '10' MINUTE, with SECOND, MINUTE, HOUR, DAY or WEEK",
                s.within.span,
            )
        return found

    def _values(self, measures: Measures, partition: Sequence[str]) -> dict[str, str]:
        s = self._statement
        named: dict[str, tuple[Name, str]] = {}
        for expression, name in s.measures:
            if name.key in named:
                hint = "give each measure a name of its own"
                raise Refused("measure-twice", f"there are two measures '{name.text}'", hint, name.span)
            named[name.key] = (name, measures.text(expression))
        if None in s.columns:
            return {name.text: text for name, text in named.values()}
        found: dict[str, str] = {}
        for column in s.columns:
            assert column is not None
            node, alias = column
            if node.op != "column" or len(node.args[0]) > 1 or node.args[1] is None:
                hint = "put what is computed into MEASURES"
                raise Refused("select", "SELECT can only name measures", hint, node.span)
            name = node.args[1]
            if name.key in named:
                found[(alias or named[name.key][0]).text] = named[name.key][1]
            elif name.text not in partition:
                known = ", ".join(n.text for n, _ in named.values()) or "there are none"
                hint = f"measures: {known}"
                raise Refused("select", f"'{name.text}' is no measure, nor in PARTITION BY", hint, name.span)
        return found


def _present(slot: int, formulas: dict[Edge, Node]) -> frozenset[str] | None:
    """The columns that all rows of a slot have; None where it can have no row."""
    found: frozenset[str] | None = None
    for (_, t), formula in formulas.items():
        values = present_in(formula)
        if t == slot and values is not None:
            columns = frozenset(v.args[0] for v in values if v.op == "cur")
            found = columns if found is None else found & columns
    return found


def _variables(statement: Statement) -> frozenset[str]:
    parts, found = [statement.pattern], set()
    while parts:
        part = parts.pop()
        parts += part.parts
        if part.name is not None:
            found.add(part.name.key)
    return frozenset(found)


def _structure(steps: Shape, kind: str) -> str:
    lines = []
    for line in steps.lines:
        shown = []
        for number in line:
            slot = steps.slots[number]
            shown.append(
                f"{quoted(kind)}{_quantifier(slot.low, slot.high)} {quoted(slot.name)}{'[]' * slot.group}"
            )
        lines.append(f"SEQ({', '.join(shown)})")
    return lines[0] if len(lines) == 1 else f"OR({', '.join(lines)})"


def _quantifier(low: int, high: int | None) -> str:
    short = {(1, 1): "", (1, None): "+", (0, None): "*", (0, 1): "?"}.get((low, high))
    if short is not None:
        return short
    return f"{{{low}}}" if low == high else f"{{{low},{'' if high is None else high}}}"


def _yaml(text: str) -> str:
    """A text as a YAML scalar."""
    if re.fullmatch(r"[A-Za-z_][\w.-]*", text) and text.lower() not in _WORDS:
        return text
    return json.dumps(text, ensure_ascii=False)
