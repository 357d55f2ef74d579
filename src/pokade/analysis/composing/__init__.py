"""Making the files of `pokade.problems`: positions of self-play in which one choice is surely better than the others.

    python -m pokade.analysis.composing GAME    makes a game's file again; what is done so far is kept beside it

Where a game is solved, the solution says what every choice is worth (`exact`). Elsewhere games are played on to their
end (`sampled`), and a position is taken only if the strong level's search finds the same choice and the difference is
above the limit by several standard errors. Everything is seeded: the same rules and players give the same bytes.
"""
