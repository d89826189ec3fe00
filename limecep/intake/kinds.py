"""What the columns of untyped formats hold: a column of numbers and words is seldom meant to be one."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from limecep.intake.fields import OTHERS
from limecep.model.alternatives import sequences, written
from limecep.model.expression import Call
from limecep.model.walk import named, walk

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from limecep.config.model import SourceConfig
    from limecep.model.event import Event
    from limecep.model.pattern import Pattern

#: How many texts are shown of a column.
_EXAMPLES = 3
#: What Python calls the kinds of values.
_KINDS = {"numbers": ("int", "float"), "texts": ("str",), "booleans": ("bool",)}


def compared(patterns: Iterable[Pattern]) -> dict[str, set[str]]:
    """The attributes that patterns name, by event type, but for those that functions make one kind of."""
    found: dict[str, set[str]] = {}
    for pattern in patterns:
        steps = [s for sequence in sequences(pattern.structure) for s in written(sequence.parts)]
        for expression in pattern.expressions:
            mended = set[int]()
            if any(isinstance(node, Call) for node in walk(expression)):
                from limecep.model.conversions import converted

                mended = {id(node) for node in converted(expression)}
            paths = named(expression, mended)
            for step in steps:
                for event_type in step.types:
                    names = {".".join(path) for path in paths.get(step.variable, ())}
                    found.setdefault(event_type, set()).update(names)
    return found


def undeclared(config: SourceConfig, compared: Mapping[str, Collection[str]]) -> dict[str, Collection[str]]:
    """Of the attributes that conditions name, those that the source may bring without saying their type."""
    types = {OTHERS: "any", **(config.payload or {})}
    others = types.pop(OTHERS)
    brought = compared if config.type_field is not None else {config.event_type or config.name}
    return {
        name: {path for path in paths if types.get(path, others) == "any"}
        for name, paths in compared.items()
        if name in brought
    }


class Kinds:
    """Counts what columns hold, a batch at a time.

    Args:
        columns: The columns to look at, by event type.
    """

    def __init__(self, columns: Mapping[str, Collection[str]]) -> None:
        self._columns = {event_type: sorted(names) for event_type, names in columns.items() if names}
        self._counts: dict[tuple[str, str], Counter[str]] = {}
        self._texts: dict[tuple[str, str], list[str]] = {}

    def note(self, events: Sequence[Event]) -> None:
        """Some more events."""
        for event_type, names in self._columns.items():
            payloads = [e.payload for e in events if e.type == event_type]
            for name in names:
                values = [payload.get(name) for payload in payloads]
                kinds = Counter(map(type, values))
                counts = self._counts.setdefault((event_type, name), Counter())
                for kind, count in kinds.items():
                    counts[kind.__name__] += count
                if str in kinds and (event_type, name) not in self._texts:
                    texts = dict.fromkeys(value for value in values if type(value) is str)
                    self._texts[event_type, name] = list(texts)[:_EXAMPLES]

    def mixed(self) -> list[dict[str, Any]]:
        """The columns that hold values of more than one kind: how many of each, and some of the texts."""
        found = []
        for (event_type, name), counts in self._counts.items():
            kinds = {kind: sum(counts[t] for t in types) for kind, types in _KINDS.items()}
            if sum(map(bool, kinds.values())) > 1:
                texts = self._texts.get((event_type, name), [])
                found.append({"column": name, "type": event_type, **kinds, "examples": texts})
        return found

    def remembered(self) -> list[Any]:
        """What it has counted, as values of JSON."""
        return [[*place, dict(counts), self._texts.get(place)] for place, counts in self._counts.items()]

    def recall(self, known: Iterable[Sequence[Any]]) -> None:
        """Goes on from what was `remembered`."""
        for event_type, name, counts, texts in known:
            self._counts[event_type, name] = Counter(counts)
            if texts is not None:
                self._texts[event_type, name] = texts
