"""The server inside a web page, for people at one device and no network: the hub, with messages instead of sockets.

A browser has Python (Pyodide, in a worker), the standard library and nothing else: no framework, no database, no
compiler. So this layer answers the requests of `server/network` and speaks the same frames, without its libraries, and
has neither strong bots nor pictures nor analyses. What a table does is the hub's business, here as everywhere.
"""
