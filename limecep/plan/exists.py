"""`any(...)` as Python source: a loop over the events of a group."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.model.exists import Exists, filled
from limecep.model.expression import Attribute
from limecep.plan.source import Binding, Writer

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.model.expression import Call


def deciding(call: Call, names: dict[str, Any]) -> Callable[..., bool]:
    """A function that says of the arguments of a call whether its condition is true of one event.

    Args:
        call: A call of `Exists`.
        names: What source that is written needs by name.
    """
    exists = call.function
    assert isinstance(exists, Exists)
    given = [f"x{place}" for place in range(len(call.arguments))]
    columns = given[: exists.columns]
    taken = [f"all_{x}" if x in columns else x for x in given]
    condition = filled(exists.condition, lambda slot: Attribute("", (given[slot.place],), None, slot.span))
    scope = dict(names)
    lines, value = _Inside(condition, Binding(), scope, "of_one_").value()
    source = [
        f"def exists({', '.join(taken)}):",
        f"    for {', '.join(columns)}, in zip({', '.join(f'all_{x}' for x in columns)}):",
        *(f"    {line}" for line in lines),
        f"        if {value} is True: return True",
        "    return False",
    ]
    exec(compile("\n".join(source), "<any>", "exec"), scope)
    made: Callable[..., bool] = scope["exists"]
    return made


class _Inside(Writer):
    """Writes a condition on the values of an event, each by its name."""

    def _attribute(self, node: Attribute) -> str:
        return node.path[0]
