"""Chance that is the same wherever and whenever a row is made: hashes of a seed, a purpose and the row."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import Column


class Chance:
    """Chance for each row of a table.

    Args:
        seed: The same seed gives the same.
        row: What tells a row from others.
    """

    def __init__(self, seed: int, *row: Column) -> None:
        self.seed = seed
        self._row = row

    def share(self, purpose: str) -> Column:
        """A number from 0 to less than 1, evenly distributed. Those for two purposes have nothing to do with
        each other."""
        from pyspark.sql import functions as f

        bits = f.xxhash64(f.lit(self.seed), f.lit(purpose), *self._row)
        return f.shiftrightunsigned(bits, 11) * f.lit(2.0**-53)

    def normal(self, purpose: str) -> Column:
        """A number of the standard normal distribution (Box and Muller)."""
        from pyspark.sql import functions as f

        radius = f.sqrt(-2 * f.log(1 - self.share(purpose)))
        return radius * f.cos(2 * math.pi * self.share(f"{purpose}, angle"))

    def exponential(self, purpose: str) -> Column:
        """A number of the exponential distribution with the mean 1."""
        from pyspark.sql import functions as f

        return -f.log(1 - self.share(purpose))
