"""Runs the tests of a file."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from limecep.clock import Stopwatch
from limecep.embedding.documents import Findings
from limecep.embedding.pipelines import GivenTables, compile_plan, load
from limecep.embedding.placing import placing
from limecep.encoding import to_json
from limecep.problems import suggestion
from limecep_test import differences
from limecep_test.arrivals import Arrivals, Come, Refuse, events_of
from limecep_test.differences import Difference
from limecep_test.document import FATES, SUMS, read_file
from limecep_test.entries import CAUSES, Entry, Standing
from limecep_test.orders import Runner, any_order
from limecep_test.trial import Components, run

#: The id of a derived event.
_DERIVED = re.compile("[0-9a-f]{24}")

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from limecep.embedding.pipelines import Loaded, PatternConfig, PipelineConfig, Registry
    from limecep.problems import Problem
    from limecep_test.arrivals import Step
    from limecep_test.document import Case, File, Item
    from limecep_test.trial import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The result of a test.

    Attributes:
        case: The test.
        outcome: What came of it.
        differences: What is not as expected; none where it passed.
        why: Lines that say why a match came that was not expected.
        seconds: How long it took.
    """

    case: Case
    outcome: Outcome
    differences: tuple[Difference, ...]
    seconds: float
    why: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """True if all is as expected."""
        return not self.differences

    def lines(self) -> Iterator[str]:
        """Yield the differences, for people."""
        for difference in self.differences:
            yield f"{difference.what}{LEGENDS.get(difference.what, '')}"
            yield from (f"  {line}" for line in difference.lines)
        missed = {i.expected.pattern for i in (*(self.case.updates or ()), *(self.case.net or ()))}
        found = {entry.pattern for entry in self.outcome.updates}
        for pattern in sorted(missed - found):
            yield from (f"why none  {pattern}  {why}" for why in self.outcome.why_none.get(pattern, ()))
        yield from self.why


