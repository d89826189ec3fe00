"""The example at a broker: what can be seen of it without one."""

from __future__ import annotations

import re
from pathlib import Path

from limecep.config.loader import load
from limecep.host import Host

EXAMPLES = Path(__file__).parents[2] / "examples"
RPM = EXAMPLES / "rpm_mqtt"
REGISTRY = Host.load().registry


def test_nothing_is_wrong_with_its_pipeline() -> None:
    assert load(RPM / "rpm_mqtt.yaml", REGISTRY, environment={}).problems == []


def test_its_patterns_are_those_of_the_files_but_for_the_patient() -> None:
    def queries(file: Path) -> list[str]:
        found = re.findall(r"^ {6}PATTERN.*\n(?:^ {6}.*\n)*", file.read_text(), re.MULTILINE)
        return [q.replace("      PARTITION BY patient\n", "") for q in found]

    assert len(queries(RPM / "rpm_mqtt.yaml")) == 2
    assert queries(RPM / "rpm_mqtt.yaml") == queries(EXAMPLES / "monitoring/monitoring.yaml")


def test_its_service_runs_its_pipeline_and_does_not_repeat_what_cannot_go_well() -> None:
    unit = (RPM / "limecep-rpm.service").read_text()
    assert "limecep run /etc/limecep/rpm_mqtt.yaml" in unit
    assert "RestartPreventExitStatus=78" in unit
