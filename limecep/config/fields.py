"""Fields that a source names: text, and lists of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.config.nodes import Listing, Node, Scalar, described
from limecep.intake.fields import path_problem

if TYPE_CHECKING:
    from limecep.config.findings import Findings


class Fields:
    """Reads the names of fields; what is wrong goes to the findings."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings

    def one(self, key: str, node: Node | None) -> str | None:
        """A path into the record, or a level of the channel."""
        text = self.text(key, node, None)
        if text is not None and node is not None and (said := path_problem(text)):
            self._findings.error("bad-field", f"'{key}': {said}", node)
            return None
        return text

    def some(self, key: str, node: Listing) -> list[str | None]:
        """The fields that a list names; None for each that is none."""
        if not node.items:
            self._findings.error(
                "bad-value", f"'{key}' is an empty list", node, "leave it out, or name fields"
            )
        fields: list[str | None] = []
        for item in node.items:
            field = self.one(key, item)
            if field is not None and field in fields:
                self._findings.error("bad-value", f"'{key}' names '{field}' twice", item, "name it once")
            else:
                fields.append(field)
        return fields

    def text(self, key: str, node: Any, default: str | None) -> str | None:
        """Text, or the default where nothing is given."""
        if node is None:
            return default
        if isinstance(node, Scalar) and node.failed:
            return None
        if isinstance(node, Scalar) and isinstance(node.value, str):
            return node.value
        self._findings.error("wrong-type", f"'{key}' must be text, not {described(node)}", node)
        return None
