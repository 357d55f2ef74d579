"""The text record of a game: read, write, redact to a viewer, replay, check its result.

A record holds what chance did and what everybody chose, and nothing derived. It comes from anywhere, so a reader bounds
its size and nesting before the TOML parser sees it, and every refusal is one line with the number of the action.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import IO, Any, Final, NamedTuple

from pokade.games import GAMES
from pokade.games.errors import BadRecord, Misread, Refused
from pokade.games.game import Game, Value
from pokade.games.play import Play
from pokade.games.state import CHANCE, NOBODY, NOTHING, WATCHER, how_many, members, told_rows

FORMAT: Final = "record/1"
FULL: Final = "full"
PUBLIC: Final = "public"
NO_BREAK: Final = "\u00a0\u202f"  # spaces that French sets before some signs
LARGEST: Final = 1 << 20  # bytes of a record
DEEPEST: Final = 32  # brackets within brackets
LONGEST_KEY: Final = 16  # dots in a key
MOST_DOTS: Final = 20_000  # in all keys together
_CHUNK: Final = 1 << 16  # bytes that are read at once
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
    keys: Sequence[str] = ()  # all that stand at the top of the file, those that mean nothing too


@dataclass(frozen=True, slots=True)
class Proof:
    """How chance was drawn: the server's commitment and seed in hexadecimal digits, and the salts in seat order."""

    scheme: str
    table: str
    commitment: str
    salts: tuple[str, ...]
    seed: str = field(default="", repr=False)  # a secret until the game is over


def read(text: str | bytes) -> Record:
    """Parse one record; refuses what is no record at all with action 0."""
    raw = text if isinstance(text, bytes) else text.encode(errors="surrogatepass")
    if len(raw) > LARGEST:
        raise BadRecord(0, "record/size", "a record is at most 1 MiB")
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        raise BadRecord(0, "record/encoding", "not UTF-8") from None
    if not text.strip():
        raise BadRecord(0, "record/empty", "an empty record")
    _bound(text)
    try:
        head = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number or a date out of range is a ValueError too
        if not isinstance(error, tomllib.TOMLDecodeError):
            raise BadRecord(0, "record/range", "not TOML: a value out of range") from None
        why = one_line(str(error))
        raise BadRecord(0, "record/toml", f"not TOML: {why}", why=why) from None
    return _record(head)


_SYNTAX: Final = re.compile(  # finds what is neither string nor comment
    "|".join(
        (
            r'"""(?:[^"\\]++|\\.|"(?!""))*+""""{0,2}',
            r"'''(?:[^']++|'(?!''))*+''''{0,2}",
            r'"(?!"")(?:[^"\\]++|\\.)*+"',
            r"'(?!'')[^']*+'",
            r"#[^\n]*+",
            r"([^\"'#]++|[\"'].*+)",  # a quote that opens nothing of the above is not closed
        )
    ),
    re.DOTALL,
)
_BRACKETS: Final = re.compile(r"[\[\]{}]")
_KEY_DOT: Final = re.compile(r"\.[^.,=\n\[{]*+(?=[.=])")  # a number has no second one, and nothing equals it
_LONG_KEY: Final = re.compile(rf"(?:{_KEY_DOT.pattern}){{{LONGEST_KEY + 1}}}")


def _bound(text: str) -> None:
    """Refuse deep nesting, endless keys and unclosed strings in linear time, before a parser stumbles over them."""
    syntax = "".join(_SYNTAX.findall(text))
    if '"' in syntax or "'" in syntax:
        raise BadRecord(0, "record/string", "not TOML: a string is not closed")
    depth = 0
    for bracket in _BRACKETS.findall(syntax):
        depth += 1 if bracket in "[{" else -1
        if depth > DEEPEST:
            raise BadRecord(0, "record/nested", f"nested more than {DEEPEST} deep", most=DEEPEST)
    if len(_KEY_DOT.findall(syntax)) > MOST_DOTS or _LONG_KEY.search(syntax):
        raise BadRecord(0, "record/keys", "too many dotted keys")


def _record(head: Mapping[str, Any]) -> Record:
    game, players = _game(head), head["players"]
    if not isinstance(players, list) or not all(isinstance(name, str) for name in players):
        raise BadRecord(0, "record/players", "players must be a list of names")
    if len(players) not in game.seats:
        least, most = game.seats[0], game.seats[-1]
        sentence = f"{game.title} is played by {least} to {most}"
        raise BadRecord(0, "seats/number", sentence, game=game.title, least=least, most=most)
    if not isinstance(head["actions"], list):
        raise BadRecord(0, "record/actions", "actions must be a list")
    options, view = _options(head, game, len(players)), _view(head, len(players))
    return Record(
        game, tuple(players), options, view, head["actions"], head.get("result"), head.get("proof"), tuple(head)
    )


