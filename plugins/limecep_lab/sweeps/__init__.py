"""Policies tried on a recording, and the choice of some."""
