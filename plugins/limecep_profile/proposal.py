"""A pipeline that reads a file, with policies that suit its disorder."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limecep.embedding.documents import resolve
from limecep.encoding import to_json
from limecep_profile.durations import rounded_up, shown

if TYPE_CHECKING:
    from limecep_profile.profile import Profile
    from limecep_profile.times import Candidate

_PLAIN = re.compile(r"[A-Za-z_./][\w./-]*")
_NAME = re.compile(r"[^\W\d]\w*")
_UNITS = {"us": "us", "ms": "ms", "s": "seconds", "m": "minutes", "h": "hours", "d": "days"}
#: The share of events out of order from which on a recomputation waits for more of them.
_WAITS_FROM = 0.1
#: The column in which comments stand.
_COLUMN = 42


def pipeline(profile: Profile, file: str, format: str | None = None) -> str:
    """The YAML of a pipeline.

    Args:
        profile: What is in the file; it has a time.
        file: The file, as the pipeline is to name it.
        format: The codec, as it was given; None where the file's name says it.
    """
    assert profile.time is not None
    stem = re.sub(
        r"\.(gz|csv|tsv|jsonl|ndjson|json|txt|log)\b", "", file.replace("\\", "/").rpartition("/")[2]
    )
    name = "_".join(re.findall(r"[A-Za-z0-9]+", stem)) or "events"
    if name[0].isdigit():
        name = f"data_{name}"
    common = next(iter(profile.types), "".join(w.title() for w in name.split("_")))
    lines = ["version: 1", f"name: {name}", "", "sources:", f"  {name}:", "    type: file"]
    lines.append(f"    channel: {_scalar(file)}")
    if format is not None:
        lines.append(f"    format: {format}")
    lines.append(f"    as: {{field: {_scalar(profile.type)}}}" if profile.type else f"    as: {common}")
    lines.append(f"    time: {_time(profile.time)}")
    if not profile.time.zoned:
        lines[-1] = _said(lines[-1], "stamps have no zone: put theirs here")
    if profile.arrival is not None:
        lines.append(f"    arrival: {_time(profile.arrival)}")
    if profile.id is not None:
        lines.append(f"    id: {_scalar(profile.id)}")
    elif profile.same:
        lines.append(
            f"    # no id: {profile.same:,} records that are the same as another count as duplicates"
        )
    if profile.key is not None:
        lines.append(f"    key: {_scalar(profile.key)}")
    gap, unit = rounded_up(profile.long_step) if profile.steps.count else (1, "m")
    quoted = common if _NAME.fullmatch(common) else f"`{common}`"
    lines += [
        "",
        "patterns:",
        _said("  silence:", "an event after which none comes for a while; your own go here"),
        "    query: |",
        f"      PATTERN SEQ({quoted} a, !{quoted} b)",
        f"      WITHIN {gap} {_UNITS[unit]}",
        *_policies(profile),
        "",
        "sinks:",
        "  out: {type: stdout}",
        "",
    ]
    return "\n".join(lines)


def _policies(profile: Profile) -> list[str]:
    """Lateness and slack. Nothing that came so far is refused, nor what is half as late again."""
    late = profile.late
    if not late.count:
        return [_said("    slack: none", "nothing was out of order")]
    greatest = late.greatest or 0
    within, unit = rounded_up(greatest + greatest // 2)
    bound = f"    lateness: {{type: bound, within: {within}{unit}}}"
    lines = [_said(bound, f"at most {shown(greatest)} late so far")]
    if late.count < _WAITS_FROM * profile.records:
        share = 100 * late.count / profile.records
        lines.append(_said("    slack: none", f"{share:.2g} % out of order: corrections at once"))
    else:
        wait, unit = rounded_up(late.quantile(0.9))
        lines.append(_said(f"    slack: {{type: fixed, wait: {wait}{unit}}}", "nine of ten are no later"))
    return lines


def _time(time: Candidate) -> str:
    if time.format == "iso8601" and time.zoned:
        return _scalar(time.name)
    zone = "" if time.zoned else ", zone: UTC"
    return f"{{field: {_scalar(time.name)}, format: {_scalar(time.format)}{zone}}}"


def _scalar(text: str) -> str:
    plain = _PLAIN.fullmatch(text) and isinstance(resolve(text), str)
    return text if plain else to_json(text).decode()


def _said(line: str, comment: str) -> str:
    return f"{line:{_COLUMN}}# {comment}" if len(line) < _COLUMN else f"{line}  # {comment}"
