"""A run: a group being filled, with what comes before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.language.parser import parse
from limecep.plan.compiler import compile_plan
from limecep.plan.stretch import Book
from limecep_maximal.law import Law
from limecep_maximal.run import Run
from limecep_maximal.starts import Singles
from limecep_maximal.strands import Plain

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.store.lane import Content


def test_a_run_begins_with_the_first_event_of_its_group(lanes: Callable[..., list[Content]]) -> None:
    law = Law(compile_plan(parse("PATTERN SEQ(A a, B+ b, C c) WITHIN 1 s"), name="p").alternatives[0])
    (lane,) = lanes(["b1", "b2"])
    groups: list = [(), (), ()]
    strand = Plain(law, 1, groups, lane, Book(lane.events, 0), 1)
    run = Run(1, strand, groups, (), Singles([0]))
    assert [[e.id for e in group] for group in run.groups] == [[], ["b2"], []]
    assert (run.left, run.look, run.open, run.done) == (0, 0, [], {})
