"""`limecep data evaluate`: runs beside the truth."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from limecep.embedding.commands import Exit
from limecep.errors import LimecepError
from limecep_lab.plots import check_plot, plot
from limecep_lab.sessions import add_session, session
from limecep_lab.table_files import format_of, vacant, write
from limecep_lab.text_tables import tables

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from limecep.embedding.pipelines import Registry
    from limecep_lab.text_tables import Row


def declare(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments."""
    parser.description = (
        "Says of the change logs of runs how right they are, by pattern: how many matches they found (TP), "
        "how many that are none (FP), how many they missed (FN), at the end and of all that was ever "
        "emitted; how often they were corrected, and how late they came."
    )
    parser.add_argument(
        "runs",
        nargs="+",
        metavar="[NAME=]RUN",
        help="a change log, in a file or a folder, with what it is called, such as the level of disorder",
    )
    parser.add_argument(
        "--truth",
        required=True,
        metavar="PATH",
        help="the matches there are, or the change log of a run on the stream in order",
    )
    parser.add_argument(
        "--into", metavar="PATH", help="write all figures there: .parquet, .csv or .jsonl, by its name"
    )
    parser.add_argument(
        "--plot", metavar="FILE", help="draw precision and recall there: .png, .svg or .pdf, by its name"
    )
    add_session(parser)


def execute(args: argparse.Namespace, registry: Registry) -> int:
    """Prints the figures.

    Raises:
        LimecepError: There is something wrong with an argument, or with what it leads to.
        RunFailure: Spark could not be started, or a file not be written.
    """
    from limecep_lab import evaluate

    runs = _named(args.runs)
    if args.into:
        format_of(args.into, None)
        vacant(args.into)
    if args.plot:
        check_plot(args.plot)
        vacant(args.plot)
    with session(args, "evaluate") as spark:
        frame = evaluate(spark, runs, args.truth)
        rows = [row.asDict() for row in frame.collect()]
        if args.into:
            write(frame.coalesce(1), args.into)
    print(tables(rows))
    if strangers(rows):
        print(
            "note: no match of any run is one of the truth. Matches are the same where events have the same "
            "type, source and id: are sources called alike, and have events an id of their own?",
            file=sys.stderr,
        )
    if args.plot:
        plot(rows, args.plot)
    return Exit.FINE


def strangers(rows: Sequence[Row]) -> bool:
    """Whether there are matches on both sides, and not one that is on both."""
    found = sum(r["ever_tp"] for r in rows)
    return not found and any(r["matches"] for r in rows) and any(r["ever_fp"] for r in rows)


def _named(runs: Sequence[str]) -> dict[str, str]:
    named: dict[str, str] = {}
    for run in runs:
        name, equals, path = run.partition("=")
        if not equals or Path(run).exists():
            name, path = Path(run).stem, run
        if name in named:
            raise LimecepError(f"two runs are called '{name}': give each a name, as NAME=PATH")
        named[name] = path
    return named
