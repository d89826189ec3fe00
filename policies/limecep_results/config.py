"""Options of the result policies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from limecep import option


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedOptions:
    """Options of `corrected`."""

    emit: Literal["eager"] = option(
        "eager",
        help="When a match goes out; eager: as soon as it is found.",
        choices=("eager",),
    )
