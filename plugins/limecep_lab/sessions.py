"""The arguments that all jobs have, and the session they ask for."""

from __future__ import annotations

import argparse
import contextlib
import logging
import signal
from typing import TYPE_CHECKING, NoReturn

from limecep_spark.config import StartOptions
from limecep_spark.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

    from pyspark.sql import SparkSession

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
#: Py4J logs to these; a filter of a logger is not asked for what comes from one below it.
_WAY_TO_JAVA = (None, "py4j.clientserver", "py4j.java_gateway")
_PARTITIONS = "spark.sql.shuffle.partitions"
#: So many that each of a large stream fits into memory; Spark puts small ones together.
_MANY_PARTITIONS = 200


def add_session(parser: argparse.ArgumentParser) -> None:
    """Adds where Spark is."""
    parser.add_argument(
        "--master",
        metavar="URL",
        default="local[*]",
        help="Spark's master: local[N] for N cores of this machine, or spark://host:7077 (default: local[*])",
    )
    parser.add_argument(
        "--conf",
        metavar="KEY=VALUE",
        action="append",
        type=_setting,
        default=[],
        help="a setting of Spark, such as spark.driver.memory=4g; may be given often",
    )


def add_seed(parser: argparse.ArgumentParser) -> None:
    """Adds the seed that all chance comes from."""
    parser.add_argument(
        "--seed",
        metavar="N",
        type=_seed,
        default=0,
        help="the same seed gives the same rows, however many cores are at it (default: 0)",
    )


@contextlib.contextmanager
def session(args: argparse.Namespace, name: str) -> Iterator[SparkSession]:
    """The session that the arguments ask for, while it is needed.

    Args:
        args: What `add_session` declared.
        name: What it is called in Spark's pages.

    Raises:
        RunFailure: There is no Java, or Spark cannot be started.
    """
    conf = dict(args.conf)
    where = StartOptions(master=args.master, conf=conf)
    made = Session(where, f"data {name}", partitions=int(conf.get(_PARTITIONS, _MANY_PARTITIONS)))
    with quiet_when_interrupted():
        try:
            with _interruptible():
                yield made.spark
        finally:
            made.close()


@contextlib.contextmanager
def quiet_when_interrupted() -> Iterator[None]:
    """Leaves out what the way to Java logs because a question to it was interrupted: that it was, and
    that the socket could not be closed after it."""
    loggers = [logging.getLogger(name) for name in _WAY_TO_JAVA]
    for logger in loggers:
        logger.addFilter(_is_told)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(_is_told)


@contextlib.contextmanager
def _interruptible() -> Iterator[None]:
    """Has signals end what is done as Ctrl-C does, so that nothing half written is left. PySpark's own
    handler asks Java something in the middle of another question."""

    def interrupt(number: int, frame: FrameType | None) -> NoReturn:
        raise KeyboardInterrupt

    # Under nohup a job outlives its terminal.
    numbers = [n for n in _SIGNALS if signal.getsignal(n) != signal.SIG_IGN]
    before = {number: signal.signal(number, interrupt) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _is_told(record: logging.LogRecord) -> bool:
    failure = record.exc_info[1] if record.exc_info else None
    while failure is not None and not isinstance(failure, KeyboardInterrupt):
        failure = failure.__context__
    return failure is None


def _seed(text: str) -> int:
    try:
        seed = int(text)
    except ValueError:
        seed = None
    if seed is None or not -(2**63) <= seed < 2**63:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number of 64 bits")
    return seed


def _setting(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key.startswith("spark."):
        raise argparse.ArgumentTypeError(f"'{text}' is not of the form spark.KEY=VALUE")
    if key == _PARTITIONS and not value.isdigit():
        raise argparse.ArgumentTypeError(f"'{text}': it is a number")
    return key, value
