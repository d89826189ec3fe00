"""What a state writes in a day follows from how often it may."""

from __future__ import annotations

from limecep.explanation.flash import COMMIT_BYTES, EVENT_BYTES, Written, written_a_day


def test_how_often_the_disk_is_waited_for_is_bounded_by_every() -> None:
    assert written_a_day(2_000_000) == Written(commits=43_200, bytes=43_200 * COMMIT_BYTES, event=EVENT_BYTES)


def test_where_each_batch_is_written_nothing_bounds_it() -> None:
    assert written_a_day(0) == Written(commits=None, bytes=None)
