"""Pokade: a house for four games of sealed choice and bluff."""
