"""`limecep data generate`: makes a stream of events."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from limecep_lab.generation.streams import read_stream
from limecep_lab.jobs import refuse, told
from limecep_lab.sessions import add_seed, add_session, session
from limecep_lab.table_files import add_output, beside, format_of, vacant, write

if TYPE_CHECKING:
    from limecep.embedding.pipelines import Registry


#: What a stream is made of without a spec, by argument.
_SIMPLE: dict[str, Any] = {
    "types": {"A": 1.0, "B": 1.0, "C": 1.0},
    "rate": 1000.0,
    "keys": 1000,
    "skew": 0.0,
    "ties": "0%",
}


def declare(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments."""
    parser.add_argument("--spec", metavar="FILE", help="what the stream is made of, as YAML; else as follows")
    parser.add_argument(
        "--events",
        metavar="N",
        type=_count,
        help="how many events, also instead of the spec's (default: 1000000)",
    )
    parser.add_argument(
        "--types",
        metavar="NAME[=WEIGHT],...",
        type=_types,
        help="event types, with how often each comes (default: A,B,C, all alike)",
    )
    parser.add_argument("--rate", metavar="R", type=float, help="events a second (default: 1000)")
    parser.add_argument(
        "--keys", metavar="N", type=_count, help="how many keys k1, k2, ... there are (default: 1000)"
    )
    parser.add_argument(
        "--skew", metavar="S", type=float, help="key n comes in proportion to 1/n^S (default: 0, all alike)"
    )
    parser.add_argument(
        "--ties", metavar="SHARE", help="share of events that have the time of a neighbour (default: 0%%)"
    )
    add_output(parser)
    add_seed(parser)
    add_session(parser)


def execute(args: argparse.Namespace, registry: Registry) -> int:
    """Makes it, with what was planted beside it."""
    for name in _SIMPLE if args.spec else ():
        if getattr(args, name) is not None:
            refuse(f"--{name}", args.spec)
    stream = read_stream(args.spec or _document(args))
    if args.spec and args.events is not None:
        stream = replace(stream, events=args.events)
    into = format_of(args.into, args.format)
    aside = beside(args.into, "planted")
    vacant(args.into)
    if stream.planted:
        vacant(aside)
    with session(args, "generate") as spark:
        from limecep_lab.generation.frames import planted_in, stream_of

        write(stream_of(spark, stream, args.seed), args.into, into)
        if stream.planted:
            write(planted_in(spark, stream, args.seed), aside)
    said = {"planted": aside} if stream.planted else {}
    return told(events=stream.events, into=args.into, **said)


def _document(args: argparse.Namespace) -> dict[str, Any]:
    simple = {
        name: default if (said := getattr(args, name)) is None else said for name, default in _SIMPLE.items()
    }
    return {
        "events": 1_000_000 if args.events is None else args.events,
        "sources": {"events": {"rate": simple["rate"], "types": simple["types"]}},
        "key": {"key": {"zipf": simple["keys"], "skew": simple["skew"], "prefix": "k"}},
        "types": {t: {"value": {"uniform": [0.0, 100.0], "digits": 2}} for t in simple["types"]},
        "ties": simple["ties"],
    }


def _count(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number above 0")
    return int(text)


def _types(text: str) -> dict[str, float]:
    found = {}
    for part in text.split(","):
        name, equals, weight = part.partition("=")
        if not name.strip():
            raise argparse.ArgumentTypeError(f"'{text}' has a type without a name")
        try:
            found[name.strip()] = float(weight) if equals else 1.0
        except ValueError:
            raise argparse.ArgumentTypeError(f"'{part}' is not of the form NAME or NAME=WEIGHT") from None
    return found
