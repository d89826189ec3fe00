"""Tells limecep which slack policies there are."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl


@hookimpl
def limecep_slack_policies() -> list[ComponentSpec]:
    return [
        ComponentSpec(
            kind="slack",
            name="none",
            factory="limecep_slack.none:NoSlack",
            summary="Recomputes at once",
            example="slack: none",
        )
    ]
