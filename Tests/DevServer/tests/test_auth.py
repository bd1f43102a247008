"""Signing in, renewing, signing out, in the shapes the auth API has."""

from __future__ import annotations

import time
from typing import Any

import jwt
import pytest
from support import ADA, SECRET, Answer, Client, World


def sign_in(world: World, password: str = "ada-password") -> Answer:
    body = {"email": "Ada@example.com", "password": password}
    return world.client.send("POST", "/auth/v1/token?grant_type=password", body)


def renew(world: World, refresh_token: str) -> Answer:
    body = {"refresh_token": refresh_token}
    return world.client.send("POST", "/auth/v1/token?grant_type=refresh_token", body)


def with_token(world: World, session: dict[str, Any]) -> Client:
    return Client(world.client.url, world.client.key, session["access_token"])


def test_signing_in(world: World) -> None:
    session = sign_in(world).json
    assert session["token_type"] == "bearer"
    assert session["expires_in"] == 3600
    assert abs(session["expires_at"] - time.time() - 3600) < 5
    assert session["refresh_token"]
    user = session["user"]
    assert (user["id"], user["email"], user["role"], user["aud"]) == (
        ADA,
        "ada@example.com",
        "authenticated",
        "authenticated",
    )
    claims = jwt.decode(session["access_token"], SECRET, algorithms=["HS256"], audience="authenticated")
    assert (claims["sub"], claims["role"]) == (ADA, "authenticated")
    client = with_token(world, session)
    assert len(client.get("/rest/v1/tasks").json) == 3
    assert client.get("/auth/v1/user").json == user


@pytest.mark.parametrize(
    ("grant", "body", "code"),
    [
        ("password", {"email": "ada@example.com", "password": "wrong"}, "invalid_credentials"),
        ("password", {"email": "nobody@example.com", "password": "x"}, "invalid_credentials"),
        ("password", {"password": "x"}, "validation_failed"),
        ("password", "no json", "bad_json"),
        ("refresh_token", {"refresh_token": "unknown"}, "refresh_token_not_found"),
        ("refresh_token", {}, "validation_failed"),
        ("magic", {}, "invalid_credentials"),
    ],
)
def test_what_is_refused(world: World, grant: str, body: Any, code: str) -> None:
    target = f"/auth/v1/token?grant_type={grant}"
    answer = world.client.send("POST", target, body)
    assert (answer.status, answer.json["code"], answer.json["error_code"]) == (400, 400, code)
    assert answer.json["msg"]
    newer = world.client.send("POST", target, body, {"X-Supabase-Api-Version": "2024-01-01"})
    assert (newer.status, newer.json["code"]) == (400, code)
    assert newer.json["message"]


def test_renewing_takes_a_new_token_each_time(world: World) -> None:
    first = sign_in(world).json
    second = renew(world, first["refresh_token"]).json
    assert second["refresh_token"] != first["refresh_token"]
    assert second["access_token"] != first["access_token"]
    assert renew(world, second["refresh_token"]).status == 200


def test_a_lost_answer_can_be_asked_for_again(world: World) -> None:
    first = sign_in(world).json
    second = renew(world, first["refresh_token"]).json
    again = renew(world, first["refresh_token"]).json
    assert again["refresh_token"] == second["refresh_token"]


def test_a_token_used_twice_much_later_ends_the_session(world: World) -> None:
    first = sign_in(world).json
    second = renew(world, first["refresh_token"]).json
    world.settings(reuse_seconds=0)
    stolen = renew(world, first["refresh_token"])
    assert (stolen.status, stolen.json["error_code"]) == (400, "refresh_token_already_used")
    assert renew(world, second["refresh_token"]).status == 400


def test_short_lived_tokens(world: World) -> None:
    world.settings(token_seconds=1, clock_skew_seconds=0)
    session = sign_in(world).json
    client = with_token(world, session)
    assert client.get("/rest/v1/tasks").status == 200
    time.sleep(2.1)
    assert client.get("/rest/v1/tasks").code == "PGRST303"
    assert client.get("/auth/v1/user").json["error_code"] == "bad_jwt"


@pytest.mark.parametrize(
    ("scope", "own", "other"), [("local", 400, 200), ("global", 400, 400), ("others", 200, 400)]
)
def test_signing_out(world: World, scope: str, own: int, other: int) -> None:
    here, there = sign_in(world).json, sign_in(world).json
    client = with_token(world, here)
    assert client.send("POST", f"/auth/v1/logout?scope={scope}").status == 204
    assert renew(world, here["refresh_token"]).status == own
    assert renew(world, there["refresh_token"]).status == other
    who = client.get("/auth/v1/user")
    if own == 400:
        assert (who.status, who.json["error_code"]) == (403, "session_not_found")
        # The token itself stays good until it expires: only the auth API knows of sessions.
        assert client.get("/rest/v1/tasks").status == 200


def test_who_am_i_without_a_good_token(world: World) -> None:
    without = world.client.get("/auth/v1/user")
    assert (without.status, without.json["error_code"]) == (401, "no_authorization")
    bad = Client(world.client.url, world.client.key, "a.b.c").get("/auth/v1/user")
    assert (bad.status, bad.json["error_code"]) == (403, "bad_jwt")
    stranger = world.client.signed_in("00000000-0000-4000-8000-000000000000").get("/auth/v1/user")
    assert (stranger.status, stranger.json["error_code"]) == (403, "user_not_found")
    assert world.client.get("/auth/v1/nothing").status == 404
