"""Poch on the terminal: the round board, the hand with its best set lifted, the track of the playing out."""

import math
from collections.abc import Sequence
from typing import Final

from rich.style import Style
from rich.text import Text

from pokade import texts
from pokade.cli.draw.brush import Block, Brush, Canvas, beside, join, left, middle, wide
from pokade.cli.draw.offer import Entry, Offer
from pokade.cli.draw.palette import BOARD, BRASS, DARK, EMPTY_PLATE, FAINT, LIGHT, PAPER, PLATE, SEATS, SOFT, Cloth
from pokade.cli.draw.pieces import coin, initials, label, line_of, pill
from pokade.games.cards import RANKS, SUITS, card, cards_in, of_rank, rank_of, suit_of
from pokade.games.play import View
from pokade.games.poch import (
    BID,
    BIDDING,
    HOLD,
    NAMING,
    PASS,
    PLATES,
    STARTING,
    PochState,
    best_rank,
    can_hold,
    highest_bid,
    lowest_bid,
)
from pokade.games.state import NOTHING, UNKNOWN, how_many

CLOTH: Final = Cloth("#451725", "#2B0D18", "#F6BFB2", "#EC9D8D")
RANK_SIGNS: Final = ("7", "8", "9", "10", "J", "Q", "K", "A")
SUIT_SIGNS: Final = "♣♦♥♠"
ON_PAPER: Final = ("#0A6B45", "#1650B5", "#C4261F", "#1C1433")
ON_CLOTH: Final = ("#3CC68B", "#8DB5F0", "#FF9A8E", "#F6F2FF")
PLATE_SIGNS: Final = ("A", "K", "Q", "J", "10", "7·8·9", "K+Q", "Poch")
DRAWN: Final = ("played",)  # the track shows the cards and their players
WIDE: Final = 35
HIGH: Final = 14
SIDE: Final = 42
ROWS: Final = (-5, -3, 0, 3, 5, 3, 0, -3)  # of each plate, from the middle


def emblem(brush: Brush) -> Block:
    """A few cards for the door of the house."""
    shown = (card(7, 2), card(6, 3), card(5, 1))
    return beside([playing_card(brush, each) for each in shown], 1)


def heading(view: View, brush: Brush) -> str:
    """Which deal it is."""
    return brush.say("play.poch.deal_of", number=view.state.round, all=view.state.deals)


def table(view: View, names: Sequence[str], brush: Brush) -> Block:
    """Board or track with the seats beside it; the hand below."""
    if brush.is_narrow:
        return middle(_small_table(view, names, brush), brush.width)
    state = view.state
    is_playing = state.direction != 0
    main = track(view, names, brush) if is_playing else board(state, brush)
    cards = hand(view, brush)
    lines = seats(view, names, brush)
    if 2 * len(lines) + 1 + len(cards) < HIGH:  # air between them
        lines = [line for seat in lines for line in (Text(), seat)][1:]
    side = [stage(view, brush), join("  ", trumps(state, brush)), *lines]
    side += [Text()] * (HIGH - len(side) - len(cards))
    return middle(beside([main, [*side, *cards]], 3), brush.width)


def _small_table(view: View, names: Sequence[str], brush: Brush) -> Block:
    """All of it in few lines: the plates as a list, the hand in one row, or the track."""
    state = view.state
    head = [stage(view, brush), join(" ", trumps(state, brush))]
    if state.direction:
        way, _, *rows = track(view, names, brush)
        return [*head, *seats(view, names, brush), join(way), *(row for row in rows if row.plain.strip())]
    plates = [brush.ink(f"{PLATE_SIGNS[at]} {state.plates[at]}", BRASS.face) for at in range(PLATES)]
    bank = brush.ink(f"{brush.say('play.poch.bank')} {state.bank}", bold=True)
    rows = [line_of([bank, *plates[:4]], SIDE), line_of(plates[4:], SIDE)]
    return [*head, *rows, *seats(view, names, brush), *_small_hand(view, brush)]


