"""Changes: which patterns of a pipeline go on with what a state knows of them, and which begin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from limecep.state.fingerprint import another, changed_parts, common_differences, differences

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limecep.config.model import PatternConfig, PipelineConfig
    from limecep.plan.plan import Plan


class Changes(NamedTuple):
    """What has changed since a state was written.

    Attributes:
        kept: The names of the patterns that are what they were.
        gone: Of those that are no more, or are something else now.
        new: The patterns that are new, or something else now.
    """

    kept: frozenset[str]
    gone: tuple[str, ...]
    new: tuple[PatternConfig, ...]


def changes(known: Mapping[str, Any], now: Mapping[str, Any], config: PipelineConfig, where: str) -> Changes:
    """What has changed.

    Args:
        known: The fingerprint that the state has.
        now: That of the pipeline.
        config: The pipeline.
        where: What the state is called.

    Raises:
        RunFailure: It cannot go on from the state.
    """
    if said := common_differences(known, now):
        raise another(where, said)
    before, after = known["patterns"], now["patterns"]
    new = tuple(
        p for p in config.patterns if p.name not in before or changed_parts(before[p.name], after[p.name])
    )
    names = {p.name for p in new}
    gone = tuple(name for name in before if name not in after or name in names)
    derives = any("derive" in parts for parts in [*before.values(), *after.values()])
    revises = any(s.revise is not None for s in config.sources)
    parted = now.get("workers", 1) > 1
    found = Changes(frozenset(before) - set(gone), gone, new)
    for fixed, why in (
        (derives, "patterns derive events"),
        (revises, "events are revised"),
        (parted, "several processes work"),
    ):
        if fixed and (said := differences(known, now)):
            raise another(where, said, f"Where {why}, no pattern can change yet. ")
    return found


def begun_since(
    head: Mapping[str, Any],
    figures: Mapping[str, Any],
    changes: Changes,
    plans: Mapping[str, Plan],
    logger: Any,
) -> dict[str, list[int]]:
    """The patterns that see only what entered after some event: its ordinal, and the latest event time then.

    Args:
        head: The head of the state.
        figures: Its figures.
        changes: What has changed since it was written.
        plans: The plans of the patterns, by name.
        logger: The logger.
    """
    reaches = min(figures["journal"], figures["needed_from"])
    since = {
        name: [ordinal, latest]
        for name, (ordinal, latest) in head.get("since", {}).items()
        # Once nothing is left of the time before, nothing need be left out.
        if name in changes.kept and reaches <= latest
    }
    stored, arrivals = figures["store"]["types"], figures["store"]["arrivals"]
    everything = any(parts["select"] == "sc" for parts in head["patterns"].values())
    for pattern in changes.new if arrivals else ():
        plan = plans[pattern.name]
        lacking = sorted(plan.types.difference(stored))
        if plan.select == "sc":
            lacking = [*lacking, "types that no pattern names"]
        if lacking and not everything and pattern.begins != "now":
            logger.warning(
                "the pattern begins now: events were not kept that it would have to know",
                pattern=pattern.name,
                types=lacking,
            )
        if pattern.begins == "now" or (lacking and not everything):
            since[pattern.name] = [arrivals, figures["statistics"]["lta"]]
    return since
