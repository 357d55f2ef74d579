"""`pokade replay` as the command that people and programs call."""

import json
import os
import signal
import subprocess
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pokade import records
from pokade.games import GAMES
from pokade.testing import random_game
from tests.cli.processes import CALM, PROGRAM, answered, ran
from tests.patience import PATIENCE

COMMAND = [*PROGRAM, "replay"]
HEAD = 'format = "record/1"\ngame = "pok"\nrules = "pok/1"\nplayers = ["Ada", "Ben", "Cleo"]\n'
ON = HEAD + 'actions = ["t standby p2", "d roll O TT -", "{ p1 pick O | p2 pick T | p3 pick T }"]\n'
OVER = (
    HEAD.replace("players", "options = { max_rounds = 2 }\nplayers")
    + 'actions = ["t standby p2", "d roll O TT -", "{ p1 pick O | p2 pick T | p3 pick T } # one of two", '
    + '"d roll S - -", "{ p1 pick S | p2 pick O | p3 pick O }"]\n'
)
WRONG = ON.replace("p3 pick T", "p3 pick ?")
NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hans")


replay = partial(ran, "replay")


def answers(*arguments: object, stdin: bytes = b"") -> list[dict[str, Any]]:
    return answered(replay("--json", *arguments, stdin=stdin))


