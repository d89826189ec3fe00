"""`limecep check`: finds what is wrong with pipeline files, and opens nothing else, unless told to take
samples of the sources."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from limecep.cli.exits import Exit
from limecep.cli.overrides import add_set
from limecep.cli.runners import add_runner
from limecep.config.loader import load
from limecep.host import Host
from limecep.problems import Problem, merged

if TYPE_CHECKING:
    from limecep.config.loader import Loaded
    from limecep.config.model import PipelineConfig


def declare(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="a pipeline's YAML file")
    parser.add_argument(
        "--sample",
        metavar="N",
        type=_count,
        help="read up to N records of each source that ends by itself, and say what they lack",
    )
    add_set(parser)
    registry = Host.load().registry
    add_runner(parser, registry)
    parser.set_defaults(execute=execute, registry=registry)


def execute(args: argparse.Namespace) -> int:
    """Prints every problem, and a line a file."""
    found = False
    for file in args.files:
        loaded = load(
            file, args.registry, overrides=args.overrides, environment=os.environ, runner=args.runner
        )
        problems = list(loaded.problems)
        if args.sample and loaded.config is not None:
            problems += _sampled(loaded, loaded.config, args)
        for problem in problems:
            print(problem)
        errors = sum(p.severity == "error" for p in problems)
        warnings = len(problems) - errors
        counts = [f"{n} {word}{'s' * (n > 1)}" for n, word in ((errors, "error"), (warnings, "warning")) if n]
        print(f"{file}: {', '.join(counts) or 'ok'}")
        found = found or errors > 0
    return Exit.FOUND_PROBLEMS if found else Exit.FINE


def _sampled(loaded: Loaded, config: PipelineConfig, args: argparse.Namespace) -> list[Problem]:
    """What samples of the sources say."""
    # Whoever takes none does not pay for it.
    import structlog

    from limecep.cli import logs
    from limecep.diagnosis.preview import suspicions
    from limecep.runtime.sampling import samples

    logs.configure(args.log_level, sys.stderr)
    taken = list(samples(config, loaded.registry, args.sample, structlog.get_logger()))
    for sample in taken:
        if sample.unread:
            print(f"source '{sample.source.name}' was not looked into: {sample.unread}")
    found = [
        Problem(
            code=p.code,
            message=p.message,
            hint=p.hint,
            severity=p.severity,
            place=loaded.place(path, p.start, p.end),
        )
        for path, p in suspicions(config, taken)
    ]
    return merged(found)


def _count(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"'{text}' must be a whole number of at least 1")
    return int(text)
