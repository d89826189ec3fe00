"""The runner of this process."""
