"""What a state writes in a day: on flash that is what it wears out by."""

from __future__ import annotations

from dataclasses import dataclass

_DAY = 86_400_000_000

#: What the built-in store was measured to write (`benchmarks/flash.py`), in bytes: for a commit, and for each
#: event of 55 bytes.
COMMIT_BYTES = 7_000
EVENT_BYTES = 75


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What a state writes in a day.

    Attributes:
        commits: How often at most, which is how often the disk is waited for; None: with each batch.
        bytes: How much that is without events; None where `commits` is.
        event: How many bytes each event adds, about.
    """

    commits: int | None
    bytes: int | None
    event: int = EVENT_BYTES


def written_a_day(every: int) -> Written:
    """What is written where commits are at least `every` microseconds apart; 0: one with each batch."""
    if not every:
        return Written(commits=None, bytes=None)
    commits = _DAY // every
    return Written(commits=commits, bytes=commits * COMMIT_BYTES)
