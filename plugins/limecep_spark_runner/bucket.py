"""Keys that Spark knows as one: what comes to them, and what is known of them between batches."""

from __future__ import annotations

import zlib
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

import msgspec

from limecep.embedding.pipelines import FOREVER
from limecep.model.event import event_in
from limecep_spark_runner.groups import group_of
from limecep_spark_runner.work import OVER_US

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from limecep_spark_runner.turns import Kernel, Turn


class Known(msgspec.Struct, array_like=True):
    """What is known of a key.

    Attributes:
        memory: What its next turn begins with.
        due: The time, in microseconds and once strictly passed, from which on it is to have one although
            nothing comes.
        idle: Whether nothing waits for that, so that all that is to be done then is to forget the key.
    """

    memory: bytes
    due: int
    idle: bool


_pack = msgspec.msgpack.Encoder().encode
_unpack = msgspec.msgpack.Decoder(dict[str, Known]).decode


class Bucket:
    """The keys of a bucket while something happens to them.

    Args:
        kernels: One for each group of patterns.
        packed: What is known, as `packed` gave it; None for nothing.
        told: How far time has come over all keys, in microseconds.

    Attributes:
        counts: What was counted.
    """

    def __init__(self, kernels: Sequence[Kernel], packed: bytes | None, told: int) -> None:
        self._kernels = kernels
        self._told = told
        self._known = {} if packed is None else _unpack(zlib.decompress(packed))
        self.counts: dict[str, dict[str, Counter[str]]] = {
            "sources": defaultdict(Counter),
            "withdrawals": defaultdict(Counter),
            "patterns": defaultdict(Counter),
        }

    def __len__(self) -> int:
        """How many keys something is known of."""
        return len(self._known)

    def turns(self, came: Iterable[Sequence[Any]]) -> Iterator[Turn]:
        """Has the keys do what they have to do: those to which something came, then what is due.

        Args:
            came: For each event its key, itself, its position, when it arrived, the number of its source, and
                its own, as `limecep_spark_runner.intake` has them.
        """
        by_key: dict[str, list[Sequence[Any]]] = {}
        for value in came:
            by_key.setdefault(value[0], []).append(value)
        for key, values in by_key.items():
            # As one process would have merged them: by arrival, ties by sources, files and lines.
            values.sort(key=lambda v: (v[3], v[4], v[2].rpartition(":")[0], v[5]))
            yield self._turn(key, values)
        # In the end all that waits for any time is due.
        told = self._told if self._told < OVER_US else FOREVER
        for key, known in [(key, known) for key, known in self._known.items() if known.due < told]:
            if known.idle:
                del self._known[key]
            else:
                yield self._turn(key, ())

    def _turn(self, key: str, values: Sequence[Sequence[Any]]) -> Turn:
        known = self._known.pop(key, None)
        kernel = self._kernels[group_of(key)]
        turn = kernel.turn(None if known is None else known.memory, self._told)
        turn.feed([event_in(v[1]) for v in values], [v[2] for v in values])
        turn.end()
        turn.count(self.counts)
        memory = turn.memory()
        if memory is not None:
            self._known[key] = Known(memory, turn.due, turn.idle)
        return turn

    @property
    def due(self) -> int:
        """The time, in microseconds and once strictly passed over all keys, from which on there is something
        to do although nothing comes; FOREVER if there is none."""
        return min((known.due for known in self._known.values()), default=FOREVER)

    def packed(self) -> bytes | None:
        """All that is known; None for nothing."""
        return zlib.compress(_pack(self._known), zlib.Z_BEST_SPEED) if self._known else None
