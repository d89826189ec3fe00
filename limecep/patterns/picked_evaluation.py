"""Evaluation where one match of an end event is a result: the one that is picked (SEMANTICS 14)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.contracts.engine import Picking
from limecep.model.picks import best
from limecep.patterns.evaluation import Evaluation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from limecep.contracts.context import Context
    from limecep.contracts.engine import Engine
    from limecep.model.event import Event
    from limecep.model.match import Match
    from limecep.model.picks import Pick
    from limecep.plan.plan import Plan
    from limecep.store.view import View


class PickedEvaluation(Evaluation):
    """Asks the engine of one pattern for the match that is picked, or picks it of those it gives.

    The ways to find some matches without the others are no use: which one is picked depends on all.

    Args:
        plan: The pattern's plan.
        engine: Its engine.
        context: As of `Evaluation`.
    """

    def __init__(self, plan: Plan, engine: Engine, context: Context) -> None:
        super().__init__(plan, engine, context, unique=False)
        able: Any = engine
        assert plan.pick is not None
        self._pick: Pick = plan.pick
        self._asked: Callable[[Event, View], Iterable[Match] | None] | None = (
            able.picked if issubclass(type(engine), Picking) else None
        )
        self.sharing = None
        self.going = _unknown
        self._matches_of = _unknown
        self._matches_from = _unknown

    def count(self, end: Event, view: View) -> int:
        """How many matches of an end event are results."""
        self._ran(end, view)
        return len(self._picked(end, view))

    def _one_by_one(self, ends: Sequence[Event], view: View) -> Iterator[Iterable[Match]]:
        for end in ends:
            yield self._picked(end, view)

    def _found(self, end: Event, view: View) -> Iterable[Match]:
        return self._picked(end, view)

    def _picked(self, end: Event, view: View) -> list[Match]:
        """The match of an end event that is picked, if it has any."""
        told = None if self._asked is None else self._asked(end, view)
        if told is not None:
            return [*self.within_limit(end, told)]
        match = best(self._pick, self.within_limit(end, self.engine.matches(end, view)))
        return [] if match is None else [match]


def _unknown(*of: object) -> None:
    """What an engine says that cannot tell."""
