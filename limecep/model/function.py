"""Functions that expressions call."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from limecep.model.expression import ATOM
from limecep.model.words import quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limecep.model.expression import Expression
    from limecep.signature import Signature


@dataclass(frozen=True, slots=True)
class Function:
    """A function (`limecep.contracts.function`). Two of one name and signature are equal.

    Attributes:
        name: As queries call it; `distribution:name` where several distributions bring one of that name.
        signature: What it takes and gives.
        compute: Gives the value for arguments of these kinds; None is a missing one.
        timed: Whether its value depends on when events were: never.
    """

    name: str
    signature: Signature
    compute: Callable[..., Any] = field(compare=False)
    timed: ClassVar[bool] = False

    def shown(self, arguments: Sequence[Expression]) -> tuple[str, int]:
        """The text of a call, and how tightly it binds."""
        return f"{quoted(self.name)}({', '.join(map(str, arguments))})", ATOM
