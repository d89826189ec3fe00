"""The other side of a source's or a sink's channels: files, or whatever commands of a shell reach."""

from __future__ import annotations

import json
import os
import subprocess
from typing import TYPE_CHECKING, Any, ClassVar
from uuid import uuid4

import pytest

from limecep.clock import Stopwatch, pause

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from limecep.testing.messages import Outgoing

#: How long records are waited for, in seconds, and how long a command may take.
_WAIT_SECONDS = 10.0
_COMMAND_SECONDS = 60.0


class _Side:
    """What is known of both.

    Attributes:
        name: What channels are called, with `{n}` for what tells one from others.
        command: A command of a shell, where `{channel}`, and `$CHANNEL`, stand for the channel; "" for files.
    """

    name: ClassVar[str]
    command: ClassVar[str]

    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: Path) -> None:
        self.folder = tmp_path

    def make_channel(self) -> str:
        """A channel of a name that is new. Where channels are files, a source finds it there, and empty."""
        return self.name.replace("{n}", uuid4().hex[:12])

    def ran(self, channel: str, given: bytes = b"") -> bytes:
        """What the command writes."""
        done = subprocess.run(
            self.command.replace("{channel}", channel),
            shell=True,
            cwd=self.folder,
            input=given,
            capture_output=True,
            timeout=_COMMAND_SECONDS,
            env={**os.environ, "CHANNEL": channel},
        )
        said = done.stderr.decode(errors="replace").strip()
        assert done.returncode == 0, f"{self.command} ends with {done.returncode}: {said}"
        return done.stdout


class Writing(_Side):
    """Publishes what a source is to read."""

    def make_channel(self) -> str:
        """As of every side."""
        channel = super().make_channel()
        if not self.command:
            (self.folder / channel).touch()
        return channel

    def publish(self, channel: str, messages: Sequence[Outgoing]) -> None:
        """Publishes messages, a line each."""
        self.publish_text(channel, b"".join(message.value + b"\n" for message in messages))

    def publish_text(self, channel: str, data: bytes) -> None:
        """Publishes text."""
        if self.command:
            self.ran(channel, data)
            return
        with (self.folder / channel).open("ab") as file:
            file.write(data)


class Reading(_Side):
    """Reads what a sink has written."""

    def received(self, channel: str, count: int) -> list[Any]:
        """The records there are, which are waited for."""
        watch = Stopwatch()
        while True:
            found = [json.loads(line) for line in self._lines(channel)]
            if len(found) >= count or watch.seconds > _WAIT_SECONDS:
                return found
            pause(0.2)

    def _lines(self, channel: str) -> list[bytes]:
        if self.command:
            return self.ran(channel).splitlines()
        path = self.folder / channel
        return path.read_bytes().split(b"\n")[:-1] if path.is_file() else []
