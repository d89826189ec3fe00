"""What the runner says of a pipeline before anything runs."""

from __future__ import annotations

import glob
from typing import TYPE_CHECKING

from limecep.contracts.options import MaybeBounded, WithHorizon
from limecep.embedding.pipelines import decides_across_keys, parted, waits_for_time
from limecep.problems import Problem
from limecep_kafka.config import KafkaOptions
from limecep_spark_runner.groups import groups
from limecep_spark_runner.kafka_settings import untranslated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limecep.embedding.pipelines import (
        ComponentConfig,
        PatternConfig,
        PipelineConfig,
        SinkConfig,
        SourceConfig,
    )

#: Lateness policies whose verdict follows from the event and from how far time has come, and from no figures.
_FIXED = frozenset({"accept", "bound"})
#: Slack policies that wait no time that somebody has set.
_UNSET = frozenset({"adaptive", "none"})

Found = tuple[tuple[str, ...], Problem]


def vetted(config: PipelineConfig) -> Iterator[Found]:
    """What of a pipeline Spark cannot do, or does otherwise, each with where it stands."""
    for source in config.sources:
        yield from _source(source)
    for pattern in config.patterns:
        yield from _pattern(pattern)
        if any(s.live for s in config.sources):
            if config.retention_time is None:
                yield from _kept(pattern)
            yield from _waits(pattern, config)
    yield from _together(config)
    for above, below in parted(config.patterns):
        yield _error(
            "patterns",
            above.name,
            "query",
            message=f"on Spark keys are apart: pattern '{above.name}' reads what '{below.name}' derives, and "
            "is partitioned otherwise",
            hint="give both the same PARTITION BY, or use the runner local",
        )
    for sink in config.sinks:
        yield from _sink(sink)
    named = {id(s.connector): (("sources", s.name), s.connector) for s in reversed(config.sources)}
    named |= {id(s.connector): (("sinks", s.name), s.connector) for s in reversed(config.sinks)}
    for place, connector in named.values():
        if connector.spec.name == "kafka":
            yield from _brokers(connector, *place)
    for observer in config.observers:
        yield _warning(
            "observers",
            observer.name,
            message=f"on Spark observer '{observer.name}' is told nothing: figures are in the report alone",
            hint="look at Spark's own metrics, or use the runner local",
        )
    if config.state is not None:
        yield _warning("state", message="Spark keeps the state in its checkpoint: 'state' says nothing to it")


def _source(source: SourceConfig) -> Iterator[Found]:
    place = ("sources", source.name)
    kind = source.connector.spec.name
    if kind == "file":
        yield from _files(source)
    elif kind == "kafka":
        yield from _topics(source)
    elif kind == "spark":
        yield from _streams(source)
    else:
        yield _error(
            *place,
            "type",
            message=f"the runner spark reads no sources of type '{kind}'",
            hint="it reads files, topics of Kafka, and what Spark reads; others are read by the runner local",
        )
        return
    yield from _times(source)
    if source.idle_after is not None and not source.live:
        yield _warning(
            *place,
            "idle_after",
            message="on Spark no source holds time back: it is where the latest event of any has brought it",
        )


def _times(source: SourceConfig) -> Iterator[Found]:
    """Times that are read by the order of the input: workers have that of a file, and of nothing else."""
    place = ("sources", source.name)
    if source.connector.spec.name != "file":
        for key, said, hint in in_order(source):
            yield _error(*place, key, message=f"{said}, which the runner spark does not keep", hint=hint)
    elif source.live and source.arrival is None and source.time is not None and source.time.year == "arrival":
        yield _error(
            *place,
            "time",
            message="on Spark a file tells no arrival, so stamps cannot have their year from it",
            hint="name the year of the first stamp of a file, as in year: 2026",
        )


def in_order(source: SourceConfig) -> Iterator[tuple[str, str, str]]:
    """The times of a source that are read by the order of its input: key, what does so, and a way out."""
    for key, time in (("time", source.time), ("arrival", source.arrival)):
        if time is not None and time.zone is not None and time.fold == "order":
            yield (
                key,
                f"'fold: order' of '{key}' goes by the order of the input",
                "write fold: first, or second",
            )
        if time is not None and isinstance(time.year, int):
            hint = "write year: arrival" if key == "time" else "write arrival times with their year"
            yield key, f"'year: {time.year}' of '{key}' goes by the order of the input", hint


