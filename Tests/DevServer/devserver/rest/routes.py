"""From a path and a method to the room that answers it."""

from __future__ import annotations

import psycopg
from aiohttp import web
from psycopg_pool import PoolClosed, PoolTimeout

from ..errors import JSON_UTF8, RestError, rest_error_of
from ..keys import API_KEY, DATABASE, HOOKS, SETTINGS
from ..tokens import Identity, identify
from . import writing
from .answering import understand
from .reading import read

_METHODS = {
    "GET": read,
    "HEAD": read,
    "POST": writing.insert,
    "PATCH": writing.update,
    "DELETE": writing.delete,
    "PUT": writing.put,
}


async def handle(request: web.Request) -> web.Response:
    """Every request below `/rest/v1`. Errors leave here in PostgREST's words."""
    settings = request.app[SETTINGS]
    anonymous = True
    try:
        identity = identify(request.headers.get("Authorization"), request[API_KEY], settings)
        anonymous = identity.role == settings.anonymous_role
        return await _route(request, identity)
    except RestError as error:
        return error_response(error)
    except (psycopg.Error, PoolTimeout, PoolClosed) as error:
        return error_response(rest_error_of(error, anonymous=anonymous))


async def _route(request: web.Request, identity: Identity) -> web.Response:
    rest = request.raw_path.partition("?")[0].removeprefix("/rest/v1").strip("/")
    if not rest:
        raise RestError(404, "PGRST126", "Root endpoint metadata is disabled")
    if rest.startswith("rpc/") and rest.count("/") == 1:
        name = rest.removeprefix("rpc/")
        schema = request.app[SETTINGS].schemas[0]
        raise RestError(
            404,
            "PGRST202",
            f"Could not find the function {schema}.{name} in the schema cache",
        )
    if "/" in rest:
        raise RestError(404, "PGRST125", "Invalid path specified in request URL")
    if request.method == "OPTIONS":
        return web.Response(headers={"Allow": "OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE"})
    method = _METHODS.get(request.method)
    if method is None:
        raise RestError(405, "PGRST117", f"Unsupported HTTP method: {request.method}")
    call = understand(request, request.app[DATABASE], request.app[SETTINGS], request[HOOKS], identity)
    return await method(call)


def error_response(error: RestError) -> web.Response:
    return web.Response(
        status=error.status,
        body=error.body().encode(),
        headers={
            **error.headers,
            "Content-Type": JSON_UTF8,
            "Proxy-Status": f"PostgREST; error={error.code}",
        },
    )
