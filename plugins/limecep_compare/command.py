"""`limecep compare`: which matches come, go and change where a pipeline does."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

import structlog

from limecep.embedding.commands import Exit, add_set
from limecep.embedding.pipelines import configure_logs, load
from limecep.embedding.placing import placing_data
from limecep.encoding import to_json

if TYPE_CHECKING:
    from limecep.embedding.pipelines import PipelineConfig, Registry

#: How many matches of each kind are shown, if nothing else is asked for.
SHOWN = 3


class CompareCommand:
    """`limecep compare` (`limecep.contracts.command`).

    Args:
        registry: The components there are.
    """

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Adds the arguments."""
        parser.description = (
            "Runs two pipelines over the same recordings, and says which matches come, go and change from "
            "the first to the second, by pattern. Sinks are sent nothing, and no state is touched. The exit "
            "code is 1 if anything is different."
        )
        parser.add_argument("old", metavar="OLD", help="the pipeline's YAML file as it is")
        parser.add_argument("new", metavar="NEW", help="the same as it is to be")
        parser.add_argument(
            "--data",
            metavar="[SOURCE=]FILE",
            action="append",
            default=[],
            help="a recording that a source of both reads in the place of its own input; without SOURCE, for "
            "the one source that there is; may be given several times",
        )
        add_set(parser)
        parser.add_argument(
            "--limit",
            metavar="N",
            type=_limit,
            default=SHOWN,
            help=f"show at most so many matches of each kind, 0 for all (default: {SHOWN})",
        )
        parser.add_argument("--format", choices=("text", "json"), default="text", help="default: text")

    def execute(self, args: argparse.Namespace) -> int:
        """Says what is different.

        Raises:
            ConfigurationError: A pipeline cannot be used, or has a source that never ends.
            RunFailure: A recording cannot be read.
        """
        from limecep_compare.differences import differences
        from limecep_compare.results import results
        from limecep_compare.text import document, lines, read

        configure_logs(args.log_level if args.log_level != "info" else "warning", sys.stderr)
        loaded = [self._loaded(file, args) for file in (args.old, args.new)]
        if None in loaded:
            return Exit.REFUSED
        found = [results(*one, structlog.get_logger()) for one in loaded if one is not None]
        old, new = found
        said = list(differences(old.matches, new.matches))
        most = args.limit or sys.maxsize
        if args.format == "json":
            told = {
                "read": [{"events": r.events, "invalid": r.invalid} for r in found],
                "patterns": [document(one, most) for one in said],
            }
            sys.stdout.buffer.write(to_json(told) + b"\n")
        else:
            print(*(line for one in said for line in lines(one, most)), sep="\n")
            print(f"read: {read(old)}" + (f", and then {read(new)}" if read(new) != read(old) else ""))
        return Exit.FOUND_PROBLEMS if any(one.any for one in said) else Exit.FINE

    def _loaded(self, file: str, args: argparse.Namespace) -> tuple[PipelineConfig, Registry] | None:
        """A pipeline; None where its file has errors, which are said."""
        loaded = load(
            file,
            self._registry,
            overrides=args.overrides,
            environment=os.environ,
            placed=placing_data(args.data),
        )
        for problem in loaded.problems:
            if problem.severity == "error":
                print(problem, file=sys.stderr)
        return None if loaded.config is None else (loaded.config, loaded.registry)


def _limit(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError("must be 0 or more")
    return number
