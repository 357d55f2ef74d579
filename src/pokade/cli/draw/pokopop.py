"""Poko Pop! on the terminal: creatures that jump or wait, the row of Pokos, the pile."""

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from pokade import texts
from pokade.cli.draw.brush import Block, Brush, centred, left, middle, spread
from pokade.cli.draw.offer import Entry, Offer
from pokade.cli.draw.palette import DARK, FAINT, NIGHT, PAPER, SEATS, SOFT, Cloth
from pokade.cli.draw.pieces import EDGES, label
from pokade.games.play import View
from pokade.games.pokopop import (
    DEALING,
    DOUBLER,
    FACE_DOWN,
    FINAL_CHOOSING,
    FIRST_ICON,
    KINDS,
    OVER,
    POKO,
    VALUES,
    WAIT,
    PokopopState,
)
from pokade.games.state import NOTHING, UNKNOWN

CLOTH: Final = Cloth("#4B2E00", "#2C1A00", "#FFD25C", "#F2B92B")
ROOM: Final = 14
CREATURE: Final = 11
HATS: Final = ("   ●   ", "▴ ▴ ▴ ▴", "▪     ▪", " ╲   ╱ ", "▲     ▲")  # what each character wears
CALM, POP, WAITS, OUCH, AWAY = range(5)
FACES: Final = (("• •", "‿"), ("● ●", "O"), ("─ ─", "─"), ("× ×", "∼"), ("∙ ∙", " "))  # eyes and mouth of a mood


def emblem(brush: Brush) -> Block:
    """A creature for the door of the house."""
    return creature(brush, 3, POP)


def heading(view: View, brush: Brush) -> str:
    """The round, or that it is the last one."""
    if view.state.phase == FINAL_CHOOSING:
        return brush.say("play.pokopop.final")
    return brush.say("replay.round.pokopop", number=view.state.round - is_between(view.state))


def is_between(state: PokopopState) -> bool:
    """Is a round over and the next one not dealt yet?"""
    return state.phase == DEALING and state.n_dealt == 0 and state.round > 1


def table(view: View, names: Sequence[str], brush: Brush) -> Block:
    """Creatures above, the Pokos with the pile below."""
    state = view.state
    creatures = [seat(view, names, brush, who) for who in range(state.n_seats)]
    row = [poko(brush, state, place) for place in range(state.n_seats) if not is_final(state)]
    pokos = spread([*row, pile(brush, state)], brush.width, bottom=True)
    gap = [Text()] if brush.is_tall else []
    return [*spread(creatures, brush.width, bottom=True), *gap, *pokos]


def is_final(state: PokopopState) -> bool:
    """Is it about the pile alone?"""
    return state.phase in (FINAL_CHOOSING, OVER)


def seat(view: View, names: Sequence[str], brush: Brush, who: int) -> Block:
    """A creature in its mood, a name, points, and the cards before it."""
    state = view.state
    feels = mood(state, who)
    lift = [Text()] if feels == POP else []
    name = left(label(brush, who, names, ROOM, is_gone=feels == AWAY), ROOM)
    points = centred(brush.ink(brush.say("play.points", number=view.points[who]), bold=True), ROOM)
    cards = [centred(_cards(view, brush, who), ROOM)] if brush.is_tall else []
    return [*middle(creature(brush, who, feels), ROOM), *lift, name, points, *cards]


def mood(state: PokopopState, who: int) -> int:
    """From the last reveal and who is still in the round."""
    if state.phase == FINAL_CHOOSING:
        return CALM
    if state.shown[who] == POKO:
        jumped = sum(shown == POKO for shown in state.shown[: state.n_seats])
        return OUCH if jumped > 1 else POP
    if not state.inside >> who & 1 and state.n_dealt:
        return AWAY
    return WAITS if state.shown[who] == WAIT else CALM


def _cards(view: View, brush: Brush, who: int) -> Text:
    """The cards that the points are made of."""
    state = view.state
    cards = [_card_name(kind) for kind in range(KINDS) for _ in range(state.face_up[who][kind])]
    made = " ".join([*cards, *["−1"] * state.face_down[who]])
    return brush.ink(made if cell_len(made) <= ROOM else made[: ROOM - 1] + "…", SOFT)


