"""Options of the result policies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from limecep import option


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultOptions:
    """Options of `corrected` and `uncorrected`."""

    emit: Literal["eager", "complete"] = option(
        "eager",
        help="When a match goes out. eager: as soon as it is found; complete: a match whose last step may "
        "take several events when time has passed its window, others as soon as they are found.",
        choices=("eager", "complete"),
    )
