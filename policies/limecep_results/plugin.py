"""Tells limecep which result policies there are."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl
from limecep_results.config import CooldownOptions, CorrectedOptions, ThrottleOptions, UncorrectedOptions


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
            name="cooldown",
            factory="limecep_results.throttle:Cooldown",
            options=CooldownOptions,
            summary="Emits no other match of a key for a time after one, and puts right which",
            example="results: {type: cooldown, for: 10m}",
        ),
        ComponentSpec(
            kind="results",
            name="throttle",
            factory="limecep_results.throttle:Throttle",
            options=ThrottleOptions,
            summary="Emits at most so many matches of a key in a time, and puts right which",
            example="results: {type: throttle, matches: 3, per: 1h}",
        ),
    ]
