"""What result policies are told and what they ask for."""

from __future__ import annotations

import pytest

from limecep_results.config import CorrectedOptions, UncorrectedOptions


@pytest.mark.parametrize(
    ("options", "key"),
    [
        (CorrectedOptions(), ""),
        (CorrectedOptions(emit="final"), "emit"),
        (CorrectedOptions(final=True), "final"),
        (CorrectedOptions(emit="final", final=True), "emit"),
        (CorrectedOptions(emit="complete", final=True), "final"),
        (CorrectedOptions(emit="final", horizon=0), ""),
        (CorrectedOptions(final=True, horizon=5), ""),
        (UncorrectedOptions(emit="slack"), ""),
        (UncorrectedOptions(emit="final"), "emit"),
        (UncorrectedOptions(emit="final", horizon=5), ""),
    ],
)
def test_what_is_final_asks_for_a_horizon(options: UncorrectedOptions, key: str) -> None:
    assert options.needs_horizon == key


def test_a_horizon_is_not_negative() -> None:
    with pytest.raises(ValueError, match="'horizon' must not be negative"):
        CorrectedOptions(horizon=-1)
