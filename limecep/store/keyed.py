"""The lanes of one way of partitioning, by key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.plan.partition import compile_partition
from limecep.plan.plan import StepFilter
from limecep.store.lane import Lane

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from limecep.model.event import Event

#: Accepts every event, of whatever type: what strict contiguity asks for.
EVERYTHING = StepFilter(types=(), accepts=None, signature="*")


class Keyed:
    """The lanes of one way of partitioning, by key. A key is made when its first event comes and leaves when
    its last one is out of retention."""

    def __init__(self, paths: tuple[tuple[str, ...], ...], group: Hashable) -> None:
        self.group = group
        self.key: Callable[[Event], Any] = compile_partition(paths)
        self.filters: dict[tuple[str, ...], StepFilter] = {}
        self.by_type: dict[str, list[StepFilter]] = {}
        self.for_all: list[StepFilter] = []
        self.keys: dict[Any, dict[tuple[str, ...], Lane]] = {}
        #: How many events lacked an attribute.
        self.without_key = 0

    def register(self, step_filter: StepFilter) -> None:
        """Gives every key a lane for this filter."""
        name = name_of(step_filter)
        if name not in self.filters:
            self.filters[name] = step_filter
            for t in step_filter.types:
                self.by_type.setdefault(t, self.for_all.copy()).append(step_filter)
            if step_filter is EVERYTHING:
                for filters in (self.for_all, *self.by_type.values()):
                    filters.append(step_filter)

    def taking(self, event_type: str) -> list[StepFilter]:
        """The filters that may accept events of a type."""
        return self.by_type.get(event_type, self.for_all)

    def lanes(self, key: Any) -> dict[tuple[str, ...], Lane]:
        """The lanes of a key, by filter."""
        lanes = self.keys.get(key)
        if lanes is None:
            lanes = self.keys[key] = {name: Lane() for name in self.filters}
        return lanes

    def add(self, order: int, event: Event) -> None:
        """Puts an event into the lanes of its key; one without the attributes takes no part."""
        key = self.key(event)
        if key is None:
            self.without_key += 1
            return
        lanes = self.lanes(key)
        for step_filter in self.by_type.get(event.type, self.for_all):
            if step_filter.accepts is None or step_filter.accepts(event):
                lanes[name_of(step_filter)].add(order, event)


def name_of(step_filter: StepFilter) -> tuple[str, ...]:
    """What filters that accept the same events have in common."""
    return (*step_filter.types, step_filter.signature)
