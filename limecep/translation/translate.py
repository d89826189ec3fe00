"""A statement with `MATCH_RECOGNIZE` as a pipeline: a query, and the keys that it needs beside it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeVar

from limecep.language.problems import QueryError
from limecep.model.words import duration_text, quoted
from limecep.translation.cases import without_cases
from limecep.translation.choices import decided, longest, skipping
from limecep.translation.conditions import Writer
from limecep.translation.following import on_the_next_row, parted
from limecep.translation.formula import (
    FALSE,
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
from limecep.translation.pipeline import Translation, structure
from limecep.translation.reader import read
from limecep.translation.slots import shape
from limecep.translation.times import TIME, timed
from limecep.translation.tree import Name, Node, Refused, Skip

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limecep.language.problems import QueryProblem
    from limecep.translation.slots import Edge, Shape
    from limecep.translation.tree import Statement

_Made = TypeVar("_Made")


def translate(text: str) -> Translation:
    """The query that finds what a statement finds.

    Raises:
        QueryError: It cannot be carried over; with the place of everything that cannot, as far as one thing
            does not hide another.
    """
    translator = _Translator(read(text))
    made = translator.attempt(translator.made)
    if made is None or translator.problems:
        raise QueryError(sorted(translator.problems, key=lambda p: p.start), text)
    return made


class _Translator:
    def __init__(self, statement: Statement) -> None:
        self._statement = statement
        self._columns: dict[str, Name] = {}
        self._time = TIME
        #: What cannot be carried over, each once.
        self.problems: dict[QueryProblem, None] = {}

    def attempt(self, make: Callable[[], _Made]) -> _Made | None:
        """What something makes, or None: then it is among the problems why not."""
        try:
            return make()
        except Refused as refused:
            self.problems[refused.problem] = None
            return None

    def made(self) -> Translation | None:
        """The translation, or None where there are problems.

        Raises:
            Refused: It cannot be carried over; there may be other problems besides.
        """
        s = self._statement
        self.attempt(self._rows)
        time, order = self.attempt(self._order) or (TIME, None)
        self._time = time
        partition = self.attempt(self._partition) or []
        within = self.attempt(self._within) or 0
        steps = shape(s.pattern)
        scope = Scope(shape=steps, unions=self._unions(steps), column=self._column)
        formulas, present = self._formulas(scope, time, {time, TIME, *partition})
        writer = Writer(steps)
        values = self.attempt(partial(self._values, Measures(scope, writer, present, time), partition))
        if self.problems:
            # What these hide cannot be told.
            return None
        formulas = decided(steps, formulas)
        engine = "maximal" if longest(steps) else "nfa"
        skip = skipping(steps, formulas, s.skip or Skip("past-last", None, s.pattern.span))
        conditions = [c for slot in steps.numbers for c in writer.conditions(slot, formulas)]
        kind = s.table[-1].text
        clauses = [f"PATTERN {structure(steps, kind)}"]
        if conditions:
            clauses.append("WHERE " + "\n  AND ".join(dict.fromkeys(conditions)))
        clauses.append(f"WITHIN {duration_text(within)}")
        if partition:
            clauses.append(f"PARTITION BY {', '.join(map(quoted, partition))}")
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

    def _rows(self) -> None:
        if self._statement.rows is not None:
            raise Refused(
                "all-rows",
                "ALL ROWS PER MATCH cannot be carried over",
                "each record of a match has its events; write ONE ROW PER MATCH",
                self._statement.rows,
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
        true = Node("literal", (True,))
        define = {
            v: self.attempt(partial(without_cases, condition)) or true
            for v, condition in self._statement.define.items()
        }
        conditions = {s: parted(define.get(steps.slots[s].variable, true)) for s in steps.numbers}

        def taken(q: int | None, t: int) -> Node:
            parts = [Navigator(scope, (q, t)).resolve(conditions[t][0])]
            if q is not None:
                parts += [on_the_next_row(scope, q, part) for part in conditions[q][1]]
            return conjunction(truth(timed(part, time)) for part in parts)

        for q, t in steps.edges:
            formulas[q, t] = self.attempt(partial(taken, q, t)) or FALSE
        for s in steps.ends:
            for part in conditions[s][1]:
                self.attempt(partial(on_the_next_row, scope, s, part))
        there = {slot: _present(slot, formulas) for slot in steps.numbers}

        def present(slot: int, column: str) -> bool:
            columns = there[slot]
            return column in always or columns is None or column in columns

        made = dict(formulas)
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
                    self.attempt(partial(_refuse_nulls, node))
                return node.args[0] if node.op in ("needs", "given") else known_comparison(node)

            simple = without_nulls(formula, known)
            sums = partial(checked_totals, simple, scope, present)
            made[q, t] = replaced(self.attempt(sums) or FALSE, needed)
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
            named[name.key] = (name, self.attempt(partial(measures.text, expression)) or "")
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


def _refuse_nulls(node: Node) -> Node:
    (column,) = node.args[0].args
    raise Refused(
        "sum-with-null",
        f"aggregates leave out rows without '{column}', which cannot be carried over",
        f"add AND {column} IS NOT NULL to this condition",
        node.span,
    )


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
