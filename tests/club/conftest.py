"""A broker and a database for all tests of the club; without them these are skipped."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import psycopg
import pytest

from tests.checks.club_servers import MISSING, MOSQUITTO, POSTGRES, Broker, Database


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
