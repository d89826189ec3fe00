"""What the commands of `limecep` have in common."""

from __future__ import annotations

from limecep.cli.accounting import accounting
from limecep.cli.colour import add_no_color
from limecep.cli.exits import Exit
from limecep.cli.logs import configure as configure_logs
from limecep.cli.overrides import add_set
from limecep.cli.signals import Stop
from limecep.cli.stream_statistics import table

__all__ = ["Exit", "Stop", "accounting", "add_no_color", "add_set", "configure_logs", "table"]
