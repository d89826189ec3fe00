"""An engine for limecep."""
