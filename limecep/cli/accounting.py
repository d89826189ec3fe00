"""What a run says at its end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: Shown for every pattern, even where they are 0.
_ALWAYS = ("emitted", "corrected", "retracted", "live")
#: Of interest to whoever looks for where time goes; the report has them.
_NEVER = ("engine_runs",)
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
            if k not in (*_ALWAYS, *_NEVER) and isinstance(n, int) and n
        ]
        lines.append(f"matches   {name:{left}}  {', '.join(said)}")
    return "\n".join(lines)


def effort(report: Mapping[str, Any]) -> str:
    """The line with what it took."""
    return (
        f"run       {report['seconds']:.2f} s, {report['events_per_second']:,.0f} events/s, "
        f"peak memory {report['peak_rss_bytes'] / 2**20:.0f} MiB"
    )
