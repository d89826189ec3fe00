"""What this plugin brings."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl
from limecep_file.config import FileOptions, FileSettings, FileSinkOptions, FilesTableOptions, StdoutOptions

SOURCE = ComponentSpec(
    kind="source",
    name="file",
    factory="limecep_file.source:FileSource",
    options=FileOptions,
    settings=FileSettings,
    summary="Lines of files (plain or gzip, globs) or of standard input, replayed or followed",
    example="""\
connectors:
  log: {type: file}
sources:
  readings: {from: log, channel: "plant/*.csv", as: Reading, time: timestamp}""",
    stability="stable",
    capabilities=frozenset({"finite", "lines"}),
    format_of="limecep_file.formats:default_format",
)
FILE = ComponentSpec(
    kind="sink",
    name="file",
    factory="limecep_file.sinks:file_sink",
    options=FileSinkOptions,
    summary="JSON lines appended to a file, synced to disk",
    example="""\
sinks:
  out: {type: file, path: out.jsonl}""",
    stability="stable",
    capabilities=frozenset({"channel", "encodes"}),
)
TABLE = ComponentSpec(
    kind="table",
    name="files",
    factory="limecep_file.table:FilesTable",
    options=FilesTableOptions,
    summary="Rows of files: CSV, JSON lines, whatever a codec reads (plain or gzip, globs)",
    example="""\
tables:
  limits: {from: files, channel: limits.csv, key: machine}""",
    capabilities=frozenset({"channel", "lines", "messages", "checked"}),
    format_of="limecep_file.formats:default_format",
)
STDOUT = ComponentSpec(
    kind="sink",
    name="stdout",
    factory="limecep_file.stdout:StdoutSink",
    options=StdoutOptions,
    summary="JSON lines on standard output, or on a terminal rows for people",
    default=True,
    example="""\
sinks:
  out: {type: stdout, format: json}""",
    stability="stable",
    capabilities=frozenset({"encodes"}),
)
NONE = ComponentSpec(
    kind="sink",
    name="none",
    factory="limecep_file.sinks:NoneSink",
    summary="Nothing is written: matches are only counted",
    example="""\
sinks:
  out: {type: none}""",
    stability="stable",
    capabilities=frozenset({"encodes"}),
)


@hookimpl
def limecep_sources() -> list[ComponentSpec]:
    return [SOURCE]


@hookimpl
def limecep_tables() -> list[ComponentSpec]:
    return [TABLE]


@hookimpl
def limecep_sinks() -> list[ComponentSpec]:
    return [FILE, STDOUT, NONE]
