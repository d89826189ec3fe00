"""What this plugin brings."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl
from limecep_codecs.config import (
    CloudEventsOptions,
    CsvOptions,
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


@hookimpl
def limecep_codecs() -> list[ComponentSpec]:
    return [JSON, CSV, REGEX, ZEEK, CLOUDEVENTS, PLAIN, SENML]
