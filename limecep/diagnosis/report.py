"""What is said at the end of a run, where the report has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.diagnosis.fields import absent_fields
from limecep.diagnosis.no_match import reasons

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.config.model import SourceConfig
    from limecep.detection.detection import Detection


def diagnose(
    detection: Detection,
    configs: Sequence[SourceConfig],
    patterns: dict[str, dict[str, Any]],
    sources: dict[str, dict[str, Any]],
) -> None:
    """Adds what seems to be wrong to the figures of patterns and sources.

    Args:
        detection: What detected.
        configs: The sources that it was fed from; none where a program fed it.
        patterns, sources: The figures, by name.
    """
    columns = {c["column"] for counts in sources.values() for c in counts.get("mixed_columns", ())}
    for name, told in reasons(detection, configs, columns).items():
        # That one has stopped is reason enough.
        if "disabled" not in patterns[name]:
            patterns[name] |= told
    unconverted = {name: counts.get("unconverted", ()) for name, counts in sources.items()}
    for name, absent in absent_fields(detection, configs, unconverted).items():
        sources[name]["absent_fields"] = absent
