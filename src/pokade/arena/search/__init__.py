"""How the strong level thinks: one file a game, compiled by the kernel on the rules themselves.

A search starts from a view and from nothing else. Its file has

    RECORDS, FLOATS, INTS, TABLE   how much room it needs: records of the state (the view is number 0), its memory
                                   while it thinks about one choice, and what it works out once a process
    ITERATIONS, CHUNK              the arena's budget for one choice, and about a millisecond's worth of it
    SHINES                         numbers of players at which it must have clearly more than its fair share among
                                   casual players: `python -m benchmarks strength` measures it
    prepare(states, flats, table)  fills the table, once
    ponder(states, flats, seat, table, floats, ints, rng, iterations)
                                   thinks on; the memory is all zeros at first, and ponder may be called again
    settle(states, flats, seat, table, floats, ints, rng)
                                   the choice, drawn from what has been thought

`states[k]` and `flats[k]` are the same cells, by name and in a row; events are left out, and `unheard` is set in the
view, so that nothing is told while a search plays on. Cells that the seat may not see hold UNKNOWN in the view.
"""
