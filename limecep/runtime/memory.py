"""How much memory this process has taken."""

from __future__ import annotations

import sys
from pathlib import Path


def peak_rss() -> int | None:
    """The largest resident size so far, in bytes: VmHWM where there is one. None where the system does not
    say it."""
    try:
        for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    try:
        import resource
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
