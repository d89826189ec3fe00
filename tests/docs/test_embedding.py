"""What docs/embedding.md shows is what happens, and what its notebook and service do."""

from __future__ import annotations

import ast
import contextlib
import doctest
import io
import json
import re
import runpy
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/embedding.md"
EXAMPLE = ROOT / "examples/embedding"


def test_every_example_of_the_page_gives_what_is_shown() -> None:
    pytest.importorskip("pandas")
    text = "\n".join(re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL))
    test = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
    assert len(test.examples) > 20
    runner, said = doctest.DocTestRunner(verbose=False), io.StringIO()
    with capture_logs():
        runner.run(test, out=said.write)
    assert runner.failures == 0, said.getvalue()


def test_every_cell_of_the_notebook_gives_what_is_shown() -> None:
    """As Jupyter runs it: the value of a last expression is shown."""
    pytest.importorskip("pandas")
    notebook = json.loads((EXAMPLE / "heat.ipynb").read_text())
    names: dict[str, Any] = {}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) > 3
    for cell in cells:
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(compile(tree, "cell", "exec"), names)
            value = None if last is None else eval(compile(ast.Expression(last.value), "cell", "eval"), names)  # type: ignore[attr-defined]
        shown = [line for o in cell["outputs"] for line in o.get("text") or o["data"]["text/plain"]]
        assert "".join(shown) == out.getvalue() + ("" if value is None else repr(value))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_service_feeds_what_is_posted() -> None:
    pytest.importorskip("httpx")
    client_of = pytest.importorskip("fastapi.testclient").TestClient
    service = runpy.run_path(str(EXAMPLE / "service.py"))
    with client_of(service["app"]) as client:
        events = [
            {"type": "Smoke", "id": "s1", "time": "2026-01-05T10:00:00Z", "room": "hall"},
            {"type": "Heat", "id": "h1", "time": "2026-01-05T10:00:04Z", "room": "hall", "celsius": 45},
            {"type": "Heat"},
        ]
        answer = client.post("/events", json=events).json()
        assert [u["op"] for u in answer["updates"]] == ["emit"]
        assert [r["reason"] for r in answer["refused"]] == ["invalid"]
        (standing,) = client.get("/matches").json()
        assert standing["match"] == answer["updates"][0]["match"]
