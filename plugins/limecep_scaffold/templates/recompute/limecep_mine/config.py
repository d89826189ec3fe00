"""Options of the policy."""

from __future__ import annotations

from dataclasses import dataclass

from limecep.api import option


@dataclass(frozen=True, slots=True, kw_only=True)
class MineOptions:
    """Options of `mine`."""

    saving: bool = option(
        True,
        help="Whether what ended before a late event is left alone where the pattern allows it: where no "
        "match waits for time, or grows at its end.",
    )
