"""`limecep data sweep`: which policies to choose."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from limecep.embedding.commands import Exit, add_set
from limecep.embedding.pipelines import configure_logs
from limecep.errors import LimecepError, RunFailure
from limecep_lab.plots import check_plot, plot_sweep
from limecep_lab.sessions import add_seed, add_session, session
from limecep_lab.sweeps.documents import read_document
from limecep_lab.sweeps.grids import grid, read_grid, read_vary, together
from limecep_lab.sweeps.presets import PRESETS
from limecep_lab.sweeps.recommendation import recommended, scores
from limecep_lab.sweeps.recordings import OWN, arriving, read_levels, recorded
from limecep_lab.table_files import format_of, vacant, write
from limecep_lab.text_tables import sweep_tables

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence
    from typing import Any

    from limecep.embedding.pipelines import Registry
    from limecep_lab.sweeps.documents import Document


def declare(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments."""
    parser.description = (
        "Runs a pipeline over its recording with every choice of policies, in several orders of arrival, "
        "looks at what each finds of what there is and what that takes, and recommends one."
    )
    parser.add_argument(
        "file", metavar="FILE", nargs="?", help="the pipeline's YAML file; its sources are files"
    )
    parser.add_argument(
        "--preset",
        choices=PRESETS,
        help="; ".join(f"{name}: {preset.summary}" for name, preset in PRESETS.items()),
    )
    add_set(parser)
    parser.add_argument(
        "--vary",
        metavar="KEY=VALUE,...",
        type=str,
        action="append",
        default=[],
        help="the values of a key of every pattern, such as lateness.factor=0.5,1,1.5, lateness=score,accept "
        "or 'lateness={type: bound, within: 5s},accept'; of one pattern with patterns.NAME. before it; may "
        "be given often, then all combinations are looked at",
    )
    parser.add_argument("--grid", metavar="FILE", help="the same as YAML: KEY: [VALUE, ...]")
    parser.add_argument(
        "--level",
        metavar="LEVEL",
        dest="levels",
        action="append",
        help="an order of arrival: own, that of the recording (default); in-order; a share of late events, "
        "such as 0.2; or a file that says more, as for disorder; may be given often",
    )
    parser.add_argument(
        "--delay",
        metavar="DURATION",
        help="at a level that is a share, events are late by up to that (default: ten times the mean time "
        "between two events)",
    )
    parser.add_argument(
        "--into", metavar="PATH", help="write all figures there: .parquet, .csv or .jsonl, by its name"
    )
    parser.add_argument(
        "--plot", metavar="FILE", help="draw precision and recall there: .png, .svg or .pdf, by its name"
    )
    parser.add_argument(
        "--best", metavar="FILE", help="write the pipeline that is recommended there, instead of showing it"
    )
    add_seed(parser)
    add_session(parser)


def execute(args: argparse.Namespace, registry: Registry) -> int:
    """Prints the figures, and what is recommended.

    Raises:
        LimecepError: There is something wrong with an argument, or with what it leads to.
        RunFailure: Spark could not be started, or a file not be written.
    """
    configure_logs(args.log_level, sys.stderr)
    document, vary = _asked(args, registry)
    for path in filter(None, (args.into, args.best, args.plot)):
        vacant(path)
    if args.into:
        format_of(args.into, None)
    if args.plot:
        check_plot(args.plot)
    preset = PRESETS.get(args.preset)
    choices = grid(document, vary, registry, Path(args.file or "").parent)
    levels = read_levels(args.levels or [OWN], args.delay)
    events = [] if preset else recorded(choices.choices[0].config, registry)
    with session(args, "sweep") as spark:
        from limecep_lab.sweeps.sweep import frame, sweep

        stream = preset.stream() if preset else arriving(spark, events, levels, args.seed)
        swept = sweep(spark, choices, stream, registry)
        if args.into:
            write(frame(spark, swept), args.into)
    print(sweep_tables(swept, scores(swept)))
    if args.plot:
        plot_sweep(swept, args.plot)
    best = recommended(swept)
    print(f"\nRecommended: {', '.join(f'{key} {value}' for key, value in best.values.items())}")
    print(f"{best.reason}.")
    if args.best:
        _save(best.yaml, args.best)
    else:
        print(f"\n{best.yaml}", end="")
    return Exit.FINE


def _asked(args: argparse.Namespace, registry: Registry) -> tuple[Document, Mapping[str, Sequence[Any]]]:
    """The pipeline, and what is varied."""
    if bool(args.file) == bool(args.preset):
        raise LimecepError("sweep needs either a pipeline's FILE or a --preset")
    if args.preset:
        if args.vary or args.grid or args.levels or args.overrides:
            raise LimecepError("a preset says itself what is varied, and at which levels")
        preset = PRESETS[args.preset]
        return preset.document(), preset.vary
    vary = together([*(read_grid(args.grid).items() if args.grid else ()), *map(read_vary, args.vary)])
    if not vary:
        raise LimecepError("nothing is varied: say what, as --vary lateness.factor=1,2.5 or in --grid FILE")
    return read_document(args.file, registry, args.overrides), vary


def _save(text: str, path: str) -> None:
    try:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise RunFailure(f"cannot write {path}: {error.strerror or error}") from None
