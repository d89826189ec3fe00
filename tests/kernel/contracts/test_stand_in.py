"""A stand-in has the members of its component, as they are now."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Protocol, runtime_checkable

from limecep.contracts.stand_in import refresh, stand_in


@runtime_checkable
class Fielded(Protocol):
    fields: tuple[str, ...]


def test_members_are_those_of_the_component_but_for_what_is_looked_at() -> None:
    component = SimpleNamespace(speed=1, poll=lambda: 2, together=None, _own=3)
    made = stand_in(component, {"poll": lambda act: lambda: act() + 1, "absent": str}, without=("together",))
    component.speed = 5
    assert (made.speed, made.poll(), made.guarded) == (5, 3, component)
    for name in ("together", "absent", "_own"):
        assert not hasattr(made, name)


def test_it_can_be_given_what_the_component_got_later() -> None:
    component = SimpleNamespace()
    made = stand_in(component, {})
    component.fields = ("a",)
    assert not isinstance(made, Fielded)
    refresh(made, {"fields": sorted})
    assert isinstance(made, Fielded)
    assert made.fields == ["a"]
