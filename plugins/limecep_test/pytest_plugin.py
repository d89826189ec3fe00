"""Has pytest collect `*.test.yaml`, each test an item. It imports nothing before there is such a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from limecep_test.cases import Ready


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A file of tests of a pipeline, if it is one: others have files of that name, too."""
    if not file_path.name.endswith(".test.yaml"):
        return None
    lines = file_path.read_bytes().splitlines()
    if not any(line.startswith(b"pipeline:") for line in lines):
        return None
    return YamlFile.from_parent(parent, path=file_path)


class Different(Exception):
    """Something is not as expected; the text says what."""


class YamlFile(pytest.File):
    """A test file."""

    def collect(self) -> Iterator[YamlItem]:
        """Its tests."""
        import structlog

        from limecep.embedding.commands import Host
        from limecep_test.cases import prepare

        prepared = prepare(self.path, Host.load().registry, structlog.get_logger())
        if prepared.refused:
            raise self.CollectError("\n".join(map(str, prepared.problems)))
        for ready in prepared.tests:
            yield YamlItem.from_parent(self, name=ready.case.name, ready=ready)


class YamlItem(pytest.Item):
    """A test."""

    def __init__(self, *, ready: Ready, **more: Any) -> None:
        super().__init__(**more)
        self._ready = ready

    def runtest(self) -> None:
        """Runs it."""
        result = self._ready.run()
        if not result.passed:
            raise Different("\n".join(result.lines()))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the differences, without a traceback."""
        if isinstance(excinfo.value, Different):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return file, line and name."""
        return self.path, self._ready.case.place.line - 1, self.name
