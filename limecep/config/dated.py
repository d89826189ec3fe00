"""The year of stamps that have none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.config.nodes import Scalar

if TYPE_CHECKING:
    from limecep.config.findings import Findings
    from limecep.config.model import TimeConfig
    from limecep.config.nodes import Block


def check_year(
    what: str,
    node: Block,
    time: TimeConfig | None,
    arrival: TimeConfig | None,
    findings: Findings,
    *,
    live: bool,
) -> None:
    """Reports a year that says nothing, or that of one stamp where there are several.

    Args:
        what: The source, for messages.
        node: Its block.
        time, arrival: Its times.
        findings: Where problems go.
        live: Whether it never ends by itself.
    """
    if time is not None and time.year == "arrival" and arrival is None and not live:
        findings.error(
            "no-year",
            f"'year: arrival' says nothing for {what}, which has no 'arrival'",
            node.get("time"),
            "name the year of the first stamp, as in year: 2026, or the field that holds the arrival",
        )
    if time is not None and isinstance(time.year, int) and live:
        findings.warning(
            "fixed-year",
            f"'year: {time.year}' is that of the first stamp whenever {what} begins anew",
            node.get("time"),
            "write year: arrival, which holds in any year",
        )
    channel = node.get("channel")
    several = not live and isinstance(channel, Scalar) and any(c in str(channel.value) for c in "*?[")
    for key, dated in (("time", time), ("arrival", arrival)):
        if dated is not None and isinstance(dated.year, int) and several:
            findings.warning(
                "fixed-year",
                f"'year: {dated.year}' is that of the first stamp of every single file of {what}",
                node.get(key),
                "if some of them begin in another year, give these a source of their own, with its year",
            )
