"""`limecep dev brokers`: what it says where there can be none. Tests of the transports run it for real."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep import cli
from limecep.cli.exits import Exit

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("name", "missing", "says"),
    [
        ("kafka", "java", "there is no Java: install a JRE, version 17 or newer"),
        ("kafka", "mvn", "there is no Maven to fetch the broker with: install maven"),
        ("mqtt", "mosquitto", "there is no Mosquitto: install it, such as with apt-get install mosquitto"),
    ],
)
def test_what_is_missing_is_told_before_anything_starts(
    name: str,
    missing: str,
    says: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = tmp_path / "bin"
    found.mkdir()
    for program in {"java", "mvn", "mosquitto"} - {missing}:
        (found / program).write_text("#!/bin/sh\nexit 1\n")
        (found / program).chmod(0o755)
    monkeypatch.setenv("PATH", str(found))
    monkeypatch.setenv("LIMECEP_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("limecep.testing.mosquitto._PLACES", ())
    assert cli.main(["dev", "brokers", name, "--dir", str(tmp_path / "brokers")]) == Exit.FAILED
    said = capsys.readouterr()
    assert says in said.err
    assert said.out == ""


def test_a_folder_that_cannot_be_used_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mosquitto").write_text("")
    (tmp_path / "mosquitto").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert cli.main(["dev", "brokers", "mqtt", "--dir", str(tmp_path / "mosquitto")]) == Exit.FAILED
    assert "cannot be used" in capsys.readouterr().err


def test_a_broker_that_is_not_known_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main(["dev", "brokers", "kafak"])
    assert caught.value.code == Exit.USAGE
    assert "there is no broker 'kafak': did you mean 'kafka'?" in capsys.readouterr().err
