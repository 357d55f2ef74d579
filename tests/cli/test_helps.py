"""What a command says of itself and of a call that it can't understand, in every language."""

import os
import re
import shlex
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest
import typer.main
from typer.testing import CliRunner, Result

from pokade import texts
from pokade.cli import EXAMPLES, app
from pokade.cli.helps import ABOUT, HEADINGS, LISTS, SHARED, about, help_of, in_short, key
from pokade.texts import LANGUAGES, helps
from tests.cli.processes import PROGRAM

COMMANDS = ["", *(command.__name__.replace("_", "-") for command in EXAMPLES)]
ENGLISH, *OTHERS = LANGUAGES
each_other_language = pytest.mark.parametrize("language", OTHERS)
each_command = pytest.mark.parametrize("command", COMMANDS)


def called(words: str, language: str) -> Result:
    return CliRunner().invoke(app, shlex.split(words), env={"LC_ALL": f"{language}_XX.UTF-8", "COLUMNS": "80"})


def commands() -> Iterator[Any]:
    """The program and its commands, as typer has them."""
    program: Any = typer.main.get_command(app)
    yield program
    yield from program.commands.values()


def parameters() -> Iterator[tuple[Any, Any]]:
    """Every option and argument of every command, with the command."""
    for command in commands():
        for parameter in command.get_params(typer.Context(command)):
            yield command, parameter


@each_other_language
def test_every_command_option_and_argument_has_a_text_and_no_text_is_too_many(language: str):
    catalogue = helps(language)
    needed = defaultdict(set, {"headings": {*HEADINGS}})
    for command in commands():
        needed[command.name].add(ABOUT)
    for command, parameter in parameters():
        is_its_own = key(parameter) in catalogue.get(command.name, {})
        needed[command.name if is_its_own else SHARED].add(key(parameter))

    assert {table: {*found} for table, found in catalogue.items()} == needed


def test_no_two_parameters_of_a_command_share_a_text():
    keys = [(command.name, key(parameter)) for command, parameter in parameters()]

    assert len(set(keys)) == len(keys)


@each_other_language
def test_what_is_the_same_in_english_is_the_same_in_every_language(language: str):
    said, meant = defaultdict(set), defaultdict(set)
    for command, parameter in parameters():
        said[parameter.help].add(help_of(language, command, parameter))
        if key(parameter) not in helps(language)[command.name]:
            meant[key(parameter)].add(parameter.help)

    assert {english: found for english, found in said.items() if len(found) > 1} == {}
    assert {name: found for name, found in meant.items() if len(found) > 1} == {}


# What no language changes: options, numbers, file names, and words in capitals, such as placeholders and abbreviations.
FIXED = re.compile(
    r"--[a-z]+|\d+|\w+\.\w+|[A-Z]{2,}|casual-bold|sqlite:///|postgresql://|/metrics|p1, p2|pokade\[\w+\]"
)


@each_other_language
def test_options_placeholders_numbers_and_lists_are_those_of_the_english_help(language: str):
    pairs = [(parameter.help, help_of(language, command, parameter)) for command, parameter in parameters()]
    pairs += [(about(ENGLISH, command), about(language, command)) for command in commands()]

    def fixed(text: str) -> set[str]:
        return {*FIXED.findall(text)}

    assert [(english, said) for english, said in pairs if fixed(english) != fixed(said)] == []
    lists = [*LISTS.values(), "random, novice, casual, strong, master"]
    assert [said for english, said in pairs for names in lists if (names in english) != (names in said)] == []


@each_other_language
def test_every_help_is_a_sentence_without_slots(language: str):
    for command in commands():
        assert re.fullmatch(r"[^{}]*\.", about(language, command), re.DOTALL), command.name
        assert re.fullmatch(r"[A-ZÀ-Ý¡¿][^{}\n]*\.", in_short(language, command)), command.name
    for command, parameter in parameters():
        assert re.fullmatch(r"[^{}\n]*[.…]", help_of(language, command, parameter)), (command.name, key(parameter))


@each_command
@each_other_language
def test_a_help_has_no_heading_and_no_sentence_in_english(language: str, command: str):
    shown = called(f"{command} --help", language)
    read = " ".join(shown.stdout.split())
    told = [about(ENGLISH, each) for each in commands()] + [parameter.help for _, parameter in parameters()]
    same = {help_of(language, *each) for each in parameters()}  # such as "pok, poch."

    assert shown.exit_code == 0
    assert not re.search(r"(Usage|Arguments|Options|Commands|Example):|default:|\brequired\b", read)
    assert [text for text in told if text not in same and " ".join(text.split()) in read] == []
    assert shown.stdout.startswith(f"{helps(language)['headings']['usage']} pokade")


