"""Why a match came that nobody expected: what `limecep why` says of its records, where it is there."""

from __future__ import annotations

import argparse
import io
import tempfile
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

from limecep.embedding.pipelines import Renderer
from limecep.encoding import to_json
from limecep.errors import ConfigurationError, RunFailure

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from limecep.embedding.pipelines import Registry
    from limecep.model.update import Update

#: How many entries of each list are shown.
MOST_ENTRIES = 5

_RENDER = Renderer("full")


def reasons(
    match: str, told: Sequence[Update], pipeline: Path, overrides: Sequence[str], registry: Registry
) -> Iterator[str]:
    """Yield lines that say why a match is as it is; none where that cannot be said.

    Args:
        match: Its id.
        told: The change log.
        pipeline: The file of the pipeline.
        overrides: Values of the pipeline, as of `--set`.
        registry: The components there are.
    """
    spec = registry.find("command", "why")
    if spec is None or registry.missing(spec):
        return
    command: Any = registry.make(spec, registry)
    parser = argparse.ArgumentParser()
    parser.add_argument("--log-level", default="error")
    command.declare(parser)
    said = io.StringIO()
    with tempfile.TemporaryDirectory() as folder:
        records = Path(folder, "records.jsonl")
        records.write_bytes(b"".join(to_json(_RENDER.render(update)) + b"\n" for update in told))
        given = [match, "--records", str(records), "--pipeline", str(pipeline), "--limit", str(MOST_ENTRIES)]
        given += [word for override in overrides for word in ("--set", override)]
        try:
            with redirect_stdout(said):
                command.execute(parser.parse_args(given))
        except (ConfigurationError, RunFailure):
            # As where rows of tables are those of the test alone: the difference stands by itself.
            return
    yield from ("", "why", *(f"  {line}".rstrip() for line in said.getvalue().splitlines()))
