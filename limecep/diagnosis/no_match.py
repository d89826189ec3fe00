"""Why a pattern found nothing, and what its conditions never could know, as far as what came can tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.diagnosis.attributes import Attributes
from limecep.diagnosis.evidence import GLANCE_EVENTS, Evidence, SourceSeen, stored
from limecep.diagnosis.functions import mistaken
from limecep.diagnosis.origins import lost, odd_times
from limecep.diagnosis.reason import reason
from limecep.diagnosis.sequences import never_together
from limecep.diagnosis.steps import absent_types, never_held
from limecep.model.expression import Call
from limecep.model.walk import walk

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from limecep.config.model import SourceConfig
    from limecep.detection.detection import Detection
    from limecep.language.problems import QueryProblem
    from limecep.plan.plan import Plan


#: A reason as the report has it.
Told = dict[str, str]


def reasons(
    detection: Detection, sources: Sequence[SourceConfig], columns: Collection[str] = ()
) -> dict[str, dict[str, list[Told]]]:
    """What the events that came say of the patterns, for the report, by the name of the pattern: under
    `why_none` why it found nothing although something was read, and under `suspicions` what its conditions
    ask that no event could tell, also where it found something.

    Args:
        detection: What detected.
        sources: The sources that it was fed from; none where a program fed it.
        columns: Columns of which it is told already that they hold values of several kinds.
    """
    if not any(s.read for s in detection.statistics.sources.values()):
        return {}
    figures = detection.patterns()
    glance = Evidence(seen=stored(detection, GLANCE_EVENTS))
    whole: Evidence | None = None
    found: dict[str, dict[str, list[Told]]] = {}
    for plan in (d.plan for d in detection.detectors):
        counts = figures[plan.name]
        # Who finds something pays for a glance only, unless that gives cause for more.
        if counts["emitted"] and not counts.get("unknown") and not suspicious(plan, glance, columns):
            continue
        whole = whole or Evidence(
            seen=stored(detection),
            strangers=detection.strangers.counts,
            all_strangers=detection.strangers.whole,
            sources=[_source(s, detection) for s in sources],
            derived=_derived(detection),
        )
        none = [] if counts["emitted"] else why(plan, whole, counts)
        odd = [r for r in suspicious(plan, whole, columns) if r not in none]
        lists = {"why_none": none, "suspicions": odd}
        found[plan.name] = {name: list(map(_told, of)) for name, of in lists.items() if of}
    return found


def _derived(detection: Detection) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for d in detection.detectors:
        if d.derives is not None:
            found.setdefault(d.derives.type, []).append(d.plan.name)
    return found


def suspicious(plan: Plan, evidence: Evidence, columns: Collection[str] = ()) -> list[QueryProblem]:
    """What the conditions of a plan ask that no event of what came could tell, of any of its steps; and
    attributes of several kinds, other than `columns`."""
    attributes = Attributes(plan.pattern, evidence)
    found = [
        *attributes.absent(),
        *attributes.without_key(some=False),
        *attributes.uncomparable(),
        *attributes.unusable(),
        *attributes.mixed(columns),
        *_unfound(attributes),
    ]
    return list(dict.fromkeys(found))


def _unfound(attributes: Attributes) -> Iterable[QueryProblem]:
    if not any(isinstance(n, Call) for e in attributes.expressions for n in walk(e)):
        return ()
    # Most patterns look nothing up.
    from limecep.diagnosis.rows import unfound

    return unfound(attributes)


def _told(found: QueryProblem) -> Told:
    return {"code": found.code, "message": found.message, "hint": found.hint}


def _source(config: SourceConfig, detection: Detection) -> SourceSeen:
    known = detection.statistics.source(config.name)
    return SourceSeen.of(config, known.outcomes, known.first, known.latest)


def why(plan: Plan, evidence: Evidence, figures: Mapping[str, int]) -> list[QueryProblem]:
    """The reasons, the most telling first.

    Args:
        plan: The plan of the pattern.
        evidence: What came. Something was read.
        figures: Those of the pattern in the report.
    """
    # What lacks only for steps that may be empty, or must be, made nothing impossible.
    needed = {s.variable for a in plan.alternatives for s in a.steps if s.quantifier.minimum > 0}
    attributes = Attributes(plan.pattern, evidence, needed)
    found = [
        *absent_types(plan, evidence),
        *attributes.absent(),
        *attributes.without_key(),
        *attributes.uncomparable(),
        *attributes.unusable(),
    ]
    if functions := [*mistaken(figures)]:
        # What seems to be wrong with conditions may come of it.
        found = [*functions, *found]
    found += never_held(plan, evidence, [(r.start, r.end) for r in found])
    found += lost(plan.types, evidence)
    if not found:
        found += never_together(plan, evidence)
        found += odd_times(evidence)
        found += Attributes(plan.pattern, evidence).absent()
    if figures.get("pending"):
        found.append(reason("pending", f"{figures['pending']:,} evaluations wait for time to pass"))
    if figures.get("refused") and not any(r.code == "all-late" for r in found):
        found.append(
            reason(
                "refused", f"{figures['refused']:,} events were extremely late for it", "look at 'lateness'"
            )
        )
    if not plan.alternatives:
        found.insert(0, reason("never-true", "some condition is never true"))
    return list(dict.fromkeys(found))
