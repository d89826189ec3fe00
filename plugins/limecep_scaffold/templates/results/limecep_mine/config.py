"""Options of the policy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from limecep.api import option


@dataclass(frozen=True, slots=True, kw_only=True)
class MineOptions:
    """Options of `mine`."""

    emit: Literal["eager", "complete", "slack"] = option(
        "complete",
        help="When a match goes out. eager: as soon as it is found; complete: a match whose last step may "
        "take several events when time has passed its window, others as soon as they are found; slack: after "
        "the slack that late events are waited for.",
        choices=("eager", "complete", "slack"),
    )
