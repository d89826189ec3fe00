"""Lanes by the values of an attribute, for conditions that say what a value has to equal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.plan.forms import key
from limecep.plan.values import attribute

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from limecep.store.lane import Content

_NONE: Sequence[int] = ()


class ByValue:
    """The places of a lane by the value of an attribute, as far as they were asked for. The lane may grow at
    its end.
    """

    __slots__ = ("_begin", "_content", "_known", "_path", "_places")

    def __init__(self, content: Content, path: tuple[str, ...]) -> None:
        self._content = content
        self._path = path
        self._begin = self._known = -1
        self._places: dict[Hashable, list[int]] = {}

    def places(self, value: Hashable, low: int) -> Sequence[int]:
        """Those of the events from a place on, or some more, that have a value, ascending; none for None."""
        events = self._content.events
        if not 0 <= self._begin <= low:
            self._begin = self._known = low
            self._places = {}
        for place in range(self._known, len(events)):
            known = key(attribute(events[place], self._path))
            if known is not None:
                self._places.setdefault(known, []).append(place)
        self._known = len(events)
        return _NONE if value is None else self._places.get(value, _NONE)
