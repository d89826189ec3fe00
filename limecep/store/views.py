"""The views that a pattern has of the store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from limecep.model.event import Event
    from limecep.plan.plan import Plan
    from limecep.store.keyed_lanes import Keyed
    from limecep.store.view import View


class Views:
    """The views of one pattern, one a key."""

    def __init__(self, plan: Plan, make: Callable[[Any], View], keyed: Keyed | None) -> None:
        self.plan = plan
        self._make = make
        self._keyed = keyed
        self._views: dict[Any, View] = {}
        if keyed is None:
            self._views[None] = make(None)

    @property
    def without_key(self) -> int:
        """How many events took no part, because they lack an attribute of PARTITION BY."""
        return self._keyed.without_key if self._keyed is not None else 0

    @property
    def only(self) -> View | None:
        """The one view of a pattern without partition."""
        return self._views[None] if self._keyed is None else None

    def of(self, event: Event) -> View | None:
        """The view an event belongs to; None if it lacks an attribute of PARTITION BY."""
        if self._keyed is None:
            return self._views[None]
        key = self._keyed.key(event)
        if key is None:
            return None
        view = self._views.get(key)
        if view is None:
            view = self._views[key] = self._make(key)
        return view

    def __len__(self) -> int:
        """How many were made."""
        return len(self._views)

    def all(self) -> Iterator[View]:
        """Every view there is."""
        return iter(self._views.values())

    def stored(self) -> list[View]:
        """A view of every key that is stored, made where nobody has looked yet."""
        for key in self._keyed.keys if self._keyed is not None else ():
            if key not in self._views:
                self._views[key] = self._make(key)
        return list(self._views.values())

    def drop(self, key: Any) -> None:
        """Forgets the view of a key that has left the store."""
        self._views.pop(key, None)
