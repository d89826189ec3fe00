"""Hides values that a sink is not to have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from limecep.contracts.context import Context
    from limecep.output.record import Record
    from limecep_transforms.config import MaskOptions


class Mask:
    """Puts a text in the place of values. What cannot be looked into, the raw text of a record that gave no
    event and what the codec says of it, is hidden as a whole."""

    def __init__(self, options: MaskOptions, context: Context) -> None:
        self._fields = frozenset(options.fields)
        self._value = options.value

    def apply(self, record: Record) -> Record:
        """The record without those values."""
        changed = dict(record)
        if "raw" in record:
            # The error may quote it.
            changed |= {name: self._value for name in ("raw", "error") if name in record}
        for name in ("key", "values", "values_before"):
            if isinstance(record.get(name), dict):
                changed[name] = self._hidden(record[name])
        if isinstance(record.get("event"), dict):
            changed["event"] = self._event(record["event"])
        if isinstance(record.get("events"), dict):
            changed["events"] = {
                variable: [self._event(event) for event in group]
                for variable, group in record["events"].items()
            }
        return changed

    def _event(self, event: Any) -> Any:
        """An event, or its id."""
        if not isinstance(event, dict):
            return event
        return {**event, "payload": self._hidden(event["payload"])}

    def _hidden(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {
                name: self._value if name in self._fields else self._hidden(inner)
                for name, inner in value.items()
            }
        if isinstance(value, (list, tuple)):
            return [self._hidden(inner) for inner in value]
        return value
