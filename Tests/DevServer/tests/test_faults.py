"""Every fault, as a client meets it, down to the bytes."""

from __future__ import annotations

import http.client
import socket
import threading
import time
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
from support import ADA, KEY, SECRET, Client, World, token

NEW = "d0000000-0000-4000-8000-000000000001"
TASK = {"id": NEW, "title": "meets a fault"}


def raw(world: World, request: str) -> bytes:
    """Everything the server sends until it closes the connection."""
    parts = urlsplit(world.client.url)
    with socket.create_connection((parts.hostname, parts.port), timeout=10) as connection:
        connection.sendall(request.encode())
        received = b""
        while True:
            try:
                piece = connection.recv(65536)
            except ConnectionResetError:
                return received
            if not piece:
                return received
            received += piece


def get(world: World, path: str = "/rest/v1/announcements?order=id") -> bytes:
    return raw(world, f"GET {path} HTTP/1.1\r\nHost: x\r\napikey: {KEY}\r\n\r\n")


def insert(world: World) -> None:
    with pytest.raises((http.client.RemoteDisconnected, ConnectionResetError)):
        world.ada.rest("POST", "tasks", TASK)


def exists(world: World) -> bool:
    return bool(world.ada.get(f"/rest/v1/tasks?id=eq.{NEW}").json)


def test_close(world: World) -> None:
    world.fault("close")
    assert get(world) == b""
    assert world.client.get("/rest/v1/announcements").status == 200
    assert (world.log()[0]["status"], world.log()[0]["fault"]) == (None, "close")


def test_drop_before_commit(world: World) -> None:
    world.fault("drop_before_commit", match={"method": "POST", "path": "/rest/v1/tasks"})
    insert(world)
    assert not exists(world)


def test_drop_after_commit(world: World) -> None:
    world.fault("drop_after_commit")
    insert(world)
    assert exists(world)
    assert world.log()[0]["fault"] == "drop_after_commit"


def test_a_renewal_whose_answer_is_lost(world: World) -> None:
    body = {"email": "ada@example.com", "password": "ada-password"}
    session = world.client.send("POST", "/auth/v1/token?grant_type=password", body).json
    body = {"refresh_token": session["refresh_token"]}
    target = "/auth/v1/token?grant_type=refresh_token"
    for fault in ("drop_after_commit", "drop_before_commit"):
        world.fault(fault)
        with pytest.raises((http.client.RemoteDisconnected, ConnectionResetError)):
            world.client.send("POST", target, body)
    assert world.client.send("POST", target, body).status == 200


def test_cut_headers(world: World) -> None:
    world.fault("cut_headers")
    received = get(world)
    assert received.startswith(b"HTTP/1.1 200 OK\r\n")
    assert b"\r\n\r\n" not in received


def test_cut_body(world: World) -> None:
    world.fault("cut_body")
    head, _, body = get(world).partition(b"\r\n\r\n")
    length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
    assert 0 < len(body) < length
    world.fault("cut_body", chunked=True)
    head, _, body = get(world).partition(b"\r\n\r\n")
    assert b"chunked" in head and b"Content-Length" not in head
    assert not body.endswith(b"0\r\n\r\n")


def test_cut_body_leaves_the_write_in_place(world: World) -> None:
    world.fault("cut_body")
    with pytest.raises(http.client.IncompleteRead):
        world.ada.rest("POST", "tasks", TASK, Prefer="return=representation")
    assert exists(world)


def test_delay(world: World) -> None:
    world.fault("delay", seconds=0.5)
    began = time.monotonic()
    assert world.client.get("/rest/v1/announcements").status == 200
    assert 0.5 <= time.monotonic() - began < 2


@pytest.mark.parametrize("after_commit", [True, False])
def test_delay_beyond_the_clients_patience(world: World, after_commit: bool) -> None:
    world.fault("delay", seconds=0.6, after_commit=after_commit)
    with pytest.raises(TimeoutError):
        world.ada.send("POST", "/rest/v1/tasks", TASK, timeout=0.3)
    assert exists(world) == after_commit
    time.sleep(0.6)
    assert exists(world)  # the server never learns that nobody waits any more


