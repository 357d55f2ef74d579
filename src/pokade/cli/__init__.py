"""The command `pokade`. Each command has a file of its own; what is slow to load is loaded where it is used."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from pokade import __version__
from pokade.cli import helps
from pokade.cli.analyse import analyse
from pokade.cli.arena import arena
from pokade.cli.backup import backup
from pokade.cli.calls import bad_call
from pokade.cli.dataset import dataset
from pokade.cli.exploit import exploit
from pokade.cli.new_game import new_game
from pokade.cli.options import FAILED, Failed, ended, fail
from pokade.cli.play import play
from pokade.cli.problem import problem
from pokade.cli.replay import replay
from pokade.cli.report import report
from pokade.cli.rules import rules
from pokade.cli.serve import serve
from pokade.cli.simulate import simulate
from pokade.cli.solve import certify, solve
from pokade.cli.train import train
from pokade.cli.verify import verify
from pokade.cli.warm import warm
from pokade.games import GAMES
from pokade.games.errors import Coded
from pokade.texts import explained, preferred_language

_ONE, *_, _OTHER = GAMES
EXAMPLES: dict[Callable[..., None], str] = {
    play: f"pokade play {_ONE} --players {GAMES[_ONE].usual_seats} --bots strong",
    serve: "pokade serve --port 8000 --public-url https://play.example.org",
    backup: "pokade backup monday.db",
    analyse: "pokade analyse evening.pok.toml --html evening.html",
    problem: f"pokade problem {_ONE} --date 2026-11-18",
    replay: "pokade replay evening.pok.toml --step --view p1",
    rules: f"pokade rules {_OTHER} --lang de",
    simulate: f"pokade simulate {_ONE} --players {GAMES[_ONE].usual_seats} --games 1000000 --threads 0",
    arena: f"pokade arena {_ONE} --seats bot.py:choose,casual,strong --games 300 --keep games.jsonl",
    exploit: f"pokade exploit {_ONE} --against casual --players {GAMES[_ONE].seats[0]} --seconds 60",
    dataset: f"pokade dataset {_ONE} --games 1000 --seats casual,novice,random --out {_ONE}-data",
    train: f"pokade train {_ONE} --players {GAMES[_ONE].seats[0]} --minutes 20 --out learned.npz",
    report: f"pokade report {_OTHER} --out {_OTHER}-report",
    solve: f"pokade solve {_ONE} --players {GAMES[_ONE].seats[0]} --out {_ONE}.solution",
    certify: f"pokade certify {_ONE} --players {GAMES[_ONE].seats[0]} --json",
    verify: "pokade verify evening.pok.toml --draws",
    warm: f"pokade warm {_ONE} {_OTHER}",
    new_game: "pokade new-game pennies --title 'Matching Pennies'",
}


_BadCall: type[Exception] = typer.BadParameter.__bases__[0]  # every call that typer's own parser can't understand


@contextmanager
def _noted(ctx: Any, **known: object) -> Iterator[None]:
    """A mistake in a call, with its place and with what the parser knew but does not tell."""
    try:
        yield
    except _BadCall as error:
        vars(error).update({"ctx": getattr(error, "ctx", None) or ctx, **known})
        raise


class _Commands(helps.Helped, TyperGroup):
    """The commands; a call that can't be understood ends like every other error, with one line."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        call = partial(super().main, args, prog_name, complete_var, False, windows_expand_args, **extra)
        if not standalone_mode:
            return call()
        try:
            raise SystemExit(call())
        except Failed as error:
            raise SystemExit(ended(str(error), error.status)) from None
        except _BadCall as error:
            raise SystemExit(_misunderstood(error)) from None
        except typer.Abort:
            raise SystemExit(FAILED) from None

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        helps.listen(ctx, args)
        with _noted(ctx):
            return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        with _noted(ctx, command=args[0]):
            return super().resolve_command(ctx, args)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        super().format_options(ctx, formatter)
        self.format_commands(ctx, formatter)

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        return helps.completed(ctx, super().shell_complete(ctx, incomplete))


class _Command(helps.Helped, TyperCommand):
    """A command whose usage names its arguments as manuals do (no braces), and whose errors are explained."""

    def invoke(self, ctx: Any) -> Any:
        """Explain what the engine refuses in the language that the call asks for."""
        try:
            return super().invoke(ctx)
        except Coded as error:
            fail(explained(ctx.params.get("lang") or preferred_language(), error))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        with _noted(ctx, given=list(args)):
            return super().parse_args(ctx, args)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return [re.sub("[{}]", "", piece) for piece in super().collect_usage_pieces(ctx)]

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        return helps.completed(ctx, super().shell_complete(ctx, incomplete))


def _misunderstood(error: Any) -> int:
    """Tell what was wrong with a call, and where it says how to call; the exit status."""
    mistake, language = bad_call(error), helps.spoken(error.ctx)
    sentence = explained(language, mistake) if mistake else error.format_message().rstrip(".")
    return ended(f"{sentence} ({helps.heading(language, 'see')} {error.ctx.command_path} --help)")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"pokade {__version__}")
        raise typer.Exit


def pokade(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", "-V", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Games of sealed choice and bluff: play them, serve them, simulate them, write bots for them."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


app = typer.Typer(
    name="pokade",
    cls=_Commands,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain helps, without a column of types
    context_settings={"help_option_names": ["--help", "-h"]},
)
app.callback(invoke_without_command=True)(pokade)
for command, example in EXAMPLES.items():
    app.command(cls=_Command, epilog=example)(command)


def main() -> None:
    """The entry point of the command `pokade`."""
    app(prog_name="pokade")
