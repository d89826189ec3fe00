"""Parsers of commands that cost nothing until the command is called."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


class Deferred(argparse.ArgumentParser):
    """The parser of a command: its arguments are added when there are words to parse for it.

    Args:
        arguments: Adds them.
    """

    def __init__(
        self, *args: Any, arguments: Callable[[argparse.ArgumentParser], None] | None = None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self._arguments = arguments

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        arguments, self._arguments = self._arguments, None
        if arguments is not None:
            arguments(self)
        return super().parse_known_args(args, namespace)