def without_reasons(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    for line in lines:
        if not line["ok"]:
            reason = line.pop("error")
            assert reason
            assert "\n" not in reason
    return lines


def test_a_right_record_is_one_json_object_on_one_line(file):
    path = file(OVER)

    done = replay("--json", path)

    right = f'{{"file": "{path}", "ok": true, "game": "pok", "actions": 5, "over": true, '
    assert done.stdout.decode() == right + '"points": [2, 1, 1], "shares": [1.0, 0.0, 0.0]}\n'
    assert done.returncode == 0


def test_a_game_still_on_has_no_shares(file):
    (answer,) = answers(file(ON))

    assert (answer["over"], answer["points"], answer["shares"]) == (False, [1, 1, 1], None)


def test_files_are_answered_in_order_each_by_the_path_it_was_given(file, tmp_path):
    file(ON, "a")
    file(WRONG, "b")
    given = [f"{tmp_path}/./a", f"{tmp_path}/b", f"{tmp_path}/none", f"{tmp_path}/a"]

    lines = without_reasons(answers(*given))

    assert [line["file"] for line in lines] == given
    assert [line.get("action") for line in lines] == [None, 3, 0, None]
    assert list(lines[1]) == ["file", "ok", "action"]


def test_a_file_with_several_records_gives_an_object_for_each(file):
    path = file(f"{ON}---\n{WRONG}---\r\n{OVER.replace(chr(10), chr(13) + chr(10))}---\n")

    lines = without_reasons(answers(path))

    assert [(line["record"], line["ok"]) for line in lines] == [(1, True), (2, False), (3, True), (4, False)]
    assert [line.get("action") for line in lines] == [None, 3, None, 0]


def test_a_line_that_is_not_exactly_three_dashes_separates_nothing(file):
    lines = ("--- ", " ---", "----", "--", "---\r\r")
    paths = [file(f"{ON}{line}\n{ON}", f"{number}.pok.toml") for number, line in enumerate(lines)]

    assert without_reasons(answers(*paths)) == [{"file": str(path), "ok": False, "action": 0} for path in paths]


def test_bad_utf_8_anywhere_gives_one_object_for_the_whole_file(file):
    path = file(f"{ON}---\n{ON}---\n".encode() + b"# \xc3")

    assert without_reasons(answers(path)) == [{"file": str(path), "ok": False, "action": 0}]


def test_what_is_no_record_is_refused_at_0(file):
    contents = (b"", b"\xff", b"\xef\xbb\xbf" + ON.encode(), b"\0", b"[", ON.encode() + b"\r#")
    paths = [file(content, f"{number}.pok.toml") for number, content in enumerate(contents)]

    assert without_reasons(answers(*paths)) == [{"file": str(path), "ok": False, "action": 0} for path in paths]


def test_what_is_no_regular_file_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    paths = [tmp_path, tmp_path / "pipe", tmp_path / "loop", tmp_path / "none", "/dev/zero", "/dev/null", ""]

    lines = without_reasons(answers(*paths))

    assert lines == [{"file": str(path), "ok": False, "action": 0} for path in paths]


def test_a_file_that_may_not_be_read_is_refused(file):
    path = file(ON)
    path.chmod(0)
    if os.access(path, os.R_OK):  # root may read everything but this
        path = Path("/proc/self/mem")

    assert without_reasons(answers(path)) == [{"file": str(path), "ok": False, "action": 0}]


def test_any_path_comes_back_as_it_was_given(tmp_path):
    names = (b"odd\xff", b"two\nlines", "Ä 😀".encode(), b'"quoted"')
    paths = [os.fsdecode(os.fsencode(tmp_path) + b"/" + name) for name in names]
    for path in paths:
        Path(path).write_text(ON)

    assert [answer["file"] for answer in answers(*paths)] == paths
    assert replay(*paths).returncode == 0


def test_a_dash_reads_standard_input():
    lines = answers("-", stdin=f"{ON}---\n{WRONG}".encode())

    assert [(line["file"], line["record"], line["ok"]) for line in lines] == [("-", 1, True), ("-", 2, False)]


def test_a_record_that_is_too_large_is_refused_and_the_next_one_is_read(file):
    large = ON + "#" + "é" * (1 << 20) + "\n"

    assert [line["ok"] for line in answers(file(f"{large}---\n{ON}---\n{large}---\n{ON}"))] == [
        False,
        True,
        False,
        True,
    ]


def test_every_game_is_answered_as_the_rules_have_it(file):
    plays = [random_game(game, game.seats[-1], {}, 5) for game in GAMES.values()]
    texts = [records.write(play, NAMES[: play.n_seats]) for play in plays]

    lines = answers(file("---\n".join(texts)))

    assert [line["game"] for line in lines] == list(GAMES)
    assert [line["points"] for line in lines] == [list(play.points()) for play in plays]
    assert [line["actions"] for line in lines] == [len(records.actions_of(play)) for play in plays]


def test_a_reader_who_leaves_early_causes_no_trouble(file):
    path = file("---\n".join([ON] * 3000))
    for flags in (["--json"], []):
        with subprocess.Popen(
            [*COMMAND, *flags, str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=CALM
        ) as command:
            assert command.stdout is not None
            assert command.stderr is not None
            assert command.stdout.readline()  # each line is there as soon as it is known
            command.stdout.close()
            assert b"Traceback" not in command.stderr.read()
            assert command.wait(PATIENCE) != 0


def test_an_interrupt_causes_no_traceback(file):
    path = file("---\n".join([ON] * 20_000))
    with subprocess.Popen(
        [*COMMAND, "--json", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=CALM,
        # A shell that runs the tests in the background makes all its children deaf to interrupts.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - it only sets a signal
    ) as command:
        assert command.stdout is not None
        command.stdout.readline()
        command.send_signal(signal.SIGINT)
        _, complaint = command.communicate(timeout=PATIENCE)

    assert b"Traceback" not in complaint
    assert command.returncode != 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
@pytest.mark.parametrize("flags", [["--json"], []])
def test_a_full_disk_is_one_line(file, flags: list[str]):
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*COMMAND, *flags, str(file(ON))],
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=PATIENCE,
            env=CALM,
            check=False,
        )

    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1


def told(*arguments: object, stdin: bytes = b"", **env: str) -> str:
    return replay(*arguments, stdin=stdin, **env).stdout.decode()


def test_the_account_tells_players_options_rounds_and_the_outcome(file):
    account = told(file(OVER))

    assert [line for line in account.splitlines() if line and not line.startswith(" ")][:5] == [
        "POK",
        "Players: Ada, Ben, Cleo",
        "Most rounds: 2",
        "Round 1",
        "Round 2",
    ]
    assert "Ben is away, and a stand-in bot plays on." in account
    assert "    2  d roll O TT -\n" in account
    assert "The last round that the table allowed is over." in account
    assert "The record is right: 5 actions." in account


def test_the_account_of_a_wrong_record_ends_with_the_number_of_the_action(file):
    path = file(f"{ON}---\n{WRONG}")

    done = replay(path)

    assert done.stdout.decode().splitlines()[-1].startswith(f"{path}, record 2, action 3: ")
    assert done.returncode == 1


def test_people_are_told_what_is_wrong_in_their_language_and_programs_in_english(file):
    wrong = file(ON.replace("p3 pick T", "p3 pick Q"))

    (answer,) = answers(wrong)

    assert answer["error"] == "a choice is written pick O, pick S or pick T"
    told = replay(wrong, "--lang", "fr").stdout.decode()
    assert "action 3" in told
    assert told.rstrip().endswith("un choix s’écrit pick O, pick S ou pick T")


def test_the_account_says_why_a_file_can_not_be_read(tmp_path):
    done = replay(tmp_path / "none")

    assert done.stdout.decode() == f"{tmp_path}/none: No such file or directory\n"
    assert done.returncode == 1


def test_the_account_of_a_game_still_on_says_so(file):
    assert "The game is still on." in told(file(ON))


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
def test_every_game_is_told_in_every_language(file, language: str):
    plays = [random_game(game, game.seats[0], {}, 3) for game in GAMES.values()]
    path = file("---\n".join(records.write(play, NAMES[: play.n_seats]) for play in plays))

    done = replay("--lang", language, path)

    assert done.returncode == 0
    assert not done.stderr
    assert told(path, LC_ALL=f"{language}_XX.UTF-8") == done.stdout.decode()


def test_an_account_through_one_pair_of_eyes_keeps_the_secrets_of_others(file):
    low, high = "7c8c9cTcJcQcKcAc7d8d9dTdJdQdKdAd", "7h8h9hThJhQhKhAh7s8s9sTsJsQsKsAs"
    path = file(
        'format = "record/1"\ngame = "poch"\nrules = "poch/1"\nplayers = ["Ada", "Ben"]\n'
        f'actions = ["d dealer p2", "t timeout p1", "d deal p1 {low}", "d deal p2 {high}"]'
    )

    assert f"d deal p1 {low}" in told(path)
    assert "d deal p1 ????????????????\n" in told("--view", "public", path)
    assert "d deal p1 7c7d8c8d" in told("--view", "p1", path)
    assert "d deal p2 7s8s9sTsJsQsKsAs????????/s" in told("--view", "p1", path)
    assert "there is no p3 at this table" in told("--view", "p3", path)


def test_names_can_neither_colour_the_terminal_nor_flood_it(file):
    names = '["\\u001b[31mred\\u0007", "' + "x" * 100_000 + '", "[bold]b[/bold] {who} \\u202e"]'
    account = told(file(OVER.replace('["Ada", "Ben", "Cleo"]', names)))

    assert "\x1b" not in account
    assert "\u202e" not in account
    assert "[bold]b[/bold] {who}" in account
    assert len(account) < 5000


def test_a_terminal_that_knows_few_letters_gets_question_marks(file):
    assert "Zo?" in replay(file(ON.replace("Ada", "Zoë")), PYTHONIOENCODING="ascii").stdout.decode()


def test_a_walk_goes_on_back_and_anywhere(file):
    walk = told("--step", file(OVER), stdin=b"\n\nb\n5\n99\nhuh\nq\n")

    assert [line.split()[0] for line in walk.splitlines() if "Enter: next" in line] == [
        "0/5",
        "1/5",
        "2/5",
        "1/5",
        "5/5",
        "5/5",
        "5/5",
    ]


def test_a_walk_without_anybody_to_press_a_key_ends(file):
    assert replay("--step", file(OVER)).returncode == 0
    assert replay("--step", file(WRONG)).returncode == 1


def test_leaving_a_walk_leaves_all_of_it_but_the_rest_is_still_checked(file):
    done = replay("--step", file(f"{ON}---\n{WRONG}"), stdin=b"q\n")

    assert done.stdout.decode().count("Enter: next") == 1
    assert done.returncode == 1


def test_a_walk_does_not_tell_what_opens_only_later(file):
    actions = ["d first p1", "d roll 1 1 2 3 4", "{ p1 card pair | p2 card four }", "p1 stop"]
    text = 'format = "record/1"\ngame = "pokerdice"\nrules = "pokerdice/1"\nplayers = ["Ada", "Ben"]\n'
    path = file(text + f"actions = {json.dumps(actions)}")

    walk = told("--step", "--view", "public", path, stdin=b"3\nq\n")

    assert "{ p1 card pair | p2 card ? }" in walk
    assert "{ p1 card pair | p2 card four }" in told("--view", "public", path)


@pytest.mark.parametrize("flags", [["--lang", "xx"], ["--view", "p9"], ["--view", "all"], ["--nonsense"], []])
def test_a_wrong_call_is_refused_with_status_2(file, flags: list[str]):
    done = replay(*flags, *([file(ON)] if flags else []))

    assert done.returncode == 2
    assert done.stderr
    assert not done.stdout
