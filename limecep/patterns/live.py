"""What is kept of live matches where those of an end event do not follow from that event alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from limecep.contracts.engine import Engine
    from limecep.contracts.tables import Tables
    from limecep.patterns.match_codec import MatchCodec
    from limecep.patterns.multiplicity import Counting
    from limecep.patterns.net import Net
    from limecep.patterns.picking import Picking
    from limecep.plan.plan import Plan


class Live(NamedTuple):
    """The live matches of a pattern.

    Attributes:
        nets: By alternative, where a match can grow at its end, and the longer one stands for those it
            contains.
        counting: Equal assignments of several alternatives count once. Where all matches of an end event are
            known at once that is a matter of leaving repeats out; else this counts how many have one live.
        picking: Picks one of an end event in the nets.
    """

    nets: "list[Net]"
    counting: "Counting | None"
    picking: "Picking | None"


def live_of(plan: Plan, engine: Engine, tables: Tables, matches: MatchCodec) -> Live:
    """What a pattern needs of it; most need nothing, and import nothing."""
    growing = any(a.growing for a in plan.alternatives)
    waiting = any(n.after > a.ends[0] for a in plan.alternatives for n in a.negations)
    nets: list[Net] = []
    if growing and engine.results == "maximal":
        from limecep.patterns.net import Net

        nets = [Net(a, plan.within, tables, f"net{n}", matches) for n, a in enumerate(plan.alternatives)]
    if plan.pick is not None:
        if not nets:
            return Live(nets, None, None)
        from limecep.patterns.picking import Picking

        return Live(nets, None, Picking(plan.pick, nets, plan.within, tables, matches))
    if len(plan.alternatives) > 1 and (growing or waiting):
        from limecep.patterns.multiplicity import Counting

        return Live(nets, Counting(tables), None)
    return Live(nets, None, None)
