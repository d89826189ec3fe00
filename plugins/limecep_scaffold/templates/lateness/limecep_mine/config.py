"""Options of the policy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from limecep.api import option


@dataclass(frozen=True, slots=True, kw_only=True)
class MineOptions:
    """Options of `mine`."""

    #: That the policy has a horizon. limecep looks at this before it makes the policy.
    bounded: ClassVar[bool] = True

    within: int = option(
        help="How far behind the latest event time an event may be and still be used.",
        example="10s",
        unit="duration",
    )

    def __post_init__(self) -> None:
        if self.within < 0:
            raise ValueError("'within' must not be negative")
