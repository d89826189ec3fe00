"""The engine `nfa`: all matches, found by an automaton whose runs share what they have in common."""
