"""The morning of this example as three patients' devices send it: the watch what it has every three minutes,
and every tenth message twice. For the examples that have a broker."""

from __future__ import annotations

import csv
import json
import random
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent
#: How much later each patient's morning begins.
PATIENTS = {"p1": timedelta(0), "p2": timedelta(minutes=7), "p3": timedelta(hours=2)}
#: How often the watch sends.
SYNC = 180

#: When it is sent, in seconds; its channel; its content.
Message = tuple[float, str, dict[str, Any]]


def messages() -> list[Message]:
    """Every message, in the order of sending."""
    sent = [s for patient, shift in PATIENTS.items() for s in _of(patient, shift)]
    chance = random.Random(8)
    # A copy comes a little later than the message itself.
    copied = [message for message in sent if chance.random() < 0.1]
    sent += [(at + chance.uniform(1, 60), channel, content) for at, channel, content in copied]
    return sorted(sent, key=lambda s: s[0])


def _of(patient: str, shift: timedelta) -> list[Message]:
    found: list[Message] = []
    for name in ("vest", "rooms"):
        with (DATA / f"{name}.csv").open(newline="") as file:
            for row in csv.DictReader(file):
                time = datetime.fromisoformat(row.pop("time")) + shift
                values = {key: int(v) if v.isdecimal() else v for key, v in row.items()}
                content = {"patient": patient, "time": time.isoformat(), **values}
                found.append((time.timestamp() + 0.2, f"rpm.{name}", content))
    for line in (DATA / "watch.jsonl").read_text().splitlines():
        content = json.loads(line)
        content |= {"patient": patient, "at": content["at"] + shift.total_seconds()}
        # Those of one sending keep their order.
        found.append((content["at"] // SYNC * SYNC + SYNC, "rpm.watch", content))
    return found
