"""Writes ticks.csv: three minutes of three stocks, the same every time. Their prices go up and down; that of
GRWL climbs for a while. Several trades have one time, so the exchange numbers them."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from pathlib import Path

#: New York time, as the exchange writes it.
OPEN = datetime(2026, 1, 5, 9, 30)
SECONDS = 180


def main(folder: Path) -> None:
    rng = random.Random(930)
    cents = {"ACME": 4512, "GRWL": 1990, "ZEPH": 12_050}
    lines = ["date,seq,symbol,price,volume"]
    for second in range(SECONDS):
        now = (OPEN + timedelta(seconds=second)).strftime("%m/%d/%Y %I:%M:%S %p")
        for _ in range(rng.choice((0, 1, 1, 2))):
            symbol = rng.choice(sorted(cents))
            climbing = symbol == "GRWL" and 90 <= second < 120
            cents[symbol] += rng.randrange(3, 9) if climbing else rng.randrange(-8, 8)
            lines.append(
                f"{now},{len(lines)},{symbol},{cents[symbol] / 100:.2f},{rng.randrange(1, 20) * 100}"
            )
    (folder / "ticks.csv").write_text("".join(f"{line}\n" for line in lines))


if __name__ == "__main__":
    main(Path(__file__).parent)
