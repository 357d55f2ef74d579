"""Compiled games of which every choice is written down as it is made. They are the very games of a tournament."""

from collections.abc import Callable
from typing import Any, Final

from pokade.arena.casting import AT_RANDOM, LEVEL
from pokade.arena.draws import below
from pokade.arena.encoding import allow, encode
from pokade.arena.loops import (
    ASKED,
    DUE,
    GAME,
    LOOK,
    POINTS,
    ask_outside,
    begin_game,
    begin_round,
    decided,
    end_game,
    is_news,
    look,
    take_answer,
)
from pokade.games.game import Game
from pokade.games.state import CHANCE, NOBODY, NOTHING, rule

ROW, STEP = 5, 6  # further places of the loop: how many choices and how many steps are written
PLACES: Final = 7
OF_GAME, OF_ROUND, OF_SEAT, OF_PHASE, OF_CHOICE = range(5)  # what is written of a choice …
WRITTEN: Final = 5
ACTOR, VALUE = 1, 2  # … and of a step, after its game


@rule
def note_step(steps: Any, place: Any, actor: int, value: int) -> None:
    """One more step of the game under way. What the paper has no room for is counted, and written nowhere."""
    step = steps[min(place[STEP], len(steps) - 1)]
    step[OF_GAME] = place[GAME]
    step[ACTOR] = actor
    step[VALUE] = value
    place[STEP] += 1


@rule
def note_choice(rules: Any, layout: Any, paper: Any, place: Any, states: Any, cells: Any, seat: int) -> None:
    """Everything about a choice but the choice, which comes next."""
    numbers, masks, rows, _, viewer, one = paper
    at, state = min(place[ROW], len(rows) - 1), states[0]
    row = rows[at]
    row[OF_GAME] = place[GAME]
    row[OF_ROUND] = state.round
    row[OF_SEAT] = seat
    row[OF_PHASE] = state.phase
    viewer[0, 0] = seat
    encode(layout, cells[:1], viewer, one, numbers[at : at + 1])
    allow(rules, layout, states[:1], viewer, masks[at : at + 1])


@rule
def note_answer(paper: Any, place: Any, seat: int, choice: int) -> None:
    """The choice itself."""
    _, _, rows, steps, _, _ = paper
    rows[min(place[ROW], len(rows) - 1), OF_CHOICE] = choice
    place[ROW] += 1
    note_step(steps, place, seat, choice)


@rule
def take_noted(choose: Any, state: Any, paper: Any, place: Any, answer: int) -> None:
    """Go on with the choice of the player that was asked outside of the loop, if one was."""
    if place[ASKED] != NOTHING:
        note_answer(paper, place, place[ASKED], answer)
    take_answer(choose, state, place, answer)


def written(game: Game) -> Callable[..., Any]:
    """Plays whole games as `loops.games` does, and returns as it does: a seat to be asked outside, LOOK, or NOTHING."""
    turn, tickets, outcome_at, happen, is_legal = game.turn, game.tickets, game.outcome_at, game.happen, game.is_legal
    n_choices, choice_at, choose, points = game.n_choices, game.choice_at, game.choose, game.points

    def play(table: Any, kinds: Any, who: Any, deals: Any, seed: Any, first: int, answer: int, out: Any) -> int:
        states, flats, seen, start, chance, luck, given, place, layout, paper = table
        state, view = states[0], states[1]
        take_noted(choose, state, paper, place, answer)
        while place[GAME] < out.shape[0]:
            at = place[GAME]
            begin_game(state, flats[0], start, luck, place, seed, first + at)
            due = place[DUE] if place[DUE] else turn(state)
            if is_news(state, place):
                return LOOK
            if due == CHANCE:
                begin_round(chance, place, seed, deals[at], state.round)
                value = outcome_at(state, below(chance, tickets(state)))
                note_step(paper[3], place, CHANCE, value)
                happen(state, value)
                continue
            if due == NOBODY:
                end_game(points, state, place, out[at])
            for seat in range(state.n_seats):
                if due >> seat & 1:
                    out[at, POINTS + state.n_seats + seat] += 1
                    note_choice((turn, is_legal), layout, paper, place, states, flats, seat)
                    kind = who[at, seat]
                    look(flats[0], flats[1], seen, seat)
                    if kinds[kind, LEVEL] == AT_RANDOM:
                        choice = choice_at(state, seat, below(luck, n_choices(state, seat)))
                    else:
                        choice = decided(kinds, kind, view, seat, luck)
                    if choice == NOTHING:
                        return ask_outside(luck, given, place, due, seat)
                    note_answer(paper, place, seat, choice)
                    choose(state, seat, choice)
            place[DUE] = 0
        return NOTHING

    return play
