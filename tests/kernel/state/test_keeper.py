"""The keeper: what goes on after a stop, and what is told of a state that cannot be used."""

from __future__ import annotations

import json
import sqlite3
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from structlog.testing import capture_logs

from limecep import Pipeline
from limecep.cli import main
from limecep.config.loader import load_dict
from limecep.errors import RunFailure
from limecep.state.keeper import Keeper
from limecep_sqlite.store import SqliteStore

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Kitchen

    from limecep.registry import Registry

TRAILING = "PATTERN SEQ(A a, B b, !C c) WITHIN 10 s"


def test_a_file_is_read_on_where_it_was_left(kitchen: Kitchen) -> None:
    kitchen.write("a1 b2 a3")
    first = kitchen.run()
    kitchen.write("b4 b2")
    second = kitchen.run()
    assert kitchen.told() == [("emit", ["ea1", "eb2"]), ("emit", ["ea3", "eb4"])]
    assert (first["state"]["resumed"], second["state"]["resumed"]) == (False, True)
    assert second["events"] == {**first["events"], "read": 5, "in_order": 4, "duplicate": 1}
    assert second["patterns"]["p"]["emitted"] == 2


def test_what_a_run_goes_on_from_is_logged(tmp_path: Path, kitchen: Kitchen) -> None:
    kitchen.write("a1 b2")
    with pytest.raises(RunFailure):
        kitchen.run(sinks={"out": {"type": "file", "path": "/dev/full"}})
    with capture_logs() as logs:
        second = kitchen.run()
    assert second["state"]["unsent"] == 0
    [said] = [entry for entry in logs if entry["event"] == "goes on from its state"]
    assert said == {
        "event": "goes on from its state",
        "log_level": "info",
        "pipeline": "kitchen",
        "state": str(tmp_path / "state"),
        "batch": 1,
        "events": 2,
        "unsent": 1,
    }


def test_before_it_goes_on_from_a_state_it_has_nothing_to_tell(
    tmp_path: Path, installed: Registry, kitchen: Kitchen
) -> None:
    config = load_dict(kitchen.document(), installed, root=tmp_path).config
    assert config is not None
    store: Any = SimpleNamespace(figures=lambda: {"path": "x"})
    keeper = Keeper(store, config, None)
    assert keeper.report() == {"path": "x", "resumed": False, "batches": 0, "unsent": 0}
    assert (keeper.resumed, keeper.read_before) == (False, 0)


def test_what_waits_for_time_goes_on_waiting(kitchen: Kitchen) -> None:
    kitchen.write("a1 b2")
    assert kitchen.run(query=TRAILING)["patterns"]["p"]["pending"] == 1
    assert kitchen.told() == []
    kitchen.write("a30")
    assert kitchen.run(query=TRAILING)["patterns"]["p"]["pending"] == 0
    assert kitchen.told() == [("emit", ["ea1", "eb2"])]


def test_what_was_emitted_is_corrected_later(tmp_path: Path, kitchen: Kitchen) -> None:
    query = "PATTERN SEQ(A a, B+ b[], C c) WITHIN 10 s"
    kitchen.write("a1 b2 c4")
    kitchen.run(query=query)
    kitchen.write("b3")
    kitchen.run(query=query)
    kitchen.write("b3.5")
    kitchen.run(query=query)
    assert [op for op, _ in kitchen.told()] == ["emit", "correct", "correct"]
    lines = [json.loads(line) for line in (tmp_path / "out").read_text().splitlines()]
    assert [r["revision"] for r in lines] == [1, 2, 3]
    assert len({r["match"] for r in lines}) == 1


def test_a_state_in_use_is_refused(tmp_path: Path, installed: Registry, kitchen: Kitchen) -> None:
    kitchen.write("a1")
    config = load_dict(kitchen.document(), installed, root=tmp_path).config
    assert config is not None
    seen = []

    def stop() -> bool:
        if not seen:
            seen.append(True)
            with pytest.raises(RunFailure, match="is in use by process"):
                Pipeline.from_config(config, installed).run()
        return False

    pipeline = Pipeline.from_config(config, installed)
    pipeline.run(stop)
    pipeline.close()
    assert seen


def test_a_damaged_state_is_told(tmp_path: Path, kitchen: Kitchen) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "state/state.db").write_bytes(b"no database" * 1000)
    kitchen.write("a1")
    with pytest.raises(RunFailure, match=r"cannot be opened: file is not a database\. To begin anew"):
        kitchen.run()


GARBLED, CUT = "value = x'7bff'", "value = substr(value, 1, length(value) / 2)"


@pytest.mark.parametrize(
    "damage",
    [
        *(f"UPDATE rows SET {how} WHERE name = '{name}'" for how in (GARBLED, CUT)
          for name in ("head", "batch", "figures", "source/s", "part/p/deadlines")),
        *(f"UPDATE journal SET {how}" for how in (GARBLED, CUT)),
        *(f"DELETE FROM rows WHERE name = '{name}'" for name in ("head", "batch", "figures")),
    ],
)  # fmt: skip
def test_damage_that_the_database_does_not_see_is_told(
    damage: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], kitchen: Kitchen
) -> None:
    kitchen.write("a1 b2 b3")
    kitchen.run(query=TRAILING)
    with sqlite3.connect(tmp_path / "state/state.db") as connection:
        assert connection.execute(damage).rowcount
    connection.close()
    kitchen.write("b4")
    with pytest.raises(RunFailure, match=r"the state is damaged: .*\. To begin anew: limecep state reset"):
        kitchen.run(query=TRAILING)
    # What `show` does not look at it does not complain of.
    if "journal" not in damage and "part/p/deadlines" not in damage:
        assert main(["state", "show", str(tmp_path / "state")]) == 3
        assert "the state is damaged" in capsys.readouterr().err


@pytest.mark.parametrize("folder", ["file", "file/below"])
def test_a_file_in_place_of_the_folder_is_told(folder: str, tmp_path: Path, kitchen: Kitchen) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(RunFailure, match="there is a file where a folder must be"):
        kitchen.run(state={"dir": folder})


def test_only_what_may_not_be_lost_is_waited_for_until_it_is_on_the_disk(
    kitchen: Kitchen, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = []
    commit = SqliteStore.commit

    def noted(store: SqliteStore, *, durable: bool = True) -> None:
        kept.append(durable)
        commit(store, durable=durable)

    monkeypatch.setattr(SqliteStore, "commit", noted)
    kitchen.write("a1 b2")
    kitchen.run()
    # The batch, and that its records were sent, which may be sent once more.
    assert kept[:2] == [True, False]
