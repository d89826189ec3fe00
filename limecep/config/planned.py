"""What the format has room for and this version does not do: named as such, never offered, never a typo."""

from __future__ import annotations

#: Components by kind; those that are installed after all are used.
COMPONENTS: dict[str, frozenset[str]] = {
    "source": frozenset({"kafka"}),
    "sink": frozenset({"kafka"}),
}


def not_available(what: str) -> str:
    """What is said of it."""
    return f"{what} is not available in this version of limecep"