def _small_hand(view: View, brush: Brush) -> Block:
    """The viewer's cards as signs in a row or two."""
    cards = _own_hand(view)
    ordered = sorted(cards_in(cards), key=lambda each: (-suit_of(each), -rank_of(each)))
    signs = [
        brush.ink(f" {RANK_SIGNS[rank_of(each)]}{SUIT_SIGNS[suit_of(each)]} ", ON_PAPER[suit_of(each)], PAPER.face)
        for each in ordered
    ]
    row = -(-len(signs) // 2) if len(signs) > 8 else 8
    return [join(*(part for sign in signs[at : at + row] for part in (sign, " "))) for at in range(0, len(signs), row)]


def stage(view: View, brush: Brush) -> Text:
    """Which of the three stages it is."""
    state = view.state
    now = 2 if state.phase in (STARTING, NAMING) or state.direction else 1 if state.phase == BIDDING else 0
    words = texts.entry(brush.language, "play.poch.stages")
    return join(*(pill(brush, brush.word(word), is_on=at == now) for at, word in enumerate(words)))


def trumps(state: PochState, brush: Brush) -> Text:
    """The suit that is trumps, once it is known."""
    if state.trumps == NOTHING:
        return Text()
    words = brush.say("play.poch.trumps", suit=texts.entry(brush.language, "poch.suit")[state.trumps])
    return join(
        brush.ink(SUIT_SIGNS[state.trumps] + " ", ON_CLOTH[state.trumps], bold=True), brush.ink(words, bold=True)
    )


def seats(view: View, names: Sequence[str], brush: Brush) -> Block:
    """Counters, cards, what each has said; the dealer and the acting seat are marked."""
    state = view.state
    return [_seat(view, names, brush, who) for who in range(state.n_seats)]


def _seat(view: View, names: Sequence[str], brush: Brush, who: int) -> Text:
    state = view.state
    acts = state.phase in (BIDDING, STARTING, NAMING) and state.acting == who
    marker = brush.ink("▸" if acts and not brush.is_plain else ">" if acts else " ", LIGHT, bold=True)
    digits = max(4, len(str(max(state.counters))))
    name = left(label(brush, who, names, 16 - digits), 16 - digits)
    coins = left(coin(brush, state.counters[who]), 2 + digits)
    held = state.hand_size[who]
    cards = brush.ink(f"{held:>2} {brush.say('play.poch.cards', number=held)}", SOFT)
    said = brush.ink(_said(state, brush, who), bold=True)
    dealer = brush.ink(" D" if who == state.dealer else "  ", BRASS.face, bold=True)
    return left(join(marker, name, dealer, " ", coins, " ", left(cards, 9), " ", said), SIDE)


def _said(state: PochState, brush: Brush, who: int) -> str:
    said = state.said[who]
    if said == NOTHING:
        return ""
    if said == PASS:
        return brush.say("play.poch.passed")
    return brush.say("play.poch.held", number=state.paid[who]) if said == HOLD else f"→ {said - BID}"


def board(state: PochState, brush: Brush) -> Block:
    """Eight plates around the bank."""
    return _round_board(state, brush) if brush.filled else _ring(state, brush)


def _place(plate: int) -> tuple[int, int]:
    """Where a plate lies, clockwise from the top: the column of its middle and its upper row."""
    return WIDE // 2 + round(12 * math.sin(plate * math.tau / PLATES)), HIGH // 2 - 1 + ROWS[plate]


def _round_board(state: PochState, brush: Brush) -> Block:
    canvas = Canvas(WIDE, HIGH)
    x, y = WIDE / 2, float(HIGH)
    for py, points in enumerate(canvas.points):
        for px in range(WIDE):
            far = ((px + 0.5 - x) / (WIDE / 2)) ** 2 + ((py + 0.5 - y) / HIGH) ** 2
            points[px] = None if far > 1 else BOARD.edge if far > 0.86 else BOARD.face
    for plate in range(PLATES):
        at, row = _place(plate)
        _plate(canvas, at, row, PLATE_SIGNS[plate], state.plates[plate])
    canvas.write(int(x), HIGH // 2 - 1, brush.say("play.poch.bank"), BRASS.face)
    canvas.write(int(x), HIGH // 2, str(state.bank), LIGHT, bold=True)
    return canvas.block()


def _plate(canvas: Canvas, x: int, row: int, sign: str, count: int) -> None:
    """Brass where counters lie, dark where none do."""
    colour = PLATE if count else EMPTY_PLATE
    for py in range(2 * row - 1, 2 * row + 5):
        half = 2 if py in (2 * row - 1, 2 * row + 4) else 3
        for px in range(x - half, x + half + 1):
            if 0 <= py < 2 * HIGH:
                canvas.points[py][px] = colour
    ink = DARK if count else "#E8B9C4"
    canvas.write(x, row, sign, ink, bold=True)
    canvas.write(x, row + 1, str(count) if count else "·", ink)


def _ring(state: PochState, brush: Brush) -> Block:
    """The same ring in signs."""
    rows = [[" "] * WIDE for _ in range(HIGH)]
    for plate in range(PLATES):
        at, row = _place(plate)
        _put(rows, at, row, f"({PLATE_SIGNS[plate]:^5})")
        _put(rows, at, row + 1, f"({state.plates[plate]:^5})")
    _put(rows, WIDE // 2, HIGH // 2 - 1, brush.say("play.poch.bank"))
    _put(rows, WIDE // 2, HIGH // 2, str(state.bank))
    return [Text("".join(row)) for row in rows]


def _put(rows: list[list[str]], x: int, row: int, words: str) -> None:
    start = x - len(words) // 2
    for at, sign in enumerate(words):
        if 0 <= start + at < WIDE:
            rows[row][start + at] = sign


def track(view: View, names: Sequence[str], brush: Brush) -> Block:
    """Four suits by eight ranks: the player of each card, and those that are in the viewer's hand."""
    state = view.state
    way = brush.word(texts.entry(brush.language, "poch.direction")[0 if state.direction == 1 else 1])
    lines: Block = [brush.ink(way, SOFT), Text()]
    for suit in reversed(range(SUITS)):
        cells = [_cell(view, names, brush, card(rank, suit)) for rank in range(RANKS)]
        sign = brush.ink(f" {SUIT_SIGNS[suit]} ", ON_CLOTH[suit], bold=True)
        lines += [join(sign, *cells), Text()]
    plates = [f"{PLATE_SIGNS[plate]} {state.plates[plate]}" for plate in range(PLATES) if state.plates[plate]]
    return [*lines, brush.ink("  ".join(plates), BRASS.face)]


def _cell(view: View, names: Sequence[str], brush: Brush, which: int) -> Text:
    rank, player = RANK_SIGNS[rank_of(which)], view.state.played_by[which]
    if player != NOTHING:
        sign = f"{rank}{initials(names)[player][:1]}"
        is_new = any(told.event.name in DRAWN and card(told.what, told.more) == which for told in view.told)
        shown = brush.ink(f"{sign:^3}", DARK, SEATS[player].face, bold=True)
        shown.stylize("underline" if is_new else "")
        return join(shown, " ")
    if _own_hand(view) >> which & 1:
        return join(brush.ink(f"{rank:^3}" if brush.filled else f"•{rank:<2}", DARK, PAPER.face, bold=True), " ")
    return brush.ink(f"{rank:^3} ", FAINT)


def _own_hand(view: View) -> int:
    """The viewer's cards as a set; nothing for a watcher."""
    if view.seat < 0 or view.state.hand[view.seat] == UNKNOWN:
        return 0
    return int(view.state.hand[view.seat])


def hand(view: View, brush: Brush) -> Block:
    """The viewer's cards by suit, the best set lifted."""
    cards = _own_hand(view)
    if not cards:
        return []
    best = of_rank(cards, best_rank(cards)) << card(best_rank(cards), 0) if view.state.phase == BIDDING else 0
    if how_many(best) == 1:
        best = 0
    ordered = sorted(cards_in(cards), key=lambda each: (-suit_of(each), -rank_of(each)))
    blocks = [[*playing_card(brush, each), *([Text()] if best >> each & 1 else [])] for each in ordered]
    step = wide(blocks[0]) + 1
    rows = -(-len(blocks) // (SIDE // step))
    each = -(-len(blocks) // rows)
    return [line for at in range(0, len(blocks), each) for line in beside(blocks[at : at + each], 1, bottom=True)]


def playing_card(brush: Brush, which: int) -> Block:
    """Rank above suit, four shapes and four tones."""
    rank, suit = RANK_SIGNS[rank_of(which)], suit_of(which)
    if not brush.filled:
        return [
            Text("╭──╮"),
            join("│", Text(f"{rank:<2}"), "│"),
            join("│", Text(f"{SUIT_SIGNS[suit]} ", ON_CLOTH[suit]), "│"),
        ]
    style = Style(color=ON_PAPER[suit], bgcolor=PAPER.face, bold=True)
    return [Text(f" {rank:<2}", style), Text(f" {SUIT_SIGNS[suit]} ", style), Text("▀▀▀", PAPER.edge)]


def offer(view: View, names: Sequence[str], brush: Brush) -> Offer:
    """A bid, a card to start with, or the next suit."""
    who = names[view.seat]
    if view.state.phase == BIDDING:
        return _offer_bid(view, brush, who)
    words = texts.entry(brush.language, "poch.suit")
    if view.state.phase == STARTING:
        entries = [_start(brush, at, each) for at, each in enumerate(view.choices, 1)]
        return Offer(brush.say("play.poch.question_start", who=who), entries)
    signs = [Text(SUIT_SIGNS[s], (ON_PAPER if brush.filled else ON_CLOTH)[s]) for s in range(SUITS)]
    entries = [
        Entry(s, (str(at), "cdhs"[s]), brush.word(words[s]), picture=signs[s]) for at, s in enumerate(view.choices, 1)
    ]
    return Offer(brush.say("play.poch.question_suit", who=who), entries)


def _start(brush: Brush, number: int, which: int) -> Entry:
    direction = brush.word(texts.entry(brush.language, "play.poch.ways")[0 if rank_of(which) == 0 else 1])
    suit = suit_of(which)
    picture = Text(RANK_SIGNS[rank_of(which)] + SUIT_SIGNS[suit], (ON_PAPER if brush.filled else ON_CLOTH)[suit])
    return Entry(which, (str(number),), direction, picture=picture)


def _offer_bid(view: View, brush: Brush, who: str) -> Offer:
    """§4.2: pass, hold, or a number between the limits."""
    state, seat = view.state, view.seat
    entries = [Entry(PASS, ("p", "0", brush.say("poch.choice.pass")), brush.say("poch.choice.pass"))]
    if can_hold(state, seat):
        entries.append(Entry(HOLD, ("h",), brush.say("play.poch.hold", number=state.bid)))
    low, high = lowest_bid(state), highest_bid(state, seat)
    how = brush.say("play.poch.limits", low=low, high=high) if low <= high else ""
    key = "play.poch.question" if state.bid else "play.poch.question_open"
    question = brush.say(key, who=who, set=_best_words(view, brush))
    return Offer(question, entries, how, lambda said: _number(said, low, high))


def _number(said: str, low: int, high: int) -> int | None:
    if not (said.isascii() and said.isdigit() and len(said) <= 5):
        return None
    return BID + int(said) if low <= int(said) <= high else None


def _best_words(view: View, brush: Brush) -> str:
    """The viewer's best set: "two kings" in signs that need no grammar."""
    cards = _own_hand(view)
    rank = best_rank(cards)
    return f"{RANK_SIGNS[rank]}×{how_many(of_rank(cards, rank))}"


def sealed(view: View, brush: Brush) -> str:
    """Nothing is sealed in Poch."""
    return ""
