"""Many games, fast: the rules compiled, matches, reports."""
