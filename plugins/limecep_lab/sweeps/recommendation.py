"""Which choice to take, and why."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from limecep_lab.sweeps.documents import written
from limecep_lab.text_tables import number, seconds, share

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from limecep_lab.sweeps.sweep import Swept
    from limecep_lab.text_tables import Row

#: Numbers of events that are kept are alike if they differ by less than that factor.
_ALIKE_FACTOR = 1.2


@dataclass(frozen=True, kw_only=True)
class Score:
    """How good a choice is, over all levels and patterns.

    Attributes:
        choice: Its place.
        precision, recall: Of what is live at the end; None for those of nothing.
        kept: How many events were kept at most.
        corrected: How many corrections and retractions there were.
        delay: The greatest of the 99th percentiles of the delays, in seconds.
        refused: How many events were extremely late.
        seconds: Processor time.
    """

    choice: int
    precision: float | None
    recall: float | None
    kept: int
    corrected: int
    delay: float
    refused: int
    seconds: float

    @property
    def accuracy(self) -> float:
        """The harmonic mean of precision and recall, to four places; 1 where there is nothing to find and
        nothing was found."""
        if self.precision is None or self.recall is None:
            return 1.0 if self.precision is None and self.recall is None else 0.0
        both = self.precision + self.recall
        return round(2 * self.precision * self.recall / both, 4) if both else 0.0

    @property
    def rank(self) -> tuple[float, ...]:
        """Less is better: first what is found, then what has to be kept, then what had to be corrected, then
        how late it came."""
        return (-self.accuracy, round(math.log(self.kept + 1, _ALIKE_FACTOR)), self.corrected, self.delay)


@dataclass(frozen=True, kw_only=True)
class Recommendation:
    """Which choice to take.

    Attributes:
        values: Its values, by their keys.
        reason: Why.
        yaml: The pipeline with them.
    """

    values: Mapping[str, str]
    reason: str
    yaml: str


def recommended(swept: Swept) -> Recommendation:
    """Which choice of a sweep to take: the one that is most right, in precision and recall alike; of several
    the one that keeps the fewest events in mind; then that with the fewest corrections; then the soonest."""
    found = scores(swept)
    best = swept.grid.choices[found[0].choice]
    return Recommendation(values=best.values, reason=_reason(found), yaml=written(best.document))


def scores(swept: Swept) -> list[Score]:
    """Those of all choices, the best first; of equal ones the first that was named."""
    by_choice: dict[int, list[Row]] = {n: [] for n in range(len(swept.grid.choices))}
    for row in swept.rows:
        by_choice[row["choice"]].append(row)
    return sorted((_score(n, rows) for n, rows in by_choice.items()), key=lambda s: s.rank)


def _score(choice: int, rows: Sequence[Row]) -> Score:
    """That of a choice, by the rows of its runs."""
    tp, fp, fn = (sum(row[name] for row in rows) for name in ("tp", "fp", "fn"))
    # What a run cost stands with each of its patterns.
    runs = {row["level"]: row for row in rows}.values()
    return Score(
        choice=choice,
        precision=tp / (tp + fp) if tp + fp else None,
        recall=tp / (tp + fn) if tp + fn else None,
        kept=max((row["kept"] for row in runs), default=0),
        corrected=sum(row["corrected"] + row["retracted"] for row in rows),
        delay=max((row["delay_p99"] or 0.0 for row in rows), default=0.0),
        refused=sum(row["refused"] for row in runs),
        seconds=sum(row["seconds"] for row in runs),
    )


def _reason(found: Sequence[Score]) -> str:
    """Why the first of them is the best."""
    best, *others = found
    said = f"precision {share(best.precision)} and recall {share(best.recall)} over all patterns and levels"
    if not others:
        return f"{said}; there is no other choice"
    alike = [s for s in others if s.accuracy == best.accuracy]
    if not alike:
        return f"{said}; the next best has {share(others[0].precision)} and {share(others[0].recall)}"
    said += f", as {len(alike)} other {'choice has' if len(alike) == 1 else 'choices have'}"
    for place, (what, told) in enumerate(_MEASURES, start=1):
        worst = max(alike, key=lambda s: s.rank[place])
        if best.rank[place] < worst.rank[place]:
            return f"{said}; of these it {what}: {told(best)}, where others come to {told(worst)}"
    return f"{said}, and nothing else tells them apart; it was named first"


#: What tells choices apart that find the same, in the order of `Score.rank`.
_MEASURES: tuple[tuple[str, Callable[[Score], str]], ...] = (
    ("keeps the fewest events in mind", lambda s: number(s.kept)),
    ("has the fewest corrections and retractions", lambda s: number(s.corrected)),
    ("is the soonest, by the 99th percentile of its delay", lambda s: seconds(s.delay)),
)
