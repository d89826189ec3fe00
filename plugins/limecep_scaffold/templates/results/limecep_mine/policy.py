"""When matches go out, and that they are put right."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from limecep.api import Context, Emit, Plan, Skip
    from limecep_mine.config import MineOptions


class MinePolicy:
    """Says what is to be done; limecep does it."""

    corrects: ClassVar[bool] = True
    announces: ClassVar[bool] = False
    horizon: ClassVar[int | None] = None
    skip: ClassVar[Skip | None] = None

    def __init__(self, plan: Plan, options: MineOptions, context: Context) -> None:
        self.emit: Emit = options.emit
