"""Streams as DataFrames: every value is a function of the seed and the number of its row."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from pyspark.sql import functions as f

from limecep_lab.chance import Chance
from limecep_lab.generation.distributions import pick

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import Column, DataFrame, SparkSession

    from limecep_lab.generation.streams import Planted, Stream

#: Rows of a part: a part is what one core makes at a time, and a file of a folder.
_PART_ROWS = 1_000_000


def stream_of(spark: SparkSession, stream: Stream, seed: int) -> DataFrame:
    """The events of a stream, in order of time."""
    return _Maker(stream, seed).events(_numbers(spark, stream.events))


def planted_in(spark: SparkSession, stream: Stream, seed: int) -> DataFrame:
    """The matches planted in a stream."""
    if stream.planted is None:
        return spark.createDataFrame([], "match string, events array<string>, start long, end long")
    blocks = _numbers(spark, stream.events // stream.planted.every)
    return _Maker(stream, seed).planted(blocks, stream.planted)


def _numbers(spark: SparkSession, count: int) -> DataFrame:
    parts = max(spark.sparkContext.defaultParallelism if count > _PART_ROWS else 1, -(-count // _PART_ROWS))
    return spark.range(0, count, 1, parts)


class _Maker:
    def __init__(self, stream: Stream, seed: int) -> None:
        self._stream = stream
        self._seed = seed

    def events(self, numbers: DataFrame) -> DataFrame:
        """An event for each number."""
        stream, number = self._stream, f.col("id")
        chance = Chance(self._seed, number)
        pairs = [(s, t) for s, source in stream.sources.items() for t in source.types]
        weights = [
            source.rate * weight / sum(source.types.values())
            for source in stream.sources.values()
            for weight in source.types.values()
        ]
        drawn = pick(chance.share("type"), [f.lit(n) for n in range(len(pairs))], weights)
        frame = numbers.withColumn("_drawn", drawn).withColumn("_plant", self._plant(number))
        known = {pair: n for n, pair in enumerate(pairs)}
        kind = f.col("_drawn")
        if stream.planted:
            # Of what a match is made: the number of its place in the list of all.
            places = [known[step.source, step.type] for step in stream.planted.steps]
            # Spark takes element_at of such a list for something that is never null, whatever the place is.
            plant = f.col("_plant")
            kind = f.when(plant.isNotNull(), f.element_at(_literals(places), plant + 1)).otherwise(kind)
        frame = frame.withColumn("_kind", kind)
        at = f.col("_kind") + 1
        return frame.select(
            f.concat(f.lit("e"), number.cast("string")).alias("id"),
            f.element_at(_literals([t for _, t in pairs]), at).alias("type"),
            f.element_at(_literals([s for s, _ in pairs]), at).alias("source"),
            self._time(number, f.col("_plant").isNotNull()).alias("t_gen"),
            *self._attributes(chance, [t for _, t in pairs]),
        )

    def planted(self, blocks: DataFrame, planted: Planted) -> DataFrame:
        """A row for each number of a match."""
        number = f.col("id")
        first = number * planted.every + self._offset(number, planted)
        names = list(planted.matches)
        sizes = f.element_at(
            _literals([len(m) for m in planted.matches.values()]), self._match(number, planted) + 1
        )
        numbers = f.transform(f.sequence(f.lit(0), sizes - 1), lambda step: first + step * planted.gap)
        chance = Chance(self._seed, number)
        return blocks.select(
            f.element_at(_literals(names), self._match(number, planted) + 1).alias("match"),
            *(d.column(chance, f"key {a}").alias(a) for a, d in self._stream.key.items()),
            f.transform(numbers, lambda n: f.concat(f.lit("e"), n.cast("string"))).alias("events"),
            self._at(first + 0.5).alias("start"),
            self._at(first + (sizes - 1) * planted.gap + 0.5).alias("end"),
        )

    # -- time ------------------------------------------------------------------------------------------------

    def _time(self, number: Column, planted: Column) -> Column:
        """The time of an event. Each falls somewhere into its own share of time, so that the order is that of
        the numbers; those planted fall into the middle, so that they keep their distance."""
        stream = self._stream
        free = number + Chance(self._seed, number).share("time")
        if stream.ties:
            # Events 0 and 1, 2 and 3, and so on may have one time.
            pair = f.floor(number / 2)
            tied = Chance(self._seed, pair).share("tie") < stream.ties
            one = (pair * 2) + Chance(self._seed, pair).share("tied time")
            if stream.planted:
                tied &= self._plant(pair * 2).isNull() & self._plant(pair * 2 + 1).isNull()
            free = f.when(tied, one).otherwise(free)
        return self._at(f.when(planted, number + 0.5).otherwise(free) if stream.planted else free)

    def _at(self, place: Column) -> Column:
        stream = self._stream
        after = f.floor(place * (1_000_000 / stream.rate))
        if stream.resolution > 1:
            after = after - after % stream.resolution
        return after + f.lit(stream.start).cast("long")

    # -- what is planted -------------------------------------------------------------------------------------

    def _plant(self, number: Column) -> Column:
        """Which event of all matches an event is, counted through; null for none."""
        planted = self._stream.planted
        if planted is None:
            return f.lit(None).cast("int")
        block = f.floor(number / planted.every)
        match = self._match(block, planted)
        place = number - block * planted.every - self._offset(block, planted)
        sizes = [len(m) for m in planted.matches.values()]
        before = [sum(sizes[:n]) for n in range(len(sizes))]
        size = f.element_at(_literals(sizes), match + 1)
        step = f.floor(place / planted.gap)
        whole = block < self._stream.events // planted.every
        there = whole & (place >= 0) & (place % planted.gap == 0) & (step < size)
        return f.when(there, (f.element_at(_literals(before), match + 1) + step).cast("int"))

    def _match(self, block: Column, planted: Planted) -> Column:
        share = Chance(self._seed, block).share("planted match")
        return f.floor(share * len(planted.matches)).cast("int")

    def _offset(self, block: Column, planted: Planted) -> Column:
        room = planted.every - planted.span + 1
        return f.floor(Chance(self._seed, block).share("planted place") * room)

    # -- payload ---------------------------------------------------------------------------------------------

    def _attributes(self, chance: Chance, types: Sequence[str]) -> list[Column]:
        """The attributes of events.

        Args:
            chance: That of each event.
            types: The event types, by what is drawn.
        """
        stream = self._stream
        return [
            (self._of_key(name, chance) if name in stream.key else self._of_type(name, chance, types)).alias(
                name
            )
            for name in stream.attributes
        ]

    def _of_key(self, name: str, chance: Chance) -> Column:
        planted, distribution = self._stream.planted, self._stream.key[name]
        free = distribution.column(chance, f"key {name}")
        if planted is None:
            return free
        block = Chance(self._seed, f.floor(f.col("id") / planted.every))
        return f.when(f.col("_plant").isNotNull(), distribution.column(block, f"key {name}")).otherwise(free)

    def _of_type(self, name: str, chance: Chance, types: Sequence[str]) -> Column:
        steps = self._stream.planted.steps if self._stream.planted else []
        cases = [(f.col("_plant") == n, step.payload) for n, step in enumerate(steps)]
        for type_, payload in self._stream.types.items():
            drawn = [n for n, t in enumerate(types) if t == type_]
            cases.append((f.col("_kind").isin(drawn), payload))
        holding = [(condition, payload[name]) for condition, payload in cases if name in payload]
        (condition, first), *others = holding
        column = f.when(condition, first.column(chance, name))
        return reduce(lambda c, case: c.when(case[0], case[1].column(chance, name)), others, column)


def _literals(values: Sequence[str] | Sequence[int]) -> Column:
    return f.array(*(f.lit(v) for v in values))
