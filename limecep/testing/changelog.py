"""The change log folded into its net results, its own rules checked on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.testing.oracle import Assignment, assignment

if TYPE_CHECKING:
    from collections.abc import Iterable

    from limecep.model.update import Update


def net(updates: Iterable[Update], pattern: str | None = None) -> set[Assignment]:
    """The matches that are emitted and not taken back, each in its present version.

    Args:
        updates: The log, in order.
        pattern: The pattern whose results are asked for; None is all of them together.

    Raises:
        AssertionError: The log breaks a rule: revisions of a match count up by one, `final` repeating the
            last; only what is live is corrected, retracted or final, and only what is not is emitted; a
            retraction carries what it takes back; nothing follows a `final`; no two live matches of a pattern
            are equal.
    """
    live: dict[tuple[str, int, Assignment], Assignment] = {}
    revisions: dict[tuple[str, int, Assignment], int] = {}
    final: set[tuple[str, int, Assignment]] = set()
    for place, update in enumerate(updates):
        if pattern is not None and update.pattern != pattern:
            continue
        # Another match may have begun as the same events and gone on as something else: the generation tells.
        first, present = assignment(update.first.events()), assignment(update.match.events())
        match = (update.pattern, update.generation, first)
        where = f"update {place} ({update.op} of {present}, first {first})"
        assert match not in final, f"{where}: the match is final"
        assert (update.op == "emit") != (match in live), (
            f"{where}: the match is {'' if match in live else 'not '}live"
        )
        if update.op == "final":
            assert update.revision == revisions[match], f"{where}: final repeats revision {revisions[match]}"
            assert present == live[match], f"{where}: the live version is {live[match]}"
            final.add(match)
            continue
        expected = revisions.get(match, 0) + 1
        assert update.revision == expected, f"{where}: revision {update.revision}, expected {expected}"
        assert expected > 1 or present == first, f"{where}: the first version is what is emitted first"
        revisions[match] = expected
        if update.op == "retract":
            assert present == live.pop(match), f"{where}: it carries another version than the live one"
        else:
            live[match] = present
    results = [(name, present) for (name, _, _), present in live.items()]
    assert len(results) == len(set(results)), f"equal matches are live: {sorted(results)}"
    return {present for _, present in results}
