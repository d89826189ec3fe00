"""The testing kit: what plugin authors and limecep itself are tested with.

`oracle` says by brute force what the matches of a pattern are. `streams` makes event streams from a seed,
`strategies` random streams and patterns for hypothesis. `bench` drives an engine without a pipeline,
`policy_bench` a pattern under policies. `engine`, `lateness`, `slack`, `recompute`, `results`, `transport`,
`codec`, `transform`, `state`, `runner`, `command` and `plugin` hold the suites that authors of plugins
subclass; no test of theirs hangs (`bounded`). `changelog` folds a change log into its
net results.
`ManualClock`, of `limecep.clock`, is a clock that moves when told.

`strategies` and the suites need the extra `limecep[testing]`.
"""

from __future__ import annotations

from limecep.clock import ManualClock

__all__ = ["ManualClock"]
