"""Options of the result policies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from limecep import option


@dataclass(frozen=True, slots=True, kw_only=True)
class UncorrectedOptions:
    """Options of `uncorrected`."""

    emit: Literal["eager", "complete", "slack", "final"] = option(
        "eager",
        help="When a match goes out. eager: as soon as it is found; complete: a match whose last step may "
        "take several events when time has passed its window, others as soon as they are found; slack: after "
        "the slack that late events are waited for; final: when no event that is still used can change it.",
        choices=("eager", "complete", "slack", "final"),
    )
    horizon: int | None = option(
        None,
        help="How far behind the latest event time an event may be and still change results, whatever the "
        "lateness policy says; off: as far as that says.",
        example="10m",
        unit="duration",
    )

    def __post_init__(self) -> None:
        if self.horizon is not None and self.horizon < 0:
            raise ValueError("'horizon' must not be negative")

    @property
    def needs_horizon(self) -> str:
        """The key that asks for what is final, where nothing here says when that is."""
        return "emit" if self.emit == "final" and self.horizon is None else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedOptions(UncorrectedOptions):
    """Options of `corrected`."""

    final: bool = option(
        False,
        help="Whether it is told of each match when no event that is still used can change it any more, by a "
        "record 'final'. Under emit: final each record says so itself.",
    )

    @property
    def needs_horizon(self) -> str:
        if self.horizon is not None:
            return ""
        return "emit" if self.emit == "final" else "final" if self.final else ""
