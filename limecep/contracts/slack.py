"""Slack policies decide how long an on-demand evaluation waits for more late events."""

from __future__ import annotations

from typing import Any, Protocol


class SlackPolicy(Protocol):
    """Made once a pattern: `Factory(plan, options, context)`."""

    def wait(self, statistics: Any) -> int:
        """How long to wait, in microseconds of the arrival clock; 0 is at once."""
