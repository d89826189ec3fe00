"""How much enumeration there is."""

from __future__ import annotations

import pytest

from limecep_maximal.config import MaximalOptions


def test_there_are_ten_thousand_steps_unless_told_otherwise() -> None:
    assert MaximalOptions().enumeration == 10_000
    assert MaximalOptions(enumeration=1).enumeration == 1


def test_there_is_at_least_one_step() -> None:
    with pytest.raises(ValueError, match="'enumeration' must be at least 1"):
        MaximalOptions(enumeration=0)
