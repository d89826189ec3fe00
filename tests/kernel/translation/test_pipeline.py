from __future__ import annotations

from typing import TYPE_CHECKING

import yaml

from limecep.config.loader import load
from limecep.host import Host
from limecep.translation.translate import translate
from tests.kernel.translation.row_patterns import statement

if TYPE_CHECKING:
    from pathlib import Path


def test_the_printed_pipeline_is_one() -> None:
    text = (
        'SELECT * FROM "Odd table" MATCH_RECOGNIZE (PARTITION BY "select", "a.b" ORDER BY ts, no AFTER MATCH '
    )
    text += (
        "SKIP TO LAST B PATTERN (A B+) WITHIN INTERVAL '90' MINUTE DEFINE A AS \"my col\" = 'it''s \\', B AS "
    )
    text += '"on" > PREV("on") AND type IS NOT NULL)'
    pipeline = str(translate(text))
    made = yaml.safe_load(pipeline)
    assert made["sources"]["odd_table"]["order"] == "no"
    assert made["patterns"]["odd_table_matches"]["results"]["skip"] == "to-last[b]"
    assert "# Rows must have type: without, it is that of the event itself." in pipeline


def test_the_printed_pipeline_has_nothing_to_complain_of(tmp_path: Path) -> None:
    (tmp_path / "p.yaml").write_text(
        str(translate(statement("PATTERN (A+ B{2,}) WITHIN INTERVAL '1' DAY DEFINE A AS v > 1, B AS v < 1")))
    )
    assert [str(p) for p in load(tmp_path / "p.yaml", Host.load().registry).problems] == []
