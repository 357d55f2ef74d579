"""The logs of tables, the same tests on SQLite and PostgreSQL, against the real databases."""

import asyncio
import os
import random
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from pokade.server.storage import (
    BadDatabase,
    CodeTaken,
    NoBackup,
    Person,
    PersonTaken,
    Storage,
    StorageFull,
    StorageGone,
    TableIndex,
    VersionTaken,
    open_storage,
)
from pokade.server.storage.migrations import migrations
from tests.patience import until
from tests.server.conftest import ready
from tests.server.databases import Postgres, drop_database, new_database
from tests.server.storage.appender import content

INDEX = TableIndex("ABCD", "a game", "open", listed=True, deadline=None, updated_at=100.0, seats=("ada", "ben"))


async def told_by(storage: Storage) -> list[tuple[str, int]]:
    """What a listener of this storage hears."""
    told: list[tuple[str, int]] = []
    await storage.listen(lambda table, version: told.append((table, version)))
    return told


async def names(found: Any) -> list[str]:
    return [one.table for one in await found]


async def logged(storage: Storage, table: str) -> list[tuple[int, bytes]]:
    return [(one.version, one.event) for one in await storage.events(table)]


# The log


async def test_what_was_appended_is_read_in_order(storage: Storage):
    before = time.time()
    await storage.append("t", 1, [b"one", b"two"])
    await storage.append("t", 3, [b"three \x00\xff"])
    await storage.append("another", 1, [b"else"])

    assert await logged(storage, "t") == [(1, b"one"), (2, b"two"), (3, b"three \x00\xff")]
    assert [one.version for one in await storage.events("t", after=2)] == [3]
    assert await storage.events("nobody's") == []
    assert before - 1 < (await storage.events("t"))[0].written_at < time.time() + 1


async def test_a_taken_version_is_refused_and_nothing_is_written(storage: Storage):
    await storage.append("t", 1, [b"one", b"two"])

    with pytest.raises(VersionTaken) as refused:
        await storage.append("t", 2, [b"late", b"later"], index=INDEX)

    assert refused.value.code == "storage/version-taken"
    assert await logged(storage, "t") == [(1, b"one"), (2, b"two")]
    assert await storage.table_by_code("ABCD") is None


async def test_an_append_that_runs_into_a_taken_version_leaves_no_part_behind(storage: Storage):
    await storage.append("t", 3, [b"three"])

    with pytest.raises(VersionTaken):
        await storage.append("t", 1, [b"one", b"two", b"late"])

    assert await logged(storage, "t") == [(3, b"three")]


async def test_one_refusal_does_not_harm_those_who_are_committed_with_it(storage: Storage):
    await storage.append("taken", 2, [b"first"])
    asked = [storage.append(f"t{i}", 1, [b"a", b"b"]) for i in range(50)]
    asked[25:25] = [storage.append("taken", 1, [b"x", b"y"]), storage.append("t3", 2, [b"x"])]

    answers = await asyncio.gather(*asked, return_exceptions=True)

    assert [type(answer) for answer in answers if answer] == [VersionTaken, VersionTaken]
    assert await logged(storage, "taken") == [(2, b"first")]
    assert [await logged(storage, f"t{i}") for i in range(50)] == [[(1, b"a"), (2, b"b")]] * 50


async def test_of_many_who_race_for_a_version_exactly_one_wins(storage: Storage):
    for version in range(1, 21):
        asked = (storage.append("t", version, [str(i).encode()]) for i in range(8))
        answers = await asyncio.gather(*asked, return_exceptions=True)

        assert sum(answer is None for answer in answers) == 1
        winner = answers.index(None)
        assert (await storage.events("t", after=version - 1))[0].event == str(winner).encode()


async def test_an_append_of_nothing_is_a_bug(storage: Storage):
    with pytest.raises(ValueError, match="without events"):
        await storage.append("t", 1, [])


