"""Functions for conditions: texts, numbers, and values of any kind."""
