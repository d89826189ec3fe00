"""The arguments that all jobs have, and the session they ask for."""

from __future__ import annotations

import argparse
import contextlib
import logging
import signal
from typing import TYPE_CHECKING, NoReturn

from limecep_spark.config import SparkOptions
from limecep_spark.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

    from pyspark.sql import SparkSession

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_PARTITIONS = "spark.sql.shuffle.partitions"
#: So many that each of a large stream fits into memory; Spark puts small ones together.
_MANY = 200


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
    options = SparkOptions(
        checkpoint="", master=args.master, conf=conf, partitions=int(conf.get(_PARTITIONS, _MANY))
    )
    made = Session(options, f"data {name}")
    try:
        with _interruptible():
            yield made.spark
    finally:
        made.close()


@contextlib.contextmanager
def _interruptible() -> Iterator[None]:
    """Has signals end what is done as Ctrl-C does, so that nothing half written is left. PySpark's own
    handler asks Java something in the middle of another question, and logs that this fails."""

    def interrupt(number: int, frame: FrameType | None) -> NoReturn:
        raise KeyboardInterrupt

    def told(record: logging.LogRecord) -> bool:
        return not str(record.msg).startswith("KeyboardInterrupt")

    # Under nohup a job outlives its terminal.
    numbers = [n for n in _SIGNALS if signal.getsignal(n) != signal.SIG_IGN]
    before = {number: signal.signal(number, interrupt) for number in numbers}
    logging.getLogger().addFilter(told)
    try:
        yield
    finally:
        logging.getLogger().removeFilter(told)
        for number, handler in before.items():
            signal.signal(number, handler)


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
