"""In the workers: keys as they were left, so that what is known of them need not be read anew each batch."""

from __future__ import annotations

import secrets
from random import randrange
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from limecep_spark.keyed import Turn


class Live:
    """The turns of some keys, each until the next one.

    A turn is gone on with only if the state says that it was the last one. State and turn are given the same
    token, a new one each time: whatever happened elsewhere meanwhile, or was attempted here in vain, has left
    another in one of them.

    Args:
        room: How many bytes they may take, as far as can be told.
    """

    def __init__(self, room: int) -> None:
        self._room = room
        self._taken = 0
        self._turns: dict[str, tuple[int, Turn, int]] = {}
        self._keys: list[str] = []
        self._places: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._keys)

    def take(self, key: str, token: int | None) -> Turn | None:
        """The last turn of a key; None if it is not here. It is not kept any longer.

        Args:
            key: The key.
            token: What the state says; None if it knows nothing of the key.
        """
        if key not in self._turns:
            return None
        known, turn, size = self._turns.pop(key)
        self._taken -= size
        place, last = self._places.pop(key), self._keys.pop()
        if last != key:
            self._keys[place] = last
            self._places[last] = place
        return turn if known == token else None

    def keep(self, key: str, turn: Turn) -> int:
        """Keeps a turn that is over; gives the token that the state is to have.

        Where there is no room, others go. They are drawn by lot: keys come round and round, so that whichever
        came longest ago is likely to be the next.
        """
        token = secrets.randbits(63)
        size = turn.size
        if size > self._room:
            return token
        while self._taken + size > self._room:
            self.take(self._keys[randrange(len(self._keys))], None)
        self._turns[key] = (token, turn, size)
        self._places[key] = len(self._keys)
        self._keys.append(key)
        self._taken += size
        return token
