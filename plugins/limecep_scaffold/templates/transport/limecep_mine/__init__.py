"""A transport for limecep."""
