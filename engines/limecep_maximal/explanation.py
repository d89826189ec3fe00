"""The ways in words."""

from __future__ import annotations

WAYS = {
    "plain": "from the end event back; every group is the range that the ones beside it leave",
    "tight": "from the end event back, over ranges between which nothing fits",
    "joined": "the events that conditions compare are chosen one after the other, by their values where "
    "these have to be equal, then the rest",
    "pinned": "the single events that conditions compare are chosen first, in every way there is; groups are "
    "then ranges of what goes with them",
    "runs": "runs that go forward from one end event to the next; each takes the first event that fits",
    "alone": "from the end event back; of the groups that end there, those that no other contains",
    "relaxed": "the largest groups first, then enumeration inside those that fail a condition on the whole "
    "group, bounded by max_per_end",
    "search": "enumeration of all that may be chosen, of which the largest are kept, bounded by max_per_end",
    "contiguous": "from the end event back through the stream, to what stands next to it",
}

#: What is added where neighbours of a group are compared.
CHAINS = "; where neighbours of a group are compared, over chains of them"
