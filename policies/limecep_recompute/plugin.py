"""Tells limecep which recompute policies there are."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl


@hookimpl
def limecep_recompute_policies() -> list[ComponentSpec]:
    return [
        ComponentSpec(
            kind="recompute",
            name="exact",
            factory="limecep_recompute.exact:Exact",
            summary="Every end event whose results can change: nothing is missed",
            default=True,
            example="recompute: exact",
        ),
        ComponentSpec(
            kind="recompute",
            name="paper",
            factory="limecep_recompute.paper:Paper",
            summary="The maximum potential window of the LimeCEP paper: may leave wrong matches",
            example="recompute: paper",
        ),
    ]
