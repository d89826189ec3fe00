"""Sources of files, opened, and what was read of them, again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import structlog

from limecep.clock import ManualClock
from limecep.config.loader import load_dict
from limecep.detection.spans import Spans
from limecep.runtime.assembly import Assembly
from limecep.testing.streams import SECOND

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from limecep.model.event import Event
    from limecep.registry import Registry
    from limecep.runtime.feeds import Feed
    from limecep.runtime.rereader import Rereader


@pytest.fixture
def feed(tmp_path: Path, installed: Registry) -> Callable[..., Feed]:
    """Opens a source of files: `feed("*.csv", time=None)`."""

    def opened(channel: str, **source: Any) -> Feed:
        """The feed of files, opened."""
        plain = {
            "type": "file",
            "channel": channel,
            "as": "A",
            "id": "id",
            "time": {"field": "t", "format": "epoch_s"},
        }
        loaded = load_dict(
            {
                "version": 1,
                "sources": {"s": {**plain, **source}},
                "patterns": {"p": {"query": "PATTERN SEQ(A a) WITHIN 1 s"}},
            },
            installed,
            root=tmp_path,
        )
        assert loaded.config is not None, loaded.problems
        (made,) = Assembly(loaded.config, installed, ManualClock(), structlog.get_logger()).feeds()
        made.open()
        return made

    return opened


@pytest.fixture
def again() -> Callable[..., list[Event]]:
    """Reads ranges again."""

    def again(rereader: Rereader, *ranges: tuple[int, int]) -> list[Event]:
        """The events of some ranges in seconds, in the order of their arrival."""
        spans = Spans((low * SECOND, high * SECOND) for low, high in ranges)
        read = rereader.read(spans)
        assert read is not None
        found = [arrived for some in read for arrived in some if arrived[1].t_gen in spans]
        return [event for _, event in sorted(found, key=lambda arrived: arrived[0])]

    return again
