"""The house: live tables where people play, over the network."""