def by_place(source: SourceConfig) -> Iterator[tuple[str, str, str]]:
    """What a source revises by the order of its input, as `in_order`: a table has none."""
    if source.revise is not None and source.revise.version is None and source.arrival is None:
        yield (
            "revise",
            "'revise' without 'version' goes by the order of the input",
            "name the field with the version, or with the arrival",
        )


def _files(source: SourceConfig) -> Iterator[Found]:
    place = ("sources", source.name)
    if source.channel == "-":
        yield _error(
            *place, "channel", message="the runner spark does not read standard input", hint="name a file"
        )
        return
    if source.live and not glob.has_magic(source.channel):
        yield _error(
            *place,
            "follow",
            message="the runner spark does not read what is appended to a file",
            hint="leave 'follow' out; or write files that are complete, and follow the folder: data/*.csv",
        )
    elif source.live:
        yield _warning(
            *place,
            "follow",
            message="on Spark files that appear are read, once and as they are then: not what is appended to "
            "them; without 'arrival' their events arrive when they happened",
            hint="write a file elsewhere, and move it there once it is complete",
        )
    if "**" in source.channel:
        yield _error(
            *place,
            "channel",
            message="'**' means nothing to Spark",
            hint="write a level of folders for each *, as in data/*/*.csv",
        )
    if source.channel.rpartition("/")[2].startswith((".", "_")):
        yield _error(
            *place,
            "channel",
            message="Spark passes over files whose names begin with '.' or '_'",
            hint="rename them, or name others",
        )
    if source.settings.speed != "max":
        yield _warning(*place, "speed", message="the runner spark reads files as fast as it can")


def _topics(source: SourceConfig) -> Iterator[Found]:
    place = ("sources", source.name)
    if source.settings.dead_letter:
        yield _warning(
            *place,
            "dead_letter",
            message="on Spark messages that give no event go to the late output only",
            hint="add a sink with 'of: late', which may be a topic",
        )
    yield from _parts(source)


def _parts(source: SourceConfig) -> Iterator[Found]:
    """What a codec has to know of the beginning of an input that is read in parts."""
    place = ("sources", source.name, "format")
    codec = source.codec
    if codec is None:
        return
    kind = codec.spec.name
    if kind == "zeek" or (kind == "csv" and not codec.options.columns):
        hint = "name the columns: format: {type: csv, columns: [time, value]}"
        yield _error(
            *place,
            message="the runner spark reads messages in parts, of which only the first would have the header",
            hint=hint if kind == "csv" else "have Zeek write JSON",
        )
    if kind == "csv" and codec.options.skip:
        yield _error(
            *place,
            message="the runner spark reads messages in parts, and would pass over lines of each",
            hint="leave 'skip' out; lines that are comments may be told by 'comment'",
        )


def _streams(source: SourceConfig) -> Iterator[Found]:
    place = ("sources", source.name)
    for key, said, hint in () if source.settings.stream else by_place(source):
        yield _error("sources", source.name, key, message=f"{said}, which a table does not have", hint=hint)
    if source.settings.checkpoint:
        yield _warning(
            *place, "checkpoint", message="the checkpoint of the runner spark says how far a source was read"
        )
    if source.connector.options.conf:
        yield _warning(*place, "conf", message="the runner spark has settings of its own: its 'conf' counts")
    if source.settings.message or source.connector.options.format == "kafka":
        yield from _parts(source)


def _on_error(config: PatternConfig | SinkConfig, *place: str) -> Iterator[Found]:
    """Processes that know nothing of each other cannot agree to go on without a component."""
    if config.on_error == "disable":
        yield _error(
            *place,
            "on_error",
            message="the runner spark disables nothing: a component that fails ends the run",
            hint="leave 'on_error' out, or run it with the runner local",
        )


def _sink(sink: SinkConfig) -> Iterator[Found]:
    yield from _on_error(sink, "sinks", sink.name)
    if sink.repeat is not None:
        yield _error(
            "sinks",
            sink.name,
            "repeat",
            message="the runner spark tells of nothing again: no process knows all matches that stand",
            hint="leave 'repeat' out, or run it with the runner local",
        )
    if sink.connector.spec.name == "kafka" and sink.settings.transactional:
        yield _error(
            "sinks",
            sink.name,
            "transactional",
            message="Spark publishes without transactions: at least once",
            hint="leave 'transactional' out; consumers know a record again by 'match' and 'revision'",
        )


