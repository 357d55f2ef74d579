"""Records from outside: replayed, verified and drawn by a process of its own, with a queue before it."""
