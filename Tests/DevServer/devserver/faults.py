"""Faults on demand: what can go wrong between a client and a server, one request at a time.

A fault waits for a request that fits, lets `after` of them pass, and is used up after `times` more.
`delay` lets the request go on, to the next fault or to its answer; every other fault is the end of it.
"""

from __future__ import annotations

import asyncio
import http
import json
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from aiohttp import web

from .database import Hooks
from .errors import JSON_UTF8, Dropped, RestError
from .journal import Entry
from .keys import FAULTS, HOOKS
from .rest.routes import error_response
from .tokens import challenge

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
HTML = "text/html; charset=utf-8"


@dataclass
class Fault:
    fault: str
    times: int | None = 1
    """How many requests it meets; None: all, until it is cleared."""
    after: int = 0
    """How many requests it still lets pass before."""
    method: str | None = None
    path: str | None = None
    """A prefix of the path, such as `/rest/v1/tasks`."""
    options: dict[str, Any] = field(default_factory=dict)
    met: int = 0

    def fits(self, request: web.Request) -> bool:
        return (
            (self.times is None or self.met < self.times)
            and (self.method is None or self.method == request.method)
            and (self.path is None or request.path.startswith(self.path))
        )


class FaultBox:
    """The faults that wait, in the order in which they were asked for."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def add(self, asked: dict[str, Any]) -> Fault:
        """Takes `{"fault", "times", "after", "match": {"method", "path"}, …}`; the rest are its options."""
        options = dict(asked)
        name = options.pop("fault", None)
        if name not in NAMES:
            raise ValueError(f"no such fault: {name}; there are {', '.join(sorted(NAMES))}")
        times = options.pop("times", 1)
        if times is not None and (not isinstance(times, int) or times < 1):
            raise ValueError("times is a number from 1, or null for all requests until cleared")
        after = options.pop("after", 0)
        if not isinstance(after, int) or after < 0:
            raise ValueError("after is a number from 0")
        match = options.pop("match", None) or {}
        if not set(match) <= {"method", "path"}:
            raise ValueError("match has method and path")
        unknown = set(options) - set(OPTIONS.get(name, ()))
        if unknown:
            raise ValueError(f"{name} has no option {', '.join(sorted(unknown))}")
        fault = Fault(name, times, after, match.get("method"), match.get("path"), options)
        self.faults.append(fault)
        return fault

    def take(self, request: web.Request) -> list[Fault]:
        """The faults that meet this request: delays up to and including the first that is none."""
        taken: list[Fault] = []
        for fault in self.faults:
            if fault.fits(request):
                if fault.after:
                    fault.after -= 1
                    continue
                fault.met += 1
                taken.append(fault)
                if fault.fault != "delay":
                    break
        self.faults = [f for f in self.faults if f.times is None or f.met < f.times]
        return taken

    def listed(self) -> list[dict[str, Any]]:
        return [asdict(fault) for fault in self.faults]

    def clear(self, path: str | None) -> None:
        """Clears those for exactly this path; None: all."""
        self.faults = [f for f in self.faults if path is not None and f.path != path]


OPTIONS: dict[str, tuple[str, ...]] = {
    "delay": ("seconds", "after_commit"),
    "refuse": ("seconds",),
    "cut_body": ("chunked",),
    "unavailable": ("retry_after",),
    "rate_limited": ("retry_after",),
    "portal_redirect": ("location",),
    "answer": ("status", "headers", "body"),
}
"""`refuse` is for the listener and is not kept here; see `control`."""


async def meet(request: web.Request, handler: Handler, entry: Entry) -> web.StreamResponse:
    """Runs a request through the faults that wait for it, and notes the last of them in its entry."""
    request[HOOKS] = Hooks()
    late = 0.0
    for fault in request.app[FAULTS].take(request):
        entry.fault = fault.fault
        if fault.fault != "delay":
            return await _EFFECTS[fault.fault](fault, request, _held_back(handler, late))
        seconds = float(fault.options.get("seconds", 1))
        if fault.options.get("after_commit"):
            late += seconds
        else:
            await asyncio.sleep(seconds)
    return await _held_back(handler, late)(request)


def _held_back(handler: Handler, seconds: float) -> Handler:
    async def held_back(request: web.Request) -> web.StreamResponse:
        answer = await handler(request)
        await asyncio.sleep(seconds)
        return answer

    return held_back if seconds else handler


# Connections that end early


async def _close(fault: Fault, request: web.Request, handler: Handler) -> web.StreamResponse:
    raise Dropped


async def _drop_before_commit(fault: Fault, request: web.Request, handler: Handler) -> web.StreamResponse:
    request[HOOKS].before_commit = _drop
    await handler(request)
    raise Dropped  # an answer that needed no transaction is lost all the same


async def _drop_after_commit(fault: Fault, request: web.Request, handler: Handler) -> web.StreamResponse:
    await handler(request)
    raise Dropped


def _drop() -> None:
    raise Dropped


async def _cut_headers(fault: Fault, request: web.Request, handler: Handler) -> web.StreamResponse:
    answer = await handler(request)
    head = _head(answer, {})
    return _cut(request, answer, head[: len(head) // 2])


async def _cut_body(fault: Fault, request: web.Request, handler: Handler) -> web.StreamResponse:
    answer = await handler(request)
    body = answer.body if isinstance(answer, web.Response) else b""
    body = body if isinstance(body, bytes) else b""
    half = body[: len(body) // 2]
    if fault.options.get("chunked"):
        head = _head(answer, {"Transfer-Encoding": "chunked"})
        return _cut(request, answer, head + f"{len(half):x}\r\n".encode() + half + b"\r\n")
    return _cut(request, answer, _head(answer, {"Content-Length": str(len(body))}) + half)


def _head(answer: web.StreamResponse, extra: dict[str, str]) -> bytes:
    reason = answer.reason or http.HTTPStatus(answer.status).phrase
    headers = {k: v for k, v in answer.headers.items() if k not in ("Content-Length",)} | extra
    lines = [f"HTTP/1.1 {answer.status} {reason}", *(f"{k}: {v}" for k, v in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def _cut(request: web.Request, answer: web.StreamResponse, sent: bytes) -> web.StreamResponse:
    """Sends these bytes and ends the connection; the answer itself then finds it closed."""
    transport = request.transport
    if transport is not None:
        transport.write(sent)
        transport.close()
    return answer


# Answers from somewhere else


def _says(make: Callable[[Fault, web.Request], web.Response]) -> Any:
    async def effect(fault: Fault, request: web.Request, handler: Handler) -> web.StreamResponse:
        return make(fault, request)

    return effect


def _html(status: int, title: str, text: str, headers: dict[str, str] | None = None) -> web.Response:
    body = f"<!DOCTYPE html>\n<html><head><title>{title}</title></head><body>{text}</body></html>\n"
    return web.Response(status=status, body=body.encode(), headers={"Content-Type": HTML, **(headers or {})})


def _json(status: int, body: Any, headers: dict[str, str] | None = None) -> web.Response:
    return web.Response(
        status=status,
        body=json.dumps(body).encode(),
        headers={"Content-Type": JSON_UTF8, **(headers or {})},
    )


def _unavailable(fault: Fault, request: web.Request) -> web.Response:
    after = fault.options.get("retry_after", 1)
    return error_response(
        RestError(
            503,
            "PGRST002",
            "Could not query the database for the schema cache. Retrying.",
            headers={} if after is None else {"Retry-After": str(after)},
        )
    )


def _rate_limited(fault: Fault, request: web.Request) -> web.Response:
    after = fault.options.get("retry_after")
    headers = {} if after is None else {"Retry-After": str(after)}
    if request.path.startswith("/auth/v1/"):
        return _json(
            429,
            {"code": 429, "error_code": "over_request_rate_limit", "msg": "Request rate limit reached"},
            headers,
        )
    return _json(429, {"message": "API rate limit exceeded"}, headers)


def _expired(code: str) -> Callable[[Fault, web.Request], web.Response]:
    headers = {"WWW-Authenticate": challenge("JWT expired")}
    return lambda fault, request: error_response(RestError(401, code, "JWT expired", headers=headers))


def _redirect(fault: Fault, request: web.Request) -> web.Response:
    location = fault.options.get("location", "http://portal.invalid/login")
    return _html(302, "Found", "Sign in to use this network.", {"Location": location})


def _answer(fault: Fault, request: web.Request) -> web.Response:
    body = fault.options.get("body", "")
    text = body if isinstance(body, str) else json.dumps(body)
    headers = {"Content-Type": JSON_UTF8, **fault.options.get("headers", {})}
    return web.Response(status=int(fault.options.get("status", 200)), body=text.encode(), headers=headers)


_EFFECTS: dict[str, Callable[[Fault, web.Request, Handler], Awaitable[web.StreamResponse]]] = {
    "close": _close,
    "drop_before_commit": _drop_before_commit,
    "drop_after_commit": _drop_after_commit,
    "cut_headers": _cut_headers,
    "cut_body": _cut_body,
    "unavailable": _says(_unavailable),
    "pool_timeout": _says(
        lambda fault, request: error_response(
            RestError(504, "PGRST003", "Timed out acquiring connection from connection pool.")
        )
    ),
    "edge_error": _says(
        lambda fault, request: _html(520, "520: Web server is returning an unknown error", "Error 520")
    ),
    "rate_limited": _says(_rate_limited),
    "expired_v12": _says(_expired("PGRST301")),
    "expired": _says(_expired("PGRST303")),
    "invalid_key": _says(lambda fault, request: _json(401, {"message": "Invalid API key"})),
    "paused": _says(lambda fault, request: _json(540, {"message": "Project paused"})),
    "portal_page": _says(lambda fault, request: _html(200, "Welcome", "Sign in to use this network.")),
    "portal_redirect": _says(_redirect),
    "empty": _says(lambda fault, request: web.Response(status=200, headers={"Content-Type": JSON_UTF8})),
    "answer": _says(_answer),
}

NAMES = {"delay", "refuse", *_EFFECTS}
