"""Tells limecep which result policies there are."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl
from limecep_results.config import CorrectedOptions, LimitOptions, UncorrectedOptions


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
        ComponentSpec(
            kind="results",
            name="limit",
            factory="limecep_results.limit:Limit",
            options=LimitOptions,
            summary="Emits at most so many matches of a key in a time, and puts right which",
            example="results: {type: limit, matches: 1, per: 10m}",
        ),
    ]
