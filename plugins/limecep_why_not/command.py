"""`limecep why-not`: which smallest changes would have given a match near a time."""

from __future__ import annotations

import argparse
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from limecep.embedding.commands import Exit, add_set
from limecep.embedding.pipelines import compile_plan, configure_logs, load
from limecep.embedding.placing import placing_data
from limecep.encoding import to_json
from limecep.errors import ConfigurationError
from limecep.problems import suggestion

if TYPE_CHECKING:
    from limecep.embedding.pipelines import PatternConfig, PipelineConfig, Registry
    from limecep_why_not.memory import Memory

_OF_DAY = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?Z?")
_DAY = 86_400_000_000


class WhyNotCommand:
    """`limecep why-not` (`limecep.contracts.command`).

    Args:
        registry: The components there are.
    """

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Adds the arguments."""
        parser.description = (
            "Says which smallest changes would have given a match of a pattern near a time: one more event, "
            "one fewer, another value, a wider window, a later bound of lateness, another rule. Each was "
            "tried: with it the engine finds the match."
        )
        parser.add_argument("pattern", metavar="PATTERN", help="a pattern of the pipeline")
        parser.add_argument("--pipeline", metavar="FILE", required=True, help="the pipeline's YAML file")
        parser.add_argument(
            "--data",
            metavar="[SOURCE=]FILE",
            action="append",
            default=[],
            help="what a source reads in the place of its own input; again for others (default: what the "
            "pipeline reads, or what its state has)",
        )
        parser.add_argument("--state", metavar="DIR", help="look into the state in this folder")
        parser.add_argument(
            "--near",
            metavar="TIME",
            required=True,
            help="when the match was expected: 2026-01-05T10:10:21Z, in UTC where no zone is given; or "
            "10:10:21, on the last day of the data",
        )
        parser.add_argument(
            "--key", metavar="KEY", help="the key of PARTITION BY; several values with commas"
        )
        parser.add_argument(
            "--with", metavar="ID,...", dest="required", default="", help="ids of events that the match takes"
        )
        parser.add_argument("--limit", metavar="N", type=_limit, default=3, help="so many misses at most (3)")
        parser.add_argument(
            "--format", choices=("text", "json"), default="text", help="how the answer is written (text)"
        )
        add_set(parser)

    def execute(self, args: argparse.Namespace) -> int:
        """Prints the answer.

        Raises:
            ConfigurationError: What was asked cannot be answered as written.
            RunFailure: A source cannot be read.
        """
        from limecep_why_not.answer import Asked, Question
        from limecep_why_not.memory import remembered
        from limecep_why_not.report import lines, record
        from limecep_why_not.trials import Trials

        configure_logs(args.log_level if args.log_level != "info" else "warning", sys.stderr)
        if args.data and args.state:
            raise ConfigurationError("limecep: give one of --data and --state")
        state = [] if args.state is None else [f"state.dir={Path(args.state).absolute()}"]
        loaded = load(
            args.pipeline,
            self._registry,
            overrides=[*args.overrides, *state],
            environment=os.environ,
            placed=placing_data(args.data),
        )
        for problem in loaded.problems:
            if problem.severity == "error":
                print(problem, file=sys.stderr)
        if loaded.config is None:
            return Exit.REFUSED
        config, logger = loaded.config, structlog.get_logger()
        pattern = _pattern(config, args.pattern)
        near = _time(args.near)
        kept = config.state is not None and not args.data
        memory = remembered(config, loaded.registry, pattern, logger, state=kept)
        question = Question(
            time=_of_day(near, memory, pattern.pattern.within) if near < 0 else near,
            key=args.key,
            required=[i for i in args.required.split(",") if i],
            limit=args.limit,
        )
        plan = compile_plan(
            pattern.pattern, name=pattern.name, select=pattern.select, params=config.params, pick=pattern.pick
        )
        trials = Trials(config, loaded.registry, pattern, logger)
        answer = Asked(plan, memory, trials).answer(question)
        if args.format == "json":
            sys.stdout.buffer.write(to_json(record(answer, pattern.name)) + b"\n")
        else:
            for line in lines(answer, pattern.name, pattern.lateness.spec.name):
                print(line)
        return Exit.FINE if answer.standing or answer.misses else Exit.FOUND_PROBLEMS


def _limit(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"'{text}' is no number of misses: write 1 or more")
    return int(text)


def _pattern(config: PipelineConfig, name: str) -> PatternConfig:
    for pattern in config.patterns:
        if pattern.name == name:
            return pattern
    known = suggestion(name, (p.name for p in config.patterns))
    raise ConfigurationError(f"limecep: the pipeline has no pattern '{name}': {known}")


def _time(text: str) -> int:
    """A time in microseconds; of a time of day, one less than that, below 0."""
    from limecep.intake.times import Inexact, Unreadable, time_reader

    of_day = _OF_DAY.fullmatch(text)
    if of_day is not None:
        hours, minutes, seconds = (int(of_day[n] or 0) for n in (1, 2, 3))
        if hours < 24 and minutes < 60 and seconds < 60:
            whole = ((hours * 60 + minutes) * 60 + seconds) * 1_000_000
            return whole + int((of_day[4] or "").ljust(6, "0")) - _DAY
    try:
        return time_reader("iso8601", "UTC")(text.replace(" ", "T", 1))
    except (Unreadable, Inexact, ValueError) as error:
        raise ConfigurationError(
            f"limecep: --near {text}: {error}: write it as 2026-01-05T10:10:21Z, or as 10:10:21"
        ) from None


def _of_day(below: int, memory: Memory, within: int) -> int:
    """A time of the last day of the data that has it, or all but."""
    if not memory.events:
        why = f" ({'; '.join(memory.missing)})" if memory.missing else ""
        raise ConfigurationError(
            f"limecep: --near: there is no event that says the day{why}: write it with the date"
        )
    first, last = memory.events[0].t_gen - within, memory.events[-1].t_gen + within
    time = last - last % _DAY + below + _DAY
    return time - _DAY if time > last and time - _DAY >= first else time
