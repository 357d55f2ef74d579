"""How the strong level thinks: a file or a folder for each game, compiled on the rules themselves.

A search starts from a view and from nothing else. It has

    RECORDS                        how many records of the state it needs; the view is number 0
    Memory, Table                  what it keeps while it thinks about one choice, and what it works out once a process:
                                   dataclasses of fields with shapes (`arena/memory.py`)
    ITERATIONS, CHUNK              the arena's budget for one choice, and about a millisecond's worth of it
    SHINES                         numbers of players at which the top level must have clearly more than its fair
                                   share among casual players: `python -m benchmarks matrix` measures it
    prepare(states, flats, table, memory)
                                   fills the table, once, with a memory of its own for notes
    read(table)                    fills in what was learnt before and lies in a file; only where there is such a file
    ponder(states, flats, seat, table, memory, rng, iterations)
                                   thinks on; the memory is all zeros at first, and ponder may be called again
    settle(states, flats, seat, table, memory, rng)
                                   the choice, drawn from what has been thought

`states[k]` and `flats[k]` are the same cells, by name and in a row; events are left out, and `unheard` is set in the
view, so that nothing is told while a search plays on. Cells that the seat may not see hold UNKNOWN in the view. After
`prepare` the table is only read. Regret matching stands once for all games, in `regrets.py`.
`pokade.testing.check_search` checks what is true of every search.
"""
