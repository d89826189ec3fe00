"""What this plugin brings."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl
from limecep_maximal.config import MaximalOptions


@hookimpl
def limecep_engines() -> list[ComponentSpec]:
    return [
        ComponentSpec(
            kind="engine",
            name="maximal",
            factory="limecep_maximal.engine:MaximalEngine",
            options=MaximalOptions,
            summary="Matches contained in no other, with groups as large as they can be (STNM, STAM, SC).",
            default=True,
            example="engine: maximal",
            capabilities=frozenset({"picks"}),
        )
    ]
