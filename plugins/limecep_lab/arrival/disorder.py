"""Order of arrival: what happens to an event is a function of the seed and of what tells the event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as f

from limecep.errors import ConfigurationError, RunFailure
from limecep.intake.times import Inexact, Unreadable, time_problem, time_reader
from limecep.problems import Problem, suggestion
from limecep_lab.arrival.deliveries import Columns
from limecep_lab.chance import Chance

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import Column, DataFrame

    from limecep_lab.arrival.deliveries import Deliveries, Delivery, Outage

#: Columns of ours while events are on their way.
_TOLD, _SOURCE, _HAPPENED, _LOST = "__told", "__source", "__happened", "__lost"
_DELAY, _WHOLE, _END, _COPY = "__delay", "__whole", "__end", "__copy"


class Disorder:
    """The events of a table on their ways.

    Args:
        events: The table.
        deliveries: What happens to them.
        columns: Where the table has what must be known.
        seed: The same seed gives the same.

    Raises:
        ConfigurationError: The table has no such column, or times cannot be read like that.
    """

    def __init__(self, events: DataFrame, deliveries: Deliveries, columns: Columns, seed: int) -> None:
        _check(events, columns)
        self._columns = [c for c in events.columns if c not in ("t_gen", "t_arr")]
        source = f.col(_quoted(columns.source)) if columns.source in events.columns else f.lit("")
        told = [columns.source, columns.id] if columns.id in events.columns else events.columns
        row = [f.col(_quoted(c)).cast("string") for c in told if c in events.columns]
        known = events.select(
            *(_quoted(c) for c in self._columns),
            f.xxhash64(*row).alias(_TOLD),
            source.cast("string").alias(_SOURCE),
            _time(events, columns).alias(_HAPPENED),
        )
        if deliveries.needs_gap:
            deliveries = deliveries.with_gap(_gap(known))
        self._deliveries = deliveries
        self._chance = Chance(seed, f.col(_TOLD))
        self._seed = seed
        whole = f.col(_HAPPENED) + self._by_source(lambda d: f.lit(d.latency)) + f.col(_DELAY)
        self._ways = self._copied(
            known.withColumn(_LOST, self._happens("lost"))
            .withColumn(_DELAY, self._by_source(self._delay))
            .withColumn(_WHOLE, whole)
            .withColumn(_END, self._by_source(lambda d: self._through(d.outage)))
        )

    def arrivals(self) -> DataFrame:
        """The events as they arrive, with `t_gen` and `t_arr`, in the order of arrival."""
        order = ("t_arr", _HAPPENED, _COPY, _TOLD)
        came = self._ways.where(~f.col(_LOST)).orderBy(*order)
        return came.select(*map(_quoted, self._columns), "t_gen", "t_arr")

    def done(self) -> DataFrame:
        """What was done to each event and copy, in the order of the events: `id`, `source` and `type` where
        there are such, when it `happened`, `t_gen` as stamped, `t_arr`, by how much it was delayed (`delay`),
        whether an `outage` held it up, whether it is a `copy`, whether it was `lost`."""
        told = [c for c in ("id", "source", "type") if c in self._columns]
        return self._ways.select(
            *told,
            f.col(_HAPPENED).alias("happened"),
            "t_gen",
            f.when(~f.col(_LOST), f.col("t_arr")).alias("t_arr"),
            f.col(_DELAY).alias("delay"),
            f.col(_END).isNotNull().alias("outage"),
            (f.col(_COPY) > 0).alias("copy"),
            f.col(_LOST).alias("lost"),
        )

    def _copied(self, ways: DataFrame) -> DataFrame:
        """An event, and a copy of it where there is one."""
        twice = ~f.col(_LOST) & self._happens("duplicates")
        copies = f.when(twice, f.array(f.lit(0), f.lit(1))).otherwise(f.array(f.lit(0)))
        first = f.coalesce(f.col(_END), f.col(_WHOLE))
        after = self._by_source(lambda d: d.copy_after.column(self._chance, "copy after")) + 1
        return (
            ways.withColumn(_COPY, f.explode(copies))
            .withColumn("t_gen", f.col(_HAPPENED) + self._by_source(lambda d: f.lit(d.clock)))
            .withColumn("t_arr", f.when(f.col(_COPY) == 1, first + after).otherwise(first))
        )

    def _delay(self, delivery: Delivery) -> Column:
        if not delivery.late or delivery.delay is None:
            return f.lit(0).cast("long")
        late = self._chance.share("late") < delivery.late
        return f.when(late, delivery.delay.column(self._chance, "delay")).otherwise(0)

    def _through(self, outage: Outage | None) -> Column:
        """The end of the outage that an event runs into; null for none."""
        if outage is None:
            return f.lit(None).cast("long")
        at = f.col(_WHOLE)
        number = f.floor(at / outage.every)
        place = Chance(self._seed, f.col(_SOURCE), number).share("outage") * (outage.every - outage.lasts)
        begin = number * outage.every + f.floor(place)
        end = begin + outage.lasts
        return f.when((at >= begin) & (at < end), end)

    def _happens(self, what: str) -> Column:
        """Whether something happens to an event."""
        share = self._by_source(lambda d: f.lit(float(getattr(d, what))))
        return self._chance.share(what) < share

    def _by_source(self, column: Callable[[Delivery], Column]) -> Column:
        """What holds for the source of an event."""
        found = column(self._deliveries.default)
        for source, delivery in self._deliveries.sources.items():
            found = f.when(f.col(_SOURCE) == source, column(delivery)).otherwise(found)
        return found


def _check(events: DataFrame, columns: Columns) -> None:
    usual = Columns()
    named = [("--time", columns.time, "the time of events")]
    # Ids and sources need not be there, unless somebody says where.
    if columns.id != usual.id:
        named.append(("--id", columns.id, "their ids"))
    if columns.source != usual.source:
        named.append(("--source", columns.source, "their sources"))
    problems = [
        Problem(
            code="unknown-column",
            message=f"there is no column '{name}' with {what}",
            hint=f"name it: {argument} FIELD; {suggestion(name, events.columns)}".rstrip("; "),
        )
        for argument, name, what in named
        if name not in events.columns
    ]
    if problems:
        raise ConfigurationError(problems)
    if said := time_problem(columns.format, columns.zone):
        raise ConfigurationError([Problem(code="bad-time-format", message=said)])


def _time(events: DataFrame, columns: Columns) -> Column:
    """Times in microseconds."""
    time, kind = f.col(_quoted(columns.time)), dict(events.dtypes)[columns.time]
    if columns.format == "epoch_us" and kind in ("bigint", "int", "string"):
        # What has to be read by Python costs ten times as much.
        said = f.concat(
            f.lit(f"'{columns.time}' is not a number of us: "), f.coalesce(time.cast("string"), f.lit(""))
        )
        return f.coalesce(time.try_cast("long"), f.raise_error(said).cast("long"))
    read = time_reader(columns.format, columns.zone)

    def microseconds(value: Any) -> int:
        try:
            return read(value)
        except Unreadable as error:
            raise RunFailure(f"'{columns.time}' {error}") from None
        except Inexact:
            raise RunFailure(f"'{columns.time}' is not exact as a number: write it as text") from None

    return f.udf(microseconds, "long", useArrow=False)(time)


def _gap(known: DataFrame) -> float:
    """The mean time between two events, in microseconds."""
    happened = f.col(_HAPPENED)
    first, last, count = known.agg(f.min(happened), f.max(happened), f.count("*")).head() or (0, 0, 0)
    return (last - first) / (count - 1) if count > 1 else 0.0


def _quoted(column: str) -> str:
    """A name that may have dots."""
    return f"`{column.replace('`', '``')}`"
