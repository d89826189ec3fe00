"""The nouns: event, pattern, expression, match, update."""
