"""Random tests of the suites: drawn anew each run, the seed printed."""

from __future__ import annotations

import os
from random import Random
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis.strategies import tuples

from limecep.testing.streams import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from hypothesis.strategies import SearchStrategy

    from limecep.model.event import Event
    from limecep.model.pattern import Pattern, Select
    from limecep.testing.oracle import Assignment


def for_all(
    body: Callable[..., None], *drawn: SearchStrategy[Any], examples: int, seed: int | None = None
) -> None:
    """Calls `body` with values drawn from strategies, as often as said.

    Args:
        body: A test; fails by raising.
        drawn: What its arguments are drawn from.
        examples: How often, at least once.
        seed: What decides. None: chance, but where the environment variable `CI` is set.
    """
    drawn_from = seed if seed is not None else 0 if "CI" in os.environ else Random().getrandbits(32)
    print(f"hypothesis seed: {drawn_from}")

    @seeded(drawn_from)
    @settings(
        max_examples=max(1, examples),
        deadline=None,
        print_blob=True,
        report_multiple_bugs=False,
        database=None,
        # The report of a failure says enough.
        phases=[phase for phase in settings().phases if phase is not Phase.explain],
        suppress_health_check=list(HealthCheck),
    )
    @given(tuples(*drawn))
    def holds(values: tuple[Any, ...]) -> None:
        body(*values)

    holds()


def difference(
    pattern: Pattern, select: Select, events: Iterable[Event], expected: set[Assignment], got: set[Assignment]
) -> str:
    """What was expected of a pattern on a stream, and what came, for people."""
    return "\n".join(
        [
            f"{pattern}",
            f"select {select}, on the stream (time in microseconds)",
            shown(events),
            "expected",
            listed(expected),
            "got",
            listed(got),
            "missing",
            listed(expected - got),
            "wrong",
            listed(got - expected),
        ]
    )


def listed(matches: set[Assignment]) -> str:
    """Matches, one a line."""
    lines = [
        "  " + "; ".join(f"{v}: {' '.join(i[2] for i in group)}" for v, group in m) for m in sorted(matches)
    ]
    return "\n".join(lines) or "  none"