#: What the signs in a difference mean.
LEGENDS = dict.fromkeys(("updates", "net", "late", "counts"), ": - expected, + got")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """A test that can be run."""

    file: File
    case: Case
    components: Components
    steps: list[Step]
    registry: Registry

    def run(self) -> Result:
        """Run the test.

        Raises:
            RunFailure: A component failed.
        """
        watch = Stopwatch()
        file, case = self.file, self.case
        outcome = run(self.components, self.steps, ends=case.ends, start=file.start, unit=file.unit)
        found = list(_compared(case, outcome))
        if case.orders is not None:
            runner = Runner(components=self.components, unit=file.unit)
            other = any_order(runner, events_of(self.steps), case.orders)
            found += [] if other is None else [other]
        return Result(
            case=case,
            outcome=outcome,
            differences=tuple(found),
            seconds=watch.seconds,
            why=tuple(self._why(found, outcome)),
        )

    def _why(self, found: Sequence[Difference], outcome: Outcome) -> Iterator[str]:
        """Say it of the first match that was not expected."""
        for difference in found:
            for got in difference.unexpected:
                if isinstance(got, (Entry, Standing)):
                    from limecep_test.reasons import reasons

                    told, case = outcome.told, self.case
                    return reasons(got.match, told, self.file.pipeline, case.overrides, self.registry)
        return iter(())


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A test file made ready.

    Attributes:
        file: The file; None where it cannot be used.
        problems: What is wrong with it, or with its pipeline.
        tests: Its tests; none where there is an error.
    """

    file: File | None
    problems: Sequence[Problem]
    tests: Sequence[Ready]

    @property
    def refused(self) -> bool:
        """True if the file cannot be used."""
        return any(p.severity == "error" for p in self.problems)


def prepare(path: Path, registry: Registry, logger: Any, *, update: bool = False) -> Prepared:
    """Reads a test file, its pipeline and its data.

    Args:
        path: The file.
        registry: The components there are.
        logger: The logger.
        update: Whether expectations may be left empty, to be filled in.

    Raises:
        RunFailure: Data cannot be read.
    """
    findings = Findings()
    file = read_file(path, findings, update=update)
    tests: list[Ready] = []
    problems: dict[Problem, None] = {}
    pipelines: dict[object, Components | None] = {}
    for case in () if file is None else file.cases:
        assert file is not None
        files = {name: data for name, (data, _) in case.data.items()}
        key = case.overrides, tuple(sorted(files.items())), to_json(case.tables)
        if key not in pipelines:
            loaded = _loaded(file, case, files, registry)
            problems |= {_placed(p, case): None for p in loaded.problems if p.severity == "error"}
            config = loaded.config
            pipelines[key] = None if config is None else Components(config, loaded.registry, logger)
        components = pipelines[key]
        if components is not None:
            steps = _steps(file, case, components, findings)
            tests.append(Ready(file=file, case=case, components=components, steps=steps, registry=registry))
    found = [*findings.sorted(), *problems]
    refused = any(p.severity == "error" for p in found)
    return Prepared(file=file, problems=found, tests=() if refused else tests)


def _loaded(file: File, case: Case, files: Mapping[str, Path], registry: Registry) -> Loaded:
    """The pipeline of a test."""
    placed, given = placing(files), GivenTables(case.tables)
    return load(
        file.pipeline,
        given.registry(registry) if case.tables else registry,
        overrides=case.overrides,
        environment=os.environ,
        placed=given.placed(placed) if case.tables else placed,
    )


def _placed(problem: Problem, case: Case) -> Problem:
    """A problem with its pipeline, at the test where that has the value."""
    where = problem.place
    ours = where is not None and (where.file == "--set" or (not where.line and where.file in case.tables))
    return replace(problem, place=case.place) if ours else problem


def _steps(file: File, case: Case, components: Components, findings: Findings) -> list[Step]:
    config = components.config
    sources = [s.name for s in config.sources]
    unknown = {name: place for name, (_, place) in case.data.items() if name not in sources}
    for name, place in unknown.items():
        said = f"the pipeline has no source '{name}'"
        findings.error("unknown-source", said, place, suggestion(name, sources))
    before = findings.errors
    steps = Arrivals(file, case, config, components, findings).steps()
    if findings.errors == before and not any(isinstance(s, (Come, Refuse)) for s in steps):
        where = case.block.get("events") or case.block
        findings.error("tests-nothing", "nothing arrives in this test", where, "write events, as in g3 t5")
    if findings.errors == before:
        _check_names(case, config, {e.id for e in events_of(steps)}, findings)
    return steps


def _check_names(case: Case, config: PipelineConfig, ids: set[str], findings: Findings) -> None:
    """Reports what an expectation names and what is not there: it would never hold."""
    variables = {p.name: _variables(p, config.params) for p in config.patterns}
    for item in (*(case.updates or ()), *(case.net or ())):
        _check_item(item, variables, ids, findings, derives=config.derives)
    for late in case.late or ():
        if late.id is not None and late.id not in ids:
            hint = suggestion(late.id, ids)
            findings.error("unknown-event", f"no event has the id '{late.id}'", late.node, hint)


def _check_item(
    item: Item, variables: Mapping[str, set[str]], ids: set[str], findings: Findings, *, derives: bool
) -> None:
    for token in item.expected.tokens:
        where = item.node.origin.place(token.begin, token.end)
        if token.what == "pattern" and token.name not in variables:
            said = f"the pipeline has no pattern '{token.name}'"
            quotes = "in brackets, put an entry with commas in quotes"
            hint = quotes if token.name in ids else suggestion(token.name, variables)
            findings.error("unknown-pattern", said, where, hint)
            return
        if token.what == "variable" and token.name not in variables[item.expected.pattern]:
            said = f"pattern '{item.expected.pattern}' has no variable '{token.name}'"
            hint = suggestion(token.name, variables[item.expected.pattern])
            findings.error("unknown-variable", said, where, hint)
        known = ids | set(CAUSES) if token.what == "cause" else ids
        if derives and _DERIVED.fullmatch(token.name):
            # Which events patterns derive is known when they do.
            continue
        if token.what in ("event", "cause") and token.name not in known:
            said = f"no event has the id '{token.name}'"
            findings.error("unknown-event", said, where, suggestion(token.name, known))


def _variables(pattern: PatternConfig, params: dict[str, Any]) -> set[str]:
    plan = compile_plan(pattern.pattern, name=pattern.name, select=pattern.select, params=params)
    return {step.variable for alternative in plan.alternatives for step in alternative.steps}


def _compared(case: Case, outcome: Outcome) -> Iterator[Difference]:
    found: list[Difference | None] = []
    if case.updates is not None:
        expected = [i.expected for i in case.updates]
        found.append(differences.in_order("updates", expected, outcome.updates))
    if case.net is not None:
        expected, standing = [i.expected for i in case.net], [Standing(e) for e in outcome.net]
        found.append(differences.in_any_order("net", expected, standing))
    if case.late is not None:
        found.append(differences.in_any_order("late", case.late, outcome.late))
    if case.counts is not None:
        found.append(_counts(case.counts, outcome))
    return (difference for difference in found if difference is not None)


def counted(outcome: Outcome) -> dict[str, int]:
    """All that `counts` can ask for."""
    counts = dict(outcome.counts)
    sums = {name: sum(counts[of] for of in parts) for name, parts in SUMS.items()}
    fates = {name: sum(e.op == op for e in outcome.updates) for name, op in FATES.items()}
    return counts | sums | fates | {"live": len(outcome.net)}


def _counts(expected: Mapping[str, int], outcome: Outcome) -> Difference | None:
    got = counted(outcome)
    lines = [
        line
        for name, number in expected.items()
        if got[name] != number
        for line in (f"- {name}: {number}", f"+ {name}: {got[name]}")
    ]
    return Difference(what="counts", lines=tuple(lines)) if lines else None
