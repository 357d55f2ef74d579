"""The text record of a game: read, write, redact to a viewer, replay, check its result.

A record holds what chance did and what everybody chose, and nothing derived. It comes from anywhere, so a reader bounds
its size and nesting before the TOML parser sees it, and every refusal is one line with the number of the action.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from pokade.games import GAMES
from pokade.games.errors import BadRecord, Refused
from pokade.games.game import Game, Value
from pokade.games.play import Play
from pokade.games.state import CHANCE, NOBODY, WATCHER, how_many

FORMAT: Final = "record/1"
FULL: Final = "full"
PUBLIC: Final = "public"
LARGEST: Final = 1 << 20  # bytes of a record
DEEPEST: Final = 32  # brackets within brackets
LONGEST_KEY: Final = 16  # parts of a dotted key
CLOSE: Final = 1e-6  # shares that agree
NOTES: Final = ("timeout", "standby", "return", "resign")
_SEATS: Final = {f"p{seat + 1}": seat for seat in range(8)}


@dataclass(frozen=True, slots=True)
class Record:
    """A record as it stands in a file; `actions` are not yet replayed."""

    game: Game
    players: tuple[str, ...]
    options: Mapping[str, Value]
    view: str
    actions: Sequence[object]
    result: object = None
    proof: object = None


def read(text: str) -> Record:
    """Parse one record; refuses what is no record at all with action 0."""
    if len(text) > LARGEST or len(text.encode()) > LARGEST:
        raise BadRecord(0, "a record is at most 1 MiB")
    _bound(text)
    try:
        head = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number or a date out of range is a ValueError too
        raise BadRecord(0, f"not TOML: {_one_line(str(error))}") from None
    return _record(head)


_MARKS: Final = re.compile(r"[\"'#\[\]{}.,\n=]")


def _bound(text: str) -> None:
    """Refuse deep nesting, endless dotted keys and unclosed strings in one pass, before a parser stumbles over them."""
    depth = dots = at = 0
    search = _MARKS.search
    while found := search(text, at):
        mark, at = found.group(), found.end()
        if mark in "\n=,":
            dots = 0
        elif mark in "\"'":
            at = _end_of_string(text, at - 1, mark)
        elif mark == "#":
            end = text.find("\n", at)
            at = end if end >= 0 else len(text)
        elif mark in "[{":
            depth += 1
            dots = 0
        elif mark in "]}":
            depth -= 1
        else:
            dots += 1
        if depth > DEEPEST or dots > LONGEST_KEY:
            raise BadRecord(0, "nested too deeply")


def _end_of_string(text: str, start: int, quote: str) -> int:
    """The place behind the string that starts at `start`."""
    fence = quote * 3 if text.startswith(quote * 3, start) else quote
    at = start + len(fence)
    while True:
        end = text.find(fence, at)
        if end < 0:
            raise BadRecord(0, "not TOML: a string is not closed")
        if quote == "'" or not _is_escaped(text, end):
            break
        at = end + 1
    end += len(fence)
    while len(fence) == 3 and text.startswith(quote, end):  # a long string may end in up to two quotes of its own
        end += 1
    return end


def _is_escaped(text: str, at: int) -> bool:
    first = at
    while first > 0 and text[first - 1] == "\\":
        first -= 1
    return (at - first) % 2 == 1


def _record(head: Mapping[str, Any]) -> Record:
    for key in ("format", "game", "rules", "players", "actions"):
        if key not in head:
            raise BadRecord(0, f"{key} is missing")
    if head["format"] != FORMAT:
        raise BadRecord(0, f'format must be "{FORMAT}"')
    if not isinstance(head["game"], str) or head["game"] not in GAMES:
        raise BadRecord(0, f"game must be one of {', '.join(GAMES)}")
    game = GAMES[head["game"]]
    if head["rules"] != f"{game.name}/1":
        raise BadRecord(0, f'rules must be "{game.name}/1"')
    players, options, actions = head["players"], head.get("options", {}), head["actions"]
    if not isinstance(players, list) or not all(isinstance(name, str) for name in players):
        raise BadRecord(0, "players must be a list of names")
    if len(players) not in game.seats:
        raise BadRecord(0, f"{game.title} is played by {game.seats[0]} to {game.seats[-1]}")
    if not isinstance(options, dict):
        raise BadRecord(0, "options must be a table")
    try:
        game.option_numbers(options, len(players))
    except Refused as error:
        raise BadRecord(0, str(error)) from None
    if not isinstance(actions, list):
        raise BadRecord(0, "actions must be a list")
    view = head.get("view", FULL)
    if not isinstance(view, str) or view not in (FULL, PUBLIC, *(f"p{seat + 1}" for seat in range(len(players)))):
        raise BadRecord(0, "view must be full, public or a seat")
    return Record(game, tuple(players), options, view, actions, head.get("result"), head.get("proof"))


def pieces(text: str) -> list[str]:
    """The records of a file that separates several by lines that are exactly `---`."""
    return re.split(r"^---\r?(?:\n|\Z)", text, flags=re.MULTILINE)


def replay(record: Record) -> Play:
    """Play a full record through the rules and check its result; refuses the first action that is wrong."""
    play = Play(record.game, len(record.players), record.options)
    for _ in steps(record, play):
        pass
    check_result(record, play)
    return play


def steps(record: Record, play: Play) -> Iterator[tuple[int, str]]:
    """Play a full record action by action: yields each action's number and text after it was played."""
    if record.view != FULL:
        raise BadRecord(0, f"only a full record can be replayed, and this is the view of {record.view}")
    number = 0
    try:
        for number, action in enumerate(record.actions, 1):
            if not isinstance(action, str):
                raise ValueError("an action is a string")
            if play.turn == NOBODY:
                raise ValueError("the game is over")
            _act(play, action)
            yield number, action
    except (ValueError, Refused) as error:
        raise BadRecord(number, _one_line(str(error))) from None


