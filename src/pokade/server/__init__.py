"""The server: live tables where people play, over the network. Its layers, each of which imports those above it only:

- `table`: what a table is: its log, what is true of it, what may be asked of it;
- `views`: what people see of it; these two run wherever Python runs;
- `storage`: the logs of the tables, on SQLite or PostgreSQL;
- `judge`: records from outside, in a process of its own;
- `hub`: what keeps tables going: people, dice, bots, deadlines;
- `network`: how people connect: HTTP, WebSockets, limits, the page;
- `run` and what a process needs: `settings`, `listening`, `logs`.
"""
