"""`limecep data disorder`: has events arrive late, twice, or never."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep_lab.arrival.deliveries import PRESETS, Columns, read_deliveries
from limecep_lab.jobs import refuse, told
from limecep_lab.sessions import add_seed, add_session, session
from limecep_lab.table_files import add_input, add_output, beside, format_of, read, vacant, write

if TYPE_CHECKING:
    import argparse

    from limecep.embedding.pipelines import Registry


def declare(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments."""
    add_input(parser, "the events: what generate wrote, or any table with their times")
    add_output(parser)
    how = parser.add_mutually_exclusive_group(required=True)
    how.add_argument("--preset", choices=PRESETS, help="a share of 0, 0.2 or 0.7 of all events is late")
    how.add_argument("--late", metavar="SHARE", help="the share of events that are late, such as 20%%")
    how.add_argument("--spec", metavar="FILE", help="what happens to the events of each source, as YAML")
    parser.add_argument(
        "--delay",
        metavar="DURATION",
        help="late events are late by up to that (default: ten times the mean time between two events)",
    )
    known = Columns()
    parser.add_argument(
        "--time", metavar="FIELD", default=known.time, help=f"when an event happened (default: {known.time})"
    )
    parser.add_argument(
        "--time-format",
        metavar="FORMAT",
        default=known.format,
        help=f"as in pipelines: iso8601, epoch_s, a strptime text (default: {known.format})".replace(
            "%", "%%"
        ),
    )
    parser.add_argument("--zone", help="the time zone of times that have none, such as Europe/Athens")
    parser.add_argument("--id", metavar="FIELD", default=known.id, help="the id of an event (default: id)")
    parser.add_argument(
        "--source",
        metavar="FIELD",
        dest="of",
        default=known.source,
        help="where it comes from (default: source)",
    )
    add_seed(parser)
    add_session(parser)


def execute(args: argparse.Namespace, registry: Registry) -> int:
    """Writes the events as they arrive, and beside them what was done to each."""
    deliveries = read_deliveries(_spec(args))
    columns = Columns(time=args.time, format=args.time_format, zone=args.zone, id=args.id, source=args.of)
    into, aside = format_of(args.into, args.format), beside(args.into, "done")
    vacant(args.into)
    vacant(aside)
    with session(args, "disorder") as spark:
        from limecep_lab.arrival.disorder import Disorder

        disorder = Disorder(read(spark, args.source, args.source_format), deliveries, columns, args.seed)
        write(disorder.arrivals(), args.into, into)
        write(disorder.done(), aside)
        counts = (
            read(spark, aside)
            .selectExpr(
                "count_if(not copy) events",
                "count_if(delay > 0 and not lost and not copy) late",
                "count_if(outage and not copy) outage",
                "count_if(copy) copies",
                "count_if(lost) lost",
            )
            .head()
        )
    assert counts is not None
    return told(**counts.asDict(), into=args.into, done=aside)


def _spec(args: argparse.Namespace) -> Any:
    if args.spec and args.delay:
        refuse("--delay", args.spec)
    if args.spec or (args.preset and not args.delay):
        return args.spec or args.preset
    late = args.late if args.late is not None else PRESETS[args.preset]
    delay = {"delay": {"uniform": ["0s", args.delay]}} if args.delay else {}
    return {"default": {"late": late, **delay}}
