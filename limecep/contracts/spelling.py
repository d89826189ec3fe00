"""Optional abilities that a component, or its options, only nearly have.

The kernel looks for an ability by its protocol, so a component that misspells one, or has it by half, is
taken to lack it.
"""

from __future__ import annotations

import dataclasses
from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def names(protocols: Iterable[type]) -> set[str]:
    """The public names that protocols ask for."""
    return {
        name
        for protocol in protocols
        for base in protocol.__mro__
        for name in (*vars(base), *vars(base).get("__annotations__", ()))
        if not name.startswith("_")
    }


def misspelt(component: object, contract: type, optional: Iterable[type]) -> str:
    """Which public name of a component is nearly one of an optional ability that it lacks, or half of one, in
    words; "" if none is.

    Args:
        component: Of the kind that the contract is for, or its class. What a user may set of an options class
            is spelt as its author likes.
        contract: The protocol of its kind.
        optional: The protocols of the optional abilities of that kind.
    """
    kind = component if isinstance(component, type) else type(component)
    known = names(optional)
    own = {name for name in dir(component) if not name.startswith("_")}
    if dataclasses.is_dataclass(kind):
        fields = dataclasses.fields(kind)
        own = own.union(f.name for f in fields) - ({f.name for f in fields if f.metadata.get("help")} - known)
    for name in sorted(own - known - names([contract])):
        if meant := get_close_matches(name, known - own, n=1, cutoff=0.8):
            return f"nobody asks for '{name}' of {kind.__name__}: did you mean '{meant[0]}'?"
    asked = {protocol: names([protocol]) for protocol in optional}
    # A name that is there for something else is no half of an ability.
    whole = names([contract, *(protocol for protocol, these in asked.items() if these <= own)])
    for protocol, these in asked.items():
        if half := these & own - whole:
            lacking = ", ".join(f"'{name}'" for name in sorted(these - own))
            return f"{kind.__name__} has '{min(half)}' of {protocol.__name__}, but no {lacking}"
    return ""
