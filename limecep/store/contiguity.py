"""What a pattern under strict contiguity reads where patterns derive events."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from limecep.model.event import DerivedEvent
from limecep.plan.plan import StepFilter

if TYPE_CHECKING:
    from limecep.model.event import Event


@cache
def everything_but(hidden: frozenset[str]) -> StepFilter:
    """Accepts events of every type, but what others derive of these."""

    def accepts(event: Event) -> bool:
        return not isinstance(event, DerivedEvent) or event.type not in hidden

    return StepFilter(types=(), accepts=accepts, signature=f"* but {sorted(hidden)}")
