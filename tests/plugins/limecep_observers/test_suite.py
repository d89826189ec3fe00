"""The built-in observers do what every observer must do."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import pytest

from limecep.testing.observer import ObserverConformance
from limecep.testing.plugin import PluginConformance
from limecep_observers.config import OtlpOptions, PrometheusOptions, SystemdOptions
from limecep_observers.otlp import Otlp
from limecep_observers.prometheus import Prometheus
from limecep_observers.systemd import Systemd

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from limecep.contracts.context import Context


class TestPrometheus(ObserverConformance):
    def make_observer(self, context: Context) -> Prometheus:
        return Prometheus(PrometheusOptions(port=0), context)


class TestOtlp(ObserverConformance):
    def make_observer(self, context: Context) -> Otlp:
        # Nobody listens there.
        return Otlp(OtlpOptions(endpoint="http://127.0.0.1:9", every=50_000), context)


class TestSystemd(ObserverConformance):
    @pytest.fixture(autouse=True)
    def _systemd(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
            told.bind(str(tmp_path / "notify"))
            monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
            monkeypatch.setenv("WATCHDOG_USEC", "30000000")
            monkeypatch.delenv("WATCHDOG_PID", raising=False)
            yield

    def make_observer(self, context: Context) -> Systemd:
        return Systemd(SystemdOptions(), context)


class TestPlugin(PluginConformance):
    module = "limecep_observers.plugin"
