"""What a run logs, and says of failures, has no secrets."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pytest
import structlog

from limecep import cli
from limecep.cli import logs
from limecep.cli.exits import Exit
from limecep.cli.redaction import Redaction
from limecep.config.secrets import Secrets

if TYPE_CHECKING:
    from pathlib import Path

PLUGIN = '''
from limecep.local import component


class Options:
    pass


@component("sink")
class Leaking:
    """A sink that tells all it knows."""

    counts_only = False

    def __init__(self, channel, settings, options, context):
        self.logger = context.logger
        self.password = context.label and PASSWORD

    def open(self):
        try:
            raise KeyError(f"token={self.password}")
        except KeyError as error:
            self.logger.warning(f"away: {self.password}", url=f"http://u:{self.password}@h", error=error)
            self.logger.warning("trace", exc_info=True)
            RAISE

    def send(self, records):
        pass

    def flush(self):
        pass

    def close(self):
        pass


PASSWORD = "s3cret/Z9"
'''


@pytest.fixture
def redaction() -> Redaction:
    secrets = Secrets()
    secrets.add("s3cret/Z9", "${PW}")
    return Redaction(secrets)


def test_texts_are_without_secrets_and_names_and_figures_as_they_were(redaction: Redaction) -> None:
    said: dict[str, Any] = {
        "event": "no s3cret/Z9",
        "level": "warning",
        "error": ValueError("s3cret%2FZ9"),
        "tried": 3,
        "urls": ["h", "u:s3cret/Z9@h"],
        "sinks": {"s3cret/Z9": {"records": 1, "channel": "s3cret/Z9", "error": "s3cret/Z9"}},
    }
    assert redaction(None, "warning", said) == {
        "event": "no ${PW}",
        "level": "warning",
        "error": "${PW}",
        "tried": 3,
        "urls": ["h", "u:${PW}@h"],
        "sinks": {"s3cret/Z9": {"records": 1, "channel": "s3cret/Z9", "error": "${PW}"}},
    }


def test_logs_have_the_traceback_without_secrets(redaction: Redaction) -> None:
    before = structlog.get_config()
    out = io.StringIO()
    try:
        logs.configure("info", out, redaction)
        try:
            raise KeyError("token=s3cret/" + "Z9")
        except KeyError:
            structlog.get_logger().error("failed", exc_info=True)
    finally:
        structlog.configure(**before)
    said = json.loads(out.getvalue())
    # The line of the code that raised is not the secret of a pipeline.
    assert "KeyError: 'token=${PW}'" in said["exception"]


@pytest.mark.parametrize(
    ("ending", "more"),
    [
        ("raise", []),
        ("raise", ["--log-level", "debug"]),
        ("from limecep import RunFailure; raise RunFailure(str(error))", []),
    ],
)
def test_a_failed_run_tells_no_secret(
    ending: str, more: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setenv("PW", "s3cret/Z9")
    (tmp_path / "mine.py").write_text(PLUGIN.replace("RAISE", ending))
    (tmp_path / "a.jsonl").write_text("")
    document = {
        "version": 1,
        "plugins": ["mine.py"],
        "params": {"password": "${PW}"},
        "sources": {"s": {"type": "file", "channel": "a.jsonl", "as": "A"}},
        "patterns": {"p": {"query": "PATTERN SEQ(A a) WHERE a.x = $password WITHIN 1 s"}},
        "sinks": {"out": {"type": "leaking"}},
    }
    (tmp_path / "p.yaml").write_text(json.dumps(document))
    report = tmp_path / "r.json"
    assert cli.main(["run", str(tmp_path / "p.yaml"), "--report", str(report), *more]) == Exit.FAILED
    said = capsys.readouterr().err + report.read_text()
    assert "s3cret" not in said.replace('s3cret/Z9"\n', "")
    assert "${PW}" in said
    # What comes after it has no secrets of that one.
    assert cli.main(["run", str(tmp_path / "none.yaml")]) == Exit.REFUSED
