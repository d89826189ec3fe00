"""What this plugin brings."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl
from limecep_codecs.config import (
    ChangelogOptions,
    CloudEventsOptions,
    CsvOptions,
    DebeziumOptions,
    JsonOptions,
    PlainOptions,
    RegexOptions,
    SenmlOptions,
    ZeekOptions,
)

JSON = ComponentSpec(
    kind="codec",
    name="json",
    factory="limecep_codecs.json_codec:JsonCodec",
    options=JsonOptions,
    summary="JSON objects: one a line or a message, lists of them, documents over several lines",
    default=True,
    example="format: {type: json, path: data.items}      # or just json",
    stability="stable",
)
CSV = ComponentSpec(
    kind="codec",
    name="csv",
    factory="limecep_codecs.csv_codec:CsvCodec",
    options=CsvOptions,
    summary="CSV in its dialects; cells may be quoted, and then go over several lines",
    example='format: {type: csv, delimiter: ";", decimal: ",", nulls: [NA]}',
    stability="stable",
)
REGEX = ComponentSpec(
    kind="codec",
    name="regex",
    factory="limecep_codecs.regex_codec:RegexCodec",
    options=RegexOptions,
    summary="Lines of text: by a regular expression, or syslog, access logs, NMEA 0183, logfmt",
    example="""\
format: {type: regex, preset: combined}
format: {type: regex, pattern: '^(?P<time>\\S+) (?P<level>[A-Z]+) (?P<text>.*)'}""",
    stability="beta",
)
ZEEK = ComponentSpec(
    kind="codec",
    name="zeek",
    factory="limecep_codecs.zeek:ZeekCodec",
    options=ZeekOptions,
    summary="Logs of Zeek, with the types that they say",
    example="""\
connections: {type: file, channel: conn.log, format: zeek, as: Connection,
              time: {field: ts, format: epoch_s}, id: uid}""",
    stability="beta",
)
CLOUDEVENTS = ComponentSpec(
    kind="codec",
    name="cloudevents",
    factory="limecep_codecs.cloudevents:CloudEvents",
    options=CloudEventsOptions,
    summary="CloudEvents 1.0, structured or binary; for sinks an envelope",
    example="""\
format: cloudevents                 # of a source, which then has id: [ce.source, ce.id], time: ce.time,
                                    # as: {field: ce.type}, unless it names others
envelope: {type: cloudevents, source: /box-12}      # of a sink""",
    stability="beta",
    capabilities=frozenset({"envelope"}),
)
PLAIN = ComponentSpec(
    kind="codec",
    name="plain",
    factory="limecep_codecs.plain:PlainCodec",
    options=PlainOptions,
    summary="Plain values: a message is one number, or one text",
    example="""\
format: plain                       # of a source, with as: {field: "$topic[2]"}; the field is value
format: {type: plain, as: celsius, kind: number}""",
    stability="beta",
)
SENML = ComponentSpec(
    kind="codec",
    name="senml",
    factory="limecep_codecs.senml:SenmlCodec",
    options=SenmlOptions,
    summary="SenML packs in JSON (RFC 8428): each measurement, its base values resolved",
    example="""\
format: senml                       # of a source, which then has as: {field: n}, key: bn,
                                    # time: {field: time, format: epoch_s}, unless it names others""",
    stability="beta",
)
CHANGELOG = ComponentSpec(
    kind="codec",
    name="changelog",
    factory="limecep_codecs.changelog:ChangelogCodec",
    options=ChangelogOptions,
    summary="Change logs that pipelines write: a match is an event, which corrections revise",
    example="""\
format: changelog                   # of a source, which then has as: {field: _pattern}, id: _match,
                                    # time: _end, and revise, unless it names others""",
    stability="beta",
)
DEBEZIUM = ComponentSpec(
    kind="codec",
    name="debezium",
    factory="limecep_codecs.debezium:DebeziumCodec",
    options=DebeziumOptions,
    summary="Changes of database rows as Debezium writes them: created, updated, deleted",
    example="""\
format: debezium                    # of a source, which then has as: {field: _table}, and revise, by which
                                    # deleted rows are withdrawn, unless it names others""",
    stability="beta",
)


@hookimpl
def limecep_codecs() -> list[ComponentSpec]:
    return [JSON, CSV, REGEX, ZEEK, CLOUDEVENTS, PLAIN, SENML, CHANGELOG, DEBEZIUM]
