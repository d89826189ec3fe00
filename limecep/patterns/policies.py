"""The policies of one pattern, together."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from limecep.contracts.remembering import Remembering
from limecep.errors import ContractBreach
from limecep.model.time import FOREVER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limecep.contracts.lateness import LatenessPolicy
    from limecep.contracts.recompute import RecomputePolicy
    from limecep.contracts.results import ResultPolicy
    from limecep.contracts.slack import SlackPolicy
    from limecep.statistics import Statistics


@dataclass(frozen=True, slots=True, kw_only=True)
class Policies:
    """The policies of one pattern."""

    lateness: LatenessPolicy
    slack: SlackPolicy
    recompute: RecomputePolicy
    results: ResultPolicy

    def accepted_from(self, statistics: Statistics) -> int | None:
        """The `t_gen` before which the lateness policy accepts no event any more; None if there is none.

        Raises:
            ContractBreach: It says something else.
        """
        return _time(self.lateness, self.lateness.horizon(statistics))

    def horizon(self, statistics: Statistics) -> int:
        """The `t_gen` before which no event is accepted any more, whatever may still come.

        Raises:
            ContractBreach: A policy says something else.
        """
        known = self.accepted_from(statistics)
        own = _time(self.results, self.results.horizon)
        return max(-FOREVER if known is None else known, -FOREVER if own is None else statistics.lta - own)

    def snapshot(self) -> dict[str, Any]:
        """What those know that learn."""
        return {name: policy.remembered() for name, policy in self._remembering()}

    def restore(self, known: Mapping[str, Any]) -> None:
        """They know what they knew in a snapshot."""
        for name, policy in self._remembering():
            if name in known:
                policy.recall(known[name])

    def _remembering(self) -> list[tuple[str, Remembering]]:
        named = [(field.name, getattr(self, field.name)) for field in fields(self)]
        # An instance is asked in microseconds, its class in a tenth of that: policies are asked every batch,
        # and by some hosts for every key.
        return [(name, policy) for name, policy in named if issubclass(type(policy), Remembering)]


def _time(policy: object, told: Any) -> int | None:
    """What a policy says of its horizon, if it is what it may say."""
    if told is not None and type(told) is not int:
        what = f"has the horizon {told!r} where whole microseconds, or None, are due"
        raise ContractBreach(policy, what)
    known: int | None = told
    return known
