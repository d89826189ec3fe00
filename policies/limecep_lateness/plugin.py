"""Tells limecep which lateness policies there are."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl
from limecep_lateness.config import (
    AcceptOptions,
    BoundOptions,
    DeviationOptions,
    QuantileOptions,
    ScoreOptions,
)


@hookimpl
def limecep_lateness_policies() -> list[ComponentSpec]:
    return [
        ComponentSpec(
            kind="lateness",
            name="accept",
            factory="limecep_lateness.accept:Accept",
            options=AcceptOptions,
            summary="Uses every late event, or those not later than a bound",
            default=True,
            example="lateness: {type: accept, within: 10m}",
        ),
        ComponentSpec(
            kind="lateness",
            name="bound",
            factory="limecep_lateness.bound:Bound",
            options=BoundOptions,
            summary="Uses late events that are not later than a bound",
            example="lateness: {type: bound, within: 10s}",
        ),
        ComponentSpec(
            kind="lateness",
            name="score",
            factory="limecep_lateness.score:Score",
            options=ScoreOptions,
            summary="Scores how far out of order an event is, and refuses what scores far above the average",
            example="lateness: {type: score, factor: 2.5, weights: [0.6, 0.2, 0.2]}",
        ),
        ComponentSpec(
            kind="lateness",
            name="deviation",
            factory="limecep_lateness.deviation:Deviation",
            options=DeviationOptions,
            summary="Refuses what is later than the mean by many standard deviations",
            example="lateness: {type: deviation, k: 3}",
        ),
        ComponentSpec(
            kind="lateness",
            name="quantile",
            factory="limecep_lateness.quantile:Quantile",
            options=QuantileOptions,
            summary="Refuses what is later than nearly all late events were",
            example="lateness: {type: quantile, quantile: 99%, factor: 2}",
        ),
    ]
