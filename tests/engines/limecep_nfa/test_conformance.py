"""The engine does what every engine must do."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from limecep.spec import NoOptions
from limecep.testing.engine import EngineConformance
from limecep_nfa import runs
from limecep_nfa.engine import NfaEngine

if TYPE_CHECKING:
    from limecep.contracts.context import Context
    from limecep.plan.plan import Plan

EXAMPLES = int(os.environ.get("LIMECEP_EXAMPLES", "300"))


class TestNfa(EngineConformance):
    examples = EXAMPLES // 2

    def make_engine(self, plan: Plan, context: Context) -> NfaEngine:
        return NfaEngine(plan, NoOptions(), context)


class TestNfaWithLittleRoom(EngineConformance):
    """What has left the window leaves the buffer at once, and not when there is a thousand of it."""

    examples = EXAMPLES // 5
    # Another process would have the room of ever.
    test_what_it_gives_depends_on_no_hash_and_no_wall_clock = None

    @pytest.fixture(autouse=True)
    def _trim_often(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(runs, "TRIM_AT", 1)

    def make_engine(self, plan: Plan, context: Context) -> NfaEngine:
        return NfaEngine(plan, NoOptions(), context)