async def test_a_value_of_the_wrong_type_harms_only_who_gave_it(storage: Storage):
    bad: Any = [object()]
    answers = await asyncio.gather(
        storage.append("a", 1, [b"a"]),
        storage.append("b", 1, bad),
        storage.append("c", 1, [b"c"]),
        return_exceptions=True,
    )

    assert [answer is None for answer in answers] == [True, False, True]
    assert not isinstance(answers[1], StorageGone)


async def test_an_appender_who_stops_waiting_harms_nobody(storage: Storage):
    waiting = asyncio.create_task(storage.append("t", 1, [b"one"]))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)

    await storage.append("t", 2, [b"two"])

    assert (await logged(storage, "t"))[-1] == (2, b"two")


# The index


async def test_the_index_is_replaced_with_each_append(storage: Storage):
    await storage.append("t", 1, [b"one"], index=INDEX)
    changed = replace(INDEX, code="WXYZ", status="on", listed=False, deadline=7.5, updated_at=200.0, seats=("cleo",))
    await storage.append("t", 2, [b"two"], index=changed)
    await storage.append("t", 3, [b"three"])

    found = await storage.table_by_code("WXYZ")

    assert found is not None
    assert (found.table, found.index) == ("t", changed)
    assert await storage.table_by_code("ABCD") is None
    assert await names(storage.tables_of("ada", 10)) == []
    assert await names(storage.tables_of("cleo", 10)) == ["t"]


async def test_of_two_indexes_of_one_table_committed_together_the_later_stays(storage: Storage):
    await asyncio.gather(
        storage.append("t", 1, [b"one"], index=INDEX),
        storage.append("t", 2, [b"two"], index=replace(INDEX, game="later")),
    )

    found = await storage.table_by_code("ABCD")

    assert found is not None
    assert found.index.game == "later"


async def test_a_join_code_belongs_to_one_table(storage: Storage):
    await storage.append("t", 1, [b"one"], index=INDEX)

    with pytest.raises(CodeTaken):
        await storage.append("u", 1, [b"one"], index=INDEX)

    assert await storage.events("u") == []


async def test_a_person_at_several_seats_has_the_table_once(storage: Storage):
    await storage.append("t", 1, [b"one"], index=replace(INDEX, seats=("ada", "ada", "ben")))

    assert await names(storage.tables_of("ada", 10)) == ["t"]


async def put(storage: Storage, **tables: TableIndex) -> None:
    for table, index in tables.items():
        await storage.append(table, 1, [b"created"], index=replace(index, code=table))


async def test_listed_tables_are_those_not_over_the_latest_first(storage: Storage):
    later = replace(INDEX, updated_at=300.0, status="on")
    await put(storage, a=INDEX, b=later, c=replace(INDEX, listed=False), d=replace(INDEX, status="over"))

    assert await names(storage.listed_tables(10)) == ["b", "a"]
    assert await names(storage.listed_tables(1)) == ["b"]


async def test_tables_of_a_person_come_the_latest_first(storage: Storage):
    await put(storage, a=INDEX, b=replace(INDEX, updated_at=300.0, status="over"), c=replace(INDEX, seats=("cleo",)))

    assert await names(storage.tables_of("ada", 10)) == ["b", "a"]
    assert await names(storage.tables_of("ada", 1)) == ["b"]


async def test_due_are_the_tables_whose_deadline_has_passed(storage: Storage):
    await put(storage, a=replace(INDEX, deadline=50.0), b=replace(INDEX, deadline=40.0), c=INDEX)
    await put(storage, d=replace(INDEX, deadline=51.0))

    assert await names(storage.due(50.0, 10)) == ["b", "a"]
    assert await names(storage.due(50.0, 1)) == ["b"]


async def test_idle_are_the_tables_not_over_that_nobody_touched(storage: Storage):
    await put(storage, a=INDEX, b=replace(INDEX, updated_at=90.0), c=replace(INDEX, status="over"))
    await put(storage, d=replace(INDEX, updated_at=300.0))

    assert await names(storage.idle(200.0, 10)) == ["b", "a"]
    assert await names(storage.idle(200.0, 1)) == ["b"]
    assert await names(storage.idle(200.0, 10, 90.0)) == ["a"]


