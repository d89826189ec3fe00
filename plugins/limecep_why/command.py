"""`limecep why`: why a match was emitted, corrected or retracted."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from limecep.clock import ManualClock
from limecep.embedding.commands import Exit, add_set
from limecep.embedding.pipelines import Assembly, configure_logs, load
from limecep.embedding.placing import placing_data
from limecep.encoding import to_json
from limecep.errors import ConfigurationError

if TYPE_CHECKING:
    from limecep.embedding.pipelines import PipelineConfig, Registry
    from limecep_why.asking import Origin

#: How much of each list is shown, if nothing else is asked for.
SHOWN = 20


class WhyCommand:
    """`limecep why` (`limecep.contracts.command`).

    Args:
        registry: The components there are.
    """

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Adds the arguments."""
        parser.description = (
            "Says why a match was emitted, corrected or retracted: its events in the order of event time and "
            "of arrival, every condition with its values, every revision with its cause, and what it waited "
            "for. It runs the pipeline over a recording, looks into a state, or reads the records of a sink."
        )
        parser.add_argument(
            "match", metavar="ID", help="the match: 'match' of a record, or the beginning of it"
        )
        parser.add_argument("--pipeline", metavar="FILE", help="the pipeline's YAML file")
        parser.add_argument(
            "--data",
            metavar="[SOURCE=]FILE",
            action="append",
            default=[],
            help="a recording that a source reads in the place of its own input; without SOURCE, for the one "
            "source that there is; may be given several times",
        )
        parser.add_argument("--state", metavar="DIR", help="look into the state in this folder")
        parser.add_argument(
            "--records", metavar="FILE", help="what a sink has written: a file of JSON lines, plain or gzip"
        )
        add_set(parser)
        parser.add_argument(
            "--deep",
            action="store_true",
            help="also why the matches below it, of which it takes derived events",
        )
        parser.add_argument(
            "--limit",
            metavar="N",
            type=_limit,
            default=SHOWN,
            help=f"show at most so much of each list, 0 for all (default: {SHOWN})",
        )
        parser.add_argument("--format", choices=("text", "json"), default="text", help="default: text")

    def execute(self, args: argparse.Namespace) -> int:
        """Says why.

        Raises:
            ConfigurationError: The arguments do not fit together, or the pipeline cannot be used.
            LimecepError: The match is not found, or what it is looked for in cannot be read.
        """
        from limecep_why.asking import why
        from limecep_why.text import lines

        configure_logs(args.log_level if args.log_level != "info" else "warning", sys.stderr)
        config, registry = None, self._registry
        if args.pipeline is None and (args.data or args.overrides):
            raise ConfigurationError(
                "limecep: --data and --set are about a pipeline: give it with --pipeline"
            )
        if args.pipeline is None and args.records is None:
            raise ConfigurationError(
                "limecep: give the pipeline, as --pipeline FILE, or the records of a sink, as --records FILE"
            )
        if sum(map(bool, (args.data, args.state, args.records))) > 1:
            raise ConfigurationError("limecep: give one of --data, --state and --records")
        if args.pipeline is not None:
            loaded = load(
                args.pipeline,
                self._registry,
                overrides=[*args.overrides, *_state(args.state)],
                environment=os.environ,
                placed=placing_data(args.data),
            )
            for problem in loaded.problems:
                if problem.severity == "error":
                    print(problem, file=sys.stderr)
            if loaded.config is None:
                return Exit.REFUSED
            config, registry = loaded.config, loaded.registry
        origin = _origin(config, registry, args)
        told = why(origin, args.match, args.limit, deep=args.deep)
        for number, one in enumerate(told):
            if args.format == "json":
                sys.stdout.buffer.write(to_json(one) + b"\n")
            else:
                print(*(["", "", *lines(one)] if number else lines(one)), sep="\n")
        return Exit.FINE


def _origin(config: PipelineConfig | None, registry: Registry, args: argparse.Namespace) -> Origin:
    """Where the match is looked for."""
    from limecep_why.records import Records
    from limecep_why.replay import Replay
    from limecep_why.subject import subjects

    logger = structlog.get_logger()
    if args.records is not None:
        known = None
        if config is not None:
            known = subjects(config, Assembly(config, registry, ManualClock(), logger).detectors())
        return Records(args.records, known)
    assert config is not None
    if config.state is not None and not args.data:
        from limecep_why.kept import Kept

        return Kept(config, registry, logger)
    return Replay(config, registry, logger)


def _state(folder: str | None) -> list[str]:
    """What `--set` would say for the state to be in this folder."""
    return [] if folder is None else [f"state.dir={Path(folder).absolute()}"]


def _limit(text: str) -> int:
    try:
        limit = int(text)
    except ValueError:
        limit = -1
    if limit < 0:
        raise argparse.ArgumentTypeError(f"'{text}' is no number of lines")
    return limit
