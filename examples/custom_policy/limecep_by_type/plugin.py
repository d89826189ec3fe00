"""What this distribution brings. Imports only limecep, so that listing plugins stays cheap."""

from __future__ import annotations

from limecep.api import ComponentSpec, hookimpl
from limecep_by_type.config import ByTypeOptions

limecep_api = 1


@hookimpl
def limecep_lateness_policies() -> list[ComponentSpec]:
    return [
        ComponentSpec(
            kind="lateness",
            name="by_type",
            factory="limecep_by_type.policy:ByType",
            options=ByTypeOptions,
            contract=1,
            summary="Uses late events that are not later than the bound of their type",
            example="lateness: {type: by_type, within: {Smoke: 5s, Heat: 1m}, otherwise: 10s}",
            distribution="limecep-by-type",
            stability="alpha",
        )
    ]