# People and tickets


async def test_a_person_is_known_by_the_token(storage: Storage):
    await storage.add_person("p1", b"hash", "Ada", "en")
    await storage.rename("p1", "Åda", "de")

    assert await storage.person_by_token(b"hash") == Person("p1", b"hash", "Åda", "de")
    assert await storage.person_by_token(b"other") is None


async def test_a_person_has_a_token_on_each_device(storage: Storage):
    await storage.add_person("p1", b"phone", "Ada", "en")
    await storage.add_device("p1", b"laptop")

    assert await storage.person_by_token(b"laptop") == await storage.person_by_token(b"phone")


async def test_who_looks_at_a_table_is_known_to_every_process(storage: Storage):
    await storage.arrive("one", "t", "ada", until=100.0)
    await storage.arrive("one", "t", "ada", until=110.0)
    await storage.arrive("two", "t", "ada", until=90.0)
    await storage.arrive("two", "t", "ben", until=90.0)
    await storage.arrive("two", "another", "cleo", until=90.0)

    assert await storage.present("t", now=80.0) == {"ada", "ben"}
    await storage.depart("one", "t", "ada")
    assert await storage.present("t", now=80.0) == {"ada", "ben"}  # through the other one
    assert await storage.present("t", now=95.0) == set()  # it has died
    await storage.stay("two", until=120.0)
    assert await storage.present("t", now=95.0) == {"ada", "ben"}


async def test_an_index_row_can_follow_its_log(storage: Storage):
    await storage.append("t", 1, [b"one"], index=INDEX)
    await storage.put_index("t", replace(INDEX, deadline=50.0, seats=("cleo",), shown='{"free":1}'))

    assert [found.index.shown for found in await storage.due(60.0, 10)] == ['{"free":1}']
    assert await names(storage.tables_of("cleo", 10)) == ["t"]
    assert await names(storage.tables_of("ada", 10)) == []
    assert len(await storage.events("t")) == 1


async def test_ids_and_tokens_belong_to_one_person(storage: Storage):
    await storage.add_person("p1", b"hash", "Ada", "en")

    with pytest.raises(PersonTaken):
        await storage.add_person("p1", b"other", "Ben", "en")
    with pytest.raises(PersonTaken):
        await storage.add_person("p2", b"hash", "Ben", "en")


async def test_a_ticket_is_given_to_one_caller_only(storage: Storage):
    await storage.add_ticket(b"hash", b"a seat", expires=100.0)

    taken = await asyncio.gather(*(storage.take_ticket(b"hash", now=50.0) for _ in range(8)))

    assert sorted(taken, key=bool) == [None] * 7 + [b"a seat"]


async def test_an_expired_ticket_is_worth_nothing_and_others_stay(storage: Storage):
    await storage.add_ticket(b"old", b"a seat", expires=100.0)
    await storage.add_ticket(b"new", b"another", expires=200.0)

    assert await storage.take_ticket(b"old", now=100.0) is None
    assert await storage.take_ticket(b"old", now=50.0) is None
    assert await storage.take_ticket(b"new", now=100.0) == b"another"


# Listening


async def test_a_listener_hears_of_each_commit_and_of_no_refusal(storage: Storage):
    told = await told_by(storage)

    await storage.append("t", 1, [b"one", b"two"])
    with pytest.raises(VersionTaken):
        await storage.append("t", 2, [b"late"])
    await storage.append("u", 1, [b"one"])

    await until(lambda: len(told) >= 2)
    assert told == [("t", 2), ("u", 1)]


async def test_an_appender_has_its_answer_before_listeners_hear_of_it(storage: Storage):
    order: list[str] = []
    await storage.listen(lambda *_: order.append("heard"))

    await storage.append("t", 1, [b"one"])
    order.append("answered")

    await until(lambda: len(order) == 2)
    assert order == ["answered", "heard"]


