"""The built-in result policies pass the suite for result policies."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, ClassVar

import pytest

from limecep.testing.elsewhere import check_hashes
from limecep.testing.results import ResultsConformance
from limecep.testing.streams import SECOND
from limecep_results.config import CorrectedOptions, ThrottleOptions, UncorrectedOptions
from limecep_results.corrected import Corrected, Uncorrected
from limecep_results.throttle import Throttle

if TYPE_CHECKING:
    from limecep.contracts.context import Context
    from limecep.plan.plan import Plan
    from limecep.testing.elsewhere import Traced

EXAMPLES = int(os.environ.get("LIMECEP_EXAMPLES", "300"))


class Suite(ResultsConformance):
    test_what_it_gives_depends_on_no_hash_and_no_wall_clock = None  # Of all together, below.


class Correcting(Suite):
    """`corrected` with some options."""

    examples = EXAMPLES // 40
    options: ClassVar[CorrectedOptions]

    def make_policy(self, plan: Plan, context: Context) -> Corrected:
        return Corrected(plan, self.options, context)


class TestCorrected(Correcting):
    options = CorrectedOptions()


@pytest.mark.slow
class TestCorrectedAnnouncing(Correcting):
    options = CorrectedOptions(final=True)


@pytest.mark.slow
class TestCorrectedAnnouncingWithinAHorizon(Correcting):
    options = CorrectedOptions(final=True, horizon=3 * SECOND)


class TestCorrectedComplete(Correcting):
    options = CorrectedOptions(emit="complete")


@pytest.mark.slow
class TestCorrectedCompleteAnnouncing(Correcting):
    options = CorrectedOptions(emit="complete", final=True)


class TestCorrectedAfterSlack(Correcting):
    options = CorrectedOptions(emit="slack")


class TestCorrectedFinal(Correcting):
    options = CorrectedOptions(emit="final")


@pytest.mark.slow
class TestCorrectedFinalWithinAHorizon(Correcting):
    options = CorrectedOptions(emit="final", horizon=3 * SECOND)


@pytest.mark.slow
class TestCorrectedWhereOneDropsAnother(Correcting):
    options = CorrectedOptions(skip="past-last")


class TestUncorrected(Suite):
    examples = EXAMPLES // 40

    def make_policy(self, plan: Plan, context: Context) -> Uncorrected:
        return Uncorrected(plan, UncorrectedOptions(), context)


@pytest.mark.slow
class TestUncorrectedFinal(Suite):
    examples = EXAMPLES // 40

    def make_policy(self, plan: Plan, context: Context) -> Uncorrected:
        return Uncorrected(plan, UncorrectedOptions(emit="final"), context)


class TestLimit(Suite):
    examples = EXAMPLES // 30

    def make_policy(self, plan: Plan, context: Context) -> Throttle:
        return Throttle(plan, ThrottleOptions(per=3 * SECOND, matches=2), context)


class TestLimitComplete(Suite):
    examples = EXAMPLES // 40

    def make_policy(self, plan: Plan, context: Context) -> Throttle:
        return Throttle(plan, ThrottleOptions(matches=1, per=5 * SECOND, emit="complete"), context)


@pytest.mark.slow
class TestLimitAfterSlack(Suite):
    examples = EXAMPLES // 40

    def make_policy(self, plan: Plan, context: Context) -> Throttle:
        return Throttle(plan, ThrottleOptions(matches=1, per=5 * SECOND, emit="slack"), context)


def test_what_they_give_depends_on_no_hash_and_no_wall_clock(together: Traced) -> None:
    check_hashes(together)
