"""Options of slack policies."""

from __future__ import annotations

from dataclasses import dataclass

from limecep import option


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedOptions:
    """Options of `fixed`."""

    wait: int = option(
        help="How long a recomputation waits for more late events.", example="2s", unit="duration"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class AdaptiveOptions:
    """Options of `adaptive`."""

    trigger: float = option(
        0.1,
        help="The share of out-of-order events from which on a recomputation waits; below it there "
        "is no wait.",
        example="10%",
        unit="percent",
    )

    def __post_init__(self) -> None:
        if not 0 <= self.trigger <= 1:
            raise ValueError("'trigger' must be from 0% to 100%")
