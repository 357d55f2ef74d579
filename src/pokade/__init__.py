"""Pokade: a house for games of sealed choice and bluff."""

__version__ = "0.1.0"