def test_delay_goes_together_with_another(world: World) -> None:
    world.fault("delay", seconds=0.2)
    world.fault("paused")
    began = time.monotonic()
    assert world.client.get("/rest/v1/announcements").status == 540
    assert time.monotonic() - began >= 0.2


def test_refuse(world: World) -> None:
    world.fault("refuse")
    for _ in range(2):
        with pytest.raises(ConnectionRefusedError):
            world.client.get("/rest/v1/announcements")
    world.control.send("DELETE", "/faults")
    assert world.client.get("/rest/v1/announcements").status == 200
    world.fault("refuse", seconds=0.3)
    with pytest.raises(ConnectionRefusedError):
        world.client.get("/rest/v1/announcements")
    time.sleep(0.5)
    assert world.client.get("/rest/v1/announcements").status == 200


def test_refuse_ends_connections_that_are_kept(world: World) -> None:
    parts = urlsplit(world.client.url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=5)
    connection.request("GET", "/rest/v1/announcements", headers={"apikey": KEY})
    connection.getresponse().read()
    world.fault("refuse")
    with pytest.raises(OSError):
        connection.request("GET", "/rest/v1/announcements", headers={"apikey": KEY})
        connection.getresponse()


ANSWERS = [
    ("unavailable", {}, 503, "PGRST002", {"Retry-After": "1"}),
    ("unavailable", {"retry_after": 0}, 503, "PGRST002", {"Retry-After": "0"}),
    ("unavailable", {"retry_after": None}, 503, "PGRST002", {"Retry-After": None}),
    ("pool_timeout", {}, 504, "PGRST003", {"Retry-After": None}),
    ("rate_limited", {"retry_after": 7}, 429, None, {"Retry-After": "7"}),
    ("expired_v12", {}, 401, "PGRST301", {}),
    ("expired", {}, 401, "PGRST303", {}),
    ("invalid_key", {}, 401, None, {}),
    ("paused", {}, 540, None, {}),
    ("edge_error", {}, 520, "html", {}),
    ("portal_page", {}, 200, "html", {}),
    ("portal_redirect", {}, 302, "html", {"Location": "http://portal.invalid/login"}),
    ("portal_redirect", {"location": "http://127.0.0.2/"}, 302, "html", {"Location": "http://127.0.0.2/"}),
]


@pytest.mark.parametrize(("name", "options", "status", "code", "headers"), ANSWERS)
def test_answers(
    world: World,
    name: str,
    options: dict[str, Any],
    status: int,
    code: str | None,
    headers: dict[str, str | None],
) -> None:
    world.fault(name, **options)
    answer = world.client.get("/rest/v1/announcements")
    assert answer.status == status
    for header, value in headers.items():
        assert answer.headers.get(header) == value
    if code == "html":
        assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
        assert answer.text.startswith("<!DOCTYPE html>")
    else:
        assert answer.json.get("code") == code
    if name.startswith("expired"):
        assert answer.json["message"] == "JWT expired"
        assert "invalid_token" in answer.headers["WWW-Authenticate"]
    if name == "invalid_key":
        assert answer.json == {"message": "Invalid API key"}
    assert world.client.get("/rest/v1/announcements").status == 200


def test_empty(world: World) -> None:
    world.fault("empty")
    answer = world.client.get("/rest/v1/announcements")
    assert (answer.status, answer.raw, answer.headers["Content-Length"]) == (200, b"", "0")


def test_any_answer(world: World) -> None:
    world.fault("answer", status=200, body="[{", headers={"X-Mine": "1"})
    answer = world.client.get("/rest/v1/announcements")
    assert (answer.status, answer.text, answer.headers["X-Mine"]) == (200, "[{", "1")


def test_faults_leave_the_database_alone_unless_they_say_so(world: World) -> None:
    world.fault("unavailable")
    assert world.ada.rest("POST", "tasks", TASK).status == 503
    assert not exists(world)


def test_how_often_and_for_whom(world: World) -> None:
    world.fault("paused", times=2, match={"method": "GET", "path": "/rest/v1/ann"})
    seen = [
        world.client.get("/rest/v1/tasks").status,
        world.client.send("HEAD", "/rest/v1/announcements").status,
        *(world.client.get("/rest/v1/announcements").status for _ in range(3)),
    ]
    assert seen == [200, 200, 540, 540, 200]
    world.fault("paused", times=None)
    assert [world.client.get("/rest/v1/tasks").status for _ in range(3)] == [540] * 3
    assert world.control.get("/faults").json[0]["met"] == 3
    world.control.send("DELETE", "/faults")
    assert world.client.get("/rest/v1/tasks").status == 200


