"""What runs a pipeline in one process: sources to detection to sinks, and reading again what left memory."""
