"""`limecep explain`: what will be done for each pattern of a pipeline, before it runs."""

from __future__ import annotations

import json
import os
import sys
import textwrap
from typing import TYPE_CHECKING, Any

import structlog

from limecep.cli import logs
from limecep.cli.exits import Exit
from limecep.cli.explain_json import as_data
from limecep.cli.option_descriptions import given, written
from limecep.cli.overrides import add_set
from limecep.clock import ManualClock
from limecep.config.levels import levels_of, read_by
from limecep.config.loader import load
from limecep.explanation.flash import COMMIT_BYTES, written_a_day
from limecep.explanation.pipelines import describe
from limecep.host import Host
from limecep.model.words import SELECTIONS, duration_text, path_text
from limecep.runtime.assembly import Assembly

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Sequence

    from limecep.config.model import ComponentConfig, PipelineConfig
    from limecep.explanation.needs import Buffered
    from limecep.explanation.pipelines import PatternDescription
    from limecep.explanation.plans import AlternativeDescription
    from limecep.intake.tables import TableConfig

#: Of more alternatives than these the others are only counted.
_SHOWN = 3
_LABEL = 12
_WIDTH = 110

RESULTS = {"all": "all there are", "maximal": "those contained in no other"}


def declare(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments."""
    parser.add_argument("file", metavar="FILE", help="the pipeline's YAML file")
    add_set(parser)
    parser.add_argument("--json", action="store_true", help="as JSON")
    parser.set_defaults(execute=execute)


def execute(args: argparse.Namespace) -> int:
    """Prints the description.

    Raises:
        RunFailure: A component cannot be imported.
    """
    logs.configure(args.log_level, sys.stderr)
    loaded = load(args.file, Host.load().registry, overrides=args.overrides, environment=os.environ)
    for problem in loaded.problems:
        if problem.severity == "error":
            print(problem, file=sys.stderr)
    config = loaded.config
    if config is None:
        return Exit.REFUSED
    registry = loaded.registry
    assembly = Assembly(config, registry, ManualClock(), structlog.get_logger())
    try:
        patterns = describe(config, assembly.detectors(), registry.specs("engine"))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        assembly.blame(error)
    if args.json:
        print(json.dumps(as_data(config, patterns), indent=2, ensure_ascii=False))
    else:
        print("\n".join(_lines(config, patterns)))
    return Exit.FINE


def _lines(config: PipelineConfig, patterns: Sequence[PatternDescription]) -> Iterator[str]:
    if config.derives:
        yield from _levels(config)
        yield ""
    for pattern in patterns:
        yield pattern.config.name
        for label, *rows in _parts(pattern):
            for number, row in enumerate(rows):
                yield f"  {label if not number else '':{_LABEL}}{row}".rstrip()
        yield ""
    bounds = [f"{config.retention_events:,} events"]
    if config.retention_bytes is not None:
        bounds.append(written(config.retention_bytes, "bytes"))
    if config.retention_time is not None:
        bounds.append(duration_text(config.retention_time))
    yield f"Events are kept once, for the pattern that needs them longest; at most {', '.join(bounds)}."
    if config.state is not None:
        yield from textwrap.wrap(_flash(config.state_every), _WIDTH)


def _levels(config: PipelineConfig) -> Iterator[str]:
    """Which patterns read what others derive, from the lowest level on."""
    below, types = read_by(config.patterns), {p.name: p.derives for p in config.patterns}
    yield "Levels, from the lowest: what a pattern derives, others read."
    rows = []
    for name, level in levels_of(config.patterns).items():
        read = [f"{told.type} of {n}" for n in below[name] if (told := types[n]) is not None]
        derived = types[name]
        rows.append(
            (
                f"  {level}",
                name,
                f"reads {', '.join(read)}" if read else "",
                "" if derived is None else f"-> {derived.type}, at the {derived.time} of each match",
            )
        )
    yield from _aligned(rows)


def _flash(every: int) -> str:
    flash = written_a_day(every)
    if flash.commits is None:
        return (
            f"The state is written with each batch, which may be as often as events come: about "
            f"{written(COMMIT_BYTES, 'bytes')} each time. On flash, state: {{every: 1s}} makes that less."
        )
    return (
        f"The state is written at most {flash.commits:,} times a day, each time the disk is waited for: "
        f"about {written(round(flash.bytes or 0, -6), 'bytes')} a day, and {flash.event} bytes more for an "
        "event."
    )


def _parts(pattern: PatternDescription) -> Iterator[tuple[str, ...]]:
    """Each with its label and the lines beside it."""
    config, plan = pattern.config, pattern.plan
    name = next(name for name, select in SELECTIONS.items() if select == config.select)
    yield "within", duration_text(config.pattern.within)
    if config.pattern.partition:
        yield "partition", ", ".join(map(path_text, config.pattern.partition))
    yield "select", f"{config.select}: {name}"
    yield "engine", *_component(config.engine)
    if pattern.params:
        yield "params", ", ".join(f"${name} = {_shown(value)}" for name, value in pattern.params.items())
    if config.functions:
        called = [(f"{c.spec.name}{c.spec.takes}", f"of {c.origin}") for c in config.functions]
        yield "functions", *_aligned(called)
    if pattern.tables:
        yield "tables", *_aligned(map(_table, pattern.tables))
    several = len(plan.alternatives) > 1
    for number, alternative in enumerate(plan.alternatives[:_SHOWN], 1):
        yield (f"{number} of {len(plan.alternatives)}" if several else "pattern"), alternative.structure
        yield from _alternative(alternative)
    more = len(plan.alternatives) - _SHOWN
    if more > 0:
        yield "...", f"and {more:,} more: --json has them all"
    if plan.impossible:
        yield "impossible", f"{plan.impossible:,}: some condition is never true there"
    if pattern.values:
        yield "values", *_aligned(pattern.values.items())
    yield "matches", *_wrapped(_matches(pattern))
    for kind, component in pattern.components.items():
        more_options: dict[str, Any] = {"max_per_end": config.max_per_end} if kind == "results" else {}
        if kind == "results" and config.pick is not None:
            more_options["pick"] = config.pick
        yield kind, *_component(component, **more_options)
    yield "kept", *_wrapped(_kept(pattern))
    yield "buffered", *_buffered(pattern)
    for warning in pattern.warnings:
        yield "warning", *_wrapped(f"{warning.message} [{warning.code}]"), *_wrapped(warning.hint)


def _alternative(alternative: AlternativeDescription) -> Iterator[tuple[str, ...]]:
    yield (
        "steps",
        *_aligned(
            (
                f"{s.variable}[]" if s.group else s.variable,
                " or ".join(s.types),
                s.takes,
                "can be the last" if s.ends else "",
            )
            for s in alternative.steps
        ),
    )
    if alternative.at_once:
        yield "at once", *(f"events of {' and '.join(v)} may have one time" for v in alternative.at_once)
    if alternative.absences:
        yield "absent", *_aligned((a.variable, " or ".join(a.types), a.reach) for a in alternative.absences)
    if alternative.conditions:
        yield "conditions", *_aligned((" ".join(c.text.split()), c.when) for c in alternative.conditions)
    if alternative.evaluation:
        yield "evaluated", *_wrapped(alternative.evaluation)


def _component(component: ComponentConfig, **more: Any) -> list[str]:
    options = {**given(component.options), **more}
    said = ", ".join(f"{name} {_shown(value)}" for name, value in options.items())
    return _wrapped(f"{component.spec.name}{': ' if said else ''}{said}")


def _table(table: TableConfig) -> tuple[str, ...]:
    rows = len(table.table.rows.listed or ())
    held = "" if table.from_time is None else f", each from its {' '.join(table.from_time.paths)} on"
    of = f"of {' '.join(filter(None, (table.component.spec.name, table.channel)))}"
    return f"{table.name}[{', '.join(table.key)}]", f"{rows:,} row{'s' * (rows != 1)}{held}", of


def _matches(pattern: PatternDescription) -> str:
    power = pattern.growth.power
    if power is None:
        most = "exponentially many, for n events in a window"
    elif not power:
        return "none: there is nothing that all conditions are true of"
    else:
        most = f"at most in proportion to n{f'^{power}' if power > 1 else ''} for n events in a window"
        if pattern.config.select == "sc":
            most += ", at different times"
    if pattern.results == "rule":
        said = f"of each end event {pattern.rule}; chosen among {most}"
    else:
        said = f"{RESULTS[pattern.results]}; {most}"
    return f"{said}; of these of each end event {pattern.picked}" if pattern.picked else said


def _kept(pattern: PatternDescription) -> str:
    kept = pattern.kept
    windows = f"{kept.windows} windows"
    if kept.span is None:
        return "every event that there is room for: one may come however late and still change something"
    if kept.learns:
        return (
            f"at least {duration_text(kept.span)} behind the latest event time: the greatest lateness "
            f"accepted so far, at least one window, and {windows}"
        )
    late = f"{duration_text(kept.late)} that an event may be late" if kept.late else "no lateness"
    return f"{duration_text(kept.span)} behind the latest event time: {late}, and {windows}"


def _buffered(pattern: PatternDescription) -> Iterator[str]:
    known = [b for b in pattern.buffered if b.in_window is not None]
    if known:
        yield from _aligned(map(_most, known))
    unknown = [b.type for b in pattern.buffered if b.in_window is None]
    if unknown:
        yield from _wrapped(f"{', '.join(unknown)}: not known, as not every source of them says 'every'")
    if pattern.config.select == "sc":
        yield "and events of all other types: they part those they stand between"


def _most(buffered: Buffered) -> tuple[str, ...]:
    every = [f"one every {duration_text(period)} from {name}" for name, period in buffered.every.items()]
    kept = "all are kept" if buffered.kept is None else f"{buffered.kept:,} kept"
    return buffered.type, f"{buffered.in_window:,} in a window, {kept}", f"a device: {', '.join(every)}"


def _aligned(rows: Iterable[Sequence[str]]) -> list[str]:
    """Rows with their columns below each other."""
    made = list(rows)
    widths = [max(map(len, column)) for column in zip(*made, strict=True)]
    return ["  ".join(f"{cell:{w}}" for cell, w in zip(row, widths, strict=True)).rstrip() for row in made]


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH - _LABEL - 2, break_long_words=False, break_on_hyphens=False)


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
