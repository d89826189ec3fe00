"""Recompute policies: which end events a late event may touch."""
