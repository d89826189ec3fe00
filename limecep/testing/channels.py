"""What the suites of sources and sinks have in common."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, ClassVar
from uuid import uuid4

import pytest

from limecep.clock import SystemClock
from limecep.contracts.context import Context
from limecep.testing.bench import SilentLogger
from limecep.testing.bounded import Bounded

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path


class Channels(Bounded):
    """What both suites are told by the subclass.

    Attributes:
        call_seconds: As of `Bounded`. Brokers take their time, and may be away for a while.
    """

    call_seconds: ClassVar[float] = 20.0

    def make_channel(self) -> str:
        """A new channel that nothing uses: a topic that exists and is empty, a path."""
        raise NotImplementedError

    def disturbed(self) -> AbstractContextManager[None] | None:
        """While it lasts, sources and sinks (not `publish`, nor `received`) are cut off from the broker; None
        where that cannot be had."""
        return None

    def restarted(self) -> bool:
        """Has the broker end and start again, with all it had, and returns when it accepts connections; False
        where that cannot be had."""
        return False

    @pytest.fixture
    def context(self, tmp_path: Path) -> Context:
        """What components are given: a pipeline of its own for each test."""
        return Context(
            label="sources.s",
            clock=SystemClock(),
            counters=Counter(),
            logger=SilentLogger(),
            root=tmp_path,
            pipeline=f"conformance-{uuid4().hex[:12]}",
        )

    @pytest.fixture
    def opened(self) -> Iterator[list[Any]]:
        """Whatever a test puts there is closed when it ends."""
        components: list[Any] = []
        yield components
        for component in reversed(components):
            component.close()
