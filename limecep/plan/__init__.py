"""From a pattern to a plan: what an engine is told, with every condition compiled once."""
