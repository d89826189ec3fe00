"""A result policy for limecep."""
