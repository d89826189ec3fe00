"""Resuming: a run goes on from its state."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from limecep.detection.detection import Detection
from limecep.runtime.beginning import Beginning
from limecep.state.checkpoint import Checkpoint

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.output.delivery import Delivery
    from limecep.runtime.assembly import Assembly
    from limecep.runtime.detecting import Detecting, Divided
    from limecep.runtime.feeds import Feed
    from limecep.state.keeper import Keeper


def resume(
    keeper: Keeper,
    detection: Detecting,
    feeds: list[Feed],
    delivery: Delivery,
    assembly: Assembly,
    check: Callable[[], None],
) -> None:
    """Has detection know what the state knows, and the sources go on where they were.

    Args:
        keeper: Has the state. It is open where detection is in this process.
        detection: What detects.
        feeds: The sources; none where a program feeds the pipeline.
        delivery: The sinks.
        assembly: Makes the components of patterns that are new to the state.
        check: Raises `Stopped` where the run has to end.

    Raises:
        RunFailure: It cannot go on.
    """
    if isinstance(detection, Detection):
        begin = Beginning(assembly, delivery)
        keeper.resume(detection, Checkpoint(detection, keeper.book), feeds, delivery, begin, check)
        return
    divided = cast("Divided", detection)
    checkpoint = divided.checkpoint(keeper.book)
    keeper.open(divided.detectors, checkpoint.workers)
    keeper.resume(divided, checkpoint, feeds, delivery)
