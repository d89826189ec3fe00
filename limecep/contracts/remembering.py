"""Components that go on after a crash from what they remembered."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable


@runtime_checkable
class Remembering(Protocol):
    """An optional ability of codecs and policies: a component that keeps something of what came before."""

    def remembered(self) -> Any:
        """What it keeps, as values of JSON."""

    def recall(self, known: Any) -> None:
        """Goes on as the one that remembered this."""
