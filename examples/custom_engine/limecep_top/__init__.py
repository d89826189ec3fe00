"""An engine for limecep that gives the best matches of each end event."""
