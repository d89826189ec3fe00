"""Slack policies decide how long an on-demand evaluation waits for more late events."""

from __future__ import annotations

from typing import Any, Protocol

#: No late event is waited for longer, in microseconds: a year.
LONGEST_WAIT = 366 * 86_400 * 1_000_000


class SlackPolicy(Protocol):
    """Made once a pattern: `Factory(plan, options, context)`."""

    def wait(self, statistics: Any) -> int:
        """How long to wait, in microseconds of the arrival clock, `LONGEST_WAIT` at most; 0 is at once."""
