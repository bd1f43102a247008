"""What the tests share: a server in this process, a plain client, and JSON that keeps its digits."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit

import jwt
import psycopg
from psycopg.conninfo import make_conninfo

from devserver import demo
from devserver.app import Server
from devserver.settings import Settings

ADA = "a0000000-0000-4000-8000-000000000001"
GRACE = "a0000000-0000-4000-8000-000000000002"
KEY = "sb_publishable_of_the_tests"
SECRET = "a secret that only these tests know, long enough for its algorithm"


class Number(str):
    """A JSON number by its very digits: 1.5 is not 1.50."""

    def __repr__(self) -> str:
        return f"number {str(self)}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Number) and str(self) == str(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__


def lossless(text: str | bytes) -> Any:
    return json.loads(text, parse_int=Number, parse_float=Number)


@dataclass
class Answer:
    status: int
    headers: http.client.HTTPMessage
    raw: bytes

    @property
    def text(self) -> str:
        return self.raw.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.raw)

    @property
    def code(self) -> Any:
        return self.json.get("code")


@dataclass
class Client:
    url: str
    key: str | None = KEY
    token: str | None = None

    def send(
        self,
        method: str,
        target: str,
        body: Any = None,
        headers: dict[str, str] | None = None,
        timeout: float = 15,
    ) -> Answer:
        """One request on a connection of its own. `body`: a string as it is, anything else as JSON."""
        sent: dict[str, str] = {}
        if self.key:
            sent["apikey"] = self.key
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        data: bytes | None = None
        if body is not None:
            data = (body if isinstance(body, str) else json.dumps(body)).encode()
            sent["Content-Type"] = "application/json"
        parts = urlsplit(self.url)
        connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=timeout)
        try:
            connection.request(method, parts.path + target, data, sent | (headers or {}))
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read())
        finally:
            connection.close()

    def get(self, target: str, **headers: str) -> Answer:
        return self.send("GET", target, headers=_named(headers))

    def rest(self, method: str, target: str, body: Any = None, **headers: str) -> Answer:
        return self.send(method, f"/rest/v1/{target}", body, _named(headers))

    def signed_in(self, user: str, **claims: Any) -> Client:
        return Client(self.url, self.key, token(user, **claims))


def _named(headers: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}


def token(user: str | None, *, secret: str = SECRET, **claims: Any) -> str:
    now = int(time.time())
    told = {"role": "authenticated", "aud": "authenticated", "exp": now + 600} | claims
    if user:
        told["sub"] = user
    return jwt.encode({k: v for k, v in told.items() if v is not None}, secret, algorithm="HS256")


def quoted(text: str) -> str:
    return quote(text, safe="")


@dataclass
class World:
    """A running server with its database, seen from outside."""

    server: Server
    database: str
    client: Client
    control: Client
    changed: bool = False
    """Whether a test went past the server to the database."""

    def sql(self, text: str) -> list[tuple[Any, ...]]:
        """As the owner; the server's picture of the database is renewed afterwards."""
        self.changed = True
        with psycopg.connect(self.database, autocommit=True) as connection:
            cursor = connection.execute(text.encode())
            rows = cursor.fetchall() if cursor.description else []
        self.control.send("POST", "/reload")
        return rows

    def fault(self, name: str, *, match: dict[str, str] | None = None, **options: Any) -> None:
        answer = self.control.send("POST", "/faults", {"fault": name, "match": match, **options})
        assert answer.status == 201, answer.text

    def settings(self, **changes: Any) -> None:
        answer = self.control.send("PATCH", "/settings", changes)
        assert answer.status == 200, answer.text

    def log(self) -> list[dict[str, Any]]:
        listed: list[dict[str, Any]] = self.control.get("/log").json
        return listed

    @property
    def ada(self) -> Client:
        return self.client.signed_in(ADA)

    @property
    def grace(self) -> Client:
        return self.client.signed_in(GRACE)


@contextlib.contextmanager
def scratch_database(cluster: str, name: str, options: str = "") -> Iterator[str]:
    """A database of its own in a cluster; gone afterwards."""
    with psycopg.connect(make_conninfo(cluster, dbname="postgres"), autocommit=True) as connection:
        connection.execute(f'drop database if exists "{name}" with (force)'.encode())
        connection.execute(f'create database "{name}" template template0 {options}'.encode())
        try:
            yield make_conninfo(cluster, dbname=name)
        finally:
            connection.execute(f'drop database if exists "{name}" with (force)'.encode())


def lay_out_demo(database: str) -> None:
    async def lay_out() -> None:
        async with await psycopg.AsyncConnection.connect(database) as connection:
            await demo.reset(connection)

    asyncio.run(lay_out())


@contextlib.contextmanager
def running_server(settings: Settings) -> Iterator[World]:
    """A server on a thread of its own, so that tests may simply wait for answers."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="server", daemon=True)
    thread.start()
    server = Server(settings, 0, 0)
    asyncio.run_coroutine_threadsafe(server.start(), loop).result(30)
    try:
        yield World(server, settings.database, Client(server.url), Client(server.control_url, key=None))
    finally:
        asyncio.run_coroutine_threadsafe(server.stop(), loop).result(30)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()
