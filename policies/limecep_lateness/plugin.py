"""Tells limecep which lateness policies there are."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl
from limecep_lateness.config import AcceptOptions


@hookimpl
def limecep_lateness_policies() -> list[ComponentSpec]:
    return [
        ComponentSpec(
            kind="lateness",
            name="accept",
            factory="limecep_lateness.accept:Accept",
            options=AcceptOptions,
            summary="Uses every late event, or those not later than a bound",
            example="lateness: {type: accept, within: 10m}",
        )
    ]
