"""What the suites ask of the names of optional abilities: the kernel would not find a misspelt one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.contracts.spelling import misspelt

if TYPE_CHECKING:
    from collections.abc import Iterable


def check_spelling(component: object, contract: type, optional: Iterable[type]) -> None:
    """No public name of a component is nearly one of an optional ability that it lacks, or half of one.

    Args:
        component: Of the kind that the contract is for, or its class.
        contract: The protocol of its kind.
        optional: The protocols of the optional abilities of that kind.

    Raises:
        AssertionError: One is.
    """
    said = misspelt(component, contract, optional)
    assert not said, said
