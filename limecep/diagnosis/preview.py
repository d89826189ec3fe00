"""What a sample of the sources says of a pipeline before it runs."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from limecep.config.advice import event_types
from limecep.diagnosis.attributes import Attributes, listed
from limecep.diagnosis.evidence import Evidence, Seen, SourceSeen
from limecep.diagnosis.fields import absent_from, in_words
from limecep.diagnosis.origins import every, odd_times
from limecep.diagnosis.reason import reason
from limecep.diagnosis.rows import unfound
from limecep.diagnosis.sequences import keys_never_shared
from limecep.diagnosis.steps import absent_types, contradictions
from limecep.diagnosis.unusable import wrong
from limecep.language.problems import QueryProblem
from limecep.plan.compiler import compile_plan

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from limecep.config.model import PipelineConfig
    from limecep.diagnosis.sample import Sample
    from limecep.model.event import Event

    #: A problem, and the keys that lead to what it is about in the pipeline's file. Offsets are those in a
    #: query.
    Found = tuple[tuple[str, ...], QueryProblem]

#: What a change of the clocks does to local times, by what is counted of it.
_CLOCKS = {
    "ambiguous_times": ("given twice", "'fold' says which is meant"),
    "skipped_times": ("skipped", "they are read as if there had been none"),
}


def suspicions(config: PipelineConfig, samples: Sequence[Sample]) -> Iterator[Found]:
    """What is odd about a pipeline, going by its samples.

    Args:
        config: The pipeline.
        samples: One of each of its sources.
    """
    looked = [s for s in samples if not s.unread]
    named = {t for p in config.patterns for t in event_types(p.pattern)}
    for sample in looked:
        yield from ((("sources", sample.source.name), p) for p in _of_source(sample, named, config))
    if not any(s.events for s in looked):
        return
    evidence = _evidence(looked, named)
    # What may come from where nobody has looked is not missing.
    unknown = [s.source for s in samples if s.unread]
    derived = {p.derives.type for p in config.patterns if p.derives is not None}
    for pattern in config.patterns:
        plan = compile_plan(pattern.pattern, name=pattern.name, select=pattern.select, params=config.params)
        attributes = Attributes(plan.pattern, evidence)
        found = [
            *attributes.absent(),
            *attributes.without_key(),
            *attributes.uncomparable(differing=True),
            *attributes.unusable(),
            *attributes.mixed(),
            *unfound(attributes),
        ]
        # Nor what other patterns derive.
        if not unknown and derived.isdisjoint(plan.types):
            found = [*absent_types(plan, evidence, negated=True), *found]
            found += keys_never_shared(plan, evidence)
        found += contradictions(plan)
        yield from ((("patterns", pattern.name, "query"), p) for p in found)


def _evidence(samples: Sequence[Sample], named: set[str]) -> Evidence:
    events: dict[str, list[Event]] = {}
    for event in (e for s in samples for e in s.events):
        events.setdefault(event.type, []).append(event)
    return Evidence(
        seen={t: Seen(first=of_type, total=len(of_type)) for t, of_type in events.items() if t in named},
        strangers={t: len(of_type) for t, of_type in events.items() if t not in named},
        all_strangers=all(s.whole for s in samples),
        sampled=not all(s.whole for s in samples),
        sources=[_seen(s) for s in samples],
    )


def _seen(sample: Sample) -> SourceSeen:
    times = [e.t_gen for e in sample.events]
    outcomes = {"in_order": len(times), "invalid": sample.invalid}
    return SourceSeen.of(sample.source, outcomes, min(times, default=None), max(times, default=None))


def _of_source(sample: Sample, named: set[str], config: PipelineConfig) -> Iterator[QueryProblem]:
    what = f"source '{sample.source.name}'"
    if sample.failure:
        yield QueryProblem(code="unreadable-source", message=f"{what} cannot be read: {sample.failure}")
        return
    if not sample.read:
        yield reason("empty-source", f"nothing is to be read from {what} ({sample.source.channel})")
        return
    if sample.first is not None:
        said = f"the first at {sample.first.position}: {wrong(sample.first.error, sample.first.fields)}"
        if sample.events:
            are = "is" if sample.invalid == 1 else "are"
            said = f"{sample.invalid:,} of {sample.read:,} records of {what} {are} invalid; {said}"
            yield reason("some-invalid", said)
        else:
            yield QueryProblem(
                code="all-invalid", message=f"{every(sample.read, f'of {what}', 'invalid')}; {said}"
            )
    for name, count in sample.unconverted.items():
        yield reason(
            "unconverted",
            f"'{name}' of {what} is not of the type in 'payload' in {count:,} of {sample.read:,} records",
            "it is then missing",
        )
    for name, (happened, hint) in _CLOCKS.items():
        if count := sample.changes[name]:
            times = "1 time" if count == 1 else f"{count:,} times"
            yield reason("clock-change", f"{times} of {what}: {happened} by a change of the clocks", hint)
    events = sample.of(named)
    for absent in absent_from(sample.source, events, sample.unconverted):
        said = in_words({**absent, "have": sample.fields}, len(events), what)
        yield reason("absent-field", said, "look at 'key' and 'payload'")
    contiguous = any(p.select == "sc" for p in config.patterns)
    others = Counter(e.type for e in sample.events if e.type not in named)
    if others and not contiguous:
        names = listed(name for name, _ in others.most_common())
        yield reason("unnamed-type", f"{what} brings {names}, which no pattern names")
    yield from odd_times(Evidence(seen={}, sources=[_seen(sample)]))
