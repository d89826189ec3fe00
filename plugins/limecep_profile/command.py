"""`limecep profile`: what is in a file of events, and a pipeline that reads it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from limecep.embedding.commands import Exit
from limecep.embedding.documents import Findings, SourceText, parse
from limecep.embedding.pipelines import configure_logs
from limecep.errors import ConfigurationError

if TYPE_CHECKING:
    import argparse
    from typing import Any

    from limecep.embedding.pipelines import Registry


class ProfileCommand:
    """`limecep profile` (`limecep.contracts.command`).

    Args:
        registry: The components there are.
    """

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Adds the arguments."""
        parser.description = (
            "Says on standard error what is in a file of events: times, order, repeats, gaps, types, "
            "attributes. Writes to standard output a pipeline that reads it."
        )
        parser.add_argument("file", metavar="DATA", help="a file of JSON lines or CSV, plain or gzip")
        parser.add_argument(
            "--format", metavar="CODEC", help="the codec, as a source names it (default: by the file's name)"
        )
        parser.add_argument(
            "--time", metavar="FIELD", help="the attribute with the time (default: the most likely)"
        )
        parser.add_argument(
            "--time-format",
            metavar="FORMAT",
            help="how it is written: iso8601, epoch_ms, a strptime text, ...",
        )

    def execute(self, args: argparse.Namespace) -> int:
        """Says what is in the file.

        Raises:
            ConfigurationError: There is no such file, codec or attribute.
            RunFailure: The file cannot be read.
        """
        from limecep_profile.profile import profiled
        from limecep_profile.proposal import pipeline
        from limecep_profile.records import Records
        from limecep_profile.report import lines

        configure_logs(args.log_level, sys.stderr)
        path = Path(args.file)
        if not path.is_file():
            no = f"'{path}' is no plain file" if path.exists() else f"there is no file '{path}'"
            raise ConfigurationError(f"limecep: {no}")
        if args.time_format is not None and args.time is None:
            raise ConfigurationError("limecep: --time-format says how --time is written: give both")
        records = Records(path, self._registry, structlog.get_logger(), _format(args.format))
        try:
            profile = profiled(records, args.time, args.time_format)
        except ValueError as error:
            raise ConfigurationError(f"limecep: {path}: {error}") from None
        for line in lines(profile, records.unreadable, records.first_error):
            print(line, file=sys.stderr)
        if profile.first is None:
            return Exit.FOUND_PROBLEMS
        print(file=sys.stderr)
        print(pipeline(profile, args.file, args.format), end="")
        return Exit.FINE


def _format(text: str | None) -> Any:
    """The codec that an argument names: a name, or YAML with its options.

    Raises:
        ConfigurationError: It is no YAML.
    """
    if text is None:
        return None
    findings = Findings()
    node = parse(SourceText("--format", text), findings)
    if node is None or findings.failed:
        raise ConfigurationError(findings.sorted())
    from limecep_profile.records import plain_value

    return plain_value(node)
