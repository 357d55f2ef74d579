"""A bot for Poch, written from docs/fields.md alone: it bids on its best set, and plays the suit it has most of."""

BIDDING, STARTING = 2, 3  # phases; the third in which a seat chooses is naming a suit
PASS, HOLD = 0, 1  # choices in the bidding; a bid of n is n + 1


def choose(view):
    """A view in, one of its choices out."""
    state = view.state
    hand = [card for card in range(32) if state.hand[view.seat] >> card & 1]  # a card is rank × 4 + suit
    if state.phase == BIDDING:
        return bid(view, view.facts["set_size"], view.facts["set_rank"])
    suits = [card % 4 for card in hand]
    if state.phase == STARTING:  # a choice is a card: a seven or an ace
        return max(view.choices, key=lambda card: suits.count(card % 4))
    return max(view.choices, key=suits.count)  # a choice is a suit


def bid(view, size, rank):
    """Open with three of a kind or a high pair, hold with a good one, and raise with four."""
    state = view.state
    worth = 10 * size + rank  # 20 a pair of sevens, 27 a pair of aces, 30 three sevens …
    if worth >= 40 or (state.bid == 0 and worth >= 25):
        wanted = min(state.bid + 3, state.max_bid) + 1
        return wanted if wanted in view.choices else view.choices[-1]
    return HOLD if HOLD in view.choices and worth >= 27 else PASS