@each_command
def test_an_english_help_says_what_stands_in_the_code(command: str):
    read = " ".join(called(f"{command} --help", ENGLISH).stdout.split())
    (shown,) = [each for each in commands() if each.name == (command or "pokade")]

    assert read.startswith("Usage: pokade")
    assert " ".join(shown.help.split()) in read
    assert all(" ".join(each.help.split()) in read for each in shown.get_params(typer.Context(shown)))


def test_a_german_help_in_full():
    assert called("verify --help", "de").stdout == (
        "Aufruf: pokade verify [OPTIONS] FILE...\n"
        "\n"
        "  Prüfen, ob Würfel und Karten fair waren.\n"
        "\n"
        "Argumente:\n"
        "  FILE  Aufzeichnungen, oder - für die Standardeingabe.  [erforderlich]\n"
        "\n"
        "Optionen:\n"
        "  --json                   Ein JSON-Objekt je Zeile und Aufzeichnung.\n"
        "  --draws                  Jede Ziehung auflisten.\n"
        "  --commitment HASH        Das Siegel, das du vor dem Spiel gesehen hast.\n"
        "  --lang, --language CODE  en, de, fr, es; sonst die Sprache des Terminals.\n"
        "  -h, --help               Diese Hilfe anzeigen und beenden.\n"
        "\n"
        "  Beispiel: pokade verify evening.pok.toml --draws\n"
    )


def test_defaults_and_limits_are_told_in_the_language_too():
    assert "Wie viele Spiele.  [Vorgabe: 300;" in called("arena -h", "de").stdout
    assert "Jugadores en una mesa." in called("train -h", "es").stdout
    assert "Écrire le bot dans ce fichier.  [obligatoire]" in called("train -h", "fr").stdout


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_program_alone_lists_its_commands_in_the_language(language: str):
    alone, asked = called("", language), called("--help", language)

    assert alone.stdout == asked.stdout
    read = " ".join(alone.stdout.split())
    assert all(f"{each.name} {in_short(language, each)}" in read for each in commands() if each.name != "pokade")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437", "utf-8"])
def test_a_help_can_be_read_on_any_terminal(encoding: str):
    env = os.environ | {"LC_ALL": "fr", "PYTHONIOENCODING": encoding}
    done = subprocess.run([*PROGRAM, "arena", "--help"], capture_output=True, check=True, env=env)

    assert done.stdout.startswith(b"Utilisation")
    assert b"--keep games.jsonl" in done.stdout
    assert not done.stderr


@pytest.mark.parametrize("words", ["rules --lang fr --help", "rules --help --language=fr", "serve -h --lang fr"])
def test_a_call_that_names_a_language_is_helped_in_it(words: str):
    assert called(words, "de").stdout.startswith("Utilisation\u00a0: pokade")


