"""Leaves fields out of records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.contracts.transform import IDENTITY

if TYPE_CHECKING:
    from limecep.contracts.context import Context
    from limecep.output.record import Record
    from limecep_transforms.config import KeepOptions


class Keep:
    """Leaves out all fields but some, and those that tell records apart."""

    def __init__(self, options: KeepOptions, context: Context) -> None:
        self._fields = frozenset((*options.fields, *IDENTITY))

    def apply(self, record: Record) -> Record:
        """The record with these fields."""
        return {name: value for name, value in record.items() if name in self._fields}
