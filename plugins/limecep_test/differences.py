"""Differences between expected and actual results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Lists are aligned as long as this takes no more comparisons; longer ones are compared place by place.
MOST_COMPARISONS = 250_000
#: How many lines that are as expected are shown around one that is not.
CONTEXT = 2


class Expectation(Protocol):
    """One thing that is expected."""

    @property
    def text(self) -> str:
        """As written."""

    def fits(self, got: Any, /) -> bool:
        """Return whether an actual result is this one."""


class Got(Protocol):
    """One thing that came."""

    def line(self) -> str:
        """As it would be written."""

    @property
    def details(self) -> str:
        """Further facts, for messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One part of the expectations that does not hold.

    Attributes:
        what: Which: `updates`, `net`, `late`, `counts`, `any_order`.
        lines: A diff: `-` before what was expected, `+` before what came.
        unexpected: What came and was not expected.
    """

    what: str
    lines: tuple[str, ...]
    unexpected: tuple[Got, ...] = ()


def in_order(what: str, expected: Sequence[Expectation], got: Sequence[Got]) -> Difference | None:
    """Compare two lists whose order counts; None if they are equal."""
    pairs = _aligned(expected, got)
    lines = [_line(e, g) for e, g in pairs]
    if all(line.startswith(" ") for line in lines):
        return None
    unexpected = tuple(g for e, g in pairs if e is None and g is not None)
    return Difference(what=what, lines=tuple(_shortened(lines)), unexpected=unexpected)


def in_any_order(what: str, expected: Sequence[Expectation], got: Sequence[Got]) -> Difference | None:
    """Compare two lists whose order does not count; None if they are equal."""
    left = list(got)
    missing = []
    for e in expected:
        found = next((n for n, g in enumerate(left) if e.fits(g)), None)
        if found is None:
            missing.append(e)
        else:
            del left[found]
    if not missing and not left:
        return None
    lines = [_line(e, None) for e in missing] + [_line(None, g) for g in left]
    as_expected = len(expected) - len(missing)
    if as_expected:
        lines.append(f"  ({as_expected} as expected)")
    return Difference(what=what, lines=tuple(lines), unexpected=tuple(left))


def _line(expected: Expectation | None, got: Got | None) -> str:
    if expected is not None and got is not None:
        return f"  {expected.text}"
    if expected is not None:
        return f"- {expected.text}"
    assert got is not None
    return f"+ {got.line()}   ({got.details})" if got.details else f"+ {got.line()}"


def _aligned(
    expected: Sequence[Expectation], got: Sequence[Got]
) -> list[tuple[Expectation | None, Got | None]]:
    """Both lists side by side, as many as can be with what they fit."""
    begin = 0
    while begin < min(len(expected), len(got)) and expected[begin].fits(got[begin]):
        begin += 1
    same: list[tuple[Expectation | None, Got | None]] = list(zip(expected[:begin], got[:begin], strict=True))
    expected, got = expected[begin:], got[begin:]
    if len(expected) * len(got) > MOST_COMPARISONS:
        return same + [(e, None) for e in expected] + [(None, g) for g in got]
    # The length of the longest common part from each place on.
    longest = [[0] * (len(got) + 1) for _ in range(len(expected) + 1)]
    fits = [[e.fits(g) for g in got] for e in expected]
    for i in reversed(range(len(expected))):
        for j in reversed(range(len(got))):
            longest[i][j] = (
                longest[i + 1][j + 1] + 1 if fits[i][j] else max(longest[i + 1][j], longest[i][j + 1])
            )
    i = j = 0
    while i < len(expected) or j < len(got):
        if i < len(expected) and j < len(got) and fits[i][j]:
            same.append((expected[i], got[j]))
            i, j = i + 1, j + 1
        elif j == len(got) or (i < len(expected) and longest[i + 1][j] >= longest[i][j + 1]):
            same.append((expected[i], None))
            i += 1
        else:
            same.append((None, got[j]))
            j += 1
    return same


def _shortened(lines: Sequence[str]) -> list[str]:
    """Without what is as expected and far from what is not."""
    odd = [n for n, line in enumerate(lines) if not line.startswith(" ")]
    shown = {n for o in odd for n in range(o - CONTEXT, o + CONTEXT + 1) if 0 <= n < len(lines)}
    kept: list[str] = []
    for n, line in enumerate(lines):
        if n in shown:
            kept.append(line)
        elif not kept or kept[-1] != "  ...":
            kept.append("  ...")
    return kept
