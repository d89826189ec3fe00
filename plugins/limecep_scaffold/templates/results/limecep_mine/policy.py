"""When matches go out, and what of each difference does."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from limecep.api import Change, Context, Emit, Moment, Plan, Promise, Skip, Step
    from limecep_mine.config import MineOptions


class MinePolicy:
    """Emits all results, and takes back what is a result no more."""

    #: What is out at the end, whatever the order of arrival. The suite holds it to that.
    promise: ClassVar[Promise] = "equal"
    #: What it always lets through: it is asked about differences that have something else. None: about all.
    passes: ClassVar[frozenset[Step]] = frozenset()
    across_keys: ClassVar[bool] = False
    announces: ClassVar[bool] = False
    horizon: ClassVar[int | None] = None
    skip: ClassVar[Skip | None] = None

    def __init__(self, plan: Plan, options: MineOptions, context: Context) -> None:
        self.emit: Emit = options.emit

    def decide(self, changes: Sequence[Change], moment: Moment) -> Iterable[Change]:
        # Leave an `emit` out, and the match is withheld; leave a `retract` out, and it stands.
        return changes
