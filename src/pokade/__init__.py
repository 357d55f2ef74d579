"""Pokade: a house for games of sealed choice and bluff."""

__version__ = "0.2.0"
