"""What systemd asks of a service with `Type=notify`: sd_notify(3) and sd_watchdog_enabled(3)."""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from limecep.contracts.context import Context
    from limecep.contracts.observer import Figures
    from limecep_observers.config import SystemdOptions

#: Signs of life come about once a second, and one may be late.
_SHORTEST_WATCHDOG_US = 3_000_000


class Systemd:
    """Sends `READY=1` when events are taken in, `WATCHDOG=1` while the pipeline gives signs of life,
    `STATUS=` with its figures, and `STOPPING=1` at the end. Where nobody asks for that, it does nothing."""

    def __init__(self, options: SystemdOptions, context: Context) -> None:
        self._logger = context.logger
        self._address = os.environ.get("NOTIFY_SOCKET", "")
        self._watched = _watchdog_us() > 0
        self._socket: socket.socket | None = None
        self._ready = False

    def open(self) -> None:
        """Finds out what systemd wants."""
        if not self._address:
            self._logger.info("NOTIFY_SOCKET is not set: there is nobody to notify")
            return
        if 0 < _watchdog_us() < _SHORTEST_WATCHDOG_US:
            self._logger.warning(
                "signs of life come once a second, which is too seldom for this watchdog: set WatchdogSec to "
                "3 or more",
                microseconds=_watchdog_us(),
            )
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
        # The pipeline waits for nobody.
        self._socket.setblocking(False)

    def observe(self, figures: Figures) -> None:
        """Tells how the pipeline is doing."""
        status = f"STATUS={_status(figures)}"
        if figures.phase in ("ended", "failed"):
            self._send(f"STOPPING=1\n{status}")
        elif figures.phase == "running" and not self._ready:
            self._ready = self._send(f"READY=1\n{status}")
        else:
            self._send(status)

    def pulse(self) -> None:
        """Feeds the watchdog."""
        if self._watched:
            self._send("WATCHDOG=1")

    def close(self) -> None:
        """Lets go of the socket."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _send(self, text: str) -> bool:
        """Sends a message; says whether it went out. What finds no room is left out: the next comes soon."""
        if self._socket is None:
            return False
        address = self._address
        try:
            self._socket.sendto(text.encode(), "\0" + address[1:] if address[0] == "@" else address)
        except BlockingIOError:
            return False
        return True


def _watchdog_us() -> int:
    """How often this process is to give a sign of life, in microseconds; 0 if it is not."""
    if os.environ.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return 0
    text = os.environ.get("WATCHDOG_USEC", "")
    return int(text) if text.isdecimal() else 0


def _status(figures: Figures) -> str:
    """One line for `systemctl status`."""
    if figures.phase == "failed":
        return f"failed: {' '.join(figures.failure.split())}"
    said: list[str] = [figures.phase]
    away = [s.name for s in figures.sources if not (s.connected or s.ended)]
    if away and figures.phase == "running":
        said.append(f"not connected: {', '.join(away)}")
    said.append(f"{sum(s.read for s in figures.sources)} events read")
    said.append(f"{sum(p.live for p in figures.patterns)} matches live")
    if figures.state is not None and figures.state.unsent:
        said.append(f"{figures.state.unsent} records wait for their sinks")
    if stopped := [p.name for p in figures.patterns if p.disabled]:
        said.append(f"disabled: {', '.join(stopped)}")
    return ", ".join(said)
