"""The views that a pattern has of the store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.store.keyed_lanes import name_of
from limecep.store.view import View

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from limecep.model.event import Event
    from limecep.plan.plan import Alternative, Level, Plan, StepFilter
    from limecep.store.keyed_lanes import Keyed, Name
    from limecep.store.lane import Lane, Ordering


class Views:
    """The views of one pattern, one a key.

    Args:
        plan: The pattern's plan.
        ordering: Precedence in its lanes.
        shared: The lanes of a pattern without partition, by name.
        keyed: Where the lanes of the others are by key.
        everything: What it reads under strict contiguity.
        elsewhere: Whether a pattern without partition is evaluated in another process: it has no view.
    """

    def __init__(
        self,
        plan: Plan,
        ordering: Ordering,
        shared: Mapping[Name, Lane],
        keyed: Keyed | None,
        everything: StepFilter,
        *,
        elsewhere: bool = False,
    ) -> None:
        self.plan = plan
        self._ordering = ordering
        self._keyed = keyed
        self._everything = name_of(everything)
        self._views: dict[Any, View] = {}
        if keyed is None and not elsewhere:
            self._views[None] = self._made(shared)

    def _made(self, lanes: Mapping[Name, Lane]) -> View:
        plan = self.plan
        steps, negations = [], []
        for alternative in plan.alternatives:
            found = [*map(name_of, alternative.filters, levels_of(plan, alternative))]
            mine = tuple(lanes[name] for name in found)
            steps.append(mine[: len(alternative.steps)])
            negations.append(mine[len(alternative.steps) :])
        stream = lanes[self._everything] if plan.select == "sc" else None
        return View(tuple(steps), tuple(negations), self._ordering, stream)

    @property
    def without_key(self) -> int:
        """How many events took no part, because they lack an attribute of PARTITION BY."""
        if self._keyed is None:
            return 0
        lacking = self._keyed.lacking
        if self.plan.select == "sc":
            return lacking.total()
        return sum([lacking[t] for t in self.plan.types])

    @property
    def only(self) -> View | None:
        """The one view of a pattern without partition."""
        return self._views.get(None) if self._keyed is None else None

    def of(self, event: Event) -> View | None:
        """The view an event belongs to; None if it lacks an attribute of PARTITION BY, or belongs to another
        process."""
        if self._keyed is None:
            return self._views.get(None)
        key = self._keyed.own(event)
        if key is None:
            return None
        view = self._views.get(key)
        if view is None:
            view = self._views[key] = self._made(self._keyed.lanes(key))
        return view

    def __len__(self) -> int:
        """How many were made."""
        return len(self._views)

    def all(self) -> Iterator[View]:
        """Every view there is."""
        return iter(self._views.values())

    def stored(self) -> list[View]:
        """A view of every key that is stored, made where nobody has looked yet."""
        keyed = self._keyed
        if keyed is not None:
            for key in keyed.keys:
                if key not in self._views:
                    self._views[key] = self._made(keyed.lanes(key))
        return list(self._views.values())

    def drop(self, key: Any) -> None:
        """Forgets the view of a key that has left the store."""
        self._views.pop(key, None)


def levels_of(plan: Plan, alternative: Alternative) -> Iterable[Level | None]:
    """The level of each filter of an alternative, where the pattern has any."""
    return alternative.levels if plan.simultaneous else [None] * len(alternative.filters)
