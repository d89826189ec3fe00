"""The Containerfile, line by line: what can be said of it without a builder."""

from __future__ import annotations

import fnmatch
import json
import re
import tomllib
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]


class Line(NamedTuple):
    instruction: str
    rest: str


def instructions() -> list[Line]:
    """What it says, without comments and with continued lines in one."""
    text = (ROOT / "Containerfile").read_text()
    text = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    lines = [line for line in text.replace("\\\n", "").splitlines() if line.strip()]
    return [Line(*line.split(maxsplit=1)) for line in lines]


def stages() -> list[list[Line]]:
    """Those of each stage, from its FROM on."""
    found: list[list[Line]] = []
    for line in instructions():
        if line.instruction == "FROM":
            found.append([])
        if found:
            found[-1].append(line)
    return found


LINES = instructions()
BUILD, FINAL = stages()


def those(name: str, lines: list[Line]) -> list[str]:
    return [line.rest for line in lines if line.instruction == name]


def test_every_line_is_an_instruction_that_is_known() -> None:
    known = {"ARG", "CMD", "COPY", "ENTRYPOINT", "ENV", "FROM", "RUN", "USER", "WORKDIR"}
    # No ADD, which takes addresses; no VOLUME, which makes folders that are lost unnoticed.
    assert {line.instruction for line in LINES} <= known


def test_the_base_has_a_version_and_is_the_one_of_both_stages() -> None:
    arguments = dict(a.split("=", 1) for a in those("ARG", LINES))
    assert re.fullmatch(r"docker\.io/library/python:3\.\d+-alpine3\.\d+", arguments["BASE"])
    assert arguments["BUILDER"] == "${BASE}"
    assert those("FROM", LINES) == ["${BUILDER} AS build", "${BASE}"]
    minor = re.search(r"python:(3\.\d+)", arguments["BASE"])
    assert minor is not None
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert f"Programming Language :: Python :: {minor[1]}" in project["classifiers"]
    assert set(arguments["EXTRAS"].split(",")) <= set(project["optional-dependencies"])


def test_no_line_depends_on_the_architecture() -> None:
    text = "\n".join(line.rest for line in LINES)
    assert re.findall(r"(?i)x86|amd64|aarch64|arm64|armv7|--platform|TARGETARCH|lib64", text) == []


def test_it_runs_as_nobody_in_particular_and_takes_signals_itself() -> None:
    user = those("USER", FINAL)[-1]
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", user)
    # As lists: with a shell in between SIGTERM would not come through.
    assert json.loads(those("ENTRYPOINT", FINAL)[-1]) == ["/opt/limecep/bin/limecep"]
    assert json.loads(those("CMD", FINAL)[-1]) == ["run", "/etc/limecep/pipeline.yaml"]
    assert [line.instruction for line in FINAL][-3:] == ["USER", "ENTRYPOINT", "CMD"]


def test_it_writes_into_the_folder_of_the_state_alone() -> None:
    environment = dict(v.split("=", 1) for v in those("ENV", FINAL)[0].split())
    assert environment["PYTHONDONTWRITEBYTECODE"] == "1"
    folder = environment["STATE_DIRECTORY"]
    assert those("WORKDIR", FINAL) == [folder]
    owned = [c for c in those("COPY", FINAL) if "--chown" in c]
    assert [c.split()[-1] for c in owned] == [folder]
    assert f"--chown={those('USER', FINAL)[-1]}" in owned[0]


def test_the_last_stage_only_takes_what_the_first_one_made() -> None:
    # So it brings no compiler and no cache along, and nothing of the checkout.
    assert those("RUN", FINAL) == []
    assert all(c.startswith("--from=build ") for c in those("COPY", FINAL))


def test_what_it_copies_is_all_that_a_wheel_needs_and_is_let_through() -> None:
    copied = [name for c in those("COPY", BUILD) for name in c.split()[:-1]]
    assert [name for name in copied if not (ROOT / name).exists()] == []
    configuration = tomllib.loads((ROOT / "pyproject.toml").read_text())
    packages = configuration["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    project = configuration["project"]
    needed = {p.partition("/")[0] for p in packages} | {"pyproject.toml", "hatch_build.py"}
    needed |= {project["readme"], *project["license-files"]}
    assert set(copied) == needed
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    through = [line.removeprefix("!") for line in ignored if line.startswith("!")]
    assert "*" in ignored
    assert [name for name in copied if not any(fnmatch.fnmatch(name, t) for t in through)] == []
