"""Who is asking: the API key at the gateway, then the token's role and claims."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import jwt

from .errors import GatewayError, RestError
from .settings import Settings

_API_KEY_ROLES = ("anon", "service_role")


@dataclass(frozen=True)
class Identity:
    role: str
    claims: dict[str, Any]


def bearer(authorization: str | None) -> str | None:
    """The token of an Authorization header, or None where there is none."""
    scheme, _, token = (authorization or "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def check_api_key(key: str | None, settings: Settings) -> None:
    """What the gateway does before any API sees the request."""
    if not key:
        raise GatewayError("No API key found in request")
    if key != settings.publishable_key and _api_key_role(key, settings) is None:
        raise GatewayError("Invalid API key")


def identify(authorization: str | None, key: str, settings: Settings) -> Identity:
    """The role a REST request runs under. A key in place of a token stands for the key's own role."""
    token = bearer(authorization)
    if token is None or token == key == settings.publishable_key:
        role = _api_key_role(key, settings) or settings.anonymous_role
        return Identity(role, {"role": role})
    claims = decode(token, settings)
    role = claims.get("role", settings.anonymous_role)
    return Identity(str(role), claims | {"role": role})


def decode(token: str, settings: Settings) -> dict[str, Any]:
    """The claims of a token whose signature and times are right; otherwise a 401 as PostgREST words it."""
    if not token:
        raise _refused("PGRST301", "Empty JWT is sent in Authorization header")
    if token.count(".") != 2:
        raise _refused("PGRST301", f"Expected 3 parts in JWT; got {token.count('.') + 1}")
    try:
        # The times are checked below: PostgREST allows for a skew and words each case on its own.
        claims = jwt.decode(
            token,
            settings.jwt_secret,
            algorithms=["HS256"],
            options={
                "verify_exp": False,
                "verify_nbf": False,
                "verify_iat": False,
                "verify_aud": False,
                "verify_sub": False,
                "verify_jti": False,
            },
        )
    except jwt.InvalidTokenError as error:
        raise _refused("PGRST301", "JWT cryptographic operation failed") from error
    code = "PGRST301" if settings.jwt_wording == "v12" else "PGRST303"
    earliest, latest = time.time() - settings.clock_skew_seconds, time.time() + settings.clock_skew_seconds
    times = {name: claims[name] for name in ("exp", "nbf", "iat") if claims.get(name) is not None}
    if not all(isinstance(at, (int, float)) for at in times.values()):
        raise _refused(code, "Parsing claims failed")
    if times.get("exp", latest) < earliest:
        raise _refused(code, "JWT expired")
    if times.get("nbf", earliest) > latest:
        raise _refused(code, "JWT not yet valid")
    if times.get("iat", earliest) > latest:
        raise _refused(code, "JWT issued at future")
    return claims


def _api_key_role(key: str, settings: Settings) -> str | None:
    """The role of a key that is itself a token, as the older kind of key is."""
    try:
        claims = jwt.decode(key, settings.jwt_secret, algorithms=["HS256"], options={"verify_aud": False})
    except jwt.InvalidTokenError:
        return None
    role = claims.get("role")
    return role if role in _API_KEY_ROLES else None


def _refused(code: str, message: str) -> RestError:
    return RestError(401, code, message, headers={"WWW-Authenticate": challenge(message)})


def challenge(message: str) -> str:
    return f'Bearer error="invalid_token", error_description="{message}"'
