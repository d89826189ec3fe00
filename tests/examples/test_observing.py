"""What reads the metrics of a pipeline asks for metrics that there are."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from limecep.clock import ManualClock
from limecep.config.loader import load
from limecep.contracts.context import Context
from limecep.host import Host
from limecep.testing.bench import SilentLogger
from limecep.testing.observer import figures
from limecep_observers.config import PrometheusOptions
from limecep_observers.prometheus import Prometheus

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples/observing"
ALERTS = yaml.safe_load((FOLDER / "alerts.yml").read_text())
DASHBOARD = json.loads((FOLDER / "dashboard.json").read_text())


@pytest.fixture(scope="module")
def written() -> dict[str, set[str]]:
    """The metrics that the observer writes, with their labels."""
    context = Context(label="observers.o", clock=ManualClock(), counters=Counter(), logger=SilentLogger())
    observer = Prometheus(PrometheusOptions(), context)
    observer.observe(figures())
    return {s.name: {*s.labels} for family in observer.collect() for s in family.samples}


def rules() -> list[dict[str, Any]]:
    return [rule for group in ALERTS["groups"] for rule in group["rules"]]


def asked() -> Iterator[tuple[str, str]]:
    """Expressions, each with the text that shows what it gives."""
    for rule in rules():
        yield rule["expr"], "".join(re.findall(r"\$labels\.(\w+)", str(rule["annotations"])))
    for panel in DASHBOARD["panels"]:
        for target in panel.get("targets", ()):
            yield target["expr"], target["legendFormat"]
    for variable in DASHBOARD["templating"]["list"]:
        yield variable["definition"], ""


def test_every_metric_that_is_asked_for_is_written(written: dict[str, set[str]]) -> None:
    names = {name for expression, _ in asked() for name in re.findall(r"limecep_\w+", expression)}
    assert len(names) > 20
    assert names - written.keys() == set()


def test_every_label_that_is_asked_for_is_one_of_the_metric(written: dict[str, set[str]]) -> None:
    """Those that are compared with, those that are kept by a sum, and those that are shown."""
    for expression, _ in asked():
        for name, matchers in re.findall(r"(limecep_\w+)\{(.*?)\}", expression):
            assert {*re.findall(r"(\w+)=", matchers)} <= written[name], expression
    shown = [(e, re.findall(r"\{\{(\w+)\}\}", text)) for e, text in asked() if "{{" in text]
    shown += [(r["expr"], re.findall(r"\$labels\.(\w+)", str(r["annotations"]))) for r in rules()]
    assert len(shown) > 40
    for expression, labels in shown:
        kept = [{*re.split(r",\s*", by)} for by in re.findall(r"by \(([\w, ]+)\)", expression)]
        kept += [written[name] for name in re.findall(r"limecep_\w+", expression)] if not kept else []
        # Of the process that does not answer, Prometheus itself tells.
        assert all({*labels} <= there for there in kept or [{"instance", "job"}]), expression


def test_every_metric_has_a_line_in_the_docs(written: dict[str, set[str]]) -> None:
    page = (ROOT / "docs/observing.md").read_text()
    named = {*re.findall(r"`(limecep_\w+)`", page)}
    summaries = {n.removesuffix("_count") for n in written if n.endswith("_count")}
    plain = {n for n in written if not n.endswith(("_count", "_sum"))} | summaries
    assert named == plain
    for line in re.findall(r"^\| `limecep_.*$", page, re.MULTILINE):
        _, metrics, labels, *_ = line.split("|")
        for metric in re.findall(r"`(\w+)`", metrics):
            there = written.get(metric) or written[f"{metric}_count"]
            assert {*re.findall(r"`(\w+)`", labels)} == there - {"pipeline"}, metric


def test_alerts_have_what_people_are_told() -> None:
    assert len({rule["alert"] for rule in rules()}) == len(rules())
    for rule in rules():
        assert rule["labels"]["severity"] in ("warning", "critical")
        assert rule["annotations"]["summary"]


def test_no_panel_lies_on_another() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in DASHBOARD["panels"]:
        at = panel["gridPos"]
        cells = {(at["x"] + x, at["y"] + y) for x in range(at["w"]) for y in range(at["h"])}
        assert not cells & taken, panel["title"]
        assert max(x for x, _ in cells) < 24
        taken |= cells
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(DASHBOARD["panels"])


def test_nothing_is_wrong_with_the_pipeline_and_prometheus_reads_it_where_it_serves() -> None:
    loaded = load(FOLDER / "observed.yaml", Host.load().registry, environment={})
    assert loaded.problems == []
    assert loaded.config is not None
    [port] = [o.component.options.port for o in loaded.config.observers if o.name == "metrics"]
    prometheus = yaml.safe_load((FOLDER / "prometheus.yml").read_text())
    [job] = prometheus["scrape_configs"]
    assert job["static_configs"] == [{"targets": [f"127.0.0.1:{port}"]}]
    assert prometheus["rule_files"] == ["alerts.yml"]
    assert f'job="{job["job_name"]}"' in rules()[0]["expr"]
