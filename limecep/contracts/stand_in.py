"""Stand-ins: objects with the members of a component, some of which are looked at when they are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from limecep.contracts.shown import shown
from limecep.contracts.values import json_problem
from limecep.errors import ContractBreach

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator


def stand_in(component: Any, looks: Mapping[str, Callable[[Any], Any]], without: Collection[str] = ()) -> Any:
    """A stand-in for a component. Its `guarded` is the component.

    Args:
        component: The component.
        looks: By the name of a member, a function of its value that gives what stands in its place.
        without: Members that it has not.
    """
    kind = type("StandIn", (), {"guarded": component})
    made = kind()
    refresh(made, looks, without)
    return made


def refresh(made: Any, looks: Mapping[str, Callable[[Any], Any]], without: Collection[str] = ()) -> None:
    """Gives a stand-in the members that its component has got since it was made. The arguments are as of
    `stand_in`."""
    kind, component = type(made), made.guarded
    for name in dir(component):
        if not name.startswith("_") and name not in without and name not in vars(kind):
            setattr(kind, name, property(_reading(component, name, looks.get(name))))


def sound_memory(component: Any, act: Callable[[], Any]) -> Callable[[], Any]:
    """What looks at `remembered` of a component: what JSON does not know would be another value after a
    restart."""

    def look() -> Any:
        known = act()
        if said := json_problem(known):
            raise ContractBreach(component, f"remembers {shown(known)}, where {said}")
        return known

    return look


def sound_rows(component: Any) -> Iterator[Mapping[str, Any]]:
    """The rows of a table, each of which is looked at."""
    rows = component.rows()
    if not isinstance(rows, Iterable):
        raise ContractBreach(component, f"gives {shown(rows)} for its rows, which are none")
    for row in rows:
        if not isinstance(row, Mapping):
            raise ContractBreach(component, f"gives {shown(row)} as a row, which is no mapping")
        yield row


def _reading(component: Any, name: str, look: Callable[[Any], Any] | None) -> Callable[[object], Any]:
    def read(self: object) -> Any:
        value = getattr(component, name)
        return value if look is None else look(value)

    return read
