"""What survives a crash: what of a pipeline goes into a state store, and how it comes back."""
