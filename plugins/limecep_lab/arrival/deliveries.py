"""How events come from where they happen to where they are read: late, in bursts, twice, or never."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - options are read by their types
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from limecep import option
from limecep_lab.specs import load

if TYPE_CHECKING:
    import os

    from pyspark.sql import Column

    from limecep_lab.chance import Chance

#: The shares of late events of the reference streams.
PRESETS = {"in-order": 0.0, "partial": 0.2, "full": 0.7}


@dataclass(frozen=True, slots=True, kw_only=True)
class Delay:
    """How long something takes: `uniform` or `exponential`."""

    uniform: tuple[int, int] | None = option(
        None, help="From one duration to another.", unit="duration", example=["0s", "10s"]
    )
    exponential: int | None = option(
        None, help="Mostly short, seldom long, with this mean.", unit="duration", example="5s"
    )

    def __post_init__(self) -> None:
        if (self.uniform is None) == (self.exponential is None):
            raise ValueError("it must have 'uniform' or 'exponential'")
        if self.uniform is not None and self.uniform[0] > self.uniform[1]:
            raise ValueError("'uniform' is from the shorter to the longer")

    def column(self, chance: Chance, purpose: str) -> Column:
        """A duration for each row, in whole microseconds."""
        from pyspark.sql import functions as f

        if self.uniform is not None:
            low, high = self.uniform
            return f.floor(low + chance.share(purpose) * (high - low))
        assert self.exponential is not None
        return f.floor(chance.exponential(purpose) * self.exponential)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outage:
    """Times at which nothing of a source gets through."""

    every: int = option(help="There is one in each time of this length.", unit="duration", example="1h")
    lasts: int = option(help="How long it lasts.", unit="duration", example="2m")

    def __post_init__(self) -> None:
        if not 0 < self.lasts <= self.every:
            raise ValueError("'lasts' must be more than 0 and at most 'every'")


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """What happens to the events of a source on their way."""

    late: float = option(0.0, help="The share of events that are delayed.", unit="percent", example="20%")
    delay: Delay | None = option(
        None,
        help="By how much these are. By default up to ten times the mean time between two events.",
        example={"exponential": "5s"},
    )
    latency: int = option(0, help="What every event takes.", unit="duration", example="20ms")
    outage: Outage | None = option(
        None,
        help="While it lasts nothing arrives; at its end all comes at once.",
        example={"every": "1h", "lasts": "2m"},
    )
    clock_ahead: int = option(0, help="By how much its clock is ahead.", unit="duration", example="2s")
    clock_behind: int = option(0, help="By how much its clock is behind.", unit="duration", example="2s")
    duplicates: float = option(
        0.0, help="The share of events of which a copy arrives later.", unit="percent", example="1%"
    )
    copy_after: Delay = option(
        Delay(exponential=1_000_000),
        help="How long after the event a copy arrives; by default 1 s in the mean.",
    )
    lost: float = option(0.0, help="The share of events that never arrive.", unit="percent", example="0.1%")

    def __post_init__(self) -> None:
        for name in ("late", "duplicates", "lost"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"'{name}' must be from 0 to 100%")
        if self.clock_ahead and self.clock_behind:
            raise ValueError("'clock_ahead' and 'clock_behind' do not go together")

    @property
    def clock(self) -> int:
        """What its clock shows less what it should, in microseconds."""
        return self.clock_ahead - self.clock_behind


@dataclass(frozen=True, slots=True, kw_only=True)
class Deliveries:
    """The ways of all sources."""

    default: Delivery = option(Delivery(), help="What holds for sources that are not named.")
    sources: Mapping[str, Delivery] = option({}, help="What holds for a source, by its name.")

    @property
    def needs_gap(self) -> bool:
        """Whether a delay depends on the time between events."""
        return any(d.late and d.delay is None for d in (self.default, *self.sources.values()))

    def with_gap(self, gap: float) -> Deliveries:
        """With delays for all that are late.

        Args:
            gap: The mean time between two events, in microseconds.
        """
        delay = Delay(uniform=(0, int(10 * gap)))

        def told(delivery: Delivery) -> Delivery:
            return delivery if delivery.delay is not None else replace(delivery, delay=delay)

        return Deliveries(default=told(self.default), sources={s: told(d) for s, d in self.sources.items()})


def read_deliveries(spec: str | os.PathLike[str] | Mapping[str, Any]) -> Deliveries:
    """What happens to events: the name of a preset, a file of YAML, or a dict of that form.

    Raises:
        ConfigurationError: Something is wrong with it; all that is.
    """
    if isinstance(spec, str) and spec in PRESETS:
        return Deliveries(default=Delivery(late=PRESETS[spec]))
    return load(spec, Deliveries, "disorder")[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Where a table has what must be known of an event.

    Attributes:
        time: When it happened.
        format: The format of times, as for sources of a pipeline.
        zone: The time zone of times that have none.
        id: Its id; where there is no such column, all columns tell it.
        source: The name of its source; where there is no such column, there is one source.
    """

    time: str = "t_gen"
    format: str = "epoch_us"
    zone: str | None = None
    id: str = "id"
    source: str = "source"