MISTAKES = {
    "rules --nonsense": (
        "No such option: --nonsense",
        "Die Option --nonsense gibt es nicht",
        "L’option --nonsense n’existe pas",
        "No existe la opción --nonsense",
    ),
    "warm -x": (
        "No such option: -x",
        "Die Option -x gibt es nicht",
        "L’option -x n’existe pas",
        "No existe la opción -x",
    ),
    "verify --draw": (
        "No such option: --draw. Did you mean --draws?",
        "Die Option --draw gibt es nicht. Meintest du --draws?",
        "L’option --draw n’existe pas. Tu voulais dire --draws\u00a0?",
        "No existe la opción --draw. ¿Querías decir --draws?",
    ),
    "qqq": (
        "No such command: qqq",
        "Den Befehl qqq gibt es nicht",
        "La commande qqq n’existe pas",
        "No existe la orden qqq",
    ),
    "aren": (
        "No such command: aren. Did you mean arena?",
        "Den Befehl aren gibt es nicht. Meintest du arena?",
        "La commande aren n’existe pas. Tu voulais dire arena\u00a0?",
        "No existe la orden aren. ¿Querías decir arena?",
    ),
    "verify": (
        "Missing argument FILE",
        "Das Argument FILE fehlt",
        "L’argument FILE manque",
        "Falta el argumento FILE",
    ),
    "train pok": (
        "Missing option --out",
        "Die Option --out fehlt",
        "L’option --out manque",
        "Falta la opción --out",
    ),
    "simulate pok -n": (
        "Option -n needs a value",
        "Die Option -n braucht einen Wert",
        "L’option -n demande une valeur",
        "La opción -n necesita un valor",
    ),
    "verify x --draws=3": (
        "Option --draws takes no value",
        "Die Option --draws nimmt keinen Wert",
        "L’option --draws ne prend pas de valeur",
        "La opción --draws no admite ningún valor",
    ),
    "rules pok x": (
        "Unexpected argument: x",
        "Unerwartetes Argument: x",
        "Argument inattendu\u00a0: x",
        "Argumento inesperado: x",
    ),
    "rules pok -- x -y": (
        "Unexpected arguments: x -y",
        "Unerwartete Argumente: x -y",
        "Arguments inattendus\u00a0: x -y",
        "Argumentos inesperados: x -y",
    ),
    "arena pok --games many": (
        "--games / -n: many is not a whole number",
        "--games / -n: many ist keine ganze Zahl",
        "--games / -n\u00a0: many n’est pas un nombre entier",
        "--games / -n: many no es un número entero",
    ),
    "train pok --out x --minutes long": (
        "--minutes: long is not a number",
        "--minutes: long ist keine Zahl",
        "--minutes\u00a0: long n’est pas un nombre",
        "--minutes: long no es un número",
    ),
    "train pok --out x --minutes 0": (
        "--minutes: at least 0.01, not 0",
        "--minutes: mindestens 0.01, nicht 0",
        "--minutes\u00a0: au moins 0.01, pas 0",
        "--minutes: como mínimo 0.01, no 0",
    ),
    "arena pok --times 1e9": (
        "--search-factor / --times: at most 10000, not 1e9",
        "--search-factor / --times: höchstens 10000, nicht 1e9",
        "--search-factor / --times\u00a0: au plus 10000, pas 1e9",
        "--search-factor / --times: como máximo 10000, no 1e9",
    ),
    "simulate pok --games 9999999999999": (
        "--games / -n: at most 1000000000000, not 9999999999999",
        "--games / -n: höchstens 1000000000000, nicht 9999999999999",
        "--games / -n\u00a0: au plus 1000000000000, pas 9999999999999",
        "--games / -n: como máximo 1000000000000, no 9999999999999",
    ),
}


@pytest.mark.parametrize("words", MISTAKES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_parser_does_not_understand_is_said_in_the_language(language: str, words: str):
    refused = called(words, language)
    first = words.split(maxsplit=1)[0]
    place = f"pokade {first}" if first in COMMANDS else "pokade"
    see = {"en": "see", "de": "siehe", "fr": "voir", "es": "ver"}[language]

    assert refused.exit_code == 2
    assert not refused.stdout
    assert refused.stderr == f"pokade: {MISTAKES[words][LANGUAGES.index(language)]} ({see} {place} --help)\n"


def test_every_mistake_that_has_words_is_made_here():
    made = {sentence for sentences in MISTAKES.values() for sentence in sentences}
    codes = [code for code in texts.entry(ENGLISH, texts.ENGINE) if code.startswith("call/")]
    patterns = {code: re.escape(texts.entry(ENGLISH, f"{texts.ENGINE}.{code}")) for code in codes}
    shapes = {code: re.sub(r"\\\{(.*?)\\\}", ".+", pattern) for code, pattern in patterns.items()}

    unmade = {code for code, shape in shapes.items() if not any(re.fullmatch(shape, sentence) for sentence in made)}
    assert unmade <= {"call/invalid"}  # what an older typer says of a value


def test_a_mistake_is_said_in_the_language_that_the_call_names():
    assert called("rules --nonsense --lang es", "de").stderr.startswith("pokade: No existe la opción --nonsense")


def test_the_shell_offers_options_and_commands_with_their_meaning(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    program, *others = commands()
    (verify,) = [each for each in others if each.name == "verify"]

    options = verify.shell_complete(typer.Context(verify), "--dr")
    names = program.shell_complete(typer.Context(program), "verif")
    flags = program.shell_complete(typer.Context(program), "--vers")

    assert [(offered.value, offered.help) for offered in (*options, *names, *flags)] == [
        ("--draws", "Jede Ziehung auflisten."),
        ("verify", "Prüfen, ob Würfel und Karten fair waren."),
        ("--version", "Die Version anzeigen und beenden."),
    ]


def test_no_text_is_read_before_something_is_said():
    code = (
        "import sys; sys.argv[1:] = ['--version']\n"
        "from pokade import cli, texts\n"
        "try: cli.main()\n"
        "except SystemExit: print([read.cache_info().misses for read in (texts.catalogue, texts.helps)])"
    )
    words, env = [sys.executable, "-c", code], os.environ | {"LC_ALL": "de"}
    done = subprocess.run(words, capture_output=True, text=True, check=True, env=env)

    assert done.stdout.splitlines()[-1] == "[0, 0]"