def test_after_how_many(world: World) -> None:
    world.fault("paused", after=2)
    world.fault("rate_limited", after=1, match={"path": "/rest/v1/ann"})
    paths = ["announcements", "announcements", "tasks", "tasks"]
    assert [world.client.get(f"/rest/v1/{path}").status for path in paths] == [200, 429, 540, 200]


def test_those_of_one_path_alone_are_cleared(world: World) -> None:
    for path in ("/rest/v1/announcements", "/rest/v1/tasks"):
        world.fault("paused", times=None, match={"path": path})
    world.control.send("DELETE", "/faults?path=/rest/v1/tasks")
    assert world.client.get("/rest/v1/tasks").status == 200
    assert world.client.get("/rest/v1/announcements").status == 540
    world.fault("refuse")
    world.control.send("DELETE", "/faults?path=/rest/v1/announcements")
    with pytest.raises(ConnectionRefusedError):
        world.client.get("/rest/v1/announcements")


@pytest.mark.parametrize(
    "asked",
    [
        {"fault": "nonsense"},
        {"fault": "delay", "second": 1},
        {"fault": "close", "times": 0},
        {"fault": "close", "after": -1},
        {},
    ],
)
def test_typing_errors_do_not_pass(world: World, asked: dict[str, object]) -> None:
    assert world.control.send("POST", "/faults", asked).status == 400


def test_the_log_knows_no_token(world: World) -> None:
    secret = token(ADA)
    Client(world.client.url, KEY, secret).get("/rest/v1/tasks?select=id", Prefer="count=exact")
    Client(world.client.url, None).get(f"/rest/v1/tasks?apikey={KEY}&select=id")
    listed = world.control.get("/log")
    for hidden in (secret, KEY, SECRET):
        assert hidden not in listed.text
    first, second = listed.json
    assert (first["method"], first["path"], first["query"]) == ("GET", "/rest/v1/tasks", "select=id")
    assert (first["user_token"], first["prefer"], first["status"]) == (True, "count=exact", 200)
    assert (second["user_token"], second["status"]) == (False, 401)
    assert second["query"] == "apikey=…&select=id"
    assert world.control.get("/log?path=/rest/v1/t").json == [first, second]
    assert world.control.get("/log?path=/rest/v1/announcements").json == []
    world.control.send("DELETE", "/log")
    assert world.log() == []


def test_settings_and_reset(world: World) -> None:
    assert world.control.send("PATCH", "/settings", {"nonsense": 1}).status == 400
    assert world.control.send("PATCH", "/settings", {"jwt_secret": "x"}).status == 400
    assert "jwt_secret" not in world.control.get("/settings").json
    world.ada.rest("POST", "tasks", TASK)
    assert world.control.send("POST", "/reset").status == 204
    assert not exists(world)


def test_an_older_look_never_replaces_a_newer_one(world: World) -> None:
    world.changed = True
    with psycopg.connect(world.database, autocommit=True) as connection:
        for number in range(20):
            # This look begins before the table is there, and may end after the next one.
            connection.execute("notify pgrst, 'reload schema'")
            connection.execute(f"create table public.fleeting_{number} (id int)".encode())
            world.control.send("POST", "/reload")
            for _ in range(3):
                assert world.ada.send("HEAD", f"/rest/v1/fleeting_{number}").status != 404
            connection.execute(f"drop table public.fleeting_{number}".encode())


def test_a_new_look_while_tables_come_and_go(world: World) -> None:
    statements = (b"create table public.fleeting (id int)", b"drop table public.fleeting")
    done = threading.Event()

    def come_and_go() -> None:
        with psycopg.connect(world.database, autocommit=True) as connection:
            while not done.is_set():
                for statement in statements:
                    connection.execute(statement)

    world.changed = True
    other = threading.Thread(target=come_and_go)
    other.start()
    try:
        assert {world.control.send("POST", "/reload").status for _ in range(40)} == {204}
    finally:
        done.set()
        other.join()
