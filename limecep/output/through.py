"""What lies between records and a sink: transforms, one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.contracts.shown import shown
from limecep.contracts.transform import IDENTITY
from limecep.contracts.values import json_problem
from limecep.errors import ContractBreach

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Sequence

    from limecep.output.record import Record


class Through:
    """Has transforms change records.

    Args:
        transforms: The transforms, in their order, each with whether what it gives is looked at.
        counters: Counts as `dropped` the records that do not go on.
    """

    def __init__(self, transforms: Sequence[tuple[Any, bool]], counters: Counter[str]) -> None:
        self._transforms = transforms
        self._counters = counters

    def __call__(self, records: Sequence[Record]) -> list[Record]:
        """What goes on of some records."""
        changed = [made for record in records if (made := self.one(record)) is not None]
        if len(changed) < len(records):
            self._counters["dropped"] += len(records) - len(changed)
        return changed

    def one(self, record: Record) -> Record | None:
        """What goes on of a record.

        Raises:
            ContractBreach: A transform gives something else, or changes what tells records apart.
        """
        identity = {name: record[name] for name in IDENTITY if name in record}
        for transform, looked_at in self._transforms:
            made = transform.apply(record)
            if made is None:
                return None
            if not isinstance(made, dict):
                raise ContractBreach(transform, f"gives {shown(made)} in place of a record")
            for name, value in identity.items():
                if name not in made or made[name] != value:
                    to = f"{shown(value)} to {shown(made.get(name))}"
                    what = f"changes '{name}', which tells records apart: {to}"
                    raise ContractBreach(transform, what)
            if looked_at and (said := json_problem(made)) and not _was_in(record, made, said):
                raise ContractBreach(transform, f"gives a record where {said}")
            record = made
        return record


def _was_in(record: Record, made: Record, said: str) -> bool:
    """Whether what is wrong with a record that a transform made was so in the one that it was given."""
    return made is not record and json_problem(record) == said
