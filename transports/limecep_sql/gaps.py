"""Missing numbers: a transaction that took one may commit later than others that took higher ones."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


#: What is before the first number, which is 0 or 1.
BEGINNING = -1


class Gaps:
    """Says which rows nothing can come before any more.

    A number that is missing is waited for as long as a transaction may take, counted from when a higher one
    was seen first: by then it had been taken.

    Args:
        wait: How long that is, in seconds.

    Attributes:
        passed: How many gaps were waited for in vain.
    """

    def __init__(self, wait: float) -> None:
        self.passed = 0
        self._wait = wait
        self._seen: deque[tuple[int, float]] = deque()
        self._settled = BEGINNING

    def seen(self, highest: int, now: float) -> None:
        """The highest number that is there, at a time in seconds."""
        if not self._seen or highest > self._seen[-1][0]:
            self._seen.append((highest, now))
        while self._seen and self._seen[0][1] + self._wait <= now:
            self._settled = self._seen.popleft()[0]

    def whole(self, last: int, numbers: Sequence[int]) -> int:
        """How many of the next rows may be taken.

        Args:
            last: The number of the last row that was.
            numbers: Those of the next, rising.
        """
        for at, number in enumerate(numbers):
            if number != last + 1 and (last, number) != (BEGINNING, 1):
                if number > self._settled:
                    return at
                self.passed += 1
            last = number
        return len(numbers)
