"""The outbox: what was not sent goes out in the next run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.errors import RunFailure

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Kitchen


def test_records_for_a_sink_that_is_no_more_are_not_dropped(tmp_path: Path, kitchen: Kitchen) -> None:
    kitchen.write("a1 b2")
    (tmp_path / "out").mkdir()
    late = {"late": {"type": "file", "path": "late", "of": "late"}}
    (tmp_path / "out").rmdir()
    full = {"out": {"type": "file", "path": "/dev/full"}}
    with pytest.raises(RunFailure):
        kitchen.run(sinks=full)
    with pytest.raises(RunFailure, match="records for the sink 'out', which the pipeline no longer has"):
        kitchen.run(sinks=late)
    kitchen.run()
    assert kitchen.told() == [("emit", ["ea1", "eb2"])]
