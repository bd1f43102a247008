"""The auth API: signing in with a password, renewing, signing out, who am I."""

from __future__ import annotations

import json
import secrets
import time
import uuid
from datetime import datetime
from typing import Any

import jwt
import psycopg
from aiohttp import web
from psycopg.rows import dict_row

from .database import Connection
from .errors import AuthError
from .keys import DATABASE, HOOKS, SETTINGS
from .settings import Settings
from .tokens import bearer

API_VERSION = "X-Supabase-Api-Version"

Row = dict[str, Any]


async def handle(request: web.Request) -> web.Response:
    """Every request below `/auth/v1`. Errors leave here in GoTrue's words."""
    rest = request.path.removeprefix("/auth/v1").strip("/")
    try:
        match request.method, rest:
            case "POST", "token":
                return await _token(request)
            case "POST", "logout":
                return await _logout(request)
            case "GET", "user":
                return await _user(request)
            case "GET", "health":
                return web.json_response({"version": "devserver", "name": "GoTrue"})
            case _, "token" | "logout" | "user" | "health":
                return web.json_response(
                    {"code": 405, "error_code": "unknown", "msg": "Method Not Allowed"}, status=405
                )
        raise AuthError(404, "not_found", "Not Found")
    except AuthError as error:
        version = request.headers.get(API_VERSION)
        headers = {API_VERSION: version} if version else {}
        return web.Response(
            status=error.status,
            text=error.body(version),
            content_type="application/json",
            headers=headers,
        )
    except psycopg.Error:
        return web.json_response(
            {"code": 500, "error_code": "unexpected_failure", "msg": "Database error"}, status=500
        )


async def _token(request: web.Request) -> web.Response:
    grant = request.query.get("grant_type")
    if grant not in ("password", "refresh_token"):
        raise AuthError(400, "invalid_credentials", "unsupported_grant_type")
    body = await _json(request)
    answer = await (_sign_in(request, body) if grant == "password" else _renew(request, body))
    return web.json_response(answer)


async def _sign_in(request: web.Request, body: Row) -> Row:
    email, password = body.get("email"), body.get("password")
    if not isinstance(email, str) or not email:
        raise AuthError(400, "validation_failed", "missing email or phone")
    async with request.app[DATABASE].owner(request[HOOKS]) as connection:
        user = await _first(
            connection,
            "select * from auth.users where email = lower(%s)"
            " and encrypted_password = extensions.crypt(%s, encrypted_password)",
            (email, password if isinstance(password, str) else ""),
        )
        if user is None:
            raise AuthError(400, "invalid_credentials", "Invalid login credentials")
        session = await _first(
            connection, "insert into auth.sessions (user_id) values (%s) returning *", (user["id"],)
        )
        assert session is not None
        token = await _issue_refresh_token(connection, session["id"], None)
    return _session_answer(request, user, session, token)


