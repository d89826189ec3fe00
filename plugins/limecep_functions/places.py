"""Functions of places on Earth."""

from __future__ import annotations

import math

#: The mean radius of the Earth in metres, as of the IUGG.
_RADIUS_M = 6_371_008.8


def distance(lat: float, lon: float, other_lat: float, other_lon: float) -> float | None:
    """The metres between two places by the great circle, each a latitude and a longitude in degrees, on a
    sphere: half a percent from the truth at most. Missing of what is no place."""
    if not (-90 <= lat <= 90 and -90 <= other_lat <= 90 and -360 <= lon <= 360 and -360 <= other_lon <= 360):
        return None
    first, second = math.radians(lat), math.radians(other_lat)
    across = math.sin((second - first) / 2) ** 2
    along = math.sin(math.radians(other_lon - lon) / 2) ** 2
    # The haversine formula; rounding may go beyond 1 for places that are opposite.
    part = min(1.0, across + math.cos(first) * math.cos(second) * along)
    return 2 * _RADIUS_M * math.asin(math.sqrt(part))
