"""What result policies ask for is what their options say."""

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
