"""What is wrong with the structure and the clauses of a query."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limecep.language.problems import QueryProblem
from limecep.model.alternatives import count, sequences, written
from limecep.model.pattern import Conjunction
from limecep.model.words import find, quoted
from limecep.problems import suggestion

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from limecep.model.expression import Span
    from limecep.model.pattern import Pattern, Sequence, Step

#: As many as seven steps of AND have orders.
_MOST_ALTERNATIVES = 5040
#: What every event has, whatever its payload; the first of it text.
TEXTS = ("id", "type", "source")
OWN = (*TEXTS, "time")


def has_attribute(known: Collection[str], path: tuple[str, ...]) -> bool:
    """Whether events with the attributes `known`, whose names may have dots, may have one at a path."""
    if len(path) == 1 and path[0] in OWN:
        return True
    return any(".".join(path[:n]) in known for n in range(1, len(path) + 1))


class StructureCheck:
    """Looks at steps, alternatives, WITHIN and PARTITION BY."""

    def __init__(
        self, pattern: Pattern, *, types: Iterable[str] | None, attributes: Mapping[str, Collection[str]]
    ) -> None:
        self._pattern = pattern
        self._types = None if types is None else frozenset(types)
        self._attributes = attributes
        self._sequences = sequences(pattern.structure)

    def problems(self) -> Iterator[QueryProblem]:
        """What is wrong."""
        for sequence in self._sequences:
            steps = written(sequence.parts)
            yield from self._duplicates(steps)
            for step in steps:
                yield from self._step(step)
            for part in sequence.parts:
                if isinstance(part, Conjunction):
                    yield from self._conjunction(part)
            if all(s.negated for s in steps):
                yield _problem(
                    "only-negated",
                    "nothing here can be matched: every step is negated",
                    "add a step that is not, before or after what must be absent",
                    (steps[0].span[0], steps[-1].span[1]),
                )
            yield from self._window(sequence)
        yield from self._signs()
        if count(self._pattern.structure) > _MOST_ALTERNATIVES:
            first, last = written(self._sequences[0].parts)[0], written(self._sequences[-1].parts)[-1]
            message = f"OR and AND stand for more than {_MOST_ALTERNATIVES} sequences here"
            hint = "AND stands for every order of its steps: of 7 steps, 5040"
            yield _problem("too-many-orders", message, hint, (first.span[0], last.span[1]))
        yield from self._partition()

    def _duplicates(self, steps: list[Step]) -> Iterator[QueryProblem]:
        seen = set()
        for step in steps:
            if step.variable in seen:
                yield _problem(
                    "duplicate-variable",
                    f"variable '{step.variable}' is used twice",
                    f"give this step another one, such as {quoted(f'{step.variable}2')}",
                    step.span,
                )
            seen.add(step.variable)

    def _signs(self) -> Iterator[QueryProblem]:
        """A condition could not say whether it is about what is there or about what must be absent."""
        signs: dict[str, bool] = {}
        for sequence in self._sequences:
            steps = written(sequence.parts)
            for step in steps:
                if signs.get(step.variable, step.negated) != step.negated:
                    yield _problem(
                        "negated-elsewhere",
                        f"variable '{step.variable}' is negated in one alternative of OR, and not in another",
                        f"give this step a variable of its own, such as {quoted(f'{step.variable}2')}",
                        step.span,
                    )
            signs.update((step.variable, step.negated) for step in steps)

    def _step(self, step: Step) -> Iterator[QueryProblem]:
        low, high = step.quantifier.minimum, step.quantifier.maximum
        if step.negated and not step.quantifier.single:
            hint = f"write !{step.types[0]} {step.variable}: not a single one may be there"
            yield _problem("negated-quantifier", "a negated step takes no quantifier", hint, step.span)
        elif high == 0:
            hint = "leave the step out, or negate it by ! if there must be none"
            yield _problem("empty-quantifier", f"{step.quantifier} takes no event", hint, step.span)
        elif high is not None and low > high:
            hint = f"write {{{high},{low}}}"
            yield _problem("empty-quantifier", f"{step.quantifier} asks for the impossible", hint, step.span)
        for name in step.types:
            if self._types is not None and name not in self._types:
                span = find(name, self._pattern.text, step.span)
                hint = suggestion(name, self._types)
                yield _problem("unknown-type", f"no source gives events of type '{name}'", hint, span)

    def _conjunction(self, conjunction: Conjunction) -> Iterator[QueryProblem]:
        steps = conjunction.steps
        for step in steps if len(steps) > 1 else ():
            if step.negated:
                yield _problem(
                    "negated-in-and",
                    "a negated step in AND is absent only on one side of the others, whichever it is",
                    "put it before or after AND(...) in a SEQ, to say where it must be absent",
                    step.span,
                    warning=True,
                )

    def _window(self, sequence: Sequence) -> Iterator[QueryProblem]:
        # The steps of one AND may take events of one time.
        needed = [
            p for p in sequence.parts if any(not s.negated and s.quantifier.minimum for s in written([p]))
        ]
        if self._pattern.within == 0 and len(needed) > 1:
            yield _problem(
                "empty-window",
                "no time passes within this window, so its steps cannot follow each other",
                "WITHIN is the longest time from the first event of a match to its last",
                self._clause("WITHIN"),
                warning=True,
            )

    def _partition(self) -> Iterator[QueryProblem]:
        steps = [s for sequence in self._sequences for s in written(sequence.parts)]
        variables = {s.variable for s in steps}
        for path in self._pattern.partition:
            span = self._agreed(path)
            if path[0] in variables and len(path) > 1:
                named = ".".join(map(quoted, path[1:]))
                hint = f"write PARTITION BY {named}, unless the events have an object '{path[0]}'"
                message = "the attributes that all events agree on are named without variable"
                yield _problem("variable-in-partition", message, hint, span, warning=True)
                continue
            for name in sorted({t for s in steps for t in s.types if t in self._attributes}):
                known = self._attributes[name]
                if not has_attribute(known, path):
                    message = f"events of type '{name}' have no attribute '{path[0]}'"
                    yield _problem("unknown-attribute", message, suggestion(path[0], known), span)

    def _agreed(self, path: tuple[str, ...]) -> Span:
        """Where an attribute of PARTITION BY, or of `[uid]`, is named."""
        clause = self._clause("PARTITION")
        found = find(path[-1], self._pattern.text, clause)
        if found != clause:
            return found
        brackets = (m.span() for m in re.finditer(r"\[[^\[\]]*\]", self._pattern.text))
        named = ((span, find(path[-1], self._pattern.text, span)) for span in brackets)
        return next((found for span, found in named if found != span), clause)

    def _clause(self, keyword: str) -> Span:
        """A clause with all that follows it."""
        text = self._pattern.text
        found = [m.start() for m in re.finditer(rf"\b{keyword}\b", text, re.IGNORECASE)]
        return (found[-1] if found else len(text), len(text))


def _problem(code: str, message: str, hint: str, span: Span, *, warning: bool = False) -> QueryProblem:
    return QueryProblem(
        code=code,
        message=message,
        hint=hint,
        severity="warning" if warning else "error",
        start=span[0],
        end=span[1],
    )
