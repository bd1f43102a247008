"""Who may see and write what: keys, tokens, roles and row level security."""

from __future__ import annotations

import time

import pytest
from support import ADA, GRACE, SECRET, Client, World, token


def test_the_gateway_wants_a_key(world: World) -> None:
    for path in ("/rest/v1/tasks", "/auth/v1/user"):
        without = Client(world.client.url, key=None).get(path)
        assert (without.status, without.json) == (401, {"message": "No API key found in request"})
        wrong = Client(world.client.url, key="sb_publishable_wrong").get(path)
        assert (wrong.status, wrong.json) == (401, {"message": "Invalid API key"})


def test_keys_that_are_tokens(world: World) -> None:
    legacy = token(None, role="anon")
    assert Client(world.client.url, legacy).get("/rest/v1/tasks").json == []
    # A client without a session sends its key as the token, too.
    assert Client(world.client.url, legacy, legacy).get("/rest/v1/tasks").json == []
    service = token(None, role="service_role")
    assert len(Client(world.client.url, service).get("/rest/v1/tasks").json) == 5
    assert Client(world.client.url, world.client.key, world.client.key).get("/rest/v1/tasks").json == []
    stranger = token(None, role="anon", secret=SECRET + "!")
    assert Client(world.client.url, stranger).get("/rest/v1/tasks").status == 401


def test_each_user_sees_their_own_rows(world: World) -> None:
    assert world.client.get("/rest/v1/tasks").json == []
    assert {row["user_id"] for row in world.ada.get("/rest/v1/tasks").json} == {ADA}
    assert {row["user_id"] for row in world.grace.get("/rest/v1/tasks").json} == {GRACE}
    photos = world.grace.get("/rest/v1/tasks?select=title,task_photos!inner(object_path)").json
    assert [row["title"] for row in photos] == ["Find the moth"]
    assert len(world.client.get("/rest/v1/announcements").json) == 2


def test_what_may_not_be_written(world: World) -> None:
    task = {"id": "d0000000-0000-4000-8000-000000000001", "title": "no", "user_id": GRACE}
    anonymous = world.client.rest("POST", "tasks", task)
    assert (anonymous.status, anonymous.code) == (401, "42501")
    assert anonymous.headers["WWW-Authenticate"] == "Bearer"
    other = world.ada.rest("POST", "tasks", task)
    assert (other.status, other.code) == (403, "42501")
    missed = world.ada.rest("PATCH", f"tasks?user_id=eq.{GRACE}", {"title": "no"})
    assert (missed.status, missed.headers["Content-Range"]) == (204, "*/*")


@pytest.mark.parametrize(
    ("given", "code", "message"),
    [
        ("nonsense", "PGRST301", "Expected 3 parts in JWT; got 1"),
        ("a.b.c", "PGRST301", "JWT cryptographic operation failed"),
        (token(ADA, secret=SECRET + "!"), "PGRST301", "JWT cryptographic operation failed"),
        (token(ADA, exp=int(time.time()) - 60), "PGRST303", "JWT expired"),
        (token(ADA, nbf=int(time.time()) + 3600), "PGRST303", "JWT not yet valid"),
        (token(ADA, iat=int(time.time()) + 3600), "PGRST303", "JWT issued at future"),
    ],
)
def test_tokens_that_are_refused(world: World, given: str, code: str, message: str) -> None:
    answer = Client(world.client.url, world.client.key, given).get("/rest/v1/tasks")
    assert (answer.status, answer.code, answer.json["message"]) == (401, code, message)
    expected = f'Bearer error="invalid_token", error_description="{message}"'
    assert answer.headers["WWW-Authenticate"] == expected


def test_a_clock_may_be_a_little_off(world: World) -> None:
    late = Client(world.client.url, world.client.key, token(ADA, exp=int(time.time()) - 10))
    assert late.get("/rest/v1/tasks").status == 200
    world.settings(clock_skew_seconds=0)
    assert late.get("/rest/v1/tasks").code == "PGRST303"
    world.settings(jwt_wording="v12")
    assert late.get("/rest/v1/tasks").code == "PGRST301"


def test_roles_that_may_not_be_taken(world: World) -> None:
    unknown = world.client.signed_in(ADA, role="nobody_knows").get("/rest/v1/tasks")
    assert (unknown.status, unknown.code) == (401, "22023")
    owner = world.client.signed_in(ADA, role="postgres").get("/rest/v1/tasks")
    assert (owner.status, owner.code) == (403, "42501")
    assert len(world.client.signed_in(ADA, role="service_role").get("/rest/v1/tasks").json) == 5


def test_claims_reach_the_database(world: World) -> None:
    world.sql(
        "create view public.me with (security_invoker) as select auth.uid() as id, auth.role() as role, "
        "current_user::text as is, current_setting('request.method') as method"
    )
    assert world.ada.get("/rest/v1/me").json == [
        {"id": ADA, "role": "authenticated", "is": "authenticated", "method": "GET"}
    ]
    assert world.client.get("/rest/v1/me?select=id,role").json == [{"id": None, "role": "anon"}]
