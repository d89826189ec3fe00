"""Brokers of transports that can be run on this machine, for trials and tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Protocol

if TYPE_CHECKING:
    from pathlib import Path


class Broker(Protocol):
    """A process that listens on loopback.

    Args:
        folder: Takes its data, and the file `log`. The broker makes it.
        port: The port it is to listen at.

    Attributes:
        PORT: The port where clients look for one.
        NEEDS: What must be installed, in words for the user.

    Raises:
        RunFailure: There can be none here, such as where a program is missing.
    """

    PORT: ClassVar[int]
    NEEDS: ClassVar[str]

    def __init__(self, folder: Path, *, port: int) -> None: ...

    @property
    def runs(self) -> bool:
        """Whether it was started, and has not ended since."""

    def start(self) -> None:
        """Starts it, and returns when it accepts connections.

        Raises:
            RunFailure: It does not start.
        """

    def close(self) -> None:
        """Ends it. May be called twice, and before it was started."""
