"""The help of `pokade` and of its commands, in the reader's language.

English is in the code: a docstring or `help=`. `texts/helps` has the other languages, by command and by option.
"""

import inspect
import re
import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

from pokade.cli.options import forgive
from pokade.games import GAMES
from pokade.texts import LANGUAGES, helps, preferred_language

HEADINGS: Final = {
    "usage": "Usage:",
    "arguments": "Arguments:",
    "options": "Options:",
    "commands": "Commands:",
    "example": "Example:",
    "default": "default:",
    "required": "required",
    "see": "see",
}
ABOUT: Final = "about"  # a command's own text, beside those of its options
SHARED: Final = "shared"  # the texts of options that mean the same in several commands
LISTS: Final = {"{games}": ", ".join(GAMES), "{languages}": ", ".join(LANGUAGES)}
_SPOKEN: Final = "pokade.language"


def spoken(context: Any) -> str:
    """The language in which a call is answered."""
    return str(context.meta.get(_SPOKEN) or preferred_language())


def listen(context: Any, words: Sequence[str]) -> None:
    """Take the language that a call asks for, also if the rest of the call can't be understood."""
    pairs = [*pairwise([*words, ""]), *(tuple(word.split("=", 1)) for word in words if "=" in word)]
    asked = [value for name, value in pairs if name in ("--lang", "--language") and value in LANGUAGES]
    context.meta[_SPOKEN] = asked[0] if asked else preferred_language()


def heading(language: str, name: str) -> str:
    """What typer prints of its own accord: "Usage:", "required"."""
    return helps(language).get("headings", HEADINGS)[name]


def about(language: str, command: Any) -> str:
    """What a command does, in sentences."""
    return helps(language).get(command.name, {}).get(ABOUT) or inspect.cleandoc(command.help or "")


def in_short(language: str, command: Any) -> str:
    """The first sentence about a command."""
    return " ".join(about(language, command).partition("\n\n")[0].split())


def key(parameter: Any) -> str:
    """The name of an option or an argument in the catalogue: seats for --seats and --bots, game for GAME."""
    if parameter.param_type_name == "argument":
        return str(parameter.metavar or parameter.name).lower()
    return next(str(name) for name in parameter.opts if name.startswith("--")).removeprefix("--")


def help_of(language: str, command: Any, parameter: Any) -> str:
    """What an option or an argument of a command means."""
    catalogue, name = helps(language), key(parameter)
    found = catalogue.get(command.name, {}).get(name) or catalogue.get(SHARED, {}).get(name)
    if found is None:
        return parameter.help or ""
    for slot, names in LISTS.items():
        found = found.replace(slot, names)
    return found


def _row(context: Any, parameter: Any) -> tuple[str, str] | None:
    """A line of a help: the names of an option and its meaning, with what typer adds, such as its default."""
    row = parameter.get_help_record(context)
    if row is None:
        return None
    language = spoken(context)
    facts = row[1].removeprefix(parameter.help or "").strip()
    facts = re.sub(r"(?<=[\[ ])default:", heading(language, "default"), facts)
    facts = re.sub(r"(?<=[\[ ])required(?=\]$)", heading(language, "required"), facts)
    names = re.sub(r" <[^>]+>(\.\.\.)?$", "", row[0])  # manuals give no types
    return names, "  ".join(filter(None, [help_of(language, context.command, parameter), facts]))


def completed(context: Any, found: list[Any]) -> list[Any]:
    """What the shell offers, with the meaning of each option."""
    named = {name: parameter for parameter in context.command.get_params(context) for name in parameter.opts}
    for offered in found:
        if offered.value in named:
            offered.help = help_of(spoken(context), context.command, named[offered.value])
    return found


class Helped:
    """A command, or the program, whose help is in the reader's language."""

    def get_short_help_str(self, limit: int = 0) -> str:  # noqa: ARG002 - a sentence is never cut off
        return in_short(preferred_language(), self)

    def get_help(self: Any, ctx: Any) -> str:
        """The help, to be printed now on a terminal that may lack some of its letters."""
        forgive(sys.stdout)
        formatter = ctx.make_formatter()
        self.format_help(ctx, formatter)
        return str(formatter.getvalue().rstrip("\n"))

    def format_usage(self: Any, ctx: Any, formatter: Any) -> None:
        pieces = " ".join(self.collect_usage_pieces(ctx))
        formatter.write_usage(ctx.command_path, pieces, f"{heading(spoken(ctx), 'usage')} ")

    def format_help_text(self: Any, ctx: Any, formatter: Any) -> None:
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(about(spoken(ctx), self))

    def format_options(self: Any, ctx: Any, formatter: Any) -> None:
        for kind in ("argument", "option"):
            parameters = [parameter for parameter in self.get_params(ctx) if parameter.param_type_name == kind]
            self.format_rows(ctx, formatter, f"{kind}s", [_row(ctx, parameter) for parameter in parameters])

    def format_commands(self: Any, ctx: Any, formatter: Any) -> None:
        rows = [(name, in_short(spoken(ctx), command)) for name, command in self.commands.items()]
        self.format_rows(ctx, formatter, "commands", rows)

    def format_rows(self, ctx: Any, formatter: Any, name: str, rows: Sequence[tuple[str, str] | None]) -> None:
        """A heading with its lines; nothing without lines."""
        shown = [row for row in rows if row]
        if shown:
            with formatter.section(heading(spoken(ctx), name).removesuffix(":")):
                formatter.write_dl(shown)

    def format_epilog(self: Any, ctx: Any, formatter: Any) -> None:
        if self.epilog:
            formatter.write_paragraph()
            with formatter.indentation():
                formatter.write_text(f"{heading(spoken(ctx), 'example')} {self.epilog}")