def _act(play: Play, action: str) -> None:
    """One action: chance, a note of the table, a sealed block or one seat's choice."""
    parts = _parsed(action) if len(action) <= _MEMO else _parsed.__wrapped__(action)
    actor, words = parts[0]
    if len(parts) > 1:
        _act_block(play, parts)
    elif actor == "d":
        outcomes = _read_chance(play, words)
        for outcome in outcomes:
            play.happen(outcome)
    elif actor == "t":
        _check_note(play, words)
    else:
        turn = play.turn
        if turn != CHANCE and how_many(turn) > 1:
            raise ValueError("these choices are made together, in one sealed block")
        play.choose(_seat(play, actor), _read_choice(play, actor, words))


_MEMO: Final = 200  # characters of an action that is worth remembering
Part = tuple[str, tuple[str, ...]]


@lru_cache(maxsize=4096)
def _parsed(action: str) -> tuple[Part, ...]:
    """The actor and words of an action, or of each choice in a sealed block: the same text always means the same."""
    text = action.partition("#")[0].strip(" ")
    if not text.startswith("{"):
        return (_part(text),)
    if not text.endswith("}") or "|" not in text:
        raise ValueError("a sealed block is written { a | b }, with two choices or more")
    return tuple(_part(choice) for choice in text[1:-1].split("|"))


def _part(text: str) -> Part:
    words = tuple(word for word in text.split(" ") if word)
    if len(words) < 2:
        raise ValueError("an action is written actor verb arguments")
    return words[0], words[1:]


def _seat(play: Play, actor: str) -> int:
    seat = _SEATS.get(actor)
    if seat is None or seat >= play.n_seats:
        raise ValueError(f"there is no {_one_line(actor)} at this table")
    return seat


def _act_block(play: Play, parts: Sequence[Part]) -> None:
    turn = play.turn
    due = [seat for seat in range(play.n_seats) if turn != CHANCE and turn >> seat & 1]
    if len(due) < 2:
        raise ValueError("nobody chooses in secret now")
    if [_SEATS.get(actor) for actor, _ in parts] != due:
        raise ValueError("a sealed block has one choice of each who has to choose, in seat order")
    choices = [_read_choice(play, actor, words) for actor, words in parts]
    for seat, choice in zip(due, choices, strict=True):
        play.choose(seat, choice)


def _read_choice(play: Play, actor: str, words: Sequence[str]) -> int:
    seat = _seat(play, actor)
    if play.turn == CHANCE or not play.turn >> seat & 1:
        raise ValueError(f"{actor} has nothing to choose now")
    return play.game.words.read_choice(play.state, seat, words)


def _read_chance(play: Play, words: Sequence[str]) -> list[int]:
    if play.turn != CHANCE:
        raise ValueError("nothing is thrown or dealt now")
    outcomes = play.game.words.read_chance(play.state, words)
    due = play.game.together(play.state)
    if len(outcomes) != due:
        raise ValueError(f"{due} expected here, not {len(outcomes)}")
    return outcomes


def _check_note(play: Play, words: Sequence[str]) -> None:
    if len(words) != 2 or words[0] not in NOTES:
        raise ValueError(f"a note of the table is t, one of {', '.join(NOTES)}, and a seat")
    _seat(play, words[1])


def check_result(record: Record, play: Play) -> None:
    """Compare what a record claims with what the rules give."""
    if record.result is None:
        return
    if not isinstance(record.result, dict):
        raise BadRecord(0, "result must be a table")
    points, shares = record.result.get("points"), record.result.get("shares")
    if "points" in record.result and not _are_points(points, play.points()):
        raise BadRecord(0, f"wrong points: the rules give {list(play.points())}")
    if "shares" in record.result:
        outcome = play.outcome()
        if outcome is None:
            raise BadRecord(0, "wrong shares: the game is still on")
        if not _are_shares(shares, outcome.shares):
            raise BadRecord(0, f"wrong shares: the rules give {list(outcome.shares)}")


def _are_points(claimed: object, given: Sequence[int]) -> bool:
    return isinstance(claimed, list) and all(type(p) is int for p in claimed) and claimed == list(given)