def creature(brush: Brush, who: int, feels: int) -> Block:
    """A character with the hat and the colour of its seat, and a face."""
    eyes, mouth = FACES[feels]
    hat = Text(HATS[who % len(HATS)], Style(color=SEATS[who].face))
    dark = DARK if brush.filled else None
    face = [Text(eyes, Style(color=dark, bold=True)), Text(mouth, Style(color=dark, bold=True))]
    return [centred(hat, CREATURE), *brush.tile(face, SEATS[who], CREATURE)]


def _card_name(kind: int) -> str:
    """A score card in two or three signs."""
    if kind == DOUBLER:
        return "1×2"
    return str(VALUES[kind]) + (EDGES[kind - FIRST_ICON] if kind >= FIRST_ICON else "")


def poko(brush: Brush, state: PokopopState, place: int) -> Block:
    """A Poko with its card; the one that is played for is bigger."""
    kind = state.row[place]
    is_now = place == state.poko
    number = centred(
        brush.ink(brush.say("play.pokopop.poko", number=place + 1), None if is_now else SOFT, bold=is_now), 11
    )
    if kind == NOTHING:
        return [*middle(_empty(brush), 11), number]
    return [*middle(score_card(brush, kind, is_big=is_now), 11), number]


def score_card(brush: Brush, kind: int, *, is_big: bool) -> Block:
    """A number and as many dots; face down it is a question."""
    width = 11 if is_big else 7
    if kind == FACE_DOWN:
        sign, under, wood, colour = "?", "∙ ∙ ∙", NIGHT, "#F0C463"
    else:
        sign, under, wood, colour = _card_name(kind), "∙" * VALUES[kind], PAPER, DARK
    words = Text(sign, Style(color=colour if brush.filled else None, bold=True))
    small = Text(under[: width - 2], Style(color=colour if brush.filled else None))
    rows = [Text(), words, small, Text()] if is_big else [words, small]
    return brush.tile(rows, wood, width)


def _empty(brush: Brush) -> Block:
    return [Text("╭╌╌╌╌╌╮", FAINT), Text("│     │", FAINT), Text("│     │", FAINT), Text("╰╌╌╌╌╌╯", FAINT)]


def pile(brush: Brush, state: PokopopState) -> Block:
    """The carryover: how many cards, and the one on top; the deck beside it."""
    size = state.pile_size
    top = score_card(brush, state.pile_top, is_big=is_final(state)) if size else _empty(brush)
    words = brush.say("play.pokopop.pile", number=size)
    deck = brush.say("play.pokopop.deck", number=state.deck)
    return [*middle(top, 11), centred(brush.ink(words, SOFT), 11), centred(brush.ink(deck, FAINT), 11)]


def offer(view: View, names: Sequence[str], brush: Brush) -> Offer:
    """Wait! or Poko!, with what is at stake."""
    state, who = view.state, names[view.seat]
    if is_final(state):
        question = brush.say("play.pokopop.question_final", who=who, number=state.deck + state.pile_size)
        stake = brush.say("play.pokopop.stake_final")
    else:
        card = texts.entry(brush.language, "pokopop.card")
        kind = state.row[state.poko]
        thing = brush.word(card[kind]) if kind != FACE_DOWN else "?"
        question = brush.say("play.pokopop.question", who=who, number=state.poko + 1, card=thing)
        stake = brush.say("play.pokopop.stake")
    jump, wait = brush.say("pokopop.choice.poko"), brush.say("pokopop.choice.wait")
    return Offer(question, [Entry(POKO, _keys("1", "p", jump), jump, stake), Entry(WAIT, _keys("2", "w", wait), wait)])


def _keys(number: str, letter: str, word: str) -> tuple[str, ...]:
    return (number, letter, word, word.rstrip("! "))


def sealed(view: View, brush: Brush) -> str:
    """The viewer's own sealed choice, in words."""
    choice = view.state.choice[view.seat]
    if choice in (NOTHING, UNKNOWN):
        return ""
    return brush.say("pokopop.choice.poko" if choice == POKO else "pokopop.choice.wait")
