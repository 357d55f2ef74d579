"""`pokade backup`: a copy made while people play, from which a house opens with the same tables."""

import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from pokade.texts import LANGUAGES
from tests.server.clients import Guest
from tests.server.conftest import own_postgres_url, postgres  # noqa: F401 - fixtures
from tests.server.databases import Postgres, drop_database, new_database
from tests.server.open_house import PATIENCE, OpenHouse, started


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    """Sees out everybody who came in."""
    with ExitStack() as made:
        yield made


def backup(*arguments: object, env: dict[str, str | None] | None = None) -> subprocess.CompletedProcess:
    """Run the command; whatever it is given, it never shows a traceback."""
    pipe = subprocess.PIPE
    with started("backup", *map(str, arguments), env=env, stdout=pipe, stderr=pipe, text=True) as process:
        said, complained = process.communicate(timeout=PATIENCE)
    assert "Traceback" not in complained
    return subprocess.CompletedProcess(process.args, process.returncode, said, complained)


def complaint(done: subprocess.CompletedProcess, status: int) -> str:
    assert done.returncode == status, done
    (line,) = done.stderr.splitlines()
    return str(line)


def tables_of(ada: Guest, house: OpenHouse) -> list[str]:
    ada.http.base_url = httpx.URL(f"http://{house.address}")
    return [table["id"] for table in ada.get("/api/mine")]


def test_a_house_opens_on_a_backup_with_the_same_tables(tmp_path: Path, stack: ExitStack):
    db, copy = f"sqlite:///{tmp_path / 'house.sqlite'}", tmp_path / "copy.sqlite"
    with OpenHouse(tmp_path, "--db", db) as house:
        ada = stack.enter_context(Guest(house.address, "Ada"))
        before = [ada.open()["id"], ada.post("/api/quick/pok")["id"]]

        done = backup(copy, "--db", db)

        later = ada.open()["id"]
        assert sorted(tables_of(ada, house)) == sorted([*before, later])
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"Writing a backup to {copy}")
    assert f"The backup is in {copy}" in done.stdout
    assert copy.stat().st_mode & 0o777 == 0o600
    with OpenHouse(tmp_path, "--db", f"sqlite:///{copy}") as restored:
        assert sorted(tables_of(ada, restored)) == sorted(before)


def test_a_backup_of_postgresql_is_restored_with_its_own_program(
    own_postgres_url: str,  # noqa: F811
    postgres: Postgres,  # noqa: F811
    tmp_path: Path,
    stack: ExitStack,
):
    dump, path = tmp_path / "house.dump", {"PATH": f"{postgres.programs}{os.pathsep}{os.environ['PATH']}"}
    with OpenHouse(tmp_path, "--db", own_postgres_url) as house:
        ada = stack.enter_context(Guest(house.address, "Ada"))
        table = ada.open()["id"]

        done = backup(dump, env={**path, "POKADE_DB": own_postgres_url})

    assert (done.returncode, done.stderr) == (0, "")
    empty = new_database(postgres.url)
    subprocess.run([postgres.programs / "pg_restore", f"--dbname={empty}", dump], check=True)
    with OpenHouse(tmp_path, "--db", empty) as restored:
        assert tables_of(ada, restored) == [table]
    drop_database(postgres.url, empty)


def test_a_backup_finds_the_database_where_the_house_keeps_it(tmp_path: Path):
    env = {"XDG_DATA_HOME": str(tmp_path / "data")}
    file = tmp_path / "house.toml"
    file.write_text(f'db = "sqlite:///{tmp_path}/data/pokade/house.sqlite"\nport = 0\n')
    with OpenHouse(tmp_path, env=env) as house:
        assert house.address

        assert backup(tmp_path / "one", env=env).returncode == 0
        assert backup(tmp_path / "two", "--config", file).returncode == 0


def test_a_backup_never_overwrites_a_file(tmp_path: Path):
    db = tmp_path / "house.sqlite"
    db.touch()
    (tmp_path / "letter.txt").write_text("Dear Ada")

    line = complaint(backup(tmp_path / "letter.txt", "--db", f"sqlite:///{db}"), 2)

    assert "exists already" in line
    assert (tmp_path / "letter.txt").read_text() == "Dear Ada"


def test_a_backup_of_no_database_makes_none(tmp_path: Path):
    line = complaint(backup(tmp_path / "copy", "--db", f"sqlite:///{tmp_path / 'none.sqlite'}"), 2)

    assert "none.sqlite" in line
    assert list(tmp_path.iterdir()) == []


def test_a_backup_that_fails_says_why_with_a_code(tmp_path: Path):
    (tmp_path / "house.sqlite").touch()
    db = f"sqlite:///{tmp_path / 'house.sqlite'}"

    assert "(storage/no-backup)" in complaint(backup(tmp_path / "no folder" / "copy", "--db", db), 1)
    assert "(storage/no-backup)" in complaint(backup(tmp_path / "copy", "--db", "sqlite://"), 1)
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        gone = f"postgresql://ada:s3cr3t@127.0.0.1:{deaf.getsockname()[1]}/house"
        line = complaint(backup(tmp_path / "copy", "--db", gone), 1)
    assert "(storage/gone)" in line
    assert "s3cr3t" not in line
    assert [file.name for file in tmp_path.glob("*copy*")] == []


def test_a_bad_setting_is_refused_as_in_serving(tmp_path: Path):
    assert complaint(backup(tmp_path / "copy", "--db", "mysql://here"), 2).startswith("pokade: --db: ")
    assert complaint(backup(tmp_path / "copy", env={"POKADE_PORT": "x"}), 2).startswith("pokade: POKADE_PORT: ")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_backup_speaks_the_language_that_was_asked_for(language: str, tmp_path: Path):
    (tmp_path / "house.sqlite").touch()
    db = f"sqlite:///{tmp_path / 'house.sqlite'}"

    done = backup(tmp_path / "copy", "--db", db, "--lang", language, env={"PYTHONIOENCODING": "ascii"})

    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 2
    assert ("Writing" in done.stdout) == (language == "en")


def test_a_backup_takes_nothing_from_under_an_open_house(tmp_path: Path):
    db = f"sqlite:///{tmp_path / 'house.sqlite'}"
    with OpenHouse(tmp_path, "--db", db) as house, Guest(house.address, "Ada") as ada:
        before = ada.open()["id"]
        assert backup(tmp_path / "copy", "--db", db).returncode == 0
        after = ada.open()["id"]
        house.process.kill()  # nothing of the house but its files is left

        with OpenHouse(tmp_path, "--db", db) as again:
            assert sorted(tables_of(ada, again)) == sorted([before, after])
