"""`limecep mine`: how many records of each kind a change log has."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from limecep.api import RunFailure
from limecep.embedding.commands import Exit

if TYPE_CHECKING:
    import argparse

    from limecep.embedding.pipelines import Registry


class MineCommand:
    """Counts records (`limecep.contracts.command`).

    Args:
        registry: The components there are.
    """

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Adds the arguments."""
        parser.add_argument("file", metavar="FILE", type=Path, help="a change log: JSON, one record a line")

    def execute(self, args: argparse.Namespace) -> int:
        """Counts, and says how many.

        Raises:
            RunFailure: The file cannot be read, or is no change log.
        """
        try:
            counts = Counter(json.loads(line)["op"] for line in args.file.read_text().splitlines())
        except OSError as e:
            raise RunFailure(f"{args.file} cannot be read: {e.strerror}") from None
        except (ValueError, KeyError, TypeError):
            raise RunFailure(f"{args.file} is no change log: a line is no JSON record with 'op'") from None
        for op, count in sorted(counts.items()):
            print(f"{op}  {count}")
        return Exit.FINE
