"""Tells limecep which result policies there are."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl
from limecep_results.config import ResultOptions


@hookimpl
def limecep_result_policies() -> list[ComponentSpec]:
    return [
        ComponentSpec(
            kind="results",
            name="corrected",
            factory="limecep_results.corrected:Corrected",
            options=ResultOptions,
            summary="Emits matches, and corrects or retracts them when late events change them",
            example="results: {type: corrected, emit: eager}",
        ),
        ComponentSpec(
            kind="results",
            name="uncorrected",
            factory="limecep_results.corrected:Uncorrected",
            options=ResultOptions,
            summary="Emits matches, also late ones, and never takes one back",
            example="results: uncorrected",
        ),
    ]
