"""Connections and transactions: each request is one transaction under the role of its token."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

import psycopg
from psycopg_pool import AsyncConnectionPool

from .catalog import Catalog, load_catalog
from .quoting import identifier, literal
from .settings import Settings
from .tokens import Identity

Connection = psycopg.AsyncConnection[Any]

log = logging.getLogger(__name__)

# A table that is dropped while the catalog is read is listed for a moment, and can't be asked about.
_DROPPED_MEANWHILE = (
    psycopg.errors.UndefinedTable,
    psycopg.errors.UndefinedColumn,
    psycopg.errors.UndefinedObject,
    psycopg.errors.InternalError_,
)
_LOOKS = 50


@dataclass
class Hooks:
    """Where a fault may step in. Either may raise `Dropped`."""

    before_commit: Callable[[], None] = lambda: None
    after_commit: Callable[[], None] = lambda: None


@dataclass(frozen=True)
class Request:
    """What a transaction is told about the request it runs for."""

    identity: Identity
    schema: str
    method: str
    path: str
    headers: dict[str, str]
    time_zone: str | None = None


@dataclass
class Transaction:
    connection: Connection
    rollback: bool = False
    """Set to answer as if written, and keep nothing."""

    async def fetch_one(self, sql: str) -> tuple[Any, ...]:
        row = await (await self.connection.execute(sql.encode())).fetchone()
        return tuple(row or ())


@dataclass
class Database:
    settings: Settings
    catalog: Catalog = field(init=False)
    _requests: AsyncConnectionPool[Connection] = field(init=False)
    _owner: AsyncConnectionPool[Connection] = field(init=False)
    _listener: asyncio.Task[None] = field(init=False)
    _looking: asyncio.Lock = field(init=False, default_factory=asyncio.Lock)

    async def open(self) -> None:
        self._requests = self._pool(_become_authenticator, 10)
        self._owner = self._pool(None, 4)
        await self._requests.open(wait=True, timeout=10)
        await self._owner.open(wait=True, timeout=10)
        await self.reload()
        self._listener = asyncio.create_task(self._listen())

    async def close(self) -> None:
        self._listener.cancel()
        await asyncio.gather(self._listener, return_exceptions=True)
        await self._requests.close()
        await self._owner.close()

    def _pool(
        self, configure: Callable[[Connection], Any] | None, size: int
    ) -> AsyncConnectionPool[Connection]:
        return AsyncConnectionPool(
            self.settings.database,
            min_size=1,
            max_size=size,
            open=False,
            timeout=10,
            configure=configure,
            # A database that was restarted in between should cost nobody a failed request.
            check=AsyncConnectionPool.check_connection,
            kwargs={"autocommit": True, "application_name": "devserver"},
        )

    async def reload(self) -> None:
        """Takes a new picture of the database, as after a migration."""
        # One look after the other: one that began earlier could end later, and hide a new table.
        async with self._looking, self._owner.connection() as connection:
            for chance in range(_LOOKS, 0, -1):
                try:
                    self.catalog = await load_catalog(connection)
                    return
                except _DROPPED_MEANWHILE:
                    if chance == 1:
                        raise

    async def _listen(self) -> None:
        """`notify pgrst, 'reload schema'` reloads, as it does with PostgREST."""
        while True:
            with contextlib.suppress(psycopg.Error):
                async with await psycopg.AsyncConnection.connect(
                    self.settings.database, autocommit=True, application_name="devserver"
                ) as connection:
                    await connection.execute("listen pgrst")
                    async for notice in connection.notifies():
                        if notice.payload in ("", "reload schema"):
                            await self.reload()
            await asyncio.sleep(1)

    @contextlib.asynccontextmanager
    async def owner(self, hooks: Hooks) -> AsyncIterator[Connection]:
        """A transaction with every right, for the auth API and the control port."""
        async with self._owner.connection() as connection:
            async with connection.transaction():
                yield connection
                hooks.before_commit()
        hooks.after_commit()

    @contextlib.asynccontextmanager
    async def request(self, request: Request, hooks: Hooks, *, read_only: bool) -> AsyncIterator[Transaction]:
        async with self._requests.connection() as connection:
            await connection.execute("BEGIN READ ONLY" if read_only else "BEGIN")
            try:
                await connection.execute(self._preamble(request).encode())
                transaction = Transaction(connection)
                yield transaction
                hooks.before_commit()
            except BaseException:
                await connection.rollback()
                raise
            if transaction.rollback:
                await connection.rollback()
            else:
                await connection.commit()
        hooks.after_commit()

    def _preamble(self, request: Request) -> str:
        """Everything a transaction is told, local to it, in one statement."""
        search_path = ", ".join(
            identifier(name) for name in dict.fromkeys([request.schema, *self.settings.extra_search_path])
        )
        role = request.identity.role
        values = [
            ("search_path", search_path),
            *self.catalog.role_settings.get("authenticator", []),
            *self.catalog.role_settings.get(role, []),
            ("role", role),
            ("request.jwt.claims", json.dumps(request.identity.claims, ensure_ascii=False)),
            ("request.method", request.method),
            ("request.path", request.path),
            ("request.headers", json.dumps(request.headers, ensure_ascii=False)),
        ]
        if request.time_zone:
            values.append(("timezone", request.time_zone))
        calls = (f"set_config({literal(name)}, {literal(value)}, true)" for name, value in values)
        return f"SELECT {', '.join(calls)}"


async def _become_authenticator(connection: Connection) -> None:
    # From here on the connection may only become what the authenticator may, as in a hosted project.
    await connection.execute("set session authorization authenticator")
