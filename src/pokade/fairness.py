"""Provable fairness: dice and deals that the server can't choose, and anybody can check afterwards.

The server commits to a secret seed before anybody sits, every seat may add a salt, and all draws follow from these. The
scheme, with its exact encodings and test vectors, is docs/fairness.md.
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from pokade import records
from pokade.games.errors import BadSalt, Unfair
from pokade.games.state import CHANCE
from pokade.records import Proof, Record

KEYS: Final = ("format", "game", "rules", "options", "players", "view", "actions", "result", "proof")  # of a record
RESULT: Final = ("points", "shares")
SCHEME: Final = "pokade/1"
SEED_BYTES: Final = 32
LONGEST: Final = 256  # bytes of a salt or of a table's name, in UTF-8
SPAN: Final = 1 << 256  # a digest is a number below it
_HEX: Final = re.compile(r"[0-9a-f]{64}")


def new_seed() -> bytes:
    """A secret that nobody can guess; to be drawn before anybody sits."""
    return secrets.token_bytes(SEED_BYTES)


def encoded(*parts: str) -> bytes:
    """Texts in a row, each behind its length in bytes, so that no two rows look the same."""
    return b"".join([b"%d:%b," % (len(raw), raw) for raw in map(str.encode, parts)])


def commitment(seed: bytes, table: str) -> str:
    """What the server shows in advance: it binds the server to its seed and tells nothing of it."""
    return hashlib.sha256(encoded(SCHEME, "commitment", table, seed.hex())).hexdigest()


def key(seed: bytes, table: str, salts: Sequence[str]) -> bytes:
    """The key of all draws; it needs the server's seed and everybody's salts, in seat order."""
    return hmac.digest(seed, encoded(SCHEME, "key", table, *salts), "sha256")


def is_short_text(text: object) -> bool:
    """May this be a salt or the name of a table? Any text of few bytes, without lone surrogates."""
    try:
        return isinstance(text, str) and len(text.encode()) <= LONGEST
    except UnicodeEncodeError:
        return False


def check_salt(salt: object) -> None:
    """Refuse a salt that is too long to be one."""
    if not is_short_text(salt):
        raise BadSalt("salt/text", f"a salt is a text of at most {LONGEST} bytes")


def unbiased(number_at: Callable[[int], int], span: int, tickets: int) -> int:
    """A ticket from even numbers below `span`: those beyond the last whole multiple of `tickets` are passed over."""
    limit = span - span % tickets
    attempt = 0
    while (number := number_at(attempt)) >= limit:
        attempt += 1
    return number % tickets


class Provable:
    """Chance that follows from a committed seed and everybody's salts. It shows neither, nor the key."""

    __slots__ = ("_begins", "_key", "_label", "_table", "drawn")

    def __init__(self, seed: bytes, table: str, salts: Sequence[str], label: str, drawn: int = 0) -> None:
        if len(seed) != SEED_BYTES or not is_short_text(table):
            raise ValueError(f"a seed has {SEED_BYTES} bytes, and a table's name at most {LONGEST}")
        for salt in salts:
            check_salt(salt)
        self._key, self._table, self._label = key(seed, table, salts), table, label
        self._begins = encoded(SCHEME, "draw", table)
        self.drawn = drawn  # also the number of the next draw

    def __repr__(self) -> str:
        return f"Provable(table={self._table!r}, drawn={self.drawn})"

    def after(self, drawn: int) -> "Provable":
        """The same chance once so many draws were made; this one stays where it is."""
        later = Provable.__new__(Provable)
        later._key, later._table, later._label, later._begins = self._key, self._table, self._label, self._begins
        later.drawn = drawn
        return later

    def draw(self, tickets: int) -> int:
        if not 1 <= tickets <= SPAN:
            raise ValueError("there must be a ticket to draw")
        ticket = unbiased(self._number_at, SPAN, tickets)
        self.drawn += 1
        return ticket

    def _number_at(self, attempt: int) -> int:
        text = self._begins + encoded(str(self.drawn), self._label, str(attempt))
        return int.from_bytes(hmac.digest(self._key, text, "sha256"), "big")


def proof_of(seed: bytes, table: str, salts: Sequence[str]) -> Proof:
    """The proof that goes with a record; a writer keeps the seed back until the game is over."""
    return Proof(SCHEME, table, commitment(seed, table), tuple(salts), seed.hex())


@dataclass(frozen=True, slots=True)
class Draw:
    """One draw of a game: its number from 0, what was drawn of how many, and the action of the record it is part of."""

    number: int
    tickets: int
    ticket: int
    outcome: int
    action: int