def _game(head: Mapping[str, Any]) -> Game:
    for key in ("format", "game", "rules", "players", "actions"):
        if key not in head:
            raise BadRecord(0, "record/missing", f"{key} is missing", key=key)
    if head["format"] != FORMAT:
        raise BadRecord(0, "record/format", f'format must be "{FORMAT}"', format=FORMAT)
    if not isinstance(head["game"], str) or head["game"] not in GAMES:
        games = ", ".join(GAMES)
        raise BadRecord(0, "record/game", f"game must be one of {games}", games=games)
    game = GAMES[head["game"]]
    if head["rules"] != f"{game.name}/1":
        rules = f"{game.name}/1"
        raise BadRecord(0, "record/rules", f'rules must be "{rules}"', rules=rules)
    return game


def _options(head: Mapping[str, Any], game: Game, n_seats: int) -> Mapping[str, Value]:
    options: object = head.get("options", {})
    if not isinstance(options, dict):
        raise BadRecord(0, "record/options", "options must be a table")
    try:
        game.option_numbers(options, n_seats)
    except Refused as error:
        raise BadRecord(0, error.code, str(error), **error.values) from None
    return options


def _view(head: Mapping[str, Any], n_seats: int) -> str:
    view: object = head.get("view", FULL)
    if not isinstance(view, str) or (view not in (FULL, PUBLIC) and _SEATS.get(view, n_seats) >= n_seats):
        raise BadRecord(0, "record/view", "view must be full, public or a seat")
    return view


