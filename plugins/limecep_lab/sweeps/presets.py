"""The experiments of the paper on disorder and on the threshold of lateness, with its streams."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from limecep.model.event import Event
from limecep_lab.sweeps.recordings import IN_ORDER, Stream

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from limecep_lab.sweeps.documents import Document

_SECOND_US = 1_000_000

#: Type and second of each event, in the order of arrival: in order, and with a fifth and most of them late.
_STREAMS = {
    IN_ORDER: "b1 b2 a3 a4 a5 a6 a7 b8 a9 c10 b11 b12 a13 b14 a15 b16 a17 a18 c19 c20 a21",
    "0.2": "b1 b2 a7 b8 a3 a4 a5 b14 a6 a9 c10 b11 a13 b12 a15 b16 c19 a17 a18 c20 a21",
    "0.7": "b1 b2 b11 a3 c10 a4 a6 c20 a5 a18 a7 b8 a17 a9 b12 a13 b14 b16 a15 c19 a21",
}
_STRUCTURES = {"ABC": "A a, B b, C c", "ABpC": "A a, B+ b[], C c", "ApBpC": "A+ a[], B+ b[], C c"}
_FACTORS = (0.5, 1.0, 1.5, 2.0, 2.5)
_WEIGHTS = (
    [1.0, 0.0, 0.0], [0.8, 0.1, 0.1], [0.6, 0.2, 0.2], [0.4, 0.3, 0.3], [0.2, 0.4, 0.4], [0.0, 0.5, 0.5],
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Preset:
    """A sweep that is ready.

    Attributes:
        summary: What it shows.
        patterns: The structures of its patterns, by name.
        vary: What is varied.
        levels: The shares of late events.
    """

    summary: str
    patterns: Sequence[str]
    vary: Mapping[str, Sequence[Any]]
    levels: Sequence[str]

    def document(self) -> Document:
        """Its pipeline: each pattern under both selection policies. Nothing warms up, and nothing waits."""
        return {
            "version": 1,
            "name": "paper",
            "patterns": {
                f"{name}_{select}": {
                    "query": f"PATTERN SEQ({_STRUCTURES[name]}) WITHIN 10 seconds",
                    "select": select,
                    "lateness": {"type": "score", "warm_up": 0},
                    "slack": "none",
                }
                for select in ("stnm", "stam")
                for name in self.patterns
            },
        }

    def stream(self) -> Stream:
        """Its events: one arrives a second."""
        places = {word: place for place, word in enumerate(_STREAMS[IN_ORDER].split())}
        events = [Event(word[0].upper(), word, _seconds(word), source="stream") for word in places]
        orders = {
            level: [
                (places[word], _seconds(word), number * _SECOND_US)
                for number, word in enumerate(words.split(), start=1)
            ]
            for level, words in _STREAMS.items()
        }
        return Stream(events=events, orders=orders, levels=self.levels)


def _seconds(word: str) -> int:
    return int(word[1:]) * _SECOND_US


PRESETS = {
    "paper-1a": Preset(
        summary="precision and recall as more events are late, with correction and without",
        patterns=("ABC", "ABpC", "ApBpC"),
        vary={"results": ("corrected", "uncorrected")},
        levels=(IN_ORDER, "0.2", "0.7"),
    ),
    "paper-1b": Preset(
        summary="precision and recall by the factor of the lateness threshold and the weights of the score",
        patterns=("ABC", "ApBpC"),
        vary={"lateness.factor": _FACTORS, "lateness.weights": _WEIGHTS},
        levels=("0.7",),
    ),
}
