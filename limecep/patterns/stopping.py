"""Stopping a pattern one of whose components has failed, while others go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class Stopping:
    """Stops one pattern, for good.

    Args:
        tell: Tells the first error, and gives it in words.
        remind: Tells of a pattern that had stopped in an earlier run why it did.

    Attributes:
        reason: Why the pattern has stopped; "" while it goes on.
        act: Has it say nothing more.
    """

    def __init__(self, tell: Callable[[BaseException], str], remind: Callable[[str], object]) -> None:
        self.reason = ""
        self.act: Callable[[], None] = _nothing
        self._tell = tell
        self._remind = remind

    def fail(self, error: BaseException) -> None:
        """A component has failed."""
        if not self.reason:
            self.stop(self._tell(error))

    def stop(self, reason: str) -> None:
        """The pattern stops."""
        self.reason = reason
        self.act()

    def recall(self, reason: str) -> None:
        """It had stopped in an earlier run."""
        self._remind(reason)
        self.stop(reason)


def _nothing() -> None:
    """Before there is anything to be done."""
