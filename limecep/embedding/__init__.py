"""What of the kernel a plugin may use to host it: a runner that detects somewhere else, a lab that tries
pipelines, a command beside `limecep run`.

Most plugins are asked by the kernel and need `limecep`, its contracts and its nouns. Those that ask the
kernel find here what they need, and nowhere else:

- `limecep.embedding.pipelines`: a configuration made ready, its events, detection, records and state.
- `limecep.embedding.documents`: YAML with a place for every problem, as the kernel reads its own.
- `limecep.embedding.commands`: what the commands of `limecep` have in common.
- `limecep.embedding.placing`: files in the places of a pipeline's sources.
- `limecep.embedding.recordings`: a pipeline's finite sources, merged by arrival as a run merges them.

These names stay, with what their docstrings promise, when the rooms that they come from are rebuilt;
CHANGELOG.md tells of a change. The kernel imports nothing from here. A program that feeds a pipeline needs
none of it: docs/embedding.md.
"""
