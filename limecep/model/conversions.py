"""What functions make one kind of, whatever kind it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.model.expression import Call
from limecep.model.walk import children

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limecep.model.expression import Expression


def converted(node: Expression, *, inside: bool = False) -> Iterator[Expression]:
    """The nodes that functions make one kind of whatever their own is: `a.v` in `number(a.v)`, and in
    `number(coalesce(a.v, 0))`.

    Args:
        node: A condition.
        inside: Whether it is one of them itself.
    """
    if inside:
        yield node
    signature = node.function.signature if isinstance(node, Call) else None
    for place, child in enumerate(children(node)):
        of_any = signature is not None and signature.argument(place).kind == "object"
        passed = inside if signature is None or signature.result == "object" else True
        yield from converted(child, inside=of_any and passed)
