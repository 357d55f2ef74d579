"""What the commands share: games, options, languages and files by name, and one way to end with an error."""

import io
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final, NoReturn

import typer

from pokade.games import GAMES
from pokade.games.errors import BadOption, BadRun
from pokade.games.game import Game, Value
from pokade.records import NO_BREAK
from pokade.texts import LANGUAGES, preferred_language, text

FAILED, MISTAKE = 1, 2  # exit status: it can't be done now; it can't be done as it was asked for
STOPPED: Final = 130  # by Ctrl-C
MOST_GAMES: Final = 10**12  # years, even of the fastest game
PLOTS: Final = (".png", ".svg", ".pdf")


class Failed(Exception):
    """A command can't go on: what is wrong in one line, and the exit status. The one way to end with an error."""

    def __init__(self, sentence: str, status: int = MISTAKE) -> None:
        super().__init__(sentence)
        self.status = status


def fail(sentence: str, status: int = MISTAKE) -> NoReturn:
    """Stop here, and say in one line what is wrong."""
    raise Failed(sentence, status)


def ended(sentence: str, status: int = MISTAKE) -> int:
    """Print the one line with which a command ends; the exit status."""
    forgive(sys.stderr)
    typer.echo(f"pokade: {_one_line(sentence)}", err=True)
    return status


def _one_line(sentence: str) -> str:
    return "".join(c if c.isprintable() or c in NO_BREAK else " " if c == "\n" else ascii(c)[1:-1] for c in sentence)


def forgive(stream: object) -> None:
    """A letter that the terminal's encoding lacks becomes a question mark."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")


def language_named(name: str) -> str:
    """The language of that name, or the terminal's own if none is given."""
    language = name or preferred_language()
    if language not in LANGUAGES:
        fail(text(preferred_language(), "rules.unknown_language", name=language, languages=", ".join(LANGUAGES)))
    return language


def found_game(name: str) -> Game | None:
    """The game of that name or title, in any case and with any signs between its letters."""
    wanted = _letters(name)
    return next((game for game in GAMES.values() if wanted in (game.name, _letters(game.title))), None)


def _letters(name: str) -> str:
    return re.sub(r"[\W_]", "", name).casefold()


def game_named(name: str, language: str = "") -> Game:
    """The game of that name; else it is said in the language, or in that of the terminal, that there is none."""
    game = found_game(name)
    if game is None:
        fail(text(language or preferred_language(), "rules.unknown_game", name=name, games=", ".join(GAMES)))
    return game


def _games_begun(incomplete: str) -> list[str]:
    """For the shell: the games that begin like this."""
    return [name for name in GAMES if name.startswith(_letters(incomplete))]


def _languages_begun(incomplete: str) -> list[str]:
    return [name for name in LANGUAGES if name.startswith(incomplete)]


def _seed(context: typer.Context, seed: int) -> int:
    """A seed that the compiled games take too."""
    if not 0 <= seed < 1 << 63:
        fail(text(language_named(context.params.get("lang", "")), "runs.seed"))
    return seed


GameName = Annotated[
    str,
    typer.Argument(metavar="GAME", help=", ".join(GAMES) + ".", autocompletion=_games_begun, show_default=False),
]
GameNames = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="GAME", help=", ".join(GAMES) + "; all of them if none is named.", autocompletion=_games_begun
    ),
]
MaybeGameName = Annotated[
    str | None,
    typer.Argument(metavar="GAME", help=", ".join(GAMES) + ".", autocompletion=_games_begun, show_default=False),
]
Lang = Annotated[
    str,
    typer.Option(
        "--lang",
        "--language",
        metavar="CODE",
        help=f"{', '.join(LANGUAGES)}; else the language of the terminal.",
        autocompletion=_languages_begun,
        is_eager=True,  # what is wrong with another option is said in this language
    ),
]
Games = Annotated[int, typer.Option("--games", "-n", min=1, max=MOST_GAMES, metavar="N", help="How many games.")]
Seed = Annotated[int, typer.Option(metavar="N", callback=_seed, help="Same seed, same games.")]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the rules. May be repeated."),
]
Plot = Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the result: PNG, SVG or PDF.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
Debug = Annotated[bool, typer.Option("--debug", help="Show the traceback of a bot file's error.")]
Threads = Annotated[
    int,
    typer.Option(
        "--threads", "--jobs", "-j", min=0, max=256, metavar="N", help="Games played at once; 0 uses every core."
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(metavar="auto|ADDRESS", help="Work on a Ray cluster: this machine's, or that at HOST:PORT."),
]


def workers_of(cluster: str | None, threads: int) -> Any:
    """Who does the work: a cluster, or so many threads; 0 is one for each core."""
    from pokade.arena.runs import all_threads  # noqa: PLC0415 - what the arena loads is not needed by other commands

    if cluster is None:
        return threads or all_threads()
    from pokade.arena.cluster import Cluster as Machines  # noqa: PLC0415 - as above

    return Machines(cluster)


def options_from(game: Game, n_seats: int, texts: Sequence[str]) -> dict[str, Value]:
    """Options given as NAME=VALUE; refuses what the game does not take."""
    options = dict(_option(given) for given in texts)
    game.option_numbers(options, n_seats)
    return options


def _option(given: str) -> tuple[str, Value]:
    name, equals, value = given.partition("=")
    if not equals:
        raise BadOption("option/form", f"an option is written NAME=VALUE, not {given}", given=given)
    if value in ("true", "false"):
        return name, value == "true"
    return name, int(value) if value.isascii() and value.isdigit() and len(value) < 10 else value


def check_plot(path: Path | None) -> None:
    """Refuses a picture of a kind that can't be drawn, or one that could not be written after the run."""
    if path is not None and path.suffix.lower() not in PLOTS:
        kinds = ", ".join(PLOTS)
        raise BadRun("plot/kind", f"--plot takes a file that ends in {kinds}", kinds=kinds)
    check_writable("--plot", path)


def check_writable(flag: str, path: Path | None) -> None:
    """Refuses a file that could not be written later; leaves no trace."""
    if path is None:
        return
    was_there = path.exists()
    try:
        path.open("ab").close()
    except (OSError, ValueError) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise BadRun("run/file", f"{flag} {path}: {why}", flag=flag, file=str(path), why=why) from None
    if not was_there:
        path.unlink()
