"""The policies that ship with the kernel's first form: decisions, and nothing that waits."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from limecep.spec import NoOptions
from limecep_results.config import CorrectedOptions
from limecep_results.corrected import Corrected
from limecep_slack.none import NoSlack

NOTHING: Any = None


def test_no_slack_waits_for_nothing() -> None:
    assert NoSlack(NOTHING, NoOptions(), NOTHING).wait(SimpleNamespace()) == 0


def test_corrected_corrects() -> None:
    assert Corrected(NOTHING, CorrectedOptions(), NOTHING).corrects
