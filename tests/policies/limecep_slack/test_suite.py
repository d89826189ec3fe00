"""The built-in slack policies pass the suite for slack policies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.spec import NoOptions
from limecep.testing.elsewhere import check_hashes
from limecep.testing.slack import SlackConformance
from limecep.testing.streams import SECOND
from limecep_slack.config import AdaptiveOptions, FixedOptions
from limecep_slack.none import NoSlack
from limecep_slack.waiting import AdaptiveSlack, FixedSlack

if TYPE_CHECKING:
    from limecep.contracts.context import Context
    from limecep.contracts.slack import SlackPolicy
    from limecep.plan.plan import Plan
    from limecep.testing.elsewhere import Traced


class Suite(SlackConformance):
    test_what_it_gives_depends_on_no_hash_and_no_wall_clock = None  # Of all together, below.


class TestNone(Suite):
    def make_policy(self, plan: Plan, context: Context) -> SlackPolicy:
        return NoSlack(plan, NoOptions(), context)


class TestFixed(Suite):
    def make_policy(self, plan: Plan, context: Context) -> SlackPolicy:
        return FixedSlack(plan, FixedOptions(wait=3 * SECOND // 2), context)


class TestAdaptive(Suite):
    def make_policy(self, plan: Plan, context: Context) -> SlackPolicy:
        return AdaptiveSlack(plan, AdaptiveOptions(), context)


def test_what_they_give_depends_on_no_hash_and_no_wall_clock(together: Traced) -> None:
    check_hashes(together)
