"""Result policies say which differences between old and new results go out, and when."""

from __future__ import annotations

from typing import Protocol


class ResultPolicy(Protocol):
    """Made once a pattern: `Factory(plan, options, context)`."""

    @property
    def corrects(self) -> bool:
        """Whether what was emitted is corrected and taken back. If not, only new matches go out."""

    @property
    def complete(self) -> bool:
        """Whether a match whose end step may take several events waits until time has passed its window."""
