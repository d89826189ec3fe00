"""Tables are read before the first event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep import Event, Pipeline
from limecep.errors import ComponentFailure, RunFailure
from limecep.local import component

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from limecep.registry import Registry

QUERY = "PATTERN SEQ(A a) WHERE a.v > limits[a.m].max WITHIN 1 s"
EVENTS = [Event("A", str(n), n, payload={"m": "p", "v": n}) for n in range(5)]


@component("table")
class Late:
    """A table that is read when a run begins."""

    asked = 0
    given: tuple[Any, ...] = ({"m": "p", "max": 2},)

    def __init__(self, channel: str, options: Any, context: Any) -> None:
        self._logger = context.logger
        assert context.label == "tables.limits"

    def rows(self) -> Iterator[Any]:
        type(self).asked += 1
        for row in self.given:
            if isinstance(row, BaseException):
                raise row
            yield row


@pytest.fixture(autouse=True)
def _afresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Late, "asked", 0)


def made(registry: Registry, *given: Any, root: Path | None = None, table: Any = None) -> Pipeline:
    Late.given = given or ({"m": "p", "max": 2},)
    document = {
        "version": 1,
        "tables": {"limits": table or {"from": "late", "key": "m"}},
        "patterns": {"p": {"query": QUERY}},
    }
    return Pipeline.from_dict(document, registry=registry, plugins=[Late], root=root)


def test_a_table_is_read_once_before_the_first_event(installed: Registry) -> None:
    with made(installed) as pipeline:
        assert Late.asked == 1
        assert [u.match.start.id for u in pipeline.feed(EVENTS)] == ["3", "4"]
    assert Late.asked == 1


def test_what_cannot_be_read_ends_the_run(installed: Registry, tmp_path: Path) -> None:
    with pytest.raises(RunFailure, match="table 'limits' cannot be read: the server is away"):
        made(installed, RunFailure("the server is away"))
    files = {"from": "files", "channel": "limits.csv", "key": "m"}
    with pytest.raises(RunFailure, match=r"table 'limits' cannot be read: there is no file limits\.csv"):
        made(installed, table=files, root=tmp_path)
    (tmp_path / "limits.csv").write_text("m,max\np,3\n")
    with made(installed, table=files, root=tmp_path) as pipeline:
        assert [u.match.start.id for u in pipeline.feed(EVENTS)] == ["4"]


def test_rows_that_cannot_be_used_end_the_run(installed: Registry) -> None:
    with pytest.raises(RunFailure, match=r"1 row of table 'limits' .*cannot be used: row 1: .* \(mend"):
        made(installed, {"max": 2, "m": None}, {"m": 1})


def test_rows_of_one_key_are_logged(installed: Registry, capsys: pytest.CaptureFixture[str]) -> None:
    with made(installed, {"m": "p", "max": 1}, {"m": "p", "max": 3}) as pipeline:
        assert [u.match.start.id for u in pipeline.feed(EVENTS)] == ["4"]
    assert "several rows for one key" in "".join(capsys.readouterr())


def test_a_table_that_raises_is_named(installed: Registry) -> None:
    with pytest.raises(ComponentFailure, match="table 'late'"):
        made(installed, KeyError("oh"))
    with pytest.raises(ComponentFailure, match="gives 5 as a row, which is no mapping"):
        made(installed, 5)
    # To end the process is not its business.
    with pytest.raises(ComponentFailure, match="table 'late' raised SystemExit"):
        made(installed, SystemExit(0))


def test_a_table_that_gives_no_rows_at_all_is_named(
    installed: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Late, "rows", lambda self: None)
    with pytest.raises(ComponentFailure, match="table 'late' gives None for its rows, which are none"):
        made(installed)