async def test_many_appends_at_once_are_all_kept_and_a_taken_version_refuses_only_its_own(storage: Storage):
    await storage.append("t20", 1, [b"first"])

    answers = await asyncio.gather(
        *(storage.append(f"t{number}", 1, [b"one", b"two"]) for number in range(40)), return_exceptions=True
    )

    assert [number for number, answer in enumerate(answers) if answer is not None] == [20]
    assert isinstance(answers[20], VersionTaken)
    logs = [[row.event for row in await storage.events(f"t{number}")] for number in range(40)]
    assert logs == [[b"first"] if number == 20 else [b"one", b"two"] for number in range(40)]


async def test_a_listener_that_fails_does_not_silence_the_others(storage: Storage):
    def fail(table: str, version: int) -> None:
        raise RuntimeError(table)

    await storage.listen(fail)
    told = await told_by(storage)

    await storage.append("t", 1, [b"one"])

    await until(lambda: told == [("t", 1)])


async def test_other_processes_hear_of_a_commit_by_notification(postgres_url: str, runner: asyncio.Runner):
    ours, theirs = await ready(postgres_url), await ready(postgres_url)
    told = await told_by(theirs)
    tables = [f"a table with a long name, {i:0100}" for i in range(200)]  # more than one notification can carry

    await asyncio.gather(*(ours.append(table, 1, [b"one", b"two"]) for table in tables))

    await until(lambda: len(told) >= len(tables))
    assert sorted(told) == sorted((table, 2) for table in tables)
    await asyncio.gather(ours.close(), theirs.close())


# Opening, closing, backups


async def test_a_closed_storage_says_so_and_kept_everything(url: str, runner: asyncio.Runner):
    storage = await ready(url)
    appended = [asyncio.create_task(storage.append(f"t{i}", 1, [b"one"])) for i in range(20)]
    await asyncio.sleep(0)
    await storage.close()
    await storage.close()
    await asyncio.gather(*appended)

    for asked in (storage.append("t", 1, [b"one"]), storage.events("t0"), storage.ping()):
        with pytest.raises(StorageGone):
            await asked

    again = await ready(url)
    assert [await logged(again, f"t{i}") for i in range(20)] == [[(1, b"one")]] * 20
    await again.close()


async def test_migrating_twice_or_at_the_same_time_is_harmless(url: str, runner: asyncio.Runner):
    opened = [await open_storage(url) for _ in range(3)]

    await asyncio.gather(*(storage.migrate() for storage in opened))
    await opened[0].migrate()

    await opened[0].append("t", 1, [b"one"])
    assert await logged(opened[2], "t") == [(1, b"one")]
    for storage in opened:
        await storage.close()


async def run_sql(url: str, statement: str) -> None:
    """Do something to a database behind the storage's back."""
    if url.startswith("sqlite"):
        with sqlite3.connect(url.removeprefix("sqlite:///")) as file:
            file.execute(statement)
        return
    db = await asyncpg.connect(url)
    await db.execute(statement)
    await db.close()


async def test_a_database_of_a_newer_schema_is_refused(url: str, runner: asyncio.Runner):
    await (await ready(url)).close()
    await run_sql(url, "INSERT INTO schema_versions (version) VALUES (99)")

    with pytest.raises(BadDatabase, match="schema version 99"):
        await open_storage(url)


def test_both_databases_have_the_same_schema_versions_without_gaps():
    assert list(migrations("sqlite")) == list(migrations("postgresql"))
    assert list(migrations("sqlite")) == list(range(1, len(migrations("sqlite")) + 1))


@pytest.mark.parametrize(
    "address", ["", "house.db", "mysql://host/name", "sqlite:/x", "sqlite:///", "postgresql://h:x/d"]
)
async def test_an_address_that_names_no_database_is_refused(address: str, runner: asyncio.Runner):
    with pytest.raises(BadDatabase):
        await open_storage(address)


