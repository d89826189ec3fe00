"""Whether a pattern tells after a restart what it would have told without one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.testing.oracle import assignment
from limecep.testing.streams import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limecep.model.event import Event
    from limecep.testing.policy_bench import PolicyBench


def check_restarts(make: Callable[[], PolicyBench], arrived: Sequence[Event], cuts: Sequence[int]) -> None:
    """That what components remember is all they need: the change log, and what is refused, are the same.

    Args:
        make: Makes a bench that keeps its state.
        arrived: A stream in the order of its arrival.
        cuts: After how many events it restarts, one run for each.

    Raises:
        AssertionError: It tells something else.
    """
    whole = _told(make(), arrived, None)
    for cut in cuts:
        told = _told(make(), arrived, cut)
        for place, (was, now) in enumerate(zip(whole, told, strict=False)):
            assert was == now, (
                "after a restart it goes on otherwise: what it needs of the time before is not all in "
                f"'remembered'\nrestarted after {cut} events of\n{shown(arrived)}\n"
                f"it tells, as number {place},\n{now}\nin place of\n{was}"
            )
        assert len(told) == len(whole), f"after a restart it tells {len(told)} updates, not {len(whole)}"


def _told(bench: PolicyBench, arrived: Sequence[Event], cut: int | None) -> list[Any]:
    updates = bench.run(arrived, cut)
    log: list[Any] = [(u.op, u.revision, assignment(u.match.events()), u.final, u.detected) for u in updates]
    return [*log, [event.id for event in bench.refused]]
