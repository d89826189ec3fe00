"""Events are looked at after a component had them: they are the store's, and other patterns have them too."""

from __future__ import annotations

from contextlib import contextmanager
from copy import deepcopy
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from limecep.model.event import Event

#: What an event is. Its ordinal the store gives.
_FIELDS = ("type", "id", "t_gen", "t_arr", "source", "payload", "seq")


@contextmanager
def untouched(events: Sequence[Event]) -> Iterator[None]:
    """Inside it a component is given these events, which it must leave as they are.

    Raises:
        AssertionError: One has changed.
    """
    before = [deepcopy(_said(event)) for event in events]
    yield
    for event, was in zip(events, before, strict=True):
        now = _said(event)
        changed = [
            f"{name} was {was[name]!r} and is {now[name]!r}" for name in _FIELDS if was[name] != now[name]
        ]
        assert not changed, f"the event {event.id} was changed: {', '.join(changed)}"


def _said(event: Event) -> dict[str, Any]:
    return {name: getattr(event, name) for name in _FIELDS}
