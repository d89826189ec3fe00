"""An observer for limecep."""
