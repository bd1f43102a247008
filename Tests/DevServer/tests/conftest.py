"""One cluster for a run of the tests; a demo database in it; a server that each test finds as new."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator

import pytest
from support import KEY, SECRET, World, lay_out_demo, running_server, scratch_database

from devserver.cluster import temporary_cluster
from devserver.settings import Settings


@pytest.fixture(scope="session")
def cluster() -> Iterator[str]:
    """A connection string of an owner: from the environment, else of a cluster made for this run."""
    given = os.environ.get("OFFLINE_TEST_DATABASE")
    if given:
        yield given
        return
    with temporary_cluster() as own:
        yield own.dsn("postgres")


@pytest.fixture(scope="session")
def shared_world(cluster: str) -> Iterator[World]:
    with scratch_database(cluster, f"devserver_tests_{secrets.token_hex(4)}") as database:
        lay_out_demo(database)
        with running_server(Settings(database, SECRET, KEY)) as world:
            yield world


@pytest.fixture
def world(shared_world: World) -> Iterator[World]:
    """The shared server without faults, with the settings it started with and the demo's first rows."""
    before = shared_world.server.settings.changeable()
    yield shared_world
    shared_world.control.send("DELETE", "/faults")
    shared_world.control.send("PATCH", "/settings", before)
    if shared_world.changed or any(e["method"] not in ("GET", "HEAD") for e in shared_world.log()):
        shared_world.control.send("POST", "/reset")
        shared_world.changed = False
    shared_world.control.send("DELETE", "/log")
