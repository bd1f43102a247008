"""Errors as each part of Supabase words them, and how PostgreSQL's become HTTP answers."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import psycopg
from psycopg_pool import PoolClosed, PoolTimeout

JSON_UTF8 = "application/json; charset=utf-8"
RETRY = {"Retry-After": "1"}


@dataclass
class RestError(Exception):
    """An answer of the REST API that is not a success: code, message, details, hint."""

    status: int
    code: str
    message: str
    details: Any = None
    hint: Any = None
    headers: dict[str, str] = field(default_factory=dict)

    def body(self) -> str:
        parts = {"code": self.code, "details": self.details, "hint": self.hint, "message": self.message}
        return json.dumps(parts, ensure_ascii=False)


@dataclass
class AuthError(Exception):
    """An answer of the auth API that is not a success."""

    status: int
    code: str
    message: str

    def body(self, api_version: str | None) -> str:
        # Clients that name an API version get the newer shape; the others the one from before it.
        if api_version:
            return json.dumps({"code": self.code, "message": self.message})
        return json.dumps({"code": self.status, "error_code": self.code, "msg": self.message})


@dataclass
class GatewayError(Exception):
    """An answer of the gateway in front of every API: no code, only a message."""

    message: str
    status: int = 401


class Dropped(Exception):
    """A fault asked for the connection to be dropped at this point, without an answer."""


# The first prefix that fits decides. 42501 and 21000 need more than their code and are not listed.
_STATUS_OF_SQLSTATE: tuple[tuple[str, int], ...] = (
    ("08", 503),
    ("09", 500),
    ("0L", 403),
    ("0P", 403),
    ("23503", 409),
    ("23505", 409),
    ("25006", 405),
    ("22023", 400),
    ("25", 500),
    ("28", 403),
    ("2D", 500),
    ("38", 500),
    ("39", 500),
    ("3B", 500),
    ("40", 500),
    ("53400", 500),
    ("53", 503),
    ("54", 500),
    ("55", 500),
    ("57P01", 503),
    ("57", 500),
    ("58", 500),
    ("F0", 500),
    ("HV", 500),
    ("P0001", 400),
    ("P0", 500),
    ("XX", 500),
    ("42883", 404),
    ("42P01", 404),
    ("42P17", 500),
)


def status_of_sqlstate(code: str, message: str, *, anonymous: bool) -> int:
    """The HTTP status PostgREST answers with for an error of PostgreSQL."""
    if code == "42501":
        return 401 if anonymous else 403
    if code == "21000":
        return 400 if message.endswith("requires a WHERE clause") else 500
    if code == "22023" and message.startswith("role ") and message.endswith("does not exist"):
        return 401
    if code.startswith("PT") and code[2:].isdigit():
        return int(code[2:])
    return next((status for prefix, status in _STATUS_OF_SQLSTATE if code.startswith(prefix)), 400)


def rest_error_of(error: Exception, *, anonymous: bool) -> RestError:
    """The answer for whatever went wrong between this server and PostgreSQL."""
    if isinstance(error, PoolTimeout):
        return RestError(504, "PGRST003", "Timed out acquiring connection from connection pool.")
    if isinstance(error, PoolClosed):
        return RestError(503, "PGRST001", "Database client error. Retrying the connection.", headers=RETRY)
    if not isinstance(error, psycopg.Error):
        raise error
    code = error.sqlstate
    if code is None:
        words = str(error) or None
        return RestError(
            503, "PGRST001", "Database client error. Retrying the connection.", words, headers=RETRY
        )
    message = error.diag.message_primary or ""
    if code == "PGRST":
        return _raised_by_function(message, error.diag.message_detail)
    status = status_of_sqlstate(code, message, anonymous=anonymous)
    headers = {401: {"WWW-Authenticate": "Bearer"}, 503: RETRY}.get(status, {})
    return RestError(status, code, message, error.diag.message_detail, error.diag.message_hint, headers)


def _raised_by_function(message: str, detail: str | None) -> RestError:
    """`raise sqlstate 'PGRST'`: the function words the whole answer in its message and detail."""
    try:
        body, answer = json.loads(message), json.loads(detail or "")
        return RestError(
            int(answer["status"]),
            body["code"],
            body["message"],
            body.get("details"),
            body.get("hint"),
            {str(k): str(v) for k, v in answer.get("headers", {}).items()},
        )
    except (ValueError, KeyError, TypeError):
        return RestError(500, "PGRST121", "Could not parse JSON in the \"RAISE SQLSTATE 'PGRST'\" error")
