"""A recompute policy for limecep."""
