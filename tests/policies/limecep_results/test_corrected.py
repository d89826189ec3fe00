"""What result policies ask for is what their options say."""

from __future__ import annotations

from typing import Any

import pytest

from limecep.contracts.changes import Change
from limecep_results.config import CorrectedOptions, UncorrectedOptions
from limecep_results.corrected import Corrected, Uncorrected

NOTHING: Any = None


@pytest.mark.parametrize("emit", ["eager", "complete", "slack", "final"])
def test_policies_do_what_their_options_say(emit: Any) -> None:
    corrected = Corrected(NOTHING, CorrectedOptions(emit=emit, horizon=5, final=True), NOTHING)
    assert (corrected.promise, corrected.emit) == ("equal", emit)
    assert (corrected.horizon, corrected.announces) == (5, True)
    uncorrected = Uncorrected(NOTHING, UncorrectedOptions(emit=emit, horizon=5), NOTHING)
    assert (uncorrected.promise, uncorrected.emit) == ("superset", emit)
    assert (uncorrected.horizon, uncorrected.announces) == (5, False)


def test_what_is_a_result_no_more_stays_uncorrected() -> None:
    changes = [Change("retract", NOTHING, out=True), Change("emit", NOTHING)]
    assert [*Uncorrected(NOTHING, UncorrectedOptions(), NOTHING).decide(changes, NOTHING)] == changes[1:]
    assert Corrected(NOTHING, CorrectedOptions(), NOTHING).decide(changes, NOTHING) is changes
