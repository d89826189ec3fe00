"""How fast files become events: 300,000 JSON lines, and the same as CSV, decoded and mapped.

    python benchmarks/intake_files.py

Prints the median of three runs for each form, and what it was measured on. Times are those of one core, with
the file in the system's cache.
"""

from __future__ import annotations

import logging
import platform
import random
import statistics
import tempfile
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from limecep.clock import Stopwatch, SystemClock
from limecep.config.model import ComponentConfig, SourceConfig, TimeConfig
from limecep.contracts.context import Context
from limecep.intake.reader import Reader
from limecep_codecs.config import CsvOptions, JsonOptions
from limecep_codecs.csv_codec import CsvCodec
from limecep_codecs.json_codec import JsonCodec
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
        label="benchmark", clock=SystemClock(), counters=Counter(), logger=logging.getLogger(), root=root
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
    with (folder / "epoch.csv").open("w") as out:
        out.write("id,time,type,value\n")
        out.writelines(f"{i},{t},{k},{v}\n" for i, t, k, v in rows)


def run(folder: Path, codec: Codec, config: SourceConfig, relevant: set[str] | None) -> float:
    source = FileSource(config.channel, FileSettings(), FileOptions(), context(folder))
    reader = Reader(config, codec, SystemClock(), relevant)
    watch = Stopwatch()
    source.open()
    events = 0
    while not source.ended:
        events += len(reader.read(source.poll(BATCH, 0.0)).events)
    seconds = watch.seconds
    source.close()
    if events != LINES:
        raise SystemExit(f"{config.channel}: {events} events of {LINES} lines")
    return seconds


def codec_of(file: str, context: Context) -> Codec:
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
            ("CSV, epoch_ms, all types needed", "epoch.csv", "epoch_ms", True, None),
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
            seconds = statistics.median(rounds)
            print(f"{title:40} {seconds:6.3f} s {LINES / seconds:12,.0f} lines/s")


if __name__ == "__main__":
    main()
