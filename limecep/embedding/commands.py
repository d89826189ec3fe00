"""What the commands of `limecep` have in common. It is cheap to import, so that `--help` stays fast."""

from __future__ import annotations

from limecep.cli.colour import add_no_color
from limecep.cli.exits import Exit
from limecep.cli.overrides import add_set
from limecep.cli.signals import Stop
from limecep.cli.stream_statistics import table
from limecep.host import Host

__all__ = ["Exit", "Host", "Stop", "add_no_color", "add_set", "table"]
