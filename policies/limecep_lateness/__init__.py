"""Lateness policies: whether a late event is still used."""
