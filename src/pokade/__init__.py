"""Pokade: a house for four games of sealed choice and bluff."""

__version__ = "0.1.0"