def _brokers(connector: ComponentConfig, *place: str) -> Iterator[Found]:
    """What of a connector goes missing, told where it is first used."""
    if isinstance(connector.options, KafkaOptions) and connector.options.group:
        yield _warning(
            *place,
            message="on Spark the checkpoint says where to go on: nothing is committed to the group "
            f"'{connector.options.group}'",
        )
    for key, needed in untranslated(connector.options.client).items():
        if needed:
            yield _error(
                *place,
                message=f"Kafka's client in Java, which Spark has, knows no {key} as it stands in 'client'",
                hint="README.md of limecep_spark_runner lists what is translated",
            )
        else:
            yield _warning(
                *place,
                message=f"{key} in 'client' says nothing to Kafka's client in Java, which Spark has",
            )


def _pattern(pattern: PatternConfig) -> Iterator[Found]:
    place = ("patterns", pattern.name)
    if decides_across_keys(pattern):
        yield _error(
            *place,
            "results",
            message=f"Spark divides the keys, and the result policy '{pattern.results.spec.name}' decides "
            "across them",
            hint="leave PARTITION BY out, or use the runner local with workers: 1",
        )
    yield from _on_error(pattern, *place)
    if not pattern.pattern.partition:
        yield _warning(
            *place,
            message=f"pattern '{pattern.name}' has no PARTITION BY: Spark runs it on one core",
            hint="add PARTITION BY and the attribute that all events of a match agree on",
        )
    elif pattern.lateness.spec.name not in _FIXED:
        yield _warning(
            *place,
            "lateness",
            message=f"on Spark the lateness policy '{pattern.lateness.spec.name}' learns from each key by "
            "itself: it may decide otherwise than in one process",
        )
    if pattern.slack.spec.name not in _UNSET:
        yield _warning(
            *place,
            "slack",
            message=f"on Spark the slack policy '{pattern.slack.spec.name}' waits to the end of a batch at "
            "most",
            hint="in live runs 'trigger' says how often there is one",
        )


def _together(config: PipelineConfig) -> Iterator[Found]:
    """The patterns whose keys are not divided, as events that are revised may go from one to another."""
    for group in groups(config):
        if (source := group.undivided) is None:
            continue
        for pattern in group.config.patterns:
            paths = [".".join(path) for path in pattern.pattern.partition]
            fields = dict.fromkeys([*paths, *source.id])
            yield _warning(
                "patterns",
                pattern.name,
                message=f"Spark runs pattern '{pattern.name}' on one core: source '{source.name}' revises "
                f"events, and their 'id' does not tell the key ({', '.join(paths)}) that a withdrawal is of",
                hint=f"name its fields in the id where no revision changes them: id: [{', '.join(fields)}]",
            )


def _kept(pattern: PatternConfig) -> Iterator[Found]:
    """What of a live run would grow for ever."""
    lateness = pattern.lateness
    accepted, results = lateness.options, pattern.results.options
    bounded = not isinstance(accepted, MaybeBounded) or accepted.bounded
    ends = isinstance(results, WithHorizon) and results.horizon
    if lateness.spec.name in _FIXED and not (bounded or ends):
        yield _warning(
            "patterns",
            pattern.name,
            "lateness",
            message=f"on Spark every key of pattern '{pattern.name}' is kept for ever: the lateness policy "
            f"'{lateness.spec.name}' accepts events however late",
            hint="bound it, as in lateness: {type: bound, within: 10m}, or add retention: {time: 1h}",
        )


def _waits(pattern: PatternConfig, config: PipelineConfig) -> Iterator[Found]:
    """What of a live run waits for events although time would be enough."""
    if waits_for_time(pattern, config):
        yield _warning(
            "patterns",
            pattern.name,
            message=f"on Spark time stands still while no source brings anything: what pattern "
            f"'{pattern.name}' waits for is told with the next events",
            hint="let a source send something regularly, or use the runner local",
        )


def _error(*place: str, message: str, hint: str = "") -> Found:
    return place, Problem(code="not-on-spark", message=message, hint=hint)


def _warning(*place: str, message: str, hint: str = "") -> Found:
    return place, Problem(code="other-on-spark", message=message, hint=hint, severity="warning")
