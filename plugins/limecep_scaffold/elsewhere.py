"""What a component gives in another process (`limecep.testing.elsewhere`).

python -m limecep_scaffold.elsewhere KIND/NAME OPTIONS NAME=YAML...
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from limecep.embedding.commands import Host
from limecep.testing.elsewhere import tell
from limecep_scaffold.trying import TryCommand

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(component: str, options: str, *attributes: str) -> None:
    """Prints the trace of the suite that `limecep plugins test` runs.

    Args:
        component: The component, as that command takes it.
        options: Its options, as YAML.
        attributes: Attributes of the suite.
    """
    suite = TryCommand(Host.load().registry).suite(component, options, attributes)
    tell(suite())


def called(component: str, options: str, attributes: Sequence[str]) -> tuple[str, ...]:
    """The arguments of Python that call this."""
    return "-m", "limecep_scaffold.elsewhere", component, options, *attributes


if __name__ == "__main__":
    main(*sys.argv[1:])
