"""Reports on a game: what many games between the levels say about it, and about each of its options."""