def _are_shares(claimed: object, given: Sequence[float]) -> bool:
    return (
        isinstance(claimed, list)
        and len(claimed) == len(given)
        and all(type(c) in (int, float) and abs(c - g) <= CLOSE for c, g in zip(claimed, given, strict=True))
    )


def _one_line(text: str) -> str:
    """A reason fit for one line, whatever the file had in it."""
    clean = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text[:200])
    return clean if len(text) <= 200 else clean + "…"


def write(play: Play, players: Sequence[str], *, view: str = FULL, notes: Sequence[tuple[int, str]] = ()) -> str:
    """The canonical text of a game as a viewer may have it: equal games give equal bytes.

    `notes` are the table's own ("timeout p3"), each with the number of steps that were taken before it.
    """
    game = play.game
    options = ", ".join(f"{name} = {_toml(value)}" for name, value in sorted(play.options.items()))
    lines = [
        f'format = "{FORMAT}"',
        f'game = "{game.name}"',
        f'rules = "{game.name}/1"',
        f"options = {{ {options} }}" if options else "options = { }",
        f"players = [{', '.join(_toml(name) for name in players)}]",
        f'view = "{view}"',
        "actions = [",
        *(f'  "{action}",' for action in actions_of(play, view, notes)),
        "]",
        "",
        "[result]",
        f"points = {list(play.points())}",
    ]
    if (outcome := play.outcome()) is not None:
        lines.append(f"shares = {list(outcome.shares)}")
    return "\n".join(lines) + "\n"


def _toml(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    return json.dumps(value, ensure_ascii=False).replace(
        "\x7f", "\\u007f"
    )  # JSON's escapes are TOML's, but for this one


def actions_of(play: Play, view: str = FULL, notes: Sequence[tuple[int, str]] = ()) -> list[str]:
    """The actions of a game so far, with `?` for what the viewer has not seen by now."""
    writer = _Writer(play, view)
    waiting = sorted(notes, key=lambda note: note[0])
    for number, (actor, value) in enumerate(play.steps):
        while waiting and waiting[0][0] <= number:
            writer.note(waiting.pop(0)[1])
        writer.step(actor, value)
    for _, note in waiting:
        writer.note(note)
    return writer.lines


class _Writer:
    """Plays a game once more and writes it down through the eyes of one viewer.

    What a viewer has not seen of a hand or a sealed block may open later, so the lines of the round under way are
    written anew, from the view, after every step.
    """

    def __init__(self, play: Play, view: str) -> None:
        self.lines: list[str] = []
        self._play = Play(play.game, play.n_seats, play.options)
        self._full = view == FULL
        self._viewer = _SEATS.get(view, WATCHER)
        self._outcomes: list[int] = []
        self._sealed: dict[int, int] = {}
        self._open: list[tuple[int, int, list[int]]] = []  # chance of this round: line, subject, outcomes
        self._block: tuple[int, int, list[int]] | None = None  # the last sealed block: line, phase, seats

    def note(self, note: str) -> None:
        self.lines.append(f"t {note}")

    def step(self, actor: int, value: int) -> None:
        play = self._play
        round_before, phase, turn = play.state.round, play.state.phase, play.turn
        if actor == CHANCE:
            self._chance(value)
        else:
            play.choose(actor, value)
            if how_many(turn) == 1:
                self.lines.append(f"p{actor + 1} {play.game.words.write_choice(phase, play.state, value)}")
            else:
                self._seal(actor, value, turn, phase)
        if not self._full:
            self._look_again()
        if play.state.round != round_before:
            self._open, self._block = [], None

    def _chance(self, outcome: int) -> None:
        play, words = self._play, self._play.game.words
        if not self._outcomes:
            self._due, self._subject = play.game.together(play.state), words.subject(play.state)
        play.happen(outcome)
        self._outcomes.append(outcome)
        if len(self._outcomes) == self._due:
            self._open.append((len(self.lines), self._subject, self._outcomes))
            self.lines.append(f"d {words.write_chance(play.state, self._subject, self._outcomes, True)}")
            self._outcomes = []

    def _seal(self, seat: int, choice: int, turn: int, phase: int) -> None:
        self._sealed[seat] = choice
        seats = [s for s in range(self._play.n_seats) if turn >> s & 1]
        if len(self._sealed) < len(seats):
            return
        write_choice, state = self._play.game.words.write_choice, self._play.state
        self._block = (len(self.lines), phase, seats)
        choices = [f"p{s + 1} {write_choice(phase, state, self._sealed[s])}" for s in seats]
        self.lines.append("{ " + " | ".join(choices) + " }")
        self._sealed = {}

    def _look_again(self) -> None:
        """Rewrite the lines that may hold a secret, from what the viewer sees now."""
        words, view = self._play.game.words, self._play.view(self._viewer).state
        for line, subject, outcomes in self._open:
            self.lines[line] = f"d {words.write_chance(view, subject, outcomes, False)}"
        if self._block is not None:
            line, phase, seats = self._block
            choices = [f"p{s + 1} {words.write_choice(phase, view, words.seen_choice(view, s))}" for s in seats]
            self.lines[line] = "{ " + " | ".join(choices) + " }"
