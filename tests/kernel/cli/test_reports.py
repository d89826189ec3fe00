"""A runner's report has what the command reads."""

from __future__ import annotations

from typing import Any

import pytest

from limecep import ComponentSpec
from limecep.cli.reports import READ, sound
from limecep.errors import RunFailure

MINE = ComponentSpec(kind="runner", name="mine", factory="mine_parts:Mine", summary="Runs.")
WHOLE: dict[str, Any] = {key: {} for key in READ}


def test_a_report_with_all_that_is_read_is_fine() -> None:
    sound({**WHOLE, "more": 3}, MINE)


@pytest.mark.parametrize(
    ("report", "said"),
    [
        (None, "runner 'mine' reports None, no dictionary"),
        ({**WHOLE, "sinks": []}, "runner 'mine' gives a report without 'sinks'"),
        ({"events": {}}, "runner 'mine' gives a report without 'patterns', 'sources', 'sinks'"),
    ],
)
def test_what_it_lacks_is_told_with_the_runner(report: Any, said: str) -> None:
    with pytest.raises(RunFailure, match=rf"^{said}"):
        sound(report, MINE)
