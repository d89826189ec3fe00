"""What counts of what sources said (section 11)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from limecep.model.event import Event, Statement


def counting(statements: Iterable[Statement]) -> list[Event]:
    """The events that there are: of each identity what its greatest version says, unless that is a
    withdrawal. The first of equal versions counts."""
    last: dict[tuple[str, str, str], Statement] = {}
    for said in statements:
        identity = (said.type, said.source, said.id)
        if identity not in last or said.version > last[identity].version:
            last[identity] = said
    return [said for said in last.values() if not said.withdrawn]
