"""No slack: nothing waits."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from limecep.spec import NoOptions
from limecep_slack.none import NoSlack

PLAN: Any = SimpleNamespace(within=10_000_000)
CONTEXT: Any = None


def late(ratio: float) -> Any:
    return SimpleNamespace(ratio=ratio)


def test_none_waits_for_nothing() -> None:
    assert NoSlack(PLAN, NoOptions(), CONTEXT).wait(late(0.9)) == 0
