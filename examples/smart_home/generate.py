"""Writes gas.jsonl, temperature.csv and smoke.jsonl: an evening in a house, the same every time.

At 19:10 gas leaks in the kitchen, and there is a fire. At 19:30 a pan smokes in the kitchen: no gas. At 19:50
gas leaks in the cellar, which is aired before anything happens. The gas sensors send some messages twice, and
one message is cut off.
"""

from __future__ import annotations

import csv
import json
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

SEVEN = datetime(2026, 1, 5, 19, tzinfo=UTC)
ROOMS = ("kitchen", "hall", "cellar", "bedroom")
#: Degrees above normal in the kitchen, by second: the fire, and the pan.
HEAT = {606: 2.5, 612: 6.0, 618: 11.5, 624: 17.0, 630: 21.0, 1800: 3.0, 1806: 4.5}


def main(folder: Path) -> None:
    rng = random.Random(19)
    with (folder / "temperature.csv").open("w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["time", "room", "celsius"])
        for second in range(0, 3600, 6):
            # Every minute is enough where nothing happens.
            for room in ROOMS if second % 60 == 0 else ["kitchen"] if second in HEAT else []:
                heat = HEAT.get(second, 0.0) if room == "kitchen" else 0.0
                rows.writerow([stamp(second), room, round(19.5 + rng.random() + heat, 1)])
    gas = [(600, "kitchen", 62), (604, "kitchen", 71), (3000, "cellar", 55), (3010, "cellar", 31)]
    with (folder / "gas.jsonl").open("w") as file:
        for number, (second, room, percentage) in enumerate(gas, 1):
            line = json.dumps(
                {"id": f"g{number}", "ts": stamp(second), "room": room, "percentage": percentage}
            )
            file.write(f"{line}\n{line}\n" if percentage > 60 else f"{line}\n")
            if number == 3:
                file.write(f"{line[:40]}\n")
    with (folder / "smoke.jsonl").open("w") as file:
        for number, (second, density) in enumerate([(622, 0.12), (628, 0.31), (1812, 0.15)], 1):
            record = {"id": f"s{number}", "ts": stamp(second), "room": "kitchen", "density": density}
            file.write(json.dumps(record) + "\n")


def stamp(second: int) -> str:
    return (SEVEN + timedelta(seconds=second)).strftime("%Y-%m-%dT%H:%M:%SZ")


if __name__ == "__main__":
    main(Path(__file__).parent)
