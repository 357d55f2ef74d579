"""Calls that can't be understood: what the parser knows of a mistake, as an error that has words in every language.

The parser is part of typer, or of click with an older typer. Few of its classes are public: they are told by name.
"""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

from pokade.games.errors import BadCall


def bad_call(error: Any) -> BadCall | None:
    """The mistake in a call; None if the parser knows no more of it than its own sentence."""
    match type(error).__name__:
        case "NoSuchOption":
            return _no_option(error.option_name, error.possibilities or ())
        case "UsageError" if getattr(error, "command", ""):
            return _no_command(error.command, error.ctx.command.commands)
        case "UsageError" if getattr(error, "given", ()):
            return _too_many(error.ctx, error.given)
        case "MissingParameter":
            return _missing(error.param)
        case "BadOptionUsage":
            return _without_value(error.option_name, error.ctx.command.get_params(error.ctx))
        case "BadParameter":
            return _bad_value(error)
    return None


def _no_option(option: str, known: Sequence[str]) -> BadCall:
    if not known:
        return BadCall("call/option", f"No such option: {option}", option=option)
    like = " / ".join(known)
    return BadCall("call/option-like", f"No such option: {option}. Did you mean {like}?", option=option, known=like)


def _no_command(command: str, commands: Sequence[str]) -> BadCall:
    known = get_close_matches(command, commands)
    if not known:
        return BadCall("call/command", f"No such command: {command}", command=command)
    like, sentence = " / ".join(known), f"No such command: {command}"
    return BadCall("call/command-like", f"{sentence}. Did you mean {like}?", command=command, known=like)


def _too_many(context: Any, given: Sequence[str]) -> BadCall:
    """More words than a command takes; the parser leaves over what nothing has a place for."""
    extra = context.command.make_parser(context).parse_args(list(given))[1]
    number, words = len(extra), " ".join(extra)
    sentence = f"Unexpected {'argument' if number == 1 else 'arguments'}: {words}"
    return BadCall("call/extra", sentence, number=number, words=words)


def _missing(parameter: Any) -> BadCall:
    name = _name(parameter)
    if parameter.param_type_name == "argument":
        return BadCall("call/argument", f"Missing argument {name}", argument=name)
    return BadCall("call/required", f"Missing option {name}", option=name)


def _without_value(option: str, parameters: Sequence[Any]) -> BadCall:
    """An option without the value that it needs, or with one that it can't have."""
    if any(option in parameter.opts and getattr(parameter, "is_flag", False) for parameter in parameters):
        return BadCall("call/flag", f"Option {option} takes no value", option=option)
    return BadCall("call/value", f"Option {option} needs a value", option=option)


def _bad_value(error: Any) -> BadCall | None:
    """A value that is not of the kind that an option takes, or out of its range."""
    if error.param is None:
        return None
    name, facts = _name(error.param), _facts(error)
    given, least, most = (facts[fact] for fact in ("input", "ge", "le"))
    match facts["type"]:
        case "int_parsing" | "int_parsing_size":
            return BadCall("call/integer", f"{name}: {given} is not a whole number", option=name, given=given)
        case "float_parsing":
            return BadCall("call/number", f"{name}: {given} is not a number", option=name, given=given)
        case "greater_than_equal":
            return BadCall(
                "call/least", f"{name}: at least {least}, not {given}", option=name, given=given, least=least
            )
        case "less_than_equal":
            return BadCall("call/most", f"{name}: at most {most}, not {given}", option=name, given=given, most=most)
    return BadCall("call/invalid", f"{name}: {error.message}", option=name, why=error.message)


def _facts(error: Any) -> dict[str, str]:
    """What pydantic found wrong with a value: the type of the mistake, the value, and the limit that it broke."""
    found = error.__cause__.errors()[0] if hasattr(error.__cause__, "errors") else {}
    limits = {name: f"{limit:.15g}" for name, limit in found.get("ctx", {}).items() if name in ("ge", "le")}
    return {"ge": "", "le": "", "type": found.get("type", ""), "input": str(found.get("input")), **limits}


def _name(parameter: Any) -> str:
    """A parameter as the help names it."""
    if parameter.param_type_name == "argument":
        return str(parameter.metavar or parameter.name)
    return " / ".join(parameter.opts)
