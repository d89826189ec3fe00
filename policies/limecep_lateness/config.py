"""Options of the lateness policies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from limecep import option

_WARM_UP = "How many late events of a type are used, whatever they score, before one may be refused."


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptOptions:
    """Options of `accept`."""

    within: int | None = option(
        None,
        help="How far behind the latest event time an event may be and still be used; off: however far, as "
        "long as memory or a log still has what it changes.",
        example="10m",
        unit="duration",
    )

    def __post_init__(self) -> None:
        _not_negative("within", self.within or 0)

    @property
    def bounded(self) -> bool:
        """Whether the policy has a horizon."""
        return self.within is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundOptions:
    """Options of `bound`."""

    bounded: ClassVar[bool] = True

    within: int = option(
        help="How far behind the latest event time an event may be and still be used.",
        example="10s",
        unit="duration",
    )

    def __post_init__(self) -> None:
        _not_negative("within", self.within)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreOptions:
    """Options of `score`."""

    factor: float = option(
        2.5, help="How many times the average score of its type an event may score and still be used."
    )
    weights: tuple[float, float, float] = option(
        (0.6, 0.2, 0.2),
        help="What counts how much: the distance to the latest event of the type, how far the source is off "
        "its period, and its period in windows.",
        example=[0.6, 0.2, 0.2],
    )
    unit: int = option(
        1_000_000,
        help="The unit in which times enter the score. Choose it so that usual lateness is a few units.",
        example="1ms",
        unit="duration",
    )
    relative: bool = option(
        False, help="Whether the deviation from the period is taken in periods, instead of units."
    )
    warm_up: int = option(30, help=_WARM_UP)
    half_life: int | None = option(
        None,
        help="After how many late events of its type a score counts half in the average; by default all "
        "count alike.",
        example=1000,
    )

    def __post_init__(self) -> None:
        _not_negative("factor", self.factor)
        if min(self.weights) < 0:
            raise ValueError("'weights' must not be negative")
        if not any(self.weights):
            raise ValueError("'weights' must not all be 0")
        _positive("unit", self.unit)
        _not_negative("warm_up", self.warm_up)
        if self.half_life is not None:
            _positive("half_life", self.half_life)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviationOptions:
    """Options of `deviation`."""

    k: float = option(
        3.0, help="How many standard deviations above the mean an event may be late and still be used."
    )
    warm_up: int = option(30, help=_WARM_UP)

    def __post_init__(self) -> None:
        _not_negative("k", self.k)
        _not_negative("warm_up", self.warm_up)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuantileOptions:
    """Options of `quantile`."""

    quantile: float = option(
        0.99,
        help="The share of late events of a type that was no later than what is still used.",
        example="99.9%",
        unit="percent",
    )
    factor: float = option(1.0, help="How many times that lateness an event may have and still be used.")
    warm_up: int = option(30, help=_WARM_UP)

    def __post_init__(self) -> None:
        if not 0 < self.quantile <= 1:
            raise ValueError("'quantile' must be above 0% and at most 100%")
        _not_negative("factor", self.factor)
        _not_negative("warm_up", self.warm_up)


def _not_negative(name: str, value: float) -> None:
    if value < 0:
        raise ValueError(f"'{name}' must not be negative")


def _positive(name: str, value: float) -> None:
    if value <= 0:
        raise ValueError(f"'{name}' must be more than 0")
