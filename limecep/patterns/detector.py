"""What detection is given, and what it gives back besides updates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Hashable

    from limecep.contracts.context import Context
    from limecep.contracts.engine import Engine
    from limecep.contracts.lateness import LatenessPolicy, Verdict
    from limecep.contracts.recompute import RecomputePolicy
    from limecep.contracts.results import ResultPolicy
    from limecep.contracts.slack import SlackPolicy
    from limecep.model.derivation import Derivation
    from limecep.model.event import Event
    from limecep.patterns.stopping import Stopping
    from limecep.plan.plan import Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class Detector:
    """The components of one pattern, as assembly makes them."""

    plan: Plan
    engine: Engine
    lateness: LatenessPolicy
    slack: SlackPolicy
    recompute: RecomputePolicy
    results: ResultPolicy
    context: Context
    #: Patterns of one group refuse the same events, so they may share what is stored.
    group: Hashable
    #: Stops the pattern where a component of it fails; None where that ends the run.
    stopping: Stopping | None = None
    #: What its matches are to other patterns; None for nothing.
    derives: Derivation | None = None
    #: It sees only what entered after the event of this ordinal; None: everything.
    since: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """An event that some patterns do not see, or could not use wholly, and why, for the late output."""

    reason: Literal["extremely_late", "future", "evicted"]
    event: Event
    patterns: tuple[str, ...] = ()
    verdict: Verdict | None = None
    error: str = ""
