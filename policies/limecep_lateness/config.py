"""Options of the lateness policies."""

from __future__ import annotations

from dataclasses import dataclass

from limecep import option


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptOptions:
    """Options of `accept`."""

    within: int | None = option(
        None,
        help="How far behind the latest event time an event may be and still be used; off: however far.",
        example="10m",
        unit="duration",
    )