def verify(record: Record, shown: str = "") -> list[Draw]:
    """Play a record's choices again with the chance that its proof gives, and list the draws.

    Raises Unfair at the first action that chance did otherwise, and BadRecord where the record is wrong in itself.
    `shown` is the commitment that somebody saw before the game; the record must name the same.
    """
    proof = revealed(record)
    if shown and shown != proof.commitment:
        raise Unfair(0, "proof/other", "this is another commitment than the one that was shown")
    check = _Check(record, proof)
    for action in records.steps(record, check.claimed):
        check.follow(action.number)
    records.check_result(record, check.claimed)
    return check.draws


COVERED: Final = ("dice", "deals")  # what a proof is about; not who sat there, nor what they chose, nor their names


@dataclass(frozen=True, slots=True)
class Note:
    """Something about a fair record that its reader should know: a stable code, and the word that it is about."""

    code: str
    word: str = ""


def notes_on(record: Record) -> list[Note]:
    """What a record that was verified does not say, or says where nobody reads it."""
    others = [key for key in record.keys if key not in KEYS]
    found = [Note("key_misspelt", key) for key in others if get_close_matches(key, KEYS)]
    found += [Note("view_missing")] if "view" not in record.keys else []
    if record.result is None:
        found.append(Note("result_missing"))
    else:
        found += _notes_on_result(record)
    return found if records.replay(record).is_over else [*found, Note("game_unfinished")]


def _notes_on_result(record: Record) -> list[Note]:
    given = list(record.result) if isinstance(record.result, dict) else []
    found = [Note("result_misspelt", key) for key in given if key not in RESULT and get_close_matches(key, RESULT)]
    return found if "points" in given else [*found, Note("result_points")]


def revealed(record: Record) -> Proof:
    """The proof of a record, complete with a seed that fits its commitment."""
    table = record.proof
    if table is None:
        raise Unfair(0, "proof/none", "the record has no proof")
    if not isinstance(table, dict):
        raise Unfair(0, "proof/table", "proof must be a table")
    if table.get("scheme") != SCHEME:
        raise Unfair(0, "proof/scheme", f'the scheme of the proof must be "{SCHEME}"', scheme=SCHEME)
    if "seed" not in table:
        raise Unfair(0, "proof/early", "the seed is not revealed yet")
    proof = _proof(table, len(record.players))
    if commitment(bytes.fromhex(proof.seed), proof.table) != proof.commitment:
        raise Unfair(0, "proof/seed", "the seed is not the one that was committed to")
    return proof


def _proof(table: dict[str, object], n_seats: int) -> Proof:
    name, promise, salts, seed = (table.get(word) for word in ("table", "commitment", "salts", "seed"))
    if not isinstance(name, str) or not is_short_text(name):
        raise Unfair(0, "proof/name", "the proof does not name its table")
    for word, value in (("commitment", promise), ("seed", seed)):
        if not isinstance(value, str) or not _HEX.fullmatch(value):
            raise Unfair(0, "proof/digits", f"the {word} must be 64 hexadecimal digits in lower case", word=word)
    if not isinstance(salts, list) or len(salts) != n_seats or not all(map(is_short_text, salts)):
        raise Unfair(0, "proof/salts", f"salts must be {n_seats} short texts, one for each seat", number=n_seats)
    return Proof(SCHEME, name, str(promise), tuple(salts), str(seed))


class _Check:
    """A game as its record claims it, and beside it the same choices with the chance that the proof gives.

    The order of cards within a hand is not in a record, so what chance did is compared as a record writes it.
    """

    def __init__(self, record: Record, proof: Proof) -> None:
        self.claimed = records.started(record)
        self.draws: list[Draw] = []
        self._fair = records.started(record)
        self._chance = Provable(bytes.fromhex(proof.seed), proof.table, proof.salts, record.game.name)

    def follow(self, action: int) -> None:
        """Take the steps that the record has just taken."""
        new = self.claimed.steps[len(self._fair.steps) :]
        if new and new[0][0] == CHANCE:
            self._compare(action, [outcome for _, outcome in new])
            return
        for seat, choice in new:
            self._fair.choose(seat, choice)

    def _compare(self, action: int, outcomes: Sequence[int]) -> None:
        words, state = self._fair.game.words, self._fair.state
        phase, dealt_to = state.phase, words.dealt_to(state)
        drawn = [self._draw(action) for _ in outcomes]
        claimed = words.write_chance(phase, dealt_to, self.claimed.state, outcomes, True)
        fair = words.write_chance(phase, dealt_to, state, drawn, True)
        if claimed != fair:
            raise Unfair(action, "proof/draw", f"the seed gives {fair}, and not {claimed}", fair=fair, claimed=claimed)

    def _draw(self, action: int) -> int:
        game, state, number = self._fair.game, self._fair.state, self._chance.drawn
        tickets = game.tickets(state)
        ticket = self._chance.draw(tickets)
        outcome = game.outcome_at(state, ticket)
        self._fair.happen(outcome)
        self.draws.append(Draw(number, tickets, ticket, outcome, action))
        return outcome
