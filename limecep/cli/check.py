"""`limecep check`: finds what is wrong with pipeline files, and opens nothing else."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from limecep.cli.exits import Exit
from limecep.cli.overrides import add_set
from limecep.cli.runners import add_runner
from limecep.config.loader import load
from limecep.host import Host

if TYPE_CHECKING:
    import argparse


def declare(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="a pipeline's YAML file")
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
        for problem in loaded.problems:
            print(problem)
        errors = sum(p.severity == "error" for p in loaded.problems)
        warnings = len(loaded.problems) - errors
        counts = [f"{n} {word}{'s' * (n > 1)}" for n, word in ((errors, "error"), (warnings, "warning")) if n]
        print(f"{file}: {', '.join(counts) or 'ok'}")
        found = found or errors > 0
    return Exit.FOUND_PROBLEMS if found else Exit.FINE
