"""Thirty-two cards, 7 to ace in four suits. A card is rank × 4 + suit, a set of cards is a bit set."""

from typing import Final

from pokade.games.state import rule

RANKS: Final = 8
SUITS: Final = 4
CARDS: Final = 32
ALL_CARDS: Final = (1 << CARDS) - 1
SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE = range(8)
CLUBS, DIAMONDS, HEARTS, SPADES = range(4)

RANK_LETTERS: Final = "789TJQKA"
SUIT_LETTERS: Final = "cdhs"
NAMES: Final = tuple(rank + suit for rank in RANK_LETTERS for suit in SUIT_LETTERS)
BY_NAME: Final = {name: card for card, name in enumerate(NAMES)}


@rule
def card(rank: int, suit: int) -> int:
    """The card of a rank and a suit."""
    return rank * SUITS + suit


@rule
def rank_of(card: int) -> int:
    """7 is 0, the ace is 7."""
    return card // SUITS


@rule
def suit_of(card: int) -> int:
    """Clubs, diamonds, hearts, spades."""
    return card % SUITS


@rule
def of_rank(cards: int, rank: int) -> int:
    """The suits in which a set of cards has a rank, as a bit set of suits."""
    return cards >> SUITS * rank & 15


def cards_in(cards: int) -> list[int]:
    """The members of a set of cards, ascending."""
    return [card for card in range(CARDS) if cards >> card & 1]
