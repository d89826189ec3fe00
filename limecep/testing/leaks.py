"""Whether a component keeps more and more."""

from __future__ import annotations

import gc
import tracemalloc
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

#: What a component may keep more after many rounds, in bytes.
ROOM_BYTES = 100_000


def check_growth(act: Callable[[int], object], times: int, what: str) -> None:
    """That a component does not keep more and more.

    Args:
        act: Has it do something so many times.
        times: How many times; a fifth of that is done before, for what it keeps once and for all.
        what: What was done, in words: "late events".

    Raises:
        AssertionError: It keeps more than `ROOM_BYTES` more.
    """
    act(times // 5)
    gc.collect()
    tracemalloc.start()
    try:
        act(times)
        gc.collect()
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < ROOM_BYTES, f"keeps {kept:,} bytes more after {times:,} {what}: bound what is kept"
