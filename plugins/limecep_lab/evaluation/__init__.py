"""Runs beside the truth."""
