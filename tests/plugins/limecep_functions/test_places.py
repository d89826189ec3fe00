"""Distances on Earth."""

from __future__ import annotations

import math
from typing import Any

import pytest

from limecep_functions.places import distance


@pytest.mark.parametrize(
    ("places", "metres"),
    [
        ((37.9838, 23.7275, 37.9838, 23.7275), 0.0),
        ((0, 0, 0, 180), math.pi * 6_371_008.8),
        ((90, 0, -90, 77), math.pi * 6_371_008.8),
        # A degree of a meridian.
        ((10, 20, 11, 20), math.pi * 6_371_008.8 / 180),
        ((0, 179.5, 0, -179.5), math.pi * 6_371_008.8 / 180),
        # Athens and Thessaloniki, by the ellipsoid 302.8 km.
        ((37.9838, 23.7275, 40.6401, 22.9444), 303_000),
        ((91, 0, 0, 0), None),
        ((0, 0, 0, 400), None),
        ((math.inf, 0, 0, 0), None),
    ],
)
def test_two_places_are_so_far_apart(places: Any, metres: float | None) -> None:
    found = distance(*places)
    assert found == (None if metres is None else pytest.approx(metres, rel=0.005, abs=1e-6))
