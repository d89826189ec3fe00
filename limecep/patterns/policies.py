"""The policies of one pattern, together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from limecep.contracts.lateness import LatenessPolicy
    from limecep.contracts.recompute import RecomputePolicy
    from limecep.contracts.results import ResultPolicy
    from limecep.contracts.slack import SlackPolicy


@dataclass(frozen=True, slots=True, kw_only=True)
class Policies:
    """The policies of one pattern."""

    lateness: LatenessPolicy
    slack: SlackPolicy
    recompute: RecomputePolicy
    results: ResultPolicy
