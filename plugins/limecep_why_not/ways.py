"""Ways to make a match of an assignment: changes under which it is one, if no rule chooses among matches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from limecep.model.event import Event, sort_key
from limecep_why_not.candidates import Drafts
from limecep_why_not.changes import ADDED, Added, Admitted, Removed, Valued, Widened, identity, put
from limecep_why_not.placements import Gap, placements
from limecep_why_not.values import Values

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from limecep.plan.plan import Alternative, NegatedStep
    from limecep_why_not.candidates import Draft, Slot
    from limecep_why_not.changes import Change, Identity
    from limecep_why_not.placements import Placed
    from limecep_why_not.search import Search
    from limecep_why_not.values import Mended


class Way(NamedTuple):
    """Changes that make a match of an assignment, under no rule that chooses among matches."""

    changes: tuple[Change, ...]
    taken: frozenset[tuple[str, Identity]]
    start: int
    end: int


class Ways:
    """The ways of one alternative.

    Args:
        search: What is searched for.
        alternative: The alternative.
    """

    def __init__(self, search: Search, alternative: Alternative) -> None:
        self._search = search
        self._alternative = alternative
        self._region = search.region
        stream = search.stream
        self._refused = {id(r.event): r for r in stream.refused}
        self._events = sorted([*stream.events, *(r.event for r in stream.refused)], key=sort_key)
        self._values = Values(alternative, search.plan.partition, self._events)
        self._drafts = Drafts(
            alternative=alternative,
            region=self._region,
            events=self._events,
            refused=self._refused,
            required=search.required,
            look=lambda: search.look(),
        )
        self._rivals = [
            [
                e
                for e in self._events
                if e.type in n.filter.types and (n.filter.accepts is None or n.filter.accepts(e))
            ]
            for n in alternative.negations
        ]
        self._cuts = self._may_matter()

    def _may_matter(self) -> list[int]:
        """Times before or after which an added event may make a difference: to what hits a negated step, and
        to what a selection rule takes, within a window."""
        plan = self._search.plan
        types = {t for n in self._alternative.negations for t in n.filter.types}
        if plan.select != "stam":
            types |= plan.types
        cuts: set[int] = set()
        for event in self._events:
            if plan.select == "sc" or event.type in types:
                cuts |= {event.t_gen - plan.within, event.t_gen, event.t_gen + plan.within}
        return sorted(cuts)

    @property
    def lean(self) -> list[str]:
        """The variables of which not all groups are looked at."""
        return self._drafts.lean

    def ways(self, things: int) -> Iterator[Way]:
        """The ways that change so many things."""
        for draft in self._drafts.drafts(things):
            if things - draft.things < 0 or not self._may_be_near(draft):
                continue
            known: dict[Any, list[Mended]] = {}
            for placed in placements(draft, self._cuts, self._region, self._event):
                yield from self._ways_of(draft, placed, things - draft.things, known)

    def _may_be_near(self, draft: Draft) -> bool:
        if draft.added:
            return True
        events = draft.events
        return self._region.near(events[0].t_gen, events[-1].t_gen)

    def _event(self, slot: Slot, t_gen: int) -> Event:
        payload: dict[str, Any] = {}
        for path, value in self._search.key.items():
            payload = put(payload, path, value)
        number = next(self._search.numbers)
        return Event(slot.type, f"{ADDED}{number}", t_gen, t_gen, payload=payload)

    def _ways_of(
        self, draft: Draft, placed: Placed, things: int, known: dict[Any, list[Mended]]
    ) -> Iterator[Way]:
        """The ways of an assignment, whatever it is that is known of others of its draft."""
        self._search.look()
        originals = [e for group in placed.groups for e in group]
        start, end = originals[0].t_gen, originals[-1].t_gen
        if not self._region.near(start, end):
            return
        rivals = self._in_between(draft, placed, start, end)
        certain = len({id(x) for n, x in rivals if n.hits is None})
        if certain > things and not any(n.hits for n, _ in rivals):
            return
        beside = [
            value
            for n, x in rivals
            if n.hits is not None
            for value in x.payload.values()
            if type(value) in (int, float, str, bool)
        ]

        def hits(taken: Sequence[Sequence[Event]]) -> list[tuple[Event, str]]:
            return [(x, n.variable) for n, x in rivals if n.hits is None or n.hits(x, taken)]

        same = () if self._values.timed else tuple((n.variable, id(x)) for n, x in rivals)
        if self._values.timed or same not in known:
            groups = [[msgspec.structs.replace(e) for e in group] for group in placed.groups]
            known[same] = self._values.mended(groups, set(placed.added), things, hits, beside)
        for mended in known[same]:
            yield self._way(draft, placed, mended, start, end)

    def _in_between(
        self, draft: Draft, placed: Placed, start: int, end: int
    ) -> list[tuple[NegatedStep, Event]]:
        """Events where a negated step allows none, if they hit it."""
        within = max(self._region.within, end - start)
        admitted = None if draft.admitted is None else draft.admitted.score
        found = []
        for negation, rivals in zip(self._alternative.negations, self._rivals, strict=True):
            before = [e for g in placed.groups[: negation.after] for e in g]
            behind = [e for g in placed.groups[negation.after :] for e in g]
            for x in rivals:
                refused = self._refused.get(id(x))
                if refused is not None and (admitted is None or refused.score > admitted):
                    continue
                lower = _precedes(before[-1], x) if before else end - within <= x.t_gen
                upper = _precedes(x, behind[0]) if behind else x.t_gen <= start + within
                if lower and upper:
                    found.append((negation, x))
        return found

    def _way(self, draft: Draft, placed: Placed, mended: Mended, start: int, end: int) -> Way:
        changes: list[Change] = []
        taken: set[tuple[str, Identity]] = set()
        for k, (step, group) in enumerate(zip(self._alternative.steps, placed.groups, strict=True)):
            for n, event in enumerate(group):
                taken.add((step.variable, identity(event)))
                gap: Gap | None = placed.added.get((k, n))
                if gap is None:
                    continue
                payload = mended.payloads.get((k, n), event.payload)
                made = msgspec.structs.replace(event, payload=payload)
                changes.append(
                    Added(
                        event=made,
                        variable=step.variable,
                        types=step.filter.types,
                        after=gap.after,
                        before=gap.before,
                    )
                )
        for value in mended.values:
            k, n, path = value.place
            changes.append(
                Valued(
                    event=placed.groups[k][n],
                    variable=self._alternative.steps[k].variable,
                    path=path,
                    old=value.old,
                    new=value.new,
                    broken=value.broken,
                )
            )
        changes += [Removed(event=x, negated=variable) for x, variable in mended.hits]
        if draft.widened:
            changes.append(Widened(old=self._region.within, new=end - start))
        if draft.admitted is not None:
            event, score, threshold, reason = draft.admitted
            changes.append(Admitted(event=event, old=threshold, new=score, reason=reason))
        return Way(tuple(changes), frozenset(taken), start, end)


def _precedes(e: Event, f: Event) -> bool:
    return (e.t_gen, e.seq) < (f.t_gen, f.seq)
