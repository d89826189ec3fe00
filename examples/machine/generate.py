"""Writes readings.csv and log.jsonl: a night of three machines, the same every time.

Now and then a pump slows down and its machine heats up, until the machine shuts itself down; mostly somebody
starts it again.
"""

from __future__ import annotations

import csv
import json
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

START = datetime(2026, 1, 5, 18, tzinfo=UTC)
MINUTES = 12 * 60
NORMAL, HOT = 62.0, 95.0


def main(folder: Path) -> None:
    rng = random.Random(20260105)
    readings: list[tuple[datetime, str, float]] = []
    log: list[tuple[datetime, str, str]] = []
    for machine in ("m1", "m2", "m3"):
        celsius, pump_slow, down_until = NORMAL, False, 0
        for minute in range(MINUTES):
            now = START + timedelta(minutes=minute, seconds=rng.randrange(40))
            later = now + timedelta(seconds=15)
            if minute == down_until and minute:
                log.append((later, "Restart", machine))
            if minute < down_until:
                celsius += (NORMAL - 20 - celsius) * 0.05
            elif pump_slow:
                celsius += rng.uniform(0.5, 5.0)
                if celsius > HOT:
                    log.append((later, "Shutdown", machine))
                    pump_slow, down_until = False, minute + rng.choice((15, 25, 90))
            else:
                celsius += (NORMAL - celsius) * 0.2 + rng.gauss(0, 0.6)
                if minute > down_until + 5 and rng.random() < 0.006:
                    pump_slow = True
                    log.append((later, "PumpSlow", machine))
            readings.append((now, machine, round(celsius, 1)))
    with (folder / "readings.csv").open("w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["time", "machine", "celsius"])
        rows.writerows([text(t), machine, celsius] for t, machine, celsius in sorted(readings))
    with (folder / "log.jsonl").open("w") as file:
        for n, (t, event, machine) in enumerate(sorted(log), 1):
            file.write(
                json.dumps({"id": f"n{n}", "time": text(t), "event": event, "machine": machine}) + "\n"
            )


def text(time: datetime) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


if __name__ == "__main__":
    main(Path(__file__).parent)
