"""`any(b.v > 3 AND b.w < 2)`: whether a condition is true of one event of a group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from limecep.model.expression import ATOM, Aggregate, Attribute, Call, Constant, Expression, Parameter
from limecep.model.walk import children, over_children
from limecep.signature import Argument, Signature

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limecep.model.expression import Span


@dataclass(frozen=True, slots=True)
class Slot(Constant):
    """What an argument has for the event that is looked at.

    Attributes:
        place: That of the argument, counted from 0.
    """

    place: int = 0


@dataclass(frozen=True, slots=True)
class Exists:
    """The condition, called like a function: with all values of each attribute of the group that it names,
    each a `column`, and with all else that it names of a match.

    Attributes:
        condition: The condition, with slots for arguments.
        columns: How many arguments are columns; the others come after them.
        timed: Whether it depends on the time at which rows of a table hold: never.
    """

    condition: Expression
    columns: int
    timed: ClassVar[bool] = False

    @property
    def name(self) -> str:
        """What filters call it."""
        return f"any({filled(self.condition, lambda slot: Parameter(str(slot.place)))})"

    @property
    def signature(self) -> Signature:
        """What it takes and gives."""
        columns = (Argument("values", "list", missing=False),) * self.columns
        return Signature(columns, self.columns, Argument("value", "object", missing=True), "bool")

    def shown(self, arguments: Sequence[Expression]) -> tuple[str, int]:
        """The text of a call, and how tightly it binds."""

        def argument(slot: Slot) -> Expression:
            found = arguments[slot.place]
            column = isinstance(found, Aggregate) and slot.place < self.columns
            return Attribute(found.variable, found.path) if column else found  # type: ignore[union-attr]

        return f"any({filled(self.condition, argument)})", ATOM


def filled(condition: Expression, fill: Callable[[Slot], Expression]) -> Expression:
    """The condition with something in place of every slot."""
    if isinstance(condition, Slot):
        return fill(condition)
    return over_children(condition, lambda node: filled(node, fill))


def of_one(condition: Expression, variable: str, span: Span) -> Call:
    """The call that says whether a condition is true of one event of a group.

    Args:
        condition: The condition. In it an attribute of the variable without index is one of that event.
        variable: The variable of the group.
        span: Where it stands.
    """
    leaves = [n for n in _leaves(condition) if not isinstance(n, Constant | Parameter)]
    own = [n for n in leaves if isinstance(n, Attribute) and (n.variable, n.index) == (variable, None)]
    columns = list(dict.fromkeys(Aggregate("column", n.variable, n.path, span=n.span) for n in own))
    places: dict[Expression, int] = {Attribute(c.variable, c.path): place for place, c in enumerate(columns)}
    others = [n for n in dict.fromkeys(leaves) if n not in places]
    places |= {n: place for place, n in enumerate(others, len(columns))}

    def slotted(node: Expression) -> Expression:
        place = places.get(node)
        return over_children(node, slotted) if place is None else Slot(None, node.span, place)

    return Call(Exists(slotted(condition), len(columns)), (*columns, *others), span)


def _leaves(node: Expression) -> list[Expression]:
    below = children(node)
    return [leaf for n in below for leaf in _leaves(n)] if below else [node]
