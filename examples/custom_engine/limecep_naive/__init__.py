"""An engine for limecep that tries everything: short, slow, and complete."""
