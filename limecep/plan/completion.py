"""When a completed run takes no more events: rule (c) of SEMANTICS 7."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.model.event import sort_key
from limecep.model.match import Range

if TYPE_CHECKING:
    from limecep.model.match import Group, Match


def completes(earlier: Match, later: Match) -> bool:
    """Whether `earlier` is a completed run that `later` would only go on with, so that `later` is dropped.

    It is so iff `earlier` ends earlier, by the sort key, and its groups before the end step, not all empty,
    are a prefix of those of `later`: equal up to its last non-empty group, which begins the group of that
    step. Both matches are of one alternative, whose end step takes exactly one event.
    """
    if sort_key(earlier.end) >= sort_key(later.end):
        return False
    chosen = [k for k, group in enumerate(earlier.groups[:-1]) if len(group)]
    if not chosen:
        return False
    last = chosen[-1]
    return all(
        (k == last or len(earlier.groups[k]) == len(later.groups[k]))
        and _begins(earlier.groups[k], later.groups[k])
        for k in range(last + 1)
    )


def _begins(prefix: Group, group: Group) -> bool:
    """Whether the events of `group` begin with those of `prefix`."""
    if len(prefix) > len(group):
        return False
    if (
        isinstance(prefix, Range)
        and isinstance(group, Range)
        and prefix.content is group.content
        and prefix.version == group.version
    ):
        return prefix.start == group.start or not len(prefix)
    return all(e is f for e, f in zip(prefix, group, strict=False))
