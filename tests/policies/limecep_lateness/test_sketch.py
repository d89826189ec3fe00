"""The sketch gives the quantile that sorting would, to within its buckets."""

from __future__ import annotations

from math import ceil
from random import Random

import pytest

from limecep_lateness.sketch import GROWTH, QuantileSketch


@pytest.mark.parametrize("quantile", [0.01, 0.5, 0.9, 0.99, 1.0])
@pytest.mark.parametrize("shape", ["even", "heavy", "rising", "falling", "same"])
def test_it_agrees_with_sorting_at_every_moment(quantile: float, shape: str) -> None:
    random = Random(5)
    sketch = QuantileSketch(quantile)
    values: list[int] = []
    for i in range(1, 600):
        value = {
            "even": random.randint(1, 10**6),
            "heavy": int(10 ** random.uniform(0, 12)),
            "rising": i**3,
            "falling": (600 - i) ** 3,
            "same": 12345,
        }[shape]
        sketch.add(value)
        values.append(value)
        exact = sorted(values)[ceil(quantile * len(values)) - 1]
        assert exact * (1 - 1e-9) <= sketch.value <= exact * GROWTH * (1 + 1e-9)


def test_before_the_first_figure_it_is_nothing() -> None:
    assert QuantileSketch(0.5).value == 0.0
