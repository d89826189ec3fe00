"""The examples at brokers: what can be seen of them without any."""

from __future__ import annotations

import re
import subprocess
import sys
from configparser import ConfigParser
from pathlib import Path
from shutil import which

import pytest
import yaml

from limecep.cli.exits import Exit
from limecep.config.loader import load
from limecep.host import Host

EXAMPLES = Path(__file__).parents[2] / "examples"
MQTT = EXAMPLES / "rpm_mqtt"
KAFKA = EXAMPLES / "rpm_kafka"
REGISTRY = Host.load().registry


@pytest.mark.parametrize("example", [MQTT, KAFKA], ids=lambda e: e.name)
def test_nothing_is_wrong_with_the_pipelines(example: Path) -> None:
    assert load(example / f"{example.name}.yaml", REGISTRY, environment={}).problems == []


def test_they_differ_in_their_connectors_only() -> None:
    one, other = (yaml.safe_load((e / f"{e.name}.yaml").read_text()) for e in (MQTT, KAFKA))
    assert (one["connectors"]["broker"]["type"], other["connectors"]["broker"]["type"]) == ("mqtt", "kafka")
    assert {**one, "connectors": {}} == {**other, "connectors": {}}


def test_its_patterns_are_those_of_the_files_but_for_the_patient() -> None:
    def queries(file: Path) -> list[str]:
        found = re.findall(r"^ {6}PATTERN.*\n(?:^ {6}.*\n)*", file.read_text(), re.MULTILINE)
        return [q.replace("      PARTITION BY patient\n", "") for q in found]

    assert len(queries(MQTT / "rpm_mqtt.yaml")) == 2
    assert queries(MQTT / "rpm_mqtt.yaml") == queries(EXAMPLES / "monitoring/monitoring.yaml")


def unit() -> ConfigParser:
    found = ConfigParser(strict=False, interpolation=None)
    found.optionxform = str  # type: ignore[assignment,method-assign]
    found.read_string((MQTT / "limecep-rpm.service").read_text())
    return found


def test_its_service_runs_its_pipeline_and_does_not_repeat_what_cannot_go_well() -> None:
    service = unit()["Service"]
    assert service["ExecStart"].endswith("limecep run /etc/limecep/rpm_mqtt.yaml")
    assert service["Restart"] == "on-failure"
    refusals = {int(code) for code in service["RestartPreventExitStatus"].split()}
    assert refusals == {Exit.USAGE, Exit.REFUSED}
    # What fails before the main process is begun again all the same, whatever its code.
    assert "ExecStartPre" not in service
    assert unit()["Unit"]["StartLimitIntervalSec"] == "0"


def test_its_service_waits_for_what_its_pipeline_tells_systemd() -> None:
    service = unit()["Service"]
    assert service["Type"] == "notify"
    assert "AF_UNIX" in service["RestrictAddressFamilies"].split()
    # The observer warns of less than 3 s.
    assert int(service["WatchdogSec"].removesuffix("s")) >= 3
    observers = yaml.safe_load((MQTT / "rpm_mqtt.yaml").read_text())["observers"]
    assert [o["type"] for o in observers.values()] == ["sd_notify"]


def test_its_service_begins_when_the_clock_is_right_and_writes_into_its_state_alone() -> None:
    assert "time-sync.target" in unit()["Unit"]["After"].split()
    service = unit()["Service"]
    assert (service["ProtectSystem"], service["StateDirectory"]) == ("strict", "limecep")
    assert "${STATE_DIRECTORY:-.}" in yaml.safe_load((MQTT / "rpm_mqtt.yaml").read_text())["state"]["dir"]


@pytest.mark.skipif(which("systemd-analyze") is None, reason="systemd is not here")
def test_systemd_finds_nothing_wrong_with_its_service(tmp_path: Path) -> None:
    file = tmp_path / "limecep-rpm.service"
    text = (MQTT / "limecep-rpm.service").read_text()
    file.write_text(text.replace("/opt/limecep/bin/limecep", sys.executable))
    for arguments in (["verify"], ["security", "--offline=true", "--threshold=20"]):
        done = subprocess.run(["systemd-analyze", *arguments, file], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout
        assert done.stderr == ""
