"""Options of lateness policies that make no sense are refused."""

from __future__ import annotations

from typing import Any

import pytest

from limecep_lateness.config import (
    AcceptOptions,
    BoundOptions,
    DeviationOptions,
    QuantileOptions,
    ScoreOptions,
)

# options


@pytest.mark.parametrize(
    ("options", "values", "said"),
    [(AcceptOptions, {"within": -1}, "'within' must not be negative"),
     (BoundOptions, {"within": -1}, "'within' must not be negative"),
     (ScoreOptions, {"factor": -1.0}, "'factor' must not be negative"),
     (ScoreOptions, {"weights": (0.5, -0.1, 0.0)}, "'weights' must not be negative"),
     (ScoreOptions, {"weights": (0.0, 0.0, 0.0)}, "'weights' must not all be 0"),
     (ScoreOptions, {"unit": 0}, "'unit' must be more than 0"),
     (ScoreOptions, {"warm_up": -1}, "'warm_up' must not be negative"),
     (ScoreOptions, {"half_life": 0}, "'half_life' must be more than 0"),
     (DeviationOptions, {"k": -1.0}, "'k' must not be negative"),
     (QuantileOptions, {"quantile": 0.0}, "'quantile' must be above 0% and at most 100%"),
     (QuantileOptions, {"quantile": 1.5}, "'quantile' must be above 0% and at most 100%"),
     (QuantileOptions, {"factor": -1.0}, "'factor' must not be negative")],
)  # fmt: skip
def test_options_that_make_no_sense_are_refused(options: Any, values: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        options(**values)
