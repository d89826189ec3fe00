"""Writes the data: a file for each of four vans, a line every five seconds and when its door is opened or
closed; the lines of a minute may be in disorder. The same every time."""

from __future__ import annotations

import csv
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

BEGIN = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)


def main(folder: Path) -> None:
    for number in range(1, 5):
        chosen = Random(number)
        rows: list[tuple[float, str, str]] = []
        speed, closes = 30, 0.0
        for second in range(0, 900, 5):
            if second < closes:
                continue
            speed = max(0, min(95, speed + chosen.randrange(-25, 28)))
            rows.append((second, "Speed", str(speed)))
            if speed < 10 and chosen.random() < 0.4:
                closes = second + chosen.choice([25, 60, 95, 170, 220])
                rows += [(second + 2, "DoorOpened", ""), (closes, "DoorClosed", "")]
                speed = 0
        # Some are sent later than others.
        rows.sort(key=lambda row: row[0] + (chosen.uniform(0, 60) if chosen.random() < 0.1 else 0))
        with (folder / f"van-{number}.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["time", "type", "van", "kmh"])
            for passed, what, kmh in rows:
                writer.writerow(
                    [f"{BEGIN + timedelta(seconds=passed):%Y-%m-%dT%H:%M:%SZ}", what, number, kmh]
                )


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
