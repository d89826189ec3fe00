"""Distributions of values, as they are written, and as columns of Spark."""

from __future__ import annotations

import math
from collections.abc import Sequence  # noqa: TC003 - options are read by their types
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from limecep import option

if TYPE_CHECKING:
    from pyspark.sql import Column

    from limecep_lab.chance import Chance

#: The first whole number that no column holds.
_BEYOND = 2**63

_KINDS = ("constant", "uniform", "whole", "normal", "choice", "zipf")


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution:
    """How the values of an attribute are distributed: one of `constant`, `uniform`, `whole`, `normal`,
    `choice`, `zipf`."""

    constant: bool | int | float | str | None = option(None, help="Always this value.", example="on")
    uniform: tuple[float, float] | None = option(None, help="Numbers from low to high.", example=[0, 100])
    whole: tuple[int, int] | None = option(
        None, help="Whole numbers from low to high, both included.", example=[1, 6]
    )
    normal: tuple[float, float] | None = option(
        None, help="Numbers around a mean, with a standard deviation.", example=[20, 5]
    )
    choice: Sequence[Any] = option((), help="One of these.", example=["red", "green"])
    weights: Sequence[float] = option(
        (), help="How often each choice is made; else all alike.", example=[9, 1]
    )
    zipf: int = option(0, help="Whole numbers from 1 to this, each in proportion to 1/n^skew.", example=1000)
    skew: float = option(1.0, help="How uneven zipf is; 0 is even.")
    digits: int | None = option(None, help="Decimals that uniform and normal are rounded to.", example=2)
    prefix: str = option(
        "", help="What whole and zipf numbers begin with, which makes text of them.", example="k"
    )

    def __post_init__(self) -> None:
        given = [
            k for k in _KINDS if getattr(self, k) not in (None, (), 0) or (k == "constant" and self._constant)
        ]
        if len(given) != 1:
            raise ValueError(f"it must have one of {', '.join(_KINDS)}, not {' and '.join(given) or 'none'}")
        for name in ("uniform", "whole"):
            bounds = getattr(self, name)
            if bounds is not None and bounds[0] > bounds[1]:
                raise ValueError(f"'{name}' is from low to high")
        whole = [*(self.whole or ()), self.constant, *self.choice, self.zipf]
        if any(isinstance(n, int) and not -_BEYOND <= n < _BEYOND for n in whole):
            raise ValueError("whole numbers must fit into 64 bits")
        if self.normal is not None and self.normal[1] < 0:
            raise ValueError("'normal' has a deviation below 0")
        if self.zipf < 0 or self.skew < 0:
            raise ValueError("'zipf' and 'skew' must be at least 0")
        if self.weights and (len(self.weights) != len(self.choice) or not fair(self.weights)):
            raise ValueError("'weights' must be one for each choice, none below 0 and not all 0")
        if len({_family(c) for c in self.choice}) > 1 or "" in {_family(c) for c in self.choice}:
            raise ValueError("'choice' must be all numbers, all texts, or all true and false")

    @property
    def _constant(self) -> bool:
        return self.constant is not None

    @property
    def family(self) -> str:
        """What its values are: text, boolean, a whole number, or a number."""
        if self.choice or self._constant:
            families = {_family(v) for v in self.choice or (self.constant,)}
            return families.pop()
        if self.whole or self.zipf:
            return "text" if self.prefix else "number"
        return "number"

    def column(self, chance: Chance, purpose: str) -> Column:
        """A value for each row."""
        from pyspark.sql import functions as f

        if self.uniform is not None:
            low, high = self.uniform
            return self._rounded(low + chance.share(purpose) * (high - low))
        if self.whole is not None:
            first, last = self.whole
            return self._named(first + f.floor(chance.share(purpose) * (last - first + 1)))
        if self.normal is not None:
            mean, deviation = self.normal
            return self._rounded(mean + deviation * chance.normal(purpose))
        if self.zipf:
            return self._named(_zipf(chance.share(purpose), self.zipf, self.skew))
        if self.choice:
            values = [float(v) if self._mixed else v for v in self.choice]
            return pick(chance.share(purpose), [f.lit(v) for v in values], self.weights)
        return f.lit(self.constant)

    @property
    def _mixed(self) -> bool:
        return {type(v) for v in self.choice} == {int, float}

    def _rounded(self, column: Column) -> Column:
        from pyspark.sql import functions as f

        return column if self.digits is None else f.round(column, self.digits)

    def _named(self, column: Column) -> Column:
        from pyspark.sql import functions as f

        return f.concat(f.lit(self.prefix), column.cast("string")) if self.prefix else column


def pick(share: Column, values: Sequence[Column], weights: Sequence[float] = ()) -> Column:
    """One of some values.

    Args:
        share: A number from 0 to less than 1, evenly distributed.
        values: The values.
        weights: How often each is; none: all alike.
    """
    from pyspark.sql import functions as f

    if not weights:
        return f.element_at(f.array(*values), (f.floor(share * len(values)) + 1).cast("int"))
    total, reached = math.fsum(weights), 0.0
    last = max(n for n, weight in enumerate(weights) if weight)
    picked = None
    for value, weight in list(zip(values, weights, strict=True))[:last]:
        reached += weight
        below = share < reached / total
        picked = f.when(below, value) if picked is None else picked.when(below, value)
    return values[last] if picked is None else picked.otherwise(values[last])


def fair(weights: Sequence[float]) -> bool:
    """Whether weights can be weights."""
    return all(w >= 0 for w in weights) and any(weights)


def _zipf(share: Column, number: int, skew: float) -> Column:
    """A rank from 1 to a number. By the inverse of the continuous distribution, so that no table is needed
    however many there are."""
    from pyspark.sql import functions as f

    top = float(number + 1)
    if skew == 1:
        reached = f.pow(f.lit(top), share)
    else:
        power = 1 - skew
        reached = f.pow(1 + share * (top**power - 1), f.lit(1 / power))
    return f.least(f.floor(reached), f.lit(number))


def _family(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        return "number"
    return "text" if isinstance(value, str) else ""
