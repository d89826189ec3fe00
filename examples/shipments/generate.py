"""Writes orders.jsonl and shipments.jsonl: three days of a shop as Debezium tells them, the same every time.

Orders are amended, and some are cancelled: their rows are deleted. So are rows of shipments whose labels were
printed by mistake. Changes of one row may come in the wrong order.
"""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

START = datetime(2026, 3, 2, 8, tzinfo=UTC)
ORDERS = 60
#: A row, when it is to change, and what it is before and after.
Change = tuple[datetime, str, dict[str, Any] | None, dict[str, Any] | None]


def main(folder: Path) -> None:
    rng = random.Random(20260302)
    changes: list[Change] = []
    for n in range(1, ORDERS + 1):
        placed = START + timedelta(minutes=rng.randrange(3 * 24 * 60))
        row = {
            "order_id": f"o{n}",
            "customer": f"c{rng.randrange(1, 5)}",
            "amount": rng.randrange(20, 900),
            "placed_at": text(placed),
        }
        changes += life(rng, "orders", row, placed, {"amount": lambda: rng.randrange(20, 900)}, gone=0.2)
        if rng.random() < 0.75:
            sent = placed + timedelta(hours=rng.randrange(1, 60), minutes=rng.randrange(60))
            shipment = {"shipment_id": f"s{n}", "order_id": f"o{n}", "sent_at": text(sent)}
            changes += life(rng, "shipments", shipment, sent, {}, gone=0.15)
    written: dict[str, list[dict[str, Any]]] = {"orders": [], "shipments": []}
    for lsn, (when, table, before, after) in enumerate(sorted(changes, key=lambda c: (c[0], str(c))), 1):
        op = "c" if before is None else "u" if after is not None else "d"
        source = {"table": table, "lsn": lsn, "ts_ms": int(when.timestamp() * 1000)}
        written[table].append({"before": before, "after": after, "source": source, "op": op})
    for table, records in written.items():
        for place in range(1, len(records)):
            if rng.random() < 0.1:
                records[place - 1 : place + 1] = records[place], records[place - 1]
        lines = "".join(json.dumps(record) + "\n" for record in records)
        (folder / f"{table}.jsonl").write_text(lines)


def life(
    rng: random.Random, table: str, row: dict[str, Any], begun: datetime, amended: dict[str, Any], gone: float
) -> list[Change]:
    """The changes of a row."""
    when = begun + timedelta(seconds=rng.randrange(1, 30))
    found: list[Change] = [(when, table, None, row)]
    for _ in range(rng.choice((0, 0, 1, 2)) if amended else 0):
        when += timedelta(minutes=rng.randrange(5, 400))
        changed = {**row, **{name: value() for name, value in amended.items()}}
        found.append((when, table, row, changed))
        row = changed
    if rng.random() < gone:
        when += timedelta(minutes=rng.randrange(5, 400))
        found.append((when, table, row, None))
    return found


def text(time: datetime) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


if __name__ == "__main__":
    main(Path(__file__).parent)
