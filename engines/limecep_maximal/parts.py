"""What of an alternative only some ways of evaluation need.

Made for all, it would be a third of the memory of many patterns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep_maximal.bounds import edge
from limecep_maximal.law import Law
from limecep_maximal.pins import Pins
from limecep_maximal.search import Rules

if TYPE_CHECKING:
    from limecep.contracts.context import Context
    from limecep.plan.plan import Alternative
    from limecep_maximal.bounds import Edge


class Parts:
    """The parts of one alternative, made when they are asked for.

    Args:
        alternative: The alternative, where what counts events are quantifiers.
        next_match: Whether the policy is STNM.
        context: Knows whether the run has to end.
    """

    def __init__(self, alternative: Alternative, context: Context, *, next_match: bool) -> None:
        self.alternative = alternative
        self.next_match = next_match
        self.context = context
        self._law: Law | None = None
        self._pins: Pins | None = None
        self._edges: dict[int, Edge] | None = None
        self._rules: Rules | None = None

    @property
    def law(self) -> Law:
        """What conditions ask of each step."""
        if self._law is None:
            self._law = Law(self.alternative)
        return self._law

    @property
    def pins(self) -> Pins:
        """The single events that conditions name."""
        if self._pins is None:
            self._pins = Pins(self.alternative)
        return self._pins

    @property
    def edges(self) -> dict[int, Edge]:
        """The tests of the last event of a group and the first of the next, by the step of that."""
        if self._edges is None:
            self._edges = {k: edge(k, c, len(self.alternative.steps)) for k, c in self.pins.edges.items()}
        return self._edges

    @property
    def rules(self) -> Rules:
        """What a search goes by."""
        if self._rules is None:
            look = self.context.raise_if_stopped
            self._rules = Rules(self.alternative, next_match=self.next_match, raise_if_stopped=look)
        return self._rules
