"""The demo database: roles, schema and the first rows."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import psycopg

_HERE = Path(__file__).resolve().parent.parent
ROLES = _HERE / "roles.sql"
SCHEMA = _HERE / "schema.sql"

_OWN_SCHEMAS = """
select pg_catalog.quote_ident(nspname) from pg_catalog.pg_namespace
where nspname <> 'information_schema' and nspname not like 'pg\\_%'
"""


async def reset(connection: psycopg.AsyncConnection[Any]) -> None:
    """Back to the demo's first state, in the caller's transaction. Schemas that tests made go too."""
    await connection.execute("set local lock_timeout = '10s'")
    await connection.execute("set local client_min_messages = warning")
    await connection.execute("drop event trigger if exists pgrst_ddl_watch")
    for (name,) in await (await connection.execute(_OWN_SCHEMAS)).fetchall():
        await connection.execute(f"drop schema {name} cascade".encode())
    await connection.execute(ROLES.read_bytes())
    await connection.execute(SCHEMA.read_bytes())


def version() -> str:
    """Changes when the demo's files do."""
    return hashlib.sha256(ROLES.read_bytes() + SCHEMA.read_bytes()).hexdigest()[:16]
