"""Built-in time formats beyond those of the kernel."""
