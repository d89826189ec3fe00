"""What a demo is made of."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Any

from limecep.embedding.pipelines import rfc3339

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime
    from pathlib import Path

#: What stands in a line of the data.
Record = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """What is told before the records that follow. `shown`: whether they are shown one by one."""

    text: str
    shown: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Demo:
    """One demo. Its pipeline is the file `NAME.yaml` beside this module, and reads `events.jsonl`.

    Attributes:
        name: Its name.
        title: What it is about.
        meaning: What the pattern looks for, in words.
        story: Gives chapters, and records in the order of their arrival.
    """

    name: str
    title: str
    meaning: str
    story: Callable[[], Iterable[Chapter | Record]]

    @property
    def pipeline(self) -> str:
        """The text of its pipeline."""
        return resources.files(__package__).joinpath(f"{self.name}.yaml").read_text("utf-8")

    @property
    def data(self) -> bytes:
        """Its data: the records of its story as lines."""
        return b"".join(line(r) + b"\n" for r in self.story() if not isinstance(r, Chapter))

    def write(self, folder: Path) -> Path:
        """Writes its pipeline and its data into a folder. What is there already stays as it is.

        Returns:
            The pipeline's file.

        Raises:
            FileExistsError: There is a file of that name with something else in it; nothing was written.
            OSError: They cannot be written.
        """
        pipeline = f"{self.name}.yaml"
        write(folder, {"events.jsonl": self.data, pipeline: self.pipeline.encode()})
        return folder / pipeline


def write(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Writes files into a folder. What is there already stays as it is.

    Args:
        folder: The folder; it need not be there.
        contents: What stands in each file, by its name.

    Raises:
        FileExistsError: There is a file of that name with something else in it; nothing was written.
        OSError: They cannot be written.
    """
    for name, content in contents.items():
        file = folder / name
        if file.exists() and file.read_bytes() != content:
            raise FileExistsError(f"{file} is there with something else in it: name another folder")
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        (folder / name).write_bytes(content)


def record(type: str, id: str, start: datetime, seconds: float, **attributes: Any) -> Record:
    """A record of what happened so many seconds after `start`."""
    time = int(start.timestamp()) * 1_000_000 + round(seconds * 1_000_000)
    return {"type": type, "id": id, "time": rfc3339(time), **attributes}


def line(record: Record) -> bytes:
    """The line of a record in the data."""
    return json.dumps(record).encode()
