"""What must be the same for a state to fit a pipeline: its patterns, and how they are evaluated."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from limecep import __version__
from limecep.errors import RunFailure
from limecep.spec import title

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from limecep.config.model import ComponentConfig, PipelineConfig
    from limecep.patterns.detector import Detector

#: The format of the rows that a pipeline writes.
FORMAT = 3


def fingerprint(config: PipelineConfig, detectors: Sequence[Detector]) -> dict[str, Any]:
    """That of a pipeline, as values of JSON: what stands for each of its patterns, in their order, and which
    distribution or file brings components that are none of limecep's."""
    brought = {
        f"{title(c.spec.kind)} '{c.spec.name}'": c.origin
        for p in config.patterns
        for c in (p.engine, p.lateness, p.slack, p.recompute, p.results, *p.functions)
        if c.origin not in ("", "limecep")
    }
    return {
        **({"brought": brought} if brought else {}),
        **({"files": {f.name: f.digest for f in config.plugins}} if config.plugins else {}),
        **({"tables": _tables(config)} if config.tables else {}),
        "ordered": config.sequenced,
        "patterns": {
            p.name: {
                # What values a match has is not part of what it is, but of what is derived of it.
                "query": str(d.plan.pattern if p.derives else replace(d.plan.pattern, returns=())),
                **({"derive": f"{p.derives.type}, {p.derives.time}"} if p.derives else {}),
                "select": p.select,
                "engine": _text(p.engine),
                "lateness": _text(p.lateness),
                "slack": _text(p.slack),
                "recompute": _text(p.recompute),
                "results": f"{_text(p.results)}, max_per_end {p.max_per_end}"
                + (f", pick {p.pick}" if p.pick else ""),
            }
            for p, d in zip(config.patterns, detectors, strict=True)
        },
    }


def _tables(config: PipelineConfig) -> dict[str, dict[str, Any]]:
    # Most pipelines have none.
    from limecep.state.tables import told

    return told(config)


def _text(component: ComponentConfig) -> str:
    return f"{component.spec.name} {component.options!r}"


def check(known: Mapping[str, Any], now: Mapping[str, Any], where: str) -> None:
    """Nothing, if a state with one fingerprint fits a pipeline with another.

    Args:
        known: The fingerprint that the state has.
        now: That of the pipeline.
        where: What the state is called.

    Raises:
        RunFailure: It does not; the message says what is different, and what can be done.
    """
    if said := differences(known, now):
        raise another(where, said)


def another(where: str, said: Sequence[str], why: str = "") -> RunFailure:
    """What is raised about a state that is of another pipeline.

    Args:
        where: What the state is called.
        said: In what they differ.
        why: Why it cannot go on all the same, if that needs saying.
    """
    return RunFailure(
        f"the state {where} is that of another pipeline: {'; '.join(said)}. {why}Undo the change, use "
        f"another 'dir', or begin anew with: limecep state reset {where}"
    )


def differences(known: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """In what two fingerprints differ, in words for the user."""
    before, after = known["patterns"], now["patterns"]
    said = [f"there is no pattern '{name}' any more" for name in before if name not in after]
    said += [f"pattern '{name}' is new" for name in after if name not in before]
    for name, parts in after.items():
        if changed := changed_parts(before.get(name, parts), parts):
            said.append(f"pattern '{name}' has another {', '.join(changed)}")
    said += common_differences(known, now)
    if not said and list(before) != list(after):
        said.append("the patterns are in another order")
    return said


def changed_parts(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """What of a pattern is not what it was."""
    return [part for part in {**after, **before} if after.get(part) != before.get(part)]


def common_differences(known: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """In what two fingerprints differ that is no one pattern's, in words for the user."""
    told = known.get("brought", {})
    said = [
        f"{component} is that of '{origin}', and was that of '{told[component]}'"
        for component, origin in now.get("brought", {}).items()
        if told.get(component, origin) != origin
    ]
    rows = known.get("tables", {})
    said += [
        f"table '{name}' has other rows, or another key (rows may change where they hold 'from_time' on)"
        for name, told in now.get("tables", {}).items()
        if rows.get(name, told) != told
    ]
    before_workers, workers = known.get("workers", 1), now.get("workers", 1)
    if before_workers != workers:
        said.append(f"it was kept with {_processes(before_workers)}, and this run has {_processes(workers)}")
    if known["ordered"] != now["ordered"]:
        said.append("'order' or 'rank' of the sources makes sequence numbers count, or does so no more")
    return said


def changed_files(known: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """The files with components of the pipeline that have another text than when a state was written."""
    before = known.get("files", {})
    return [name for name, digest in now.get("files", {}).items() if before.get(name, digest) != digest]


def _processes(workers: int) -> str:
    return "one process" if workers == 1 else f"workers: {workers}"


def check_format(known: Mapping[str, Any], where: str) -> None:
    """Nothing, if this limecep can read a state.

    Raises:
        RunFailure: It cannot.
    """
    found = known["format"]
    if found == FORMAT:
        return
    age = "newer" if found > FORMAT else "older"
    use = f"use another build of {__version__}" if known["version"] == __version__ else "use that version"
    raise RunFailure(
        f"the state {where} was written by limecep {known['version']} in format {found}, which is {age} than "
        f"what this one reads ({FORMAT}): {use}, or begin anew with: limecep state reset {where}"
    )
