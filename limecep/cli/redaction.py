"""Secrets stay out of what a run logs, and says of failures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import MutableMapping

    from limecep.config.secrets import Secrets

#: Where a text inside of a value is one for people; others are names and figures, for programs.
SAID = frozenset({"error", "failure", "reason"})


class Redaction:
    """Puts the references of a pipeline's file in place of what they gave.

    Args:
        secrets: What they gave.
    """

    def __init__(self, secrets: Secrets) -> None:
        self.text = secrets.hidden

    def __call__(self, logger: Any, method: str, said: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        """What is logged, as one of structlog's processors: all texts, and of nested values those that say
        why something failed."""
        return {
            name: value if name == "level" else self._told(value, said=True) for name, value in said.items()
        }

    def report(self, report: dict[str, Any]) -> dict[str, Any]:
        """A report: the texts that say why something failed."""
        return {name: self._told(value, said=name in SAID) for name, value in report.items()}

    def _told(self, value: Any, *, said: bool) -> Any:
        if isinstance(value, dict):
            return self.report(value)
        if isinstance(value, (list, tuple)):
            return [self._told(inner, said=said) for inner in value]
        if not said or value is None or isinstance(value, (bool, int, float)):
            return value
        return self.text(str(value))
