"""Long lists shown in part: the first, the last, and what stands out between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

T = TypeVar("T")


def shortened(
    items: Sequence[T],
    most: int,
    say: Callable[[T], dict[str, Any]],
    odd: Callable[[T], bool] = lambda item: False,
) -> list[dict[str, Any]]:
    """Return what is said of items; of more than `most`, the first, the last and some that are odd, with
    `{"more": N}` in the places of the others.

    Args:
        items: The items.
        most: How many are shown at most; 0 for all. At least two are.
        say: What is said of one.
        odd: Which stand out.
    """
    if not most or len(items) <= most:
        return [say(item) for item in items]
    last = max(1, most // 4)
    first = max(1, most // 2)
    chosen = {*range(first), *range(len(items) - last, len(items))}
    for place, item in enumerate(items):
        if len(chosen) >= most:
            break
        if odd(item):
            chosen.add(place)
    for place in range(first, len(items)):
        if len(chosen) >= most:
            break
        chosen.add(place)
    found: list[dict[str, Any]] = []
    before = -1
    for place in sorted(chosen):
        if place > before + 1:
            found.append({"more": place - before - 1})
        found.append(say(items[place]))
        before = place
    return found
