"""Hidden hands, one file for each game that has any, which offers

    redeal(view, seat, worlds, seed)  fills flat states with hands that the seat could not have told from the true ones

from what the seat sees and nothing else. A game without a file hides nothing but sealed choices.
"""
