"""Tells limecep which result policies there are."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl
from limecep_results.config import CorrectedOptions, UncorrectedOptions


@hookimpl
def limecep_result_policies() -> list[ComponentSpec]:
    return [
        ComponentSpec(
            kind="results",
            name="corrected",
            factory="limecep_results.corrected:Corrected",
            options=CorrectedOptions,
            summary="Emits matches, and corrects or retracts them when late events change them",
            default=True,
            example="results: {type: corrected, emit: eager}",
        ),
        ComponentSpec(
            kind="results",
            name="uncorrected",
            factory="limecep_results.corrected:Uncorrected",
            options=UncorrectedOptions,
            summary="Emits matches, also late ones, and never takes one back",
            example="results: uncorrected",
        ),
    ]
