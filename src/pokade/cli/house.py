"""The house: choose a game, its players and options; all in plain words, Enter for the usual."""

from collections.abc import Sequence
from dataclasses import replace

from pokade import texts
from pokade.cli import draw
from pokade.cli.draw import house as front
from pokade.cli.draw.offer import Entry
from pokade.cli.draw.palette import HOUSE, Cloth
from pokade.cli.options import found_game
from pokade.cli.saves import Setup
from pokade.cli.screen import Leave, Screen
from pokade.cli.seating import LONGEST_NUMBER, Wish, clean, seated
from pokade.games import GAMES
from pokade.games.game import Game, Option, Value


def choose_table(screen: Screen, wish: Wish) -> Setup:
    """From the front door to a table."""
    game = choose_game(screen)
    wanted = wish.players
    n = wanted if wanted is not None and wanted in game.seats else choose_number(screen, game)
    is_hotseat = wish.is_hotseat or choose_who(screen, game)
    wish = replace(
        wish, players=n, is_hotseat=is_hotseat, names=wish.names[:n], options=choose_options(screen, game, n)
    )
    return seated(game, wish, lambda seat, taken: ask_name(screen, seat, taken))


def choose_game(screen: Screen) -> Game:
    """One of the doors."""
    games = list(GAMES.values())
    hint = screen.say("play.menu.game")
    while True:
        screen.show(front.home(games, screen.language))
        said = line(screen, hint).casefold()
        named = dict(zip(map(str, range(1, len(games) + 1)), games, strict=True)).get(said) or found_game(said)
        if named is not None:
            return named
        hint = screen.say("play.menu.bad", said=said[:20] or "…")


def choose_number(screen: Screen, game: Game) -> int:
    """How many play."""
    usual = game.usual_seats
    entries = [Entry(n, (str(n),), "●" if n == usual else "") for n in game.seats]
    question = screen.say("play.menu.number", least=game.seats[0], most=game.seats[-1])
    cloth = draw.drawing(game).CLOTH
    return pick(screen, game.title, question, entries, cloth, usual=usual - game.seats[0])


def choose_who(screen: Screen, game: Game) -> bool:
    """Bots, or everybody at this screen?"""
    entries = [
        Entry(0, ("1",), screen.say("play.menu.bots"), screen.say("play.menu.bots_hint")),
        Entry(1, ("2",), screen.say("play.menu.hotseat"), screen.say("play.menu.hotseat_hint")),
    ]
    return pick(screen, game.title, screen.say("play.menu.who"), entries, draw.drawing(game).CLOTH) == 1


def choose_options(screen: Screen, game: Game, n_seats: int) -> tuple[str, ...]:
    """The options as `name=value`; none if the usual rules will do."""
    usual = "; ".join(_described(screen, game, option, option.default(n_seats)) for option in game.options)
    entries = [Entry(0, ("1",), screen.say("play.menu.usual")), Entry(1, ("2",), screen.say("play.menu.change"))]
    cloth = draw.drawing(game).CLOTH
    if pick(screen, game.title, screen.say("play.menu.options"), entries, cloth, usual) == 0:
        return ()
    return tuple(f"{option.name}={choose_option(screen, game, option, n_seats)}" for option in game.options)


def _described(screen: Screen, game: Game, option: Option, value: Value) -> str:
    """An option and its value in plain words."""
    return f"{label(screen, game, option)}: {value_words(screen, game, option, value)}"


def label(screen: Screen, game: Game, option: Option) -> str:
    """What an option is called."""
    return screen.say(f"{game.name}.option.{option.name}.label")


def value_words(screen: Screen, game: Game, option: Option, value: Value) -> str:
    """What a value of an option means."""
    words = texts.entry(screen.language, f"{game.name}.option.{option.name}").get("value", {})
    return str(words.get(str(value).lower(), value))


def choose_option(screen: Screen, game: Game, option: Option, n_seats: int) -> str:
    """One option, explained; Enter keeps the usual."""
    taken, usual = option.takes(n_seats), option.default(n_seats)
    title = f"{game.title}: {label(screen, game, option)}"
    question = screen.say(f"{game.name}.option.{option.name}.help")
    cloth = draw.drawing(game).CLOTH
    if isinstance(taken, range):
        return str(pick_number(screen, title, question, taken, int(usual), cloth))
    values = sorted(taken, key=lambda value: value != usual)
    entries = [Entry(at, (str(at + 1),), value_words(screen, game, option, value)) for at, value in enumerate(values)]
    return str(values[pick(screen, title, question, entries, cloth)]).lower()


def pick(
    screen: Screen,
    title: str,
    question: str,
    entries: Sequence[Entry],
    cloth: Cloth = HOUSE,
    note: str = "",
    usual: int = 0,
) -> int:
    """One of the entries; Enter is the usual one."""
    hint = screen.say("play.menu.pick")
    while True:
        screen.show(front.menu(title, question, entries, screen.language, cloth, note))
        said = line(screen, hint).casefold()
        if not said:
            return entries[usual].choice
        for entry in entries:
            if said in entry.keys:
                return entry.choice
        hint = screen.say("play.menu.bad", said=said[:20])


def pick_number(screen: Screen, title: str, question: str, allowed: range, usual: int, cloth: Cloth) -> int:
    """A whole number; Enter is the usual one."""
    hint = screen.say("play.menu.range", low=allowed[0], high=allowed[-1])
    entries = [Entry(usual, (str(usual),), "", hint)]
    while True:
        screen.show(front.menu(title, question, entries, screen.language, cloth))
        said = line(screen, hint)
        if not said:
            return usual
        if said.isascii() and said.isdigit() and len(said) <= LONGEST_NUMBER and int(said) in allowed:
            return int(said)


def ask_name(screen: Screen, seat: int, taken: Sequence[str]) -> str:
    """The name of the person at a seat."""
    question = screen.say("play.menu.name", number=seat)
    while True:
        name = clean(line(screen, question))
        if name is not None and name.casefold() not in (other.casefold() for other in taken):
            return name
        screen.tell(screen.say("play.menu.bad_name"))


def line(screen: Screen, hint: str) -> str:
    """A line in the house; q leaves it."""
    said = screen.read(hint)
    if said.casefold() == draw.LEAVE:
        raise Leave
    return said
