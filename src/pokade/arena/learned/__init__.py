"""Bots that learn by playing themselves: small networks, trained with JAX, kept as arrays, played with numpy."""
