"""Tells limecep which slack policies there are."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl
from limecep_slack.config import AdaptiveOptions, FixedOptions


@hookimpl
def limecep_slack_policies() -> list[ComponentSpec]:
    return [
        ComponentSpec(
            kind="slack",
            name="none",
            factory="limecep_slack.none:NoSlack",
            summary="Recomputes at once",
            example="slack: none",
        ),
        ComponentSpec(
            kind="slack",
            name="fixed",
            factory="limecep_slack.waiting:FixedSlack",
            options=FixedOptions,
            summary="Recomputes after a fixed wait, so that late events are acted on together",
            example="slack: {type: fixed, wait: 2s}",
        ),
        ComponentSpec(
            kind="slack",
            name="adaptive",
            factory="limecep_slack.waiting:AdaptiveSlack",
            options=AdaptiveOptions,
            summary="Waits in proportion to the share of late events, once that is worth it",
            default=True,
            example="slack: {type: adaptive, trigger: 10%}",
        ),
    ]
