"""What has to be there before Spark is started."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.errors import RunFailure
from limecep_spark.config import StartOptions
from limecep_spark.session import Session

if TYPE_CHECKING:
    from pathlib import Path


def test_without_java_there_is_one_clear_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(RunFailure, match="needs Java 17 or newer: there is none in JAVA_HOME or PATH"):
        Session(StartOptions(), "p")


@pytest.mark.parametrize(
    ("java", "message"),
    [
        (None, "bin/java cannot be run: No such file or directory. Correct JAVA_HOME, or unset it"),
        ('openjdk version "11.0.20" 2023-07-18', "bin/java is Java 11"),
        ('java version "1.8.0_292"', "bin/java is Java 8"),
    ],
)
def test_a_java_that_spark_cannot_use_is_told_before_spark_is_started(
    java: str | None, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if java is not None:
        (tmp_path / "bin").mkdir()
        (tmp_path / "bin/java").write_text(f"#!/bin/sh\necho '{java}' >&2\n")
        (tmp_path / "bin/java").chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(RunFailure, match=f"^Spark needs Java 17 or newer: {tmp_path}/{message}$"):
        Session(StartOptions(), "p")
