"""Whether a component keeps more and more."""

from __future__ import annotations

import pytest

from limecep.testing.leaks import check_growth


def test_what_is_kept_once_and_for_all_is_no_leak() -> None:
    known: dict[int, bytes] = {}

    def act(times: int) -> None:
        for n in range(times):
            known.setdefault(n % 50, bytes(10_000))

    check_growth(act, 1_000, "rounds")


def test_what_grows_with_the_rounds_is_told() -> None:
    kept: list[bytes] = []
    said = r"keeps [\d,]+ bytes more after 1,000 rounds: bound what is kept"
    with pytest.raises(AssertionError, match=said):
        check_growth(lambda times: kept.extend(bytes(200) for _ in range(times)), 1_000, "rounds")
