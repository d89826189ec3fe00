"""`limecep data truth`: finds what a pipeline gives on the stream in order."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from limecep.embedding.commands import add_set
from limecep.embedding.pipelines import load
from limecep.errors import ConfigurationError
from limecep.problems import Problem
from limecep_lab.jobs import told
from limecep_lab.sessions import add_session, session
from limecep_lab.table_files import FORMATS, add_output, format_of, read, vacant, write

if TYPE_CHECKING:
    import argparse

    from limecep.embedding.pipelines import Registry


def declare(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments."""
    parser.add_argument("pipeline", metavar="FILE", help="the pipeline's YAML file; its sources are files")
    add_set(parser)
    parser.add_argument(
        "--from", metavar="PATH", dest="source", help="events as generate writes them, instead of the sources"
    )
    parser.add_argument("--from-format", dest="source_format", choices=FORMATS, help="their format")
    add_output(parser)
    add_session(parser)


def execute(args: argparse.Namespace, registry: Registry) -> int:
    """Writes the matches there are.

    Raises:
        ConfigurationError: The pipeline cannot be used.
    """
    config = load(args.pipeline, registry, overrides=args.overrides).checked()
    into = format_of(args.into, args.format)
    if into == "csv":
        hint = "end it with .jsonl or .parquet"
        problem = Problem(code="bad-value", message="CSV cannot hold the events of matches", hint=hint)
        raise ConfigurationError([problem])
    vacant(args.into)
    with session(args, "truth") as spark:
        from limecep_lab.truths.truth import Truth

        truth = Truth(spark, config, registry)
        if args.source:
            matches = truth.of_table(read(spark, args.source, args.source_format))
        else:
            matches = truth.of_sources()
        write(matches, args.into, into)
    if truth.left_out:
        print(f"limecep: {truth.left_out} records gave no event, or one from the future", file=sys.stderr)
    return told(matches=truth.found, left_out=truth.left_out, into=args.into)
