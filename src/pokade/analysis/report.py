"""An analysis as plain values, for JSON."""

from typing import Any, Final

from pokade.analysis.game import Analysis, Seat, Step
from pokade.analysis.judging import Judged
from pokade.games.game import Game
from pokade.games.state import blinded

FORMAT: Final = "analysis/1"
DIGITS: Final = 9  # of what adds up; a chance of winning is known to a few of them at best
KNOWN: Final = 5  # of all other numbers


def told(analysis: Analysis) -> dict[str, Any]:
    """Everything, with parts of a win from 0 to 1; seats and steps count from 0, actions as in the record."""
    record, outcome = analysis.record, analysis.play.outcome()
    choices = [(number, judged) for number, step in enumerate(analysis.steps) for judged in step.judged.values()]
    places = {(number, judged.seat): place for place, (number, judged) in enumerate(choices)}
    return {
        "format": FORMAT,
        "game": record.game.name,
        "players": list(record.players),
        "options": dict(record.options),
        "method": dict(analysis.method),
        "shares": None if outcome is None else list(outcome.shares),
        "steps": [_step(step) for step in analysis.steps],
        "choices": [_choice(record.game, number, analysis.steps[number], judged) for number, judged in choices],
        "seats": [_seat(seat, number, places) for number, seat in enumerate(analysis.seats)],
    }


def _step(step: Step) -> dict[str, Any]:
    return {
        "action": step.moment.action,
        "chances": _rounded(step.chances.shares, DIGITS),
        "errors": _rounded(step.chances.errors, KNOWN),
        "luck": _rounded(step.luck, DIGITS),
        "choices": _rounded(step.choices, DIGITS),
        "meeting": _rounded(step.meeting, DIGITS),
    }


def _choice(game: Game, number: int, step: Step, judged: Judged) -> dict[str, Any]:
    options = list(judged.worths)
    return {
        "step": number,
        "action": step.moment.action,
        "seat": judged.seat,
        "chosen": options.index(judged.chosen),
        "options": [_option(game, step, judged, choice) for choice in options],
        "cost": round(judged.cost, KNOWN),
        "error": round(judged.error, KNOWN),
        "merit": round(judged.merit, KNOWN),
    }


def _option(game: Game, step: Step, judged: Judged, choice: int) -> dict[str, Any]:
    """A choice in the words of records, as a text of its game, and what is known of it."""
    view = blinded(step.moment.before, judged.seat, recall=True)
    said, values = game.said(view, judged.seat, choice)
    return {
        "words": game.words.write_choice(view.phase, view, choice),
        "said": [said, values],
        "often": round(judged.mixture.get(choice, 0.0), KNOWN),
        "worth": round(judged.worths[choice], KNOWN),
        "error": round(judged.margins.get(choice, 0.0), KNOWN),
    }


def _seat(seat: Seat, number: int, places: dict[tuple[int, int], int]) -> dict[str, Any]:
    read = seat.readability
    return {
        "luck": round(seat.luck, DIGITS),
        "luck_error": round(seat.luck_error, KNOWN),
        "choices": round(seat.choices, DIGITS),
        "choices_error": round(seat.choices_error, KNOWN),
        "meeting": round(seat.meeting, DIGITS),
        "readability": {
            "word": read.word,
            "bits": round(read.bits, 2),
            "mixed": read.mixed,
            "guessed": round(read.guessed, 1),
            "expected": round(read.expected, 1),
        },
        "best": [places[step, number] for step in seat.best],
        "worst": [places[step, number] for step in seat.worst],
    }


def _rounded(values: tuple[float, ...], digits: int) -> list[float]:
    return [round(value, digits) + 0.0 for value in values]  # there is no −0
