"""A folder to begin with: a pipeline, sample data, tests of it, and what runs it as a service."""

from __future__ import annotations

import re
from importlib import resources
from typing import TYPE_CHECKING

from limecep.embedding.documents import resolve
from limecep_demo.story import write

if TYPE_CHECKING:
    from pathlib import Path

    from limecep_demo.story import Demo


def project(demo: Demo, folder: Path) -> list[Path]:
    """Writes the folder.

    Args:
        demo: Whose pipeline and data they are.
        folder: The folder; what is called after it has its name.

    Returns:
        The files.

    Raises:
        FileExistsError: There is a file of one of these names with something else in it; nothing was written.
        OSError: They cannot be written.
    """
    name = re.sub(r"[^\w.-]+", "_", folder.absolute().name, flags=re.ASCII).strip("._-") or demo.name
    scalar = name if isinstance(resolve(name), str) else f'"{name}"'
    image = re.sub(r"[^a-z0-9]+", "-", name.lower())
    contents = {
        "pipeline.yaml": demo.pipeline.replace(f"name: {demo.name}\n", f"name: {scalar}\n", 1),
        "pipeline.test.yaml": _text(f"{demo.name}_tests.yaml"),
        f"limecep-{name}.service": _text("limecep.service").replace("@NAME@", name),
        "Containerfile": _text("Containerfile").replace("@NAME@", image),
    }
    files = {"events.jsonl": demo.data} | {file: text.encode() for file, text in contents.items()}
    write(folder, files)
    return [folder / file for file in sorted(files)]


def _text(name: str) -> str:
    return resources.files(__package__).joinpath("templates", name).read_text("utf-8")
