"""What a run says at its end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.cli.noted import noted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: Shown for every pattern, even where they are 0.
_ALWAYS = ("emitted", "corrected", "retracted", "live")
#: Of interest to whoever looks for where time goes; the report has them.
_NEVER = ("engine_runs", "on_demand_runs", "events_handed")
#: What is not a number of matches, each with the heading of its line and its words for one and for several.
_LINES = {
    "slack_waits": ("slack", "late event waited for others", "late events waited for others"),
    "refused": ("refused", "event was extremely late for it", "events were extremely late for it"),
    "unrepaired": ("warning", "event reached back further than memory: results may be off",
                   "events reached back further than memory: results may be off"),
    "windows_cut": ("warning", "time memory was too short for its windows: matches are missing",
                    "times memory was too short for its windows: matches are missing"),
    "unknown": ("unknown", "condition came out unknown, so it did not hold",
                "conditions came out unknown, so they did not hold"),
    "truncated": ("warning", "evaluation was cut short at max_per_end: matches are missing",
                  "evaluations were cut short at max_per_end: matches are missing"),
}  # fmt: skip
#: So many extremely late events behind one event time are no accident.
_MANY = 10
#: Outcomes that go to the late output.
_REFUSED = ("invalid", "future", "extremely_late")


def accounting(report: Mapping[str, Any], late: Sequence[str] = ()) -> str:
    """A report as lines for people. What was read is the sum of its outcomes.

    Args:
        report: The report.
        late: Where the late output went, if anywhere.
    """
    events = report["events"]
    outcomes = [f"{n:,} {name.replace('_', ' ')}" for name, n in events.items() if n and name != "read"]
    lines = [f"events    {events['read']:,} read" + (f" = {' + '.join(outcomes)}" if outcomes else "")]
    refused = sum(events.get(outcome, 0) for outcome in _REFUSED)
    if refused:
        where = f"in {', '.join(late)}" if late else "counted only, a sink with 'of: late' would keep them"
        lines.append(f"refused   {refused:,}, each with its reason: {where}")
    left = max((len(name) for name in report["patterns"]), default=0)
    for name, counts in report["patterns"].items():
        said = [f"{counts[k]:,} {k}" for k in _ALWAYS]
        said += [
            f"{n:,} {k.replace('_', ' ')}"
            for k, n in counts.items()
            if k not in (*_ALWAYS, *_NEVER, *_LINES) and isinstance(n, int) and n
        ]
        lines.append(f"matches   {name:{left}}  {', '.join(said)}")
        lines += [
            f"{heading:8}  {name:{left}}  {counts[k]:,} {one if counts[k] == 1 else several}"
            for k, (heading, one, several) in _LINES.items()
            if counts.get(k)
        ]
    lines += [f"warning   {line}" for line in noted(report)]
    return "\n".join([*lines, *_memory(report), *_jump(report)])


def _memory(report: Mapping[str, Any]) -> list[str]:
    """What left early, and was read again."""
    if not report.get("evicted"):
        return []
    said = f"memory    {report['evicted']:,} events left before their time, for want of room"
    again = report["retrieved"]
    if again["times"]:
        said += (
            f"; {again['events']:,} were read again, in {again['times']:,} goes and {again['seconds']:.1f} s"
        )
    return [said]


def _jump(report: Mapping[str, Any]) -> list[str]:
    """A hint where event time seems to have jumped ahead, so that all that came after was late."""
    behind = report.get("behind")
    if not behind or behind["extremely_late"] < max(_MANY, report["events"]["extremely_late"] // 2):
        return []
    time = behind["event_time"].replace("T", " ")
    return [
        f"hint      {behind['extremely_late']:,} events were refused as extremely late after event time had "
        f"come to {time} (source {behind['source']})",
        "          if that time is wrong: max_future_skew sets such events aside, in files if they have an "
        "arrival time",
    ]


def effort(report: Mapping[str, Any]) -> str:
    """The line with what it took."""
    return (
        f"run       {report['seconds']:.2f} s, {report['events_per_second']:,.0f} events/s, "
        f"peak memory {report['peak_rss_bytes'] / 2**20:.0f} MiB"
    )
