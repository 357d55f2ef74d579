"""What clients may say and what the server sends, defined once: docs/protocol.md and the web types are made from this.

The models of what clients say check it as it comes in. The definitions of what the server sends cost nothing: frames
are plain dictionaries, and a test compares those of whole games with the definitions.
"""
