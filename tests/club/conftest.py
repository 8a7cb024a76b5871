"""A broker and a database for all tests of the club; without them these are skipped."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import psycopg
import pytest

from companion.club.store import Store
from companion.club.wall import create_wall
from tests.checks.club_servers import MISSING, MOSQUITTO, POSTGRES, Broker, Database
from tests.checks.club_tables import Published


@pytest.fixture(scope="session")
def _folder():
    """A folder below which servers may work that are not root."""
    folder = Path(tempfile.mkdtemp(dir="/tmp"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def servers(_folder):
    if MOSQUITTO is None or POSTGRES is None:
        assert not os.environ.get("CI"), MISSING
        pytest.skip(MISSING)
    (_folder / "broker").mkdir()
    (_folder / "database").mkdir()
    broker, database = Broker(_folder / "broker"), Database(_folder / "database")
    try:
        database.start()
        broker.start()
        yield broker, database
    finally:
        broker.kill()
        database.kill()


@pytest.fixture
def broker(servers):
    return servers[0]


@pytest.fixture
def database(servers):
    return servers[1]


@pytest.fixture
def address(database, request):
    """A database of its own for one test."""
    name = f"t{abs(hash(request.node.nodeid))}"
    with psycopg.connect(database.address(), autocommit=True) as db:
        db.execute(f"CREATE DATABASE {name}")
    return database.address(name)


@pytest.fixture
def store(address):
    with Store(address) as store:
        yield store


@pytest.fixture
def tables(tmp_path, store):
    chess = Published(tmp_path, store, "Four", "chess", "a" * 16)
    victorus = Published(tmp_path, store, "Window", "victorus", "b" * 16)
    yield chess, victorus
    chess.journal.close()
    victorus.journal.close()


@pytest.fixture
def client(tmp_path, store):
    (tmp_path / "copies").mkdir()
    return create_wall(store, tmp_path / "copies").test_client()
