"""Writes vest.csv, watch.jsonl and rooms.csv: a morning of one patient at home, the same every time.

The patient walks about until 9:20 and then sits down. At 9:41 the watch counts steps, more from minute to
minute, though the patient leaves no room. From 10:10 on the heart beats faster and faster, and the patient
sweats.
"""

from __future__ import annotations

import csv
import json
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

NINE = datetime(2026, 1, 5, 9, tzinfo=UTC)
REST = 68


def main(folder: Path) -> None:
    rng = random.Random(5)
    walks = [(4, "bathroom"), (7, "kitchen"), (12, "hall"), (16, "kitchen"), (20, "living room")]
    with (folder / "rooms.csv").open("w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["time", "room"])
        rows.writerows([text(minutes(m)), room] for m, room in walks)

    steps = {m: rng.randrange(20, 60) for m, _ in walks} | {41: 14, 42: 37, 43: 30, 44: 61, 45: 95}
    sweat = {9: False, 25: False, 72.6: True, 73.4: False, 76: True}
    reports = [(m, {"type": "STEPS", "value": n}) for m, n in steps.items()]
    reports += [(m, {"type": "SWEAT", "levelIncreased": increased}) for m, increased in sweat.items()]
    with (folder / "watch.jsonl").open("w") as file:
        for number, (minute, report) in enumerate(sorted(reports, key=lambda r: r[0]), 1):
            at = minutes(minute) + timedelta(seconds=30)
            file.write(json.dumps({"id": f"w{number}", "at": at.timestamp(), **report}) + "\n")

    with (folder / "vest.csv").open("w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["time", "value", "rr"])
        for second in range(0, 80 * 60, 40):
            minute = second / 60
            heart = REST + rng.randrange(-3, 4) + (round(12 * (minute - 70)) if 70 <= minute < 76 else 0)
            rows.writerow([text(minutes(minute)), heart, round(60_000 / heart)])


def minutes(after: float) -> datetime:
    return NINE + timedelta(minutes=after)


def text(time: datetime) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


if __name__ == "__main__":
    main(Path(__file__).parent)