async def test_a_file_that_is_no_database_is_refused(tmp_path: Path, runner: asyncio.Runner):
    (tmp_path / "letter.txt").write_text("Dear Ada, " * 1000)

    for path in (tmp_path / "letter.txt", tmp_path / "no folder" / "house.db", tmp_path):
        with pytest.raises(BadDatabase, match="can't be opened"):
            await open_storage(f"sqlite:///{path}")


async def test_a_server_that_is_not_there_is_named_gone(tmp_path: Path, runner: asyncio.Runner):
    with pytest.raises(StorageGone):
        await open_storage(f"postgresql://nobody@/nothing?host={tmp_path}")


async def test_a_database_in_memory_works_alike(runner: asyncio.Runner):
    storage = await ready("sqlite://")

    await storage.append("t", 1, [b"one"], index=INDEX)

    assert await logged(storage, "t") == [(1, b"one")]
    assert await names(storage.tables_of("ada", 10)) == ["t"]
    with pytest.raises(NoBackup):
        await storage.backup(Path("memory.db"))
    await storage.ping()
    await storage.close()


async def test_only_its_owner_may_read_the_file(sqlite_url: str, tmp_path: Path, runner: asyncio.Runner):
    storage = await ready(sqlite_url)
    await storage.backup(tmp_path / "copy.db")

    assert {stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()} == {0o600}
    await storage.close()


async def back_up_while_writing(storage: Storage, path: Path) -> int:
    """Make a backup between appends; how many there were before it began."""
    await storage.append("t", 1, [b"one"], index=INDEX)
    backup = asyncio.create_task(storage.backup(path))
    version = 1
    while not backup.done():
        version += 1
        await storage.append("t", version, [b"more"])
    await backup
    return version


async def test_a_backup_made_while_writing_is_whole(sqlite_url: str, tmp_path: Path, runner: asyncio.Runner):
    storage = await ready(sqlite_url)
    last = await back_up_while_writing(storage, tmp_path / "copy.db")

    copy = await ready(f"sqlite:///{tmp_path / 'copy.db'}")

    versions = [one.version for one in await copy.events("t")]
    assert versions == list(range(1, len(versions) + 1))
    assert 1 <= len(versions) <= last
    assert await names(copy.tables_of("ada", 10)) == ["t"]
    await asyncio.gather(storage.close(), copy.close())


async def test_a_dump_made_while_writing_is_whole(
    own_postgres_url: str, postgres: Postgres, tmp_path: Path, monkeypatch, runner
):
    monkeypatch.setenv("PATH", str(postgres.programs), prepend=os.pathsep)
    storage = await ready(own_postgres_url)
    last = await back_up_while_writing(storage, tmp_path / "house.dump")
    empty = await asyncio.to_thread(new_database, postgres.url)
    restore = [postgres.programs / "pg_restore", f"--dbname={empty}", tmp_path / "house.dump"]
    await asyncio.to_thread(subprocess.run, restore, check=True)

    copy = await ready(empty)

    versions = [one.version for one in await copy.events("t")]
    assert versions == list(range(1, len(versions) + 1))
    assert 1 <= len(versions) <= last
    await asyncio.gather(storage.close(), copy.close())
    await asyncio.to_thread(drop_database, postgres.url, empty)


async def test_without_pg_dump_there_is_a_clear_answer(postgres_url: str, tmp_path: Path, monkeypatch, runner):
    monkeypatch.setenv("PATH", str(tmp_path))
    storage = await ready(postgres_url)

    with pytest.raises(NoBackup, match="pg_dump"):
        await storage.backup(tmp_path / "house.dump")

    await storage.close()


async def test_a_backup_never_writes_over_a_file_and_leaves_no_half(
    storage: Storage, postgres: Postgres, tmp_path: Path, monkeypatch
):
    monkeypatch.setenv("PATH", str(postgres.programs), prepend=os.pathsep)
    (tmp_path / "letter.txt").write_text("Dear Ada")

    with pytest.raises(NoBackup, match=r"exists|in memory"):
        await storage.backup(tmp_path / "letter.txt")
    with pytest.raises(NoBackup):
        await storage.backup(tmp_path / "no folder" / "copy")

    assert (tmp_path / "letter.txt").read_text() == "Dear Ada"
    assert not list(tmp_path.glob("*.part"))


