"""Functions that expressions call."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.signature import Signature


@dataclass(frozen=True, slots=True)
class Function:
    """A function (`limecep.contracts.function`). Two of one name and signature are equal.

    Attributes:
        name: As queries call it; `distribution:name` where several distributions bring one of that name.
        signature: What it takes and gives.
        compute: Gives the value for arguments of these kinds; None is a missing one.
    """

    name: str
    signature: Signature
    compute: Callable[..., Any] = field(compare=False)