async def _renew(request: web.Request, body: Row) -> Row:
    given = body.get("refresh_token")
    if not isinstance(given, str) or not given:
        raise AuthError(400, "validation_failed", "refresh_token required")
    settings = request.app[SETTINGS]
    stolen = False
    async with request.app[DATABASE].owner(request[HOOKS]) as connection:
        known = await _first(
            connection,
            "select *, now() - revoked_at < make_interval(secs => %s) as just_used"
            " from auth.refresh_tokens where token = %s for update",
            (settings.reuse_seconds, given),
        )
        if known is None:
            raise AuthError(400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found")
        session = await _first(
            connection, "select * from auth.sessions where id = %s", (known["session_id"],)
        )
        assert session is not None
        user = await _first(connection, "select * from auth.users where id = %s", (session["user_id"],))
        assert user is not None
        if known["revoked_at"] is None:
            token = await _issue_refresh_token(connection, session["id"], given)
        else:
            # The answer to the first use may have been lost: for a short while its successor is given again.
            active = await _first(
                connection,
                "select token from auth.refresh_tokens where session_id = %s and revoked_at is null",
                (session["id"],),
            )
            stolen = not (known["just_used"] and active)
            if stolen:
                await connection.execute(
                    "update auth.refresh_tokens set revoked_at = coalesce(revoked_at, now())"
                    " where session_id = %s",
                    (session["id"],),
                )
            token = active["token"] if active else ""
    if stolen:
        raise AuthError(400, "refresh_token_already_used", "Invalid Refresh Token: Already Used")
    return _session_answer(request, user, session, token)


async def _issue_refresh_token(connection: Connection, session: uuid.UUID, parent: str | None) -> str:
    if parent is not None:
        await connection.execute(
            "update auth.refresh_tokens set revoked_at = now() where token = %s", (parent,)
        )
    token = secrets.token_urlsafe(9)
    await connection.execute(
        "insert into auth.refresh_tokens (token, session_id, parent) values (%s, %s, %s)",
        (token, session, parent),
    )
    return token


async def _logout(request: web.Request) -> web.Response:
    claims = _claims(request)
    scope = request.query.get("scope", "global")
    if scope not in ("global", "local", "others"):
        raise AuthError(400, "validation_failed", f"Unsupported logout scope {scope!r}")
    where = {
        "global": "user_id = %(user)s",
        "local": "id = %(session)s",
        "others": "user_id = %(user)s and id <> %(session)s",
    }[scope]
    async with request.app[DATABASE].owner(request[HOOKS]) as connection:
        await _session_user(connection, claims)
        await connection.execute(
            f"delete from auth.sessions where {where}",
            {"user": claims.get("sub"), "session": claims.get("session_id")},
        )
    return web.Response(status=204)


async def _user(request: web.Request) -> web.Response:
    claims = _claims(request)
    async with request.app[DATABASE].owner(request[HOOKS]) as connection:
        user = await _session_user(connection, claims)
    return web.json_response(_user_answer(user))


def _claims(request: web.Request) -> Row:
    token = bearer(request.headers.get("Authorization"))
    settings = request.app[SETTINGS]
    if not token or token == settings.publishable_key:
        raise AuthError(401, "no_authorization", "This endpoint requires a valid Bearer token")
    try:
        return jwt.decode(token, settings.jwt_secret, algorithms=["HS256"], options={"verify_aud": False})
    except jwt.InvalidTokenError as error:
        reason = (
            "token has invalid claims: token is expired"
            if isinstance(error, jwt.ExpiredSignatureError)
            else f"token is unverifiable: {error}"
        )
        raise AuthError(
            403, "bad_jwt", f"invalid JWT: unable to parse or verify signature, {reason}"
        ) from error


async def _session_user(connection: Connection, claims: Row) -> Row:
    """The user of a token; tokens made by a test carry no session and need none."""
    try:
        sub = uuid.UUID(str(claims.get("sub")))
    except ValueError as error:
        raise AuthError(403, "bad_jwt", "invalid claim: missing sub claim") from error
    user = await _first(connection, "select * from auth.users where id = %s", (sub,))
    if user is None:
        raise AuthError(403, "user_not_found", "User from sub claim in JWT does not exist")
    if "session_id" in claims and not await _first(
        connection, "select 1 as x from auth.sessions where id = %s", (claims["session_id"],)
    ):
        raise AuthError(403, "session_not_found", "Session from session_id claim in JWT does not exist")
    return user


def _session_answer(request: web.Request, user: Row, session: Row, refresh_token: str) -> Row:
    settings = request.app[SETTINGS]
    now = int(time.time())
    expires_at = now + settings.token_seconds
    return {
        "access_token": _access_token(request, user, session, now, expires_at, settings),
        "token_type": "bearer",
        "expires_in": settings.token_seconds,
        "expires_at": expires_at,
        "refresh_token": refresh_token,
        "user": _user_answer(user),
    }


def _access_token(
    request: web.Request, user: Row, session: Row, now: int, expires_at: int, settings: Settings
) -> str:
    claims = {
        "iss": f"{request.scheme}://{request.host}/auth/v1",
        "sub": str(user["id"]),
        "aud": "authenticated",
        "exp": expires_at,
        "iat": now,
        "email": user["email"],
        "phone": "",
        "app_metadata": {"provider": "email", "providers": ["email"]},
        "user_metadata": {},
        "role": "authenticated",
        "aal": "aal1",
        "amr": [{"method": "password", "timestamp": int(session["created_at"].timestamp())}],
        "session_id": str(session["id"]),
        "is_anonymous": False,
        # So that a renewal within one second still gives another token.
        "jti": secrets.token_hex(8),
    }
    return jwt.encode(claims, settings.jwt_secret, algorithm="HS256")


def _user_answer(user: Row) -> Row:
    return {
        "id": str(user["id"]),
        "aud": "authenticated",
        "role": "authenticated",
        "email": user["email"],
        "email_confirmed_at": _time(user["created_at"]),
        "phone": "",
        "confirmed_at": _time(user["created_at"]),
        "app_metadata": {"provider": "email", "providers": ["email"]},
        "user_metadata": {},
        "identities": [],
        "created_at": _time(user["created_at"]),
        "updated_at": _time(user["updated_at"]),
        "is_anonymous": False,
    }


def _time(at: datetime) -> str:
    return at.isoformat().replace("+00:00", "Z")


async def _json(request: web.Request) -> Row:
    try:
        body = json.loads(await request.read())
    except ValueError as error:
        raise AuthError(400, "bad_json", f"Could not parse request body as JSON: {error}") from error
    if not isinstance(body, dict):
        raise AuthError(400, "bad_json", "Could not parse request body as JSON: no object")
    return body


async def _first(connection: Connection, sql: str, values: Any) -> Row | None:
    async with connection.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(sql, values)
        return await cursor.fetchone()
