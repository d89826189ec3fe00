"""The automaton of an alternative in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from limecep_nfa.automaton import Automaton


def explained(automaton: Automaton, *, on_demand: bool) -> str:
    """How matches are found.

    Args:
        automaton: The automaton.
        on_demand: Whether no runs are kept.
    """
    count = len(automaton.states)
    states = f"an automaton of {count} state{'s' * (count > 1)}"
    if on_demand:
        return (
            f"{states}, run depth first for each end event: conditions look farther back than to the event "
            "before, so kept runs would be exponentially many; bounded by max_per_end"
        )
    return f"{states}; its runs go on from one end event to the next, and share what they have in common"
