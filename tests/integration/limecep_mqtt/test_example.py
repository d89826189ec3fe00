"""The example does what its README says."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from limecep.clock import Stopwatch

if TYPE_CHECKING:
    from collections.abc import Sequence

pytestmark = pytest.mark.mqtt

EXAMPLE = Path(__file__).parents[3] / "examples" / "rpm_mqtt"
COMMAND = [sys.executable, "-m", "limecep", "run"]
#: Who enters no room says nothing; time goes on all the same, in the example after half a minute.
SOON = ["--set", "sources.rooms.idle_after=2s"]


def publishing() -> Any:
    spec = importlib.util.spec_from_file_location("publish", EXAMPLE / "publish.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def net(records: Sequence[dict[str, Any]]) -> Counter[str]:
    live: dict[str, str] = {}
    for r in records:
        if r["op"] == "retract":
            del live[r["match"]]
        else:
            times = {v: [e["time"] for e in events] for v, events in r["events"].items()}
            live[r["match"]] = json.dumps([r["pattern"], r["key"], times])
    return Counter(live.values())


def from_files(folder: Path, messages: Sequence[tuple[str, dict[str, Any]]]) -> Counter[str]:
    """What the same pipeline finds in files."""
    text = re.sub(
        r"^connectors:.*?(?=^sources:)",
        "connectors: {broker: {type: file}}\n",
        (EXAMPLE / "rpm_mqtt.yaml").read_text(),
        flags=re.MULTILINE | re.DOTALL,
    )
    text = re.sub(r"^    channel: rpm\.\w+$", r"\g<0>\n    format: json", text, flags=re.MULTILINE)
    (folder / "files.yaml").write_text(text.replace("rpm.alerts.{pattern}", "alerts.jsonl"))
    for channel, content in messages:
        with (folder / channel).open("a") as file:
            file.write(json.dumps(content) + "\n")
    subprocess.run([*COMMAND, folder / "files.yaml"], check=True, capture_output=True)
    return net([json.loads(line) for line in (folder / "alerts.jsonl").read_text().splitlines()])


def test_it_finds_at_the_broker_what_it_finds_in_files(brokers: Any, befriend: Any, tmp_path: Path) -> None:
    publish = publishing()
    wanted = from_files(tmp_path, publish.messages())
    assert sum(wanted.values()) > 5
    broker = brokers(autosave_on_changes="false")
    url = f"mqtt://127.0.0.1:{broker.port}"
    friend = befriend(broker.port)
    friend.subscribe("#")
    environment = {**os.environ, "BROKER_URL": url, "STATE_DIRECTORY": str(tmp_path)}
    process = subprocess.Popen(
        [*COMMAND, EXAMPLE / "rpm_mqtt.yaml", *SOON], env=environment, stderr=subprocess.PIPE
    )
    try:
        assert [m.payload for m in friend.received("rpm.status", 1)] == [b"online"]
        publish.main(url)
        watch, found = Stopwatch(), Counter[str]()
        while found != wanted and watch.seconds < 20:
            came = [
                m for name in ("anxiety", "cardiac") for m in friend.received(f"rpm.alerts.{name}", 1, 0.2)
            ]
            found = net([json.loads(m.payload) for m in came])
        assert found == wanted
        process.terminate()
        assert process.wait(20) == 0
        assert [m.payload for m in friend.received("rpm.status", 2)] == [b"online", b"offline"]
    finally:
        process.kill()
        process.communicate()