# Trouble


async def test_a_full_disk_is_named_keeps_what_was_acknowledged_and_recovers(sqlite_url: str, runner: asyncio.Runner):
    storage: Any = await ready(sqlite_url)
    await storage._execute("PRAGMA max_page_count = 40")
    asked = [storage.append(f"t{i}", 1, [bytes(3000)]) for i in range(60)] + [storage.append("small", 1, [b"x"])]

    answers = await asyncio.gather(*asked, return_exceptions=True)

    kept = [i for i in range(60) if await storage.events(f"t{i}")]
    assert kept == [i for i in range(60) if answers[i] is None]
    assert 0 < len(kept) < 60
    assert {type(answer) for answer in answers if answer} == {StorageFull}
    await storage._execute("PRAGMA max_page_count = 4000")
    await storage.append("t59", 1, [bytes(3000)])
    await storage.close()


FULL = """CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
CREATE TRIGGER full_disk BEFORE INSERT ON events FOR EACH ROW WHEN (length(NEW.event) > 100)
EXECUTE FUNCTION full_disk()"""


async def test_a_full_disk_of_the_server_is_named_and_recovers(postgres_url: str, runner: asyncio.Runner):
    storage = await ready(postgres_url)
    await run_sql(postgres_url, FULL)

    answers = await asyncio.gather(
        storage.append("a", 1, [bytes(200)]), storage.append("b", 1, [b"small"]), return_exceptions=True
    )
    await run_sql(postgres_url, "DROP TRIGGER full_disk ON events")

    assert [type(answer) for answer in answers] == [StorageFull, type(None)]
    await storage.append("a", 1, [bytes(200)])
    await storage.close()