def pieces(file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """The records of a file, numbered from 1 if lines that are exactly `---` separate several; a lone one is 0.

    Of a record that is too large only the beginning is kept, enough to be refused.
    """
    number, piece, is_new_line = 0, bytearray(), True
    while line := file.readline(_CHUNK):
        if is_new_line and line in (b"---\n", b"---\r\n", b"---"):
            number += 1
            yield number, bytes(piece)
            piece.clear()
        elif len(piece) <= LARGEST:
            piece += line
        is_new_line = line.endswith(b"\n")
    yield number + 1 if number else 0, bytes(piece)


class Action(NamedTuple):
    """An action of a record that was played: its number from 1, its text, and the events that it told, in a row.

    A throw of three dice or a dealt hand is one action of many steps. `heard_by` says what a viewer may hear of it.
    """

    number: int
    text: str
    told: list[int]


def replay(record: Record) -> Play:
    """Play a full record through the rules and check its result; refuses the first action that is wrong."""
    play = started(record)
    for _ in steps(record, play):
        pass
    check_result(record, play)
    return play


def started(record: Record) -> Play:
    """The game of a record before its first action."""
    return Play(record.game, len(record.players), record.options)


def steps(record: Record, play: Play) -> Iterator[Action]:
    """Play a full record action by action: yields each action after it was played."""
    if record.view != FULL:
        sentence = f"only a full record can be replayed, and this is the view of {record.view}"
        raise BadRecord(0, "record/partial", sentence, view=record.view)
    number = 0
    try:
        for number, action in enumerate(record.actions, 1):
            if not isinstance(action, str):
                raise Misread("record/action", "an action is a string")
            if play.turn == NOBODY:
                raise Misread("record/over", "the game is over")
            yield Action(number, action, perform(play, action))
    except Misread as error:
        values = {name: one_line(value) if isinstance(value, str) else value for name, value in error.values.items()}
        raise BadRecord(number, error.code, one_line(str(error)), **values) from None
    except ValueError as error:  # of rules whose reasons have no code
        raise BadRecord(number, "record/bad", one_line(str(error))) from None


def perform(play: Play, action: str) -> list[int]:
    """One action: chance, a note of the table, a sealed block or one seat's choice; the events it told, in a row."""
    parts = _parsed(action) if len(action) <= _MEMO else _parsed.__wrapped__(action)
    actor, words = parts[0]
    if len(parts) > 1:
        _act_block(play, parts)
    elif actor == "d":
        return _act_chance(play, words)
    elif actor == "t":
        _check_note(play, words)
        return []
    else:
        _act_alone(play, _seat(play, actor), words)
    return told_rows(play.state)


_BLOCK: Final = "{ a | b }"
_MEMO: Final = 200  # characters of an action that is worth remembering
Part = tuple[str, tuple[str, ...]]


@lru_cache(maxsize=4096)
def _parsed(action: str) -> tuple[Part, ...]:
    """The actor and words of an action, or of each choice in a sealed block: the same text always means the same."""
    text = action.partition("#")[0].strip(" ")
    if not text.startswith("{"):
        return (_part(text),)
    if not text.endswith("}") or "|" not in text:
        raise Misread("record/block", f"a sealed block is written {_BLOCK}, with two choices or more", form=_BLOCK)
    return tuple(_part(choice) for choice in text[1:-1].split("|"))


def _part(text: str) -> Part:
    words = tuple(word for word in text.split(" ") if word)
    if any(character.isspace() for word in words for character in word):
        raise Misread("record/space", "words are separated by spaces, and by no other white space")
    if "?" in text:
        sentence = "? stands in views, for what the viewer has not seen; a full record has none"
        raise Misread("record/unseen", sentence, sign="?")
    if len(words) < 2:
        raise Misread("record/words", "an action is written: actor, verb, arguments")
    return words[0], words[1:]


def _seat(play: Play, actor: str) -> int:
    seat = _SEATS.get(actor)
    if seat is None or seat >= play.n_seats:
        raise Misread("record/seat", f"there is no {one_line(actor)} at this table", seat=one_line(actor))
    return seat


def _act_chance(play: Play, words: Sequence[str]) -> list[int]:
    told: list[int] = []
    outcomes = _read_chance(play, words)
    try:
        for outcome in outcomes:
            play.happen(outcome)
            told += told_rows(play.state)
    except Refused:
        said = " ".join(words)
        raise Misread("record/impossible", f"impossible now: {said}", words=said) from None
    return told


def _act_alone(play: Play, seat: int, words: Sequence[str]) -> None:
    turn = play.turn
    if turn == CHANCE or not turn >> seat & 1:
        raise Misread("record/turn", f"p{seat + 1} has nothing to choose now", seat=f"p{seat + 1}")
    if turn != 1 << seat:
        raise Misread("record/together", "these choices are made together, in one sealed block")
    _choose(play, seat, words)


def _act_block(play: Play, parts: Sequence[Part]) -> None:
    turn = play.turn
    if turn == CHANCE or not turn & turn - 1:
        raise Misread("record/open", "nobody chooses in secret now")
    due = members(turn)
    if tuple(_SEATS.get(actor) for actor, _ in parts) != due:
        sentence = "a sealed block has one choice of each seat that has to choose, in seat order"
        raise Misread("record/order", sentence)
    for seat, (_, words) in zip(due, parts, strict=True):
        _choose(play, seat, words)


def _choose(play: Play, seat: int, words: Sequence[str]) -> None:
    choice = play.game.words.read_choice(play.state, seat, words)
    try:
        play.choose(seat, choice)
    except Refused:
        who, what = f"p{seat + 1}", " ".join(words)
        raise Misread("record/choice", f"{who} may not {what} now", seat=who, words=what) from None


def _read_chance(play: Play, words: Sequence[str]) -> list[int]:
    if play.turn != CHANCE:
        raise Misread("record/chance", "nothing is thrown or dealt now")
    outcomes = play.game.words.read_chance(play.state, words)
    due = play.game.together(play.state)
    if len(outcomes) != due:
        sentence, given = f"{words[0]} names {due} here, not {len(outcomes)}", len(outcomes)
        raise Misread("record/count", sentence, verb=words[0], due=due, given=given)
    return outcomes


def _check_note(play: Play, words: Sequence[str]) -> None:
    if len(words) != 2 or words[0] not in NOTES:
        notes = ", ".join(NOTES)
        raise Misread("record/note", f"a note of the table is t, one of {notes}, and a seat", notes=notes)
    _seat(play, words[1])


def check_result(record: Record, play: Play) -> None:
    """Compare what a record claims with what the rules give."""
    if record.result is None:
        return
    if not isinstance(record.result, dict):
        raise BadRecord(0, "result/table", "result must be a table")
    points, shares = record.result.get("points"), record.result.get("shares")
    if "points" in record.result and not _are_points(points, play.points()):
        given = str(list(play.points()))
        raise BadRecord(0, "result/points", f"wrong points: the rules give {given}", points=given)
    if "shares" in record.result:
        outcome = play.outcome()
        if outcome is None:
            raise BadRecord(0, "result/early", "wrong shares: the game is still on")
        if not _are_shares(shares, outcome.shares):
            given = str(list(outcome.shares))
            raise BadRecord(0, "result/shares", f"wrong shares: the rules give {given}", shares=given)


def _are_points(claimed: object, given: Sequence[int]) -> bool:
    return isinstance(claimed, list) and all(type(p) is int for p in claimed) and claimed == list(given)


def _are_shares(claimed: object, given: Sequence[float]) -> bool:
    return (
        isinstance(claimed, list)
        and len(claimed) == len(given)
        and all(type(c) in (int, float) and g - CLOSE <= c <= g + CLOSE for c, g in zip(claimed, given, strict=True))
    )


def one_line(text: str) -> str:
    """A reason fit for one line, whatever the file had in it."""
    clean = "".join(c if c.isprintable() or c in NO_BREAK else ascii(c)[1:-1] for c in text[:200])
    return clean if len(text) <= 200 else clean + "…"


def write(
    play: Play,
    players: Sequence[str],
    *,
    view: str = FULL,
    notes: Sequence[tuple[int, str]] = (),
    proof: Proof | None = None,
    is_closed: bool = False,
) -> str:
    """The canonical text of a game as a viewer may have it: equal games give equal bytes.

    `notes` are the table's own ("timeout p3"), each with the number of steps that were taken before it. The seed of a
    proof is written once the game is over, or its table closed for another reason, and never before.
    """
    game = play.game
    if game.changes:
        raise ValueError(f"{game.title} with other numbers is no game that a record can hold")
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
    if proof is not None:
        lines += ["", "[proof]", *_proof_lines(proof, play.is_over or is_closed)]
    return "\n".join(lines) + "\n"


def _proof_lines(proof: Proof, is_over: bool) -> list[str]:
    names = ("scheme", "table", "commitment", "seed") if is_over and proof.seed else ("scheme", "table", "commitment")
    lines = [f"{name} = {_toml(getattr(proof, name))}" for name in names]
    return [*lines, f"salts = [{', '.join(_toml(salt) for salt in proof.salts)}]"]


def _toml(value: Value) -> str:
    if not isinstance(value, str):
        return str(value).lower()
    whole = value.encode(errors="replace").decode()  # a lone surrogate can't be written
    return json.dumps(whole, ensure_ascii=False).replace(
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
    if not play.is_over:  # nothing stands behind the end
        for _, note in waiting:
            writer.note(note)
    return writer.finished()


class _Writer:
    """Plays a game once more and writes it down through the eyes of one viewer.

    What a viewer has not seen of a hand or a sealed block may open later in its round, so the lines that may hold a
    secret are written again, from the view, when the round is over.
    """

    def __init__(self, play: Play, view: str) -> None:
        self._lines: list[str] = []
        self._play = Play(play.game, play.n_seats, play.options)
        self._full = view == FULL
        self._viewer = _SEATS.get(view, WATCHER)
        self._due, self._phase, self._dealt_to = (
            0,
            0,
            NOTHING,
        )  # how many outcomes come together, their phase and seat …
        self._outcomes: list[int] = []  # … and those that have come so far
        self._sealed: dict[int, int] = {}
        self._open: list[tuple[int, int, int, list[int]]] = []  # chance of this round: line, phase, seat, outcomes
        self._block: tuple[int, int, Sequence[int]] | None = None  # the last sealed block: line, phase, seats

    def finished(self) -> list[str]:
        self._look_again()
        return self._lines

    def note(self, note: str) -> None:
        self._lines.append(f"t {note}")

    def step(self, actor: int, value: int) -> None:
        play = self._play
        round_before, phase, turn = play.state.round, play.state.phase, play.turn
        if actor == CHANCE:
            self._chance(value)
        else:
            play.choose(actor, value)
            if how_many(turn) == 1:
                self._lines.append(f"p{actor + 1} {play.game.words.write_choice(phase, play.state, value)}")
            else:
                self._seal(actor, value, turn, phase)
        if play.state.round != round_before:
            self._look_again()
            self._open, self._block = [], None

    def _chance(self, outcome: int) -> None:
        play, words = self._play, self._play.game.words
        if not self._outcomes:
            self._due, self._phase = play.game.together(play.state), play.state.phase
            self._dealt_to = words.dealt_to(play.state)
        play.happen(outcome)
        self._outcomes.append(outcome)
        if len(self._outcomes) == self._due:
            written = words.write_chance(self._phase, self._dealt_to, play.state, self._outcomes, True)
            self._open.append((len(self._lines), self._phase, self._dealt_to, self._outcomes))
            self._lines.append(f"d {written}")
            self._outcomes = []

    def _seal(self, seat: int, choice: int, turn: int, phase: int) -> None:
        self._sealed[seat] = choice
        seats = members(turn)
        if len(self._sealed) < len(seats):
            return
        write_choice, state = self._play.game.words.write_choice, self._play.state
        self._block = (len(self._lines), phase, seats)
        choices = [f"p{s + 1} {write_choice(phase, state, self._sealed[s])}" for s in seats]
        self._lines.append("{ " + " | ".join(choices) + " }")
        self._sealed = {}
        self._look_again()  # a later block of the round covers what this one shows

    def _look_again(self) -> None:
        """Rewrite the lines that may hold a secret, from what the viewer sees now."""
        if self._full:
            return
        words, view = self._play.game.words, self._play.view(self._viewer).state
        for line, phase, dealt_to, outcomes in self._open:
            self._lines[line] = f"d {words.write_chance(phase, dealt_to, view, outcomes, False)}"
        if self._block is not None:
            line, phase, seats = self._block
            choices = [f"p{s + 1} {words.write_choice(phase, view, words.seen_choice(view, s))}" for s in seats]
            self._lines[line] = "{ " + " | ".join(choices) + " }"
