"""Adds fields to records."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from limecep.contracts.context import Context
    from limecep.output.record import Record
    from limecep_transforms.config import AddOptions


class Add:
    """Adds the same fields to every record; one that is there is replaced."""

    def __init__(self, options: AddOptions, context: Context) -> None:
        self._fields = dict(options.fields)

    def apply(self, record: Record) -> Record:
        """The record with more fields."""
        return {**record, **self._fields}