async def test_a_file_that_another_process_holds_for_long_is_named_and_recovers(sqlite_url: str, runner, monkeypatch):
    monkeypatch.setattr("pokade.server.storage.sqlite_connection.BUSY_SECONDS", 0.1)
    storage = await ready(sqlite_url)
    other = sqlite3.connect(sqlite_url.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    with pytest.raises(StorageGone, match="locked"):
        await storage.append("t", 1, [b"one"])
    other.execute("ROLLBACK")

    await storage.append("t", 1, [b"one"])
    assert await logged(storage, "t") == [(1, b"one")]
    other.close()
    await storage.close()


async def test_a_deleted_file_is_noticed(sqlite_url: str, runner: asyncio.Runner):
    storage = await ready(sqlite_url)
    await storage.ping()
    Path(sqlite_url.removeprefix("sqlite:///")).unlink()

    with pytest.raises(StorageGone):
        await storage.ping()

    await storage.close()


@pytest.mark.parametrize("end", ["stop", "crash"])
async def test_a_server_that_goes_and_comes_back(own_postgres_url: str, postgres: Postgres, end: str, runner):
    storage, witness = await ready(own_postgres_url), await ready(own_postgres_url)
    told = await told_by(witness)
    acknowledged: dict[str, int] = {}
    appenders = [asyncio.create_task(append_on(storage, f"t{i}", acknowledged)) for i in range(20)]
    await until(lambda: len(acknowledged) == 20)

    await asyncio.to_thread(getattr(postgres, end))

    assert await asyncio.gather(*appenders) == ["storage/gone"] * 20
    for asked in (storage.append("t", 1, [b"one"]), storage.events("t"), storage.ping()):
        with pytest.raises(StorageGone):
            await asked
    await asyncio.to_thread(postgres.start)
    for table, version in acknowledged.items():
        found = [one.version for one in await storage.events(table)]
        assert found == list(range(1, len(found) + 1))
        assert len(found) >= version
    await storage.append("back", 1, [b"again"])
    await until(lambda: ("back", 1) in told)
    await asyncio.gather(storage.close(), witness.close())


async def append_on(storage: Storage, table: str, acknowledged: dict[str, int]) -> str:
    """Append until it fails; the code of the failure."""
    version = 1
    while True:
        try:
            await storage.append(table, version, [b"event"])
        except StorageGone as gone:
            return gone.code
        acknowledged[table] = version
        version += 1


async def test_a_writer_whose_connection_is_cut_goes_on(postgres_url: str, runner: asyncio.Runner):
    storage = await ready(postgres_url)
    told = await told_by(storage)
    await storage.append("t", 1, [b"one"])
    await run_sql(
        postgres_url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE application_name = 'pokade' AND datname = current_database()",
    )
    await until(storage._writer.db.is_closed)

    await storage.append("t", 2, [b"two"])

    assert await logged(storage, "t") == [(1, b"one"), (2, b"two")]
    await until(lambda: ("t", 2) in told)
    await storage.close()


async def test_a_listener_that_was_cut_off_hears_what_it_missed(postgres_url: str, runner, monkeypatch):
    monkeypatch.setattr("pokade.server.storage.postgresql_listener.RETRY_SECONDS", 0.5)
    ours, theirs = await ready(postgres_url), await ready(postgres_url)
    told = await told_by(theirs)
    await run_sql(
        postgres_url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%clock_timestamp%' "
        "AND application_name = 'pokade' AND datname = current_database()",
    )

    await ours.append("t", 1, [b"while it is deaf"])

    await until(lambda: ("t", 1) in told)
    await asyncio.gather(ours.close(), theirs.close())


# Kill -9, and races between processes


def start(url: str, *arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tests.server.storage.appender", url, *arguments]
    root = Path(__file__).parents[3]
    process = subprocess.Popen(command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    return process


def killed(url: str, after: int) -> dict[str, int]:
    """The last acknowledged version of each table, of a process that is killed after so many, while it appends."""
    process = start(url, "append", "8")
    assert process.stdout is not None
    heard = b"".join(process.stdout.readline() for _ in range(after))
    process.send_signal(signal.SIGKILL)
    lines = (heard + process.communicate()[0]).decode().splitlines()
    return {table: int(version) for table, version in map(str.split, lines)}


async def check_the_logs(url: str, acknowledged: dict[str, int]) -> None:
    storage = await open_storage(url)
    for table, version in acknowledged.items():
        found = await logged(storage, table)
        assert found == [(number, content(table, number)) for number in range(1, len(found) + 1)]
        assert len(found) >= version, f"{table} lost an acknowledged event"
    await storage.close()


def kill_again_and_again(url: str, kills: int) -> None:
    asyncio.run(close_after_migrating(url))
    acknowledged: dict[str, int] = {}
    moments = random.Random(9)
    for _ in range(kills):
        acknowledged |= killed(url, moments.randrange(1, 80))
        asyncio.run(check_the_logs(url, acknowledged))
    assert len(acknowledged) == 8


async def close_after_migrating(url: str) -> None:
    await (await ready(url)).close()


def test_kill_9_at_any_moment_loses_nothing_acknowledged(url: str):
    kill_again_and_again(url, 10)


@pytest.mark.soak
def test_kill_9_a_hundred_times_loses_nothing_acknowledged(url: str):
    kill_again_and_again(url, 100)


def test_of_processes_that_race_exactly_one_wins_each_version(url: str):
    asyncio.run(close_after_migrating(url))
    racers = [start(url, "race", "150") for _ in range(2)]
    winners: dict[int, str] = {}
    for version in range(1, 151):
        for racer in racers:
            racer.stdin.write(b"go\n")
        answers = [racer.stdout.readline() for racer in racers]
        assert sorted(answers) == [b"lost\n", b"won\n"]
        winners[version] = str(racers[answers.index(b"won\n")].pid)
    for racer in racers:
        racer.communicate()

    asyncio.run(check_the_winners(url, winners))


async def check_the_winners(url: str, winners: dict[int, str]) -> None:
    storage = await open_storage(url)
    assert {version: event.decode() for version, event in await logged(storage, "raced")} == winners
    await storage.close()
