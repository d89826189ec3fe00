"""The runner of this machine: one process, or several that divide the keys of the patterns."""
