"""How fast files become events: 300,000 records in different formats, decoded and mapped.

    python benchmarks/intake_files.py

Prints the best of three runs for each form, in processor time, and the machine; files are in its cache.
"""

from __future__ import annotations

import json
import logging
import platform
import random
import tempfile
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from limecep.clock import SystemClock
from limecep.config.model import ComponentConfig, SourceConfig, TimeConfig
from limecep.contracts.context import Context
from limecep.intake.reader import Reader
from limecep_codecs.config import CsvOptions, JsonOptions, RegexOptions, ZeekOptions
from limecep_codecs.csv_codec import CsvCodec
from limecep_codecs.json_codec import JsonCodec
from limecep_codecs.regex_codec import RegexCodec
from limecep_codecs.zeek import ZeekCodec
from limecep_file.config import FileOptions, FileSettings
from limecep_file.plugin import SOURCE
from limecep_file.source import FileSource

if TYPE_CHECKING:
    from limecep.contracts.codec import Codec

LINES = 300_000
RUNS = 3
BATCH = 5000
START = datetime(2026, 1, 5, 10, tzinfo=UTC)


def context(root: Path) -> Context:
    return Context(
        label="benchmark",
        clock=SystemClock(),
        counters=Counter(),
        logger=logging.getLogger(),
        root=root,
        lines=True,
    )


def write(folder: Path) -> None:
    chance = random.Random(7)
    rows = [(f"e{i}", i, chr(65 + chance.randrange(26)), chance.randrange(100)) for i in range(LINES)]
    with (folder / "epoch.jsonl").open("w") as out:
        out.writelines(f'{{"id":"{i}","time":{t},"type":"{k}","value":{v}}}\n' for i, t, k, v in rows)
    with (folder / "iso.jsonl").open("w") as out:
        stamps = ((START + timedelta(milliseconds=t)).isoformat() for _, t, _, _ in rows)
        out.writelines(
            f'{{"id":"{i}","time":"{stamp}","type":"{k}","value":{v}}}\n'
            for stamp, (i, _, k, v) in zip(stamps, rows, strict=True)
        )
    sheets = {
        "epoch.csv": "{},{},{},{}\n",
        "quoted.csv": '"{}",{},"{}",{}\n',
        "comma.csv": "{}; {}; {}; {},5\n",
        "pairs.log": 'id={} time={} type="{}" value={}\n',
        "words.log": "{} at {}: {} is {}\n",
        "zeek.log": "{}\t{}\t{}\t{}\n",
    }
    heads = {
        ".csv": "id,time,type,value\n",
        ".log": "#fields\tid\ttime\ttype\tvalue\n#types\tstring\tcount\tstring\tcount\n",
    }
    for name, line in sheets.items():
        with (folder / name).open("w") as out:
            head = heads[name[-4:]] if name in ("zeek.log", "epoch.csv", "quoted.csv", "comma.csv") else ""
            out.write(head.replace(",", ";") if name == "comma.csv" else head)
            out.writelines(line.format(*row) for row in rows)
    items = [{"id": i, "time": t, "type": k, "value": v} for i, t, k, v in rows]
    (folder / "pretty.json").write_text(json.dumps(items, indent=2))


def run(folder: Path, codec: Codec, config: SourceConfig, relevant: set[str] | None) -> float:
    source = FileSource(config.channel, FileSettings(), FileOptions(), context(folder))
    reader = Reader(config, codec, SystemClock(), relevant)
    begun = time.process_time()
    source.open()
    events = 0
    while not source.ended:
        events += len(reader.read(source.poll(BATCH, 0.0)).events)
    seconds = time.process_time() - begun
    source.close()
    if events != LINES:
        raise SystemExit(f"{config.channel}: {events} events of {LINES} lines")
    return seconds


PATTERN = r"^(?P<id>\S+) at (?P<time>\d+): (?P<type>\w) is (?P<value>\d+)"
CODECS = {
    "comma.csv": lambda ctx: CsvCodec(CsvOptions(delimiter=";", decimal=","), ctx),
    "pairs.log": lambda ctx: RegexCodec(RegexOptions(preset="logfmt"), ctx),
    "words.log": lambda ctx: RegexCodec(RegexOptions(pattern=PATTERN), ctx),
    "zeek.log": lambda ctx: ZeekCodec(ZeekOptions(), ctx),
}


def codec_of(file: str, context: Context) -> Codec:
    if file in CODECS:
        return CODECS[file](context)
    return CsvCodec(CsvOptions(), context) if file.endswith(".csv") else JsonCodec(JsonOptions(), context)


def main() -> None:
    print(
        platform.processor() or platform.machine(), platform.platform(), "Python", platform.python_version()
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder)
        ctx = context(folder)
        for title, file, format, ids, relevant in (
            ("JSON, epoch_ms, 3 of 26 types needed", "epoch.jsonl", "epoch_ms", True, {"A", "B", "C"}),
            ("JSON, epoch_ms, all types needed", "epoch.jsonl", "epoch_ms", True, None),
            ("JSON, iso8601, all types needed", "iso.jsonl", "iso8601", True, None),
            ("JSON, epoch_ms, digests as ids", "epoch.jsonl", "epoch_ms", False, None),
            ("JSON, a document of 6 lines a record", "pretty.json", "epoch_ms", True, None),
            ("CSV, epoch_ms, all types needed", "epoch.csv", "epoch_ms", True, None),
            ("CSV with quotes", "quoted.csv", "epoch_ms", True, None),
            ("CSV with blanks and decimal commas", "comma.csv", "epoch_ms", True, None),
            ("Zeek", "zeek.log", "epoch_ms", True, None),
            ("logfmt", "pairs.log", "epoch_ms", True, None),
            ("a pattern of 4 groups", "words.log", "epoch_ms", True, None),
        ):
            config = SourceConfig(
                name="events",
                connector=ComponentConfig(spec=SOURCE, options=FileOptions()),
                channel=file,
                type_field="type",
                time=TimeConfig(field="time", format=format),
                id=("id",) if ids else (),
            )
            rounds = [run(folder, codec_of(file, ctx), config, relevant) for _ in range(RUNS)]
            seconds = min(rounds)
            print(f"{title:40} {seconds:6.3f} s {LINES / seconds:12,.0f} lines/s")


if __name__ == "__main__":
    main()
