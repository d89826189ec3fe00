"""What a statement comes to, as text: a query, and the pipeline around it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from limecep.model.words import quoted

if TYPE_CHECKING:
    from limecep.translation.slots import Shape

_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Translation:
    """What a statement comes to.

    Attributes:
        query: The query.
        type: The type of its events: the table.
        time: The column with the time.
        order: The column that orders rows of one time, or None.
        engine: Which matches are found: `nfa`, all; `maximal`, those contained in no other.
        skip: The skip strategy, or None.
        notes: What must be known of the data for the results to be the same.
    """

    query: str
    type: str
    time: str
    order: str | None
    engine: str
    skip: str | None
    notes: tuple[str, ...]

    def __str__(self) -> str:
        """A whole pipeline, that reads a file."""
        name = re.sub(r"\W", "_", self.type).strip("_").lower() or "rows"
        source = [
            f"channel: {_yaml(f'{name}.csv')}",
            f"as: {_yaml(self.type)}",
            f"time: {{field: {_yaml(self.time)}, zone: UTC}}",
        ]
        if self.order is not None:
            source.append(f"order: {_yaml(self.order)}")
        lines = [
            "version: 1",
            "sources:",
            f"  {_yaml(name)}:",
            "    type: file        # or where the rows come from",
        ]
        lines += [f"    {line}" for line in source]
        lines += ["patterns:", f"  {_yaml(f'{name}_matches')}:", "    query: |"]
        lines += [f"      {line}" for line in self.query.splitlines()]
        lines += ["    select: sc", f"    engine: {self.engine}"]
        # One that may grow at its end goes out once, as in SQL.
        results = ["emit: complete"] if self.engine == "maximal" else []
        results += [f"skip: {_yaml(self.skip)}"] if self.skip is not None else []
        if results:
            lines.append(f"    results: {{type: corrected, {', '.join(results)}}}")
        return "\n".join([*(f"# {note}" for note in self.notes), *lines])


def structure(steps: Shape, kind: str) -> str:
    """What stands after PATTERN, with events of one type."""
    lines = []
    for line in steps.lines:
        shown = []
        for number in line:
            slot = steps.slots[number]
            shown.append(
                f"{quoted(kind)}{_quantifier(slot.low, slot.high)} {quoted(slot.name)}{'[]' * slot.group}"
            )
        lines.append(f"SEQ({', '.join(shown)})")
    return lines[0] if len(lines) == 1 else f"OR({', '.join(lines)})"


def _quantifier(low: int, high: int | None) -> str:
    short = {(1, 1): "", (1, None): "+", (0, None): "*", (0, 1): "?"}.get((low, high))
    if short is not None:
        return short
    return f"{{{low}}}" if low == high else f"{{{low},{'' if high is None else high}}}"


def _yaml(text: str) -> str:
    """A text as a YAML scalar."""
    if re.fullmatch(r"[A-Za-z_][\w.-]*", text) and text.lower() not in _WORDS:
        return text
    return json.dumps(text, ensure_ascii=False)
