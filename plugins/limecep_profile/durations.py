"""Durations for people, and for YAML."""

from __future__ import annotations

_UNITS = (
    (86_400_000_000, "d", "day"),
    (3_600_000_000, "h", "hour"),
    (60_000_000, "m", "minute"),
    (1_000_000, "s", "second"),
    (1_000, "ms", "millisecond"),
    (1, "us", "microsecond"),
)
#: Durations that are easily read, in each unit.
_ROUND = {
    "us": (1, 2, 5, 10, 20, 50, 100, 200, 500),
    "ms": (1, 2, 5, 10, 20, 50, 100, 200, 500),
    "s": (1, 2, 3, 5, 10, 15, 20, 30, 45),
    "m": (1, 2, 3, 5, 10, 15, 20, 30, 45),
    "h": (1, 2, 3, 6, 12),
    "d": (1, 2, 3, 5, 7, 14, 30, 60, 90, 180, 365),
}


def shown(us: float) -> str:
    """A duration for people: `59 s`, `1.5 hours`."""
    for size, _, name in _UNITS:
        if us >= size:
            number = f"{us / size:.3g}" if us < 1000 * size else f"{us / size:,.0f}"
            return f"{number} {name}{'' if number == '1' else 's'}"
    return "0 seconds"


def rounded_up(us: int) -> tuple[int, str]:
    """The next round duration that is no less: the number and its unit, as in `30s`."""
    for size, unit, _ in reversed(_UNITS):
        for number in _ROUND[unit]:
            if number * size >= us:
                return number, unit
    return -(-us // _UNITS[0][0]), "d"
