"""What became of a match."""

from __future__ import annotations

import pytest

from limecep.model.event import Statement
from limecep.testing.streams import written
from limecep_why.history import Groups, History, Revision, identity


def history(*ops: str, final: bool = False) -> History:
    made = History(pattern="p", key=None, match="m")
    for n, op in enumerate(ops, start=1):
        groups: Groups = {"a": tuple(written("a1 a2 a3")[:n])}
        added, removed = made.differs(groups)
        revision = Revision(
            number=n,
            op=op,
            added=added,
            removed=removed,
            size=n,
            start=0,
            end=n,
            cause="in_order",
            cause_id=None,
            cause_event=None,
            detected=0,
            latency=0,
            final=final,
        )
        made.add(revision, groups)
    return made


@pytest.mark.parametrize(
    ("ops", "final", "standing"),
    [
        (["emit"], False, "live"),
        (["emit"], True, "final"),
        (["emit", "final"], False, "final"),
        (["emit", "correct"], False, "live"),
        (["emit", "retract"], False, "retracted"),
        (["emit", "retract", "emit"], False, "live"),
    ],
)
def test_how_it_stands_is_what_was_told_last(ops: list[str], final: bool, standing: str) -> None:
    assert history(*ops, final=final).standing == standing


def test_a_revision_knows_by_which_events_it_differs() -> None:
    made = history("emit", "correct")
    assert [[t.event.id for t in r.added] for r in made.revisions] == [["a1"], ["a2"]]
    added, removed = made.differs({"b": tuple(written("a1"))})
    assert [(t.variable, t.event.id) for t in added] == [("b", "a1")]
    assert [(t.variable, t.event.id) for t in removed] == [("a", "a1"), ("a", "a2")]


def test_versions_of_an_event_are_told_apart() -> None:
    one, other = (Statement("A", "a1", 0, version=v) for v in (1, 2))
    assert identity(one) != identity(other)
