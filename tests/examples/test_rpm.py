"""The examples at brokers: what can be seen of them without any."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

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


def test_its_service_runs_its_pipeline_and_does_not_repeat_what_cannot_go_well() -> None:
    unit = (MQTT / "limecep-rpm.service").read_text()
    assert "limecep run /etc/limecep/rpm_mqtt.yaml" in unit
    assert "RestartPreventExitStatus=78" in unit


def test_its_service_waits_for_what_its_pipeline_tells_systemd() -> None:
    unit = (MQTT / "limecep-rpm.service").read_text()
    assert "Type=notify" in unit
    assert "AF_UNIX" in unit
    observers = yaml.safe_load((MQTT / "rpm_mqtt.yaml").read_text())["observers"]
    assert [o["type"] for o in observers.values()] == ["sd_notify"]
