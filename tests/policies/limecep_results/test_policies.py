"""What result policies are told and what they ask for."""

from __future__ import annotations

from typing import Any

import pytest

from limecep_results.config import CorrectedOptions, UncorrectedOptions
from limecep_results.corrected import Corrected, Uncorrected

NOTHING: Any = None


@pytest.mark.parametrize("emit", ["eager", "complete", "slack", "final"])
def test_policies_do_what_their_options_say(emit: Any) -> None:
    corrected = Corrected(NOTHING, CorrectedOptions(emit=emit, horizon=5, final=True), NOTHING)
    assert (corrected.corrects, corrected.emit) == (True, emit)
    assert (corrected.horizon, corrected.announces) == (5, True)
    uncorrected = Uncorrected(NOTHING, UncorrectedOptions(emit=emit, horizon=5), NOTHING)
    assert (uncorrected.corrects, uncorrected.emit) == (False, emit)
    assert (uncorrected.horizon, uncorrected.announces) == (5, False)


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
