"""An engine on its bench, for one pattern."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.language.parser import parse
from limecep.plan.compiler import compile_plan
from limecep.spec import NoOptions
from limecep.testing.bench import Bench
from limecep_nfa.engine import NfaEngine

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.model.pattern import Select


@pytest.fixture
def bench() -> Callable[..., Bench]:
    """Makes a bench: `bench("SEQ(A a, B b) WITHIN 5 s", "stam")`."""

    def bench(query: str, select: Select = "stnm", max_per_end: int = 10**6) -> Bench:
        plan = compile_plan(parse(f"PATTERN {query}"), name="p", select=select, max_per_end=max_per_end)
        return Bench(plan, lambda plan, context: NfaEngine(plan, NoOptions(), context))

    return bench
