"""Values that a block itself refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Change, Edited, IsTold


@pytest.mark.parametrize(
    ("change", "line", "said", "hint"),
    [
        (("engine: maximal", "results: {max_per_end: 0}"), 16, "'max_per_end' must be at least 1", ""),
        (("name: kitchen", "retention: {events: 0}"), 2, "'events' must be at least 1", ""),
        (("name: kitchen", "retention: {bytes: 0}"), 2, "'bytes' must be at least 1", ""),
    ],
)
def test_a_mistake_is_named_where_it_stands(
    is_told: IsTold, change: Change, line: int, said: str, hint: str
) -> None:
    is_told(change, line, said, hint)


def test_the_least_that_they_take_is_right(edited: Edited) -> None:
    least = ("name: kitchen", "retention: {events: 1, bytes: 1}")
    config = edited(least, ("engine: maximal", "results: {max_per_end: 1}")).config
    assert config is not None
    assert (config.retention_events, config.retention_bytes, config.patterns[0].max_per_end) == (1, 1, 1)


def test_bytes_may_be_without_limit(edited: Edited) -> None:
    config = edited(("name: kitchen", "retention: {bytes: off}")).config
    assert config is not None
    assert config.retention_bytes is None
