"""The two applications: what clients see, and the control port that only tests know."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import AsyncIterator
from typing import Any

from aiohttp import web

from . import auth, demo
from .database import Database, Hooks
from .errors import JSON_UTF8, Dropped, GatewayError
from .faults import FaultBox, Handler, meet
from .journal import Journal
from .keys import API_KEY, DATABASE, FAULTS, JOURNAL, SETTINGS
from .rest import routes
from .settings import Settings
from .tokens import check_api_key

log = logging.getLogger(__name__)


# What clients see


@web.middleware
async def _journalled(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Outermost: notes the request, lets the faults have their way, and drops the connection for them."""
    entry = request.app[JOURNAL].enter(request)
    try:
        # All of it is here before anything goes wrong, as behind a gateway that buffers: a client that
        # stops waiting during a delay has been heard nevertheless.
        await request.read()
        answer = await meet(request, handler, entry)
    except Dropped:
        if request.transport is not None:
            request.transport.abort()
        return web.Response(status=500)  # goes nowhere: its connection is gone
    transport = request.transport
    entry.status = None if transport is None or transport.is_closing() else answer.status
    return answer


@web.middleware
async def _gateway(request: web.Request, handler: Handler) -> web.StreamResponse:
    try:
        if request.method == "OPTIONS":
            request[API_KEY] = ""
        else:
            key = request.headers.get("apikey")
            check_api_key(key, request.app[SETTINGS])
            request[API_KEY] = key or ""
        return await handler(request)
    except GatewayError as error:
        return web.Response(
            status=error.status,
            text=json.dumps({"message": error.message}),
            headers={"Content-Type": JSON_UTF8},
        )


async def _no_route(request: web.Request) -> web.Response:
    return web.Response(
        status=404,
        text=json.dumps({"message": "no Route matched with those values"}),
        headers={"Content-Type": JSON_UTF8},
    )


def make_app(settings: Settings, database: Database) -> web.Application:
    app = web.Application(middlewares=[_journalled, _gateway], client_max_size=64 << 20)
    app[SETTINGS] = settings
    app[DATABASE] = database
    app[FAULTS] = FaultBox()
    app[JOURNAL] = Journal()
    app.router.add_route("*", "/rest/v1", routes.handle)
    app.router.add_route("*", "/rest/v1/{rest:.*}", routes.handle)
    app.router.add_route("*", "/auth/v1/{rest:.*}", auth.handle)
    app.router.add_route("*", "/{rest:.*}", _no_route)
    return app


# A server that can stop listening and begin again on the same port


class Server:
    """Both applications on 127.0.0.1."""

    def __init__(self, settings: Settings, port: int, control_port: int) -> None:
        self.settings = settings
        self.database = Database(settings)
        self.app = make_app(settings, self.database)
        self._runner = web.AppRunner(self.app, access_log=None, handle_signals=False, shutdown_timeout=1)
        self._site: web.TCPSite | None = None
        self._control_runner = web.AppRunner(
            make_control(self), access_log=None, handle_signals=False, shutdown_timeout=1
        )
        self.port = port
        self.control_port = control_port
        self._reopening: asyncio.Task[None] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def control_url(self) -> str:
        return f"http://127.0.0.1:{self.control_port}/control"

    async def start(self) -> None:
        """Port 0 means any free one; the properties tell which it became."""
        await self.database.open()
        await self._runner.setup()
        await self.listen()
        await self._control_runner.setup()
        site = web.TCPSite(self._control_runner, "127.0.0.1", self.control_port)
        await site.start()
        self.control_port = self._control_runner.addresses[0][1]

    async def stop(self) -> None:
        if self._reopening:
            self._reopening.cancel()
        await self._control_runner.cleanup()
        await self._runner.cleanup()
        await self.database.close()

    async def listen(self) -> None:
        """Accepts connections, if it does not already."""
        if self._reopening and self._reopening is not asyncio.current_task():
            self._reopening.cancel()
        self._reopening = None
        if self._site is None:
            self._site = web.TCPSite(self._runner, "127.0.0.1", self.port)
            await self._site.start()
            self.port = self._runner.addresses[0][1]

    async def refuse(self, seconds: float | None) -> None:
        """Accepts no connection, and ends those that wait for a next request, until told otherwise."""
        if self._reopening:
            self._reopening.cancel()
            self._reopening = None
        if self._site is not None:
            site, self._site = self._site, None
            # The listener alone: the runner's own stop would also wait for requests in flight.
            await site.stop()
            server = self._runner.server
            for connection in list(server.connections) if server else []:
                if connection.transport is not None:
                    connection.transport.abort()
        if seconds is not None:
            self._reopening = asyncio.create_task(self._reopen(seconds))

    async def _reopen(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        await self.listen()

    @property
    def listens(self) -> bool:
        return self._site is not None


# The control port


def make_control(server: Server) -> web.Application:
    app = web.Application(middlewares=[_plain_errors])

    def json_answer(body: Any, status: int = 200) -> web.Response:
        return web.json_response(body, status=status, dumps=lambda b: json.dumps(b, indent=1))

    async def health(request: web.Request) -> web.Response:
        return json_answer({"url": server.url, "listens": server.listens})

    async def add_fault(request: web.Request) -> web.Response:
        asked = await request.json()
        for one in asked if isinstance(asked, list) else [asked]:
            fault = server.app[FAULTS].add(one)
            if fault.fault == "refuse":
                server.app[FAULTS].faults.remove(fault)
                await server.refuse(fault.options.get("seconds"))
        return json_answer(server.app[FAULTS].listed(), 201)

    async def list_faults(request: web.Request) -> web.Response:
        return json_answer(server.app[FAULTS].listed())

    async def clear_faults(request: web.Request) -> web.Response:
        path = request.query.get("path")
        server.app[FAULTS].clear(path)
        if path is None:
            await server.listen()
        return web.Response(status=204)

    async def list_log(request: web.Request) -> web.Response:
        return json_answer(server.app[JOURNAL].listed(request.query.get("path", "")))

    async def clear_log(request: web.Request) -> web.Response:
        server.app[JOURNAL].clear()
        return web.Response(status=204)

    async def list_settings(request: web.Request) -> web.Response:
        return json_answer(server.settings.changeable())

    async def change_settings(request: web.Request) -> web.Response:
        server.settings.change(await request.json())
        return json_answer(server.settings.changeable())

    async def reload(request: web.Request) -> web.Response:
        await server.database.reload()
        return web.Response(status=204)

    async def reset(request: web.Request) -> web.Response:
        async with server.database.owner(Hooks()) as connection:
            await demo.reset(connection)
        await server.database.reload()
        return web.Response(status=204)

    app.router.add_get("/control/health", health)
    app.router.add_post("/control/faults", add_fault)
    app.router.add_get("/control/faults", list_faults)
    app.router.add_delete("/control/faults", clear_faults)
    app.router.add_get("/control/log", list_log)
    app.router.add_delete("/control/log", clear_log)
    app.router.add_get("/control/settings", list_settings)
    app.router.add_patch("/control/settings", change_settings)
    app.router.add_post("/control/reload", reload)
    app.router.add_post("/control/reset", reset)
    return app


@web.middleware
async def _plain_errors(request: web.Request, handler: Handler) -> web.StreamResponse:
    try:
        return await handler(request)
    except ValueError as error:
        return web.json_response({"error": str(error)}, status=400)


@contextlib.asynccontextmanager
async def running(settings: Settings, port: int = 0, control_port: int = 0) -> AsyncIterator[Server]:
    server = Server(settings, port, control_port)
    await server.start()
    try:
        yield server
    finally:
        await server.stop()
