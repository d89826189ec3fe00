"""Results go out as they are found, and are put right or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from limecep.contracts.results import EVERYTHING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from limecep.contracts.changes import Change, Moment
    from limecep.contracts.context import Context
    from limecep.contracts.results import Emit, Promise, Step
    from limecep.plan.plan import Plan
    from limecep_results.config import CorrectedOptions, UncorrectedOptions


class Corrected:
    """Everything goes out: what was emitted is corrected and taken back."""

    promise: ClassVar[Promise] = "equal"
    passes: ClassVar[frozenset[Step]] = EVERYTHING
    across_keys: ClassVar[bool] = False

    def __init__(self, plan: Plan, options: CorrectedOptions, context: Context) -> None:
        self.emit: Emit = options.emit
        self.announces = options.final
        self.horizon = options.horizon
        self.skip = options.skips

    def decide(self, changes: Sequence[Change], moment: Moment) -> Iterable[Change]:
        return changes


class Uncorrected:
    """Also what is found late goes out. What was emitted stays as it was."""

    promise: ClassVar[Promise] = "superset"
    passes: ClassVar[frozenset[Step]] = frozenset({"emit"})
    across_keys: ClassVar[bool] = False
    announces: ClassVar[bool] = False

    def __init__(self, plan: Plan, options: UncorrectedOptions, context: Context) -> None:
        self.emit: Emit = options.emit
        self.horizon = options.horizon
        self.skip = options.skips

    def decide(self, changes: Sequence[Change], moment: Moment) -> Iterable[Change]:
        return [change for change in changes if change.op == "emit"]
