"""Metrics and health over HTTP, for Prometheus and for whoever looks after a service."""

from __future__ import annotations

import json
import threading
from functools import partial
from socket import AF_INET6
from socketserver import TCPServer, ThreadingMixIn
from typing import TYPE_CHECKING, Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from prometheus_client import CollectorRegistry, make_wsgi_app
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    InfoMetricFamily,
    SummaryMetricFamily,
)

from limecep.contracts.observer import Durations
from limecep.errors import RunFailure
from limecep_observers.health import Health
from limecep_observers.metrics import metrics

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from limecep.contracts.context import Context
    from limecep.contracts.observer import Figures
    from limecep_observers.config import PrometheusOptions
    from limecep_observers.metrics import Metric

_PREFIX = "limecep"
#: How often the server looks whether it is to end, in seconds.
_GLANCE_SECONDS = 0.2
_PAGES = "/metrics, /health and /ready"


class Prometheus:
    """Serves `/metrics`, `/health` and `/ready`, in threads of its own."""

    def __init__(self, options: PrometheusOptions, context: Context) -> None:
        self._options = options
        self._logger = context.logger
        self._health = Health(
            stuck_after=options.stuck_after / 1e6,
            commit_within=options.commit_within / 1e6,
            missed=options.missed,
        )
        registry = CollectorRegistry()
        registry.register(self)
        self._of_metrics: Callable[..., Any] = make_wsgi_app(registry)
        self._server: _Server | None = None

    # -- what the pipeline calls ---------------------------------------------------------------------------

    def open(self) -> None:
        """Begins to listen.

        Raises:
            RunFailure: The port cannot be had.
        """
        host, port = self._options.host, self._options.port
        made = _Server6 if ":" in host else _Server
        try:
            self._server = server = made((host, port), _Handler)
        except OSError as error:
            raise RunFailure(
                f"the observer prometheus cannot listen at {host}, port {port}: {error.strerror or error}"
            ) from None
        server.set_app(self._answer)
        serve = partial(server.serve_forever, poll_interval=_GLANCE_SECONDS)
        threading.Thread(target=serve, name="limecep-prometheus", daemon=True).start()
        self._logger.info(f"serves {_PAGES}", host=host, port=server.server_port)

    @property
    def port(self) -> int:
        """The port it listens at; 0 while it does not."""
        return 0 if self._server is None else self._server.server_port

    def observe(self, figures: Figures) -> None:
        """Has them at hand for whoever asks."""
        self._health.observe(figures)

    def pulse(self) -> None:
        """The pipeline is alive."""
        self._health.pulse()

    def close(self) -> None:
        """Listens no more."""
        if self._server is not None:
            server, self._server = self._server, None
            server.shutdown()
            server.server_close()

    # -- what is asked -------------------------------------------------------------------------------------

    def _answer(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "/").rstrip("/")
        if path == "/metrics":
            answer: Iterable[bytes] = self._of_metrics(environ, start)
            return answer
        if path in ("/health", "/livez"):
            return self._judged("alive", self._health.ailments(), start)
        if path in ("/ready", "/readyz"):
            return self._judged("ready", self._health.hindrances(), start)
        start("404 Not Found", [("Content-Type", "text/plain; charset=utf-8")])
        return [f"there are {_PAGES}\n".encode()]

    def _judged(self, what: str, reasons: list[str], start: Callable[..., Any]) -> Iterable[bytes]:
        start(
            "503 Service Unavailable" if reasons else "200 OK",
            [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
        )
        told = {what: not reasons, "reasons": reasons, **self._health.told()}
        return [json.dumps(told, indent=2, ensure_ascii=False).encode() + b"\n"]

    def collect(self) -> Iterator[Any]:
        """The metrics, as the client library has them."""
        figures = self._health.latest.figures
        if figures is None:
            return
        name = figures.pipeline
        yield InfoMetricFamily(
            f"{_PREFIX}_build",
            "The version of limecep.",
            value={"pipeline": name, "version": figures.version},
        )
        for word, said, reasons in (
            ("alive", "Whether the pipeline gives signs of life.", self._health.ailments()),
            ("ready", "Whether the pipeline makes progress, as /ready says.", self._health.hindrances()),
        ):
            family = GaugeMetricFamily(f"{_PREFIX}_{word}", said, labels=["pipeline"])
            family.add_metric([name], not reasons)
            yield family
        for metric in metrics(figures):
            yield _family(metric, name)


_FAMILIES = {"counter": CounterMetricFamily, "gauge": GaugeMetricFamily, "summary": SummaryMetricFamily}


def _family(metric: Metric, pipeline: str) -> Any:
    family: Any = _FAMILIES[metric.kind](
        f"{_PREFIX}_{metric.name}", metric.about, labels=["pipeline", *metric.labels]
    )
    for labels, value in metric.rows:
        values = (value.count, value.total) if isinstance(value, Durations) else (value,)
        family.add_metric([pipeline, *labels], *values)
    return family


class _Server(ThreadingMixIn, WSGIServer):
    """A slow reader keeps no other waiting, nor the end of the run."""

    daemon_threads = True
    block_on_close = False

    def server_bind(self) -> None:
        """As of `WSGIServer`, but for the name of the machine: without a network, who asks for it waits."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = str(self.server_address[0]), self.server_address[1]
        self.setup_environ()


class _Server6(_Server):
    address_family = AF_INET6


class _Handler(WSGIRequestHandler):
    #: Seconds after which a connection that asks nothing is closed.
    timeout = 10

    def log_message(self, *_: object) -> None:
        """Requests are no events of the pipeline."""
