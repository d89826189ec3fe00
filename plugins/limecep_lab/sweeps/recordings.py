"""A recording, and the orders in which its events may have arrived."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from limecep.clock import ManualClock
from limecep.embedding.pipelines import Assembly
from limecep.errors import ConfigurationError, LimecepError
from limecep.model.event import sort_key
from limecep_lab.arrival.deliveries import PRESETS, Columns, read_deliveries

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import SparkSession

    from limecep.embedding.pipelines import PipelineConfig, Registry
    from limecep.model.event import Event
    from limecep_lab.arrival.deliveries import Deliveries

#: An order of arrival: places of events in the recording, each with its `t_gen` and `t_arr`.
Order = Sequence[tuple[int, int, int]]
#: The order of arrival that a recording has, and that of time.
OWN, IN_ORDER = "own", "in-order"


@dataclass(frozen=True, kw_only=True)
class Stream:
    """Events, and the orders in which they arrive.

    Attributes:
        events: The events.
        orders: The orders by the name of the level; `in-order` is among them.
        levels: Those at which choices are looked at.
    """

    events: Sequence[Event]
    orders: Mapping[str, Order]
    levels: Sequence[str]


def recorded(config: PipelineConfig, registry: Registry) -> list[Event]:
    """The events that the sources of a pipeline bring, in the order of their arrival.

    Raises:
        LimecepError: A source never ends, or there is no event.
        RunFailure: A source cannot be read.
    """
    for source in config.sources:
        if source.live:
            raise LimecepError(
                f"source '{source.name}' never ends: a sweep needs a recording. Have it read a file of its "
                f"messages, in the YAML or with --set"
            )
    came: list[tuple[int, Event]] = []
    # A recording ends where it ends: no later run reads on.
    assembly = Assembly(replace(config, state=None), registry, ManualClock(), structlog.get_logger())
    for feed in assembly.feeds():
        for fed, arrivals in feed.whole():
            came += zip(arrivals, fed.events, strict=True)
    if not came:
        raise LimecepError("there is no event in the sources: nothing can be said of policies")
    came.sort(key=itemgetter(0))
    return [event for _, event in came]


def read_levels(levels: Sequence[str], delay: str | None) -> dict[str, Deliveries | None]:
    """What happens to events at levels, each `own`, `in-order`, a share of late events, or a file of YAML
    that says more; None at the first two.

    Args:
        levels: The levels.
        delay: By how much events are late at most at levels that are shares; None: by ten times the mean time
            between two events.

    Raises:
        ConfigurationError: There is no such level.
    """
    return {level: None if level in (OWN, IN_ORDER) else _deliveries(level, delay) for level in levels}


def _deliveries(level: str, delay: str | None) -> Deliveries:
    if Path(level).is_file():
        return read_deliveries(level)
    how = {"delay": {"uniform": ["0s", delay]}} if delay else {}
    try:
        return read_deliveries({"default": {"late": PRESETS.get(level, level), **how}})
    except ConfigurationError as error:
        hint = f"a level is {OWN}, {IN_ORDER}, a share of late events such as 0.2, or a file"
        raise ConfigurationError([replace(p, hint=hint) for p in error.problems]) from None


def arriving(
    spark: SparkSession, events: Sequence[Event], levels: Mapping[str, Deliveries | None], seed: int
) -> Stream:
    """A recording in the orders of levels.

    Args:
        spark: The session.
        events: The events.
        levels: What happens to them at each (`read_levels`).
        seed: The same seed gives the same orders.
    """
    in_order = sorted(range(len(events)), key=lambda place: sort_key(events[place]))
    orders: dict[str, Order] = {IN_ORDER: [(p, events[p].t_gen, events[p].t_gen) for p in in_order]}
    for level, deliveries in levels.items():
        if deliveries is not None:
            orders[level] = _disordered(spark, events, deliveries, seed)
        elif level == OWN:
            orders[level] = [(place, e.t_gen, e.t_arr) for place, e in enumerate(events)]
    return Stream(events=events, orders=orders, levels=list(levels))


def _disordered(spark: SparkSession, events: Sequence[Event], deliveries: Deliveries, seed: int) -> Order:
    import pyarrow

    from limecep_lab.arrival.disorder import Disorder

    # Each event for itself, copies too.
    told = {
        "id": range(len(events)),
        "source": [e.source for e in events],
        "t_gen": [e.t_gen for e in events],
    }
    disorder = Disorder(spark.createDataFrame(pyarrow.table(told)), deliveries, Columns(), seed)
    arrived = disorder.arrivals().select("id", "t_gen", "t_arr").toArrow().to_pydict()
    return list(zip(arrived["id"], arrived["t_gen"], arrived["t_arr"], strict=True))
