"""Writes: insert, upsert, update, delete and put, with their statuses and preferences."""

from __future__ import annotations

from typing import Any

import pytest
from support import ADA, World

NEW = "d0000000-0000-4000-8000-00000000000"
FIRST = "b0000000-0000-4000-8000-000000000001"


def titles(world: World) -> list[str]:
    return [row["title"] for row in world.ada.get("/rest/v1/tasks?select=title&order=id").json]


def test_insert(world: World) -> None:
    answer = world.ada.rest("POST", "tasks", {"id": NEW + "1", "title": "one"})
    assert (answer.status, answer.raw, answer.headers["Content-Range"]) == (201, b"", "*/*")
    assert answer.headers["Content-Length"] == "0"
    assert "Content-Type" not in answer.headers
    answer = world.ada.rest(
        "POST",
        "tasks?select=title,user_id",
        [{"id": NEW + "2", "title": "two"}, {"id": NEW + "3", "title": "three"}],
        Prefer="return=representation, count=exact",
    )
    assert answer.json == [{"title": "two", "user_id": ADA}, {"title": "three", "user_id": ADA}]
    assert answer.headers["Content-Range"] == "*/2"
    assert answer.headers["Preference-Applied"] == "return=representation, count=exact"
    minimal = world.ada.rest("POST", "tasks", {"id": NEW + "4", "title": "x"}, Prefer="return=headers-only")
    assert minimal.headers["Location"] == f"/tasks?id=eq.{NEW}4"


def test_insert_with_embeds(world: World) -> None:
    photo = {"id": NEW + "1", "task_id": FIRST, "object_path": "p"}
    answer = world.ada.rest(
        "POST", "task_photos?select=object_path,tasks(title)", photo, Prefer="return=representation"
    )
    assert answer.json == [{"object_path": "p", "tasks": {"title": "Write the first program"}}]


def test_columns_and_missing(world: World) -> None:
    rows = [{"id": NEW + "1", "title": "a", "ignored": 1}, {"id": NEW + "2", "title": "b", "done": True}]
    refused = world.ada.rest("POST", "tasks?columns=id,title,done", rows)
    assert refused.code == "23502"  # done is null in the first
    answer = world.ada.rest(
        "POST",
        "tasks?columns=id,title,done&select=done",
        rows,
        Prefer="return=representation, missing=default",
    )
    assert answer.json == [{"done": False}, {"done": True}]
    assert answer.headers["Preference-Applied"] == "missing=default, return=representation"


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ("", 400, "PGRST102"),
        ("{", 400, "PGRST102"),
        ([{"id": NEW + "1"}, {"title": "x"}], 400, "PGRST102"),
        ({"nothing": 1}, 400, "PGRST204"),
        ({"id": NEW + "1"}, 400, "23502"),
        ({"id": FIRST, "title": "again"}, 409, "23505"),
        ({"id": "x", "title": "y"}, 400, "22P02"),
    ],
)
def test_inserts_that_are_refused(world: World, body: Any, status: int, code: str) -> None:
    answer = world.ada.rest("POST", "tasks", body)
    assert (answer.status, answer.code) == (status, code)


def test_a_missing_parent(world: World) -> None:
    photo = {"id": NEW + "1", "task_id": NEW + "9", "object_path": "p"}
    answer = world.ada.rest("POST", "task_photos", photo)
    assert (answer.status, answer.code) == (409, "23503")


def test_several_rows_are_all_or_none(world: World) -> None:
    before = titles(world)
    rows = [{"id": NEW + "1", "title": "a"}, {"id": FIRST, "title": "b"}]
    assert world.ada.rest("POST", "tasks", rows).code == "23505"
    assert titles(world) == before
    assert world.ada.rest("POST", "tasks", []).status == 201


def test_upsert(world: World) -> None:
    merge = "resolution=merge-duplicates"
    changed = world.ada.rest("POST", "tasks", {"id": FIRST, "title": "new"}, Prefer=merge)
    assert (changed.status, changed.headers["Preference-Applied"]) == (200, merge)
    mixed = [{"id": FIRST, "title": "newer"}, {"id": NEW + "1", "title": "more"}]
    assert world.ada.rest("POST", "tasks", mixed, Prefer=merge).status == 201
    assert titles(world)[0] == "newer"
    twice = [{"id": FIRST, "title": "a"}, {"id": FIRST, "title": "b"}]
    refused = world.ada.rest("POST", "tasks", twice, Prefer=merge)
    assert (refused.status, refused.code) == (500, "21000")
    ignored = world.ada.rest(
        "POST",
        "tasks",
        {"id": FIRST, "title": "no"},
        Prefer="resolution=ignore-duplicates, return=representation",
    )
    assert (ignored.status, ignored.json) == (201, [])
    no_target = world.ada.rest("POST", "tasks?on_conflict=title", {"id": FIRST, "title": "x"}, Prefer=merge)
    assert (no_target.status, no_target.code) == (400, "42P10")


def test_update(world: World) -> None:
    answer = world.ada.rest("PATCH", f"tasks?id=eq.{FIRST}", {"done": True})
    assert (answer.status, answer.raw, answer.headers["Content-Range"]) == (204, b"", "0-0/*")
    assert "Content-Type" not in answer.headers and "Content-Length" not in answer.headers
    answer = world.ada.rest(
        "PATCH",
        "tasks?or=(done.is.false,priority.eq.3)&select=title,done&order=title",
        {"done": True},
        Prefer="return=representation, count=exact",
    )
    assert answer.status == 200
    assert [row["title"] for row in answer.json] == ["Answer Mr. Babbage", "Order punched cards"]
    assert answer.headers["Content-Range"] == "0-1/2"
    empty = world.ada.rest("PATCH", f"tasks?id=eq.{FIRST}", {}, Prefer="return=representation")
    assert (empty.status, empty.json) == (200, [])
    assert world.ada.rest("PATCH", f"tasks?id=eq.{FIRST}", {"x": 1}).code == "PGRST204"


def test_compare_and_set(world: World) -> None:
    query = f"tasks?id=eq.{FIRST}&priority=eq.1"
    won = world.ada.rest("PATCH", query, {"priority": 2}, Prefer="return=representation")
    lost = world.ada.rest("PATCH", query, {"priority": 3}, Prefer="return=representation")
    assert (len(won.json), lost.json) == (1, [])


def test_delete(world: World) -> None:
    answer = world.ada.rest("DELETE", f"tasks?id=eq.{FIRST}")
    assert (answer.status, answer.headers["Content-Range"]) == (204, "*/*")
    again = world.ada.rest("DELETE", f"tasks?id=eq.{FIRST}", Prefer="return=representation")
    assert (again.status, again.json) == (200, [])


@pytest.mark.parametrize(("method", "verb"), [("PATCH", "UPDATE"), ("DELETE", "DELETE")])
def test_without_a_filter(world: World, method: str, verb: str) -> None:
    answer = world.ada.rest(method, "tasks", {"title": "x"} if method == "PATCH" else None)
    assert (answer.status, answer.code) == (400, "21000")
    assert answer.json["message"] == f"{verb} requires a WHERE clause"


def test_no_more_than_allowed(world: World) -> None:
    before = titles(world)
    answer = world.ada.rest(
        "PATCH", "tasks?id=not.is.null", {"title": "x"}, Prefer="handling=strict, max-affected=2"
    )
    assert (answer.status, answer.code) == (400, "PGRST124")
    one = world.ada.rest(
        "PATCH",
        "tasks?id=not.is.null",
        {"title": "x"},
        Accept="application/vnd.pgrst.object+json",
        Prefer="return=representation",
    )
    assert (one.status, one.code) == (406, "PGRST116")
    assert titles(world) == before


def test_how_a_transaction_ends(world: World) -> None:
    task = {"id": NEW + "1", "title": "dry"}
    kept = world.ada.rest("POST", "tasks", task, Prefer="tx=rollback")
    assert (kept.status, "Preference-Applied" in kept.headers) == (201, False)
    assert "dry" in titles(world)
    world.settings(tx_end="commit-allow-override")
    task["id"] = NEW + "2"
    dropped = world.ada.rest("POST", "tasks", task, Prefer="tx=rollback")
    assert dropped.headers["Preference-Applied"] == "tx=rollback"
    assert titles(world).count("dry") == 1


def test_put(world: World) -> None:
    body = {"id": 7, "body": "seven"}
    service = world.client.signed_in(ADA, role="service_role")
    target = "announcements?id=eq.7"
    made = service.rest("PUT", target, body, Prefer="return=representation")
    assert made.status == 201
    assert service.rest("PUT", target, body, Prefer="return=representation").status == 200
    assert service.rest("PUT", target, body).status == 204
    assert service.rest("PUT", "announcements?id=eq.8", body).code == "PGRST115"
    assert service.rest("PUT", "announcements?id=gt.7", body).code == "PGRST105"


def test_a_function_words_its_own_error(world: World) -> None:
    world.sql(
        """create function public.refuse() returns trigger language plpgsql as $$ begin
        if new.title = 'pt' then raise sqlstate 'PT418' using message = 'teapot'; end if;
        if new.title = 'p0' then raise exception 'plain' using detail = 'd', hint = 'h'; end if;
        raise sqlstate 'PGRST' using message = '{"code":"mine","message":"m","details":"d","hint":"h"}',
          detail = '{"status":402,"headers":{"X-Mine":"1"}}';
        end $$;
        create trigger refuse before insert on public.tasks for each row execute function public.refuse()"""
    )
    teapot = world.ada.rest("POST", "tasks", {"id": NEW + "1", "title": "pt"})
    assert (teapot.status, teapot.json["message"]) == (418, "teapot")
    plain = world.ada.rest("POST", "tasks", {"id": NEW + "1", "title": "p0"})
    assert (plain.status, plain.json) == (
        400,
        {"code": "P0001", "message": "plain", "details": "d", "hint": "h"},
    )
    own = world.ada.rest("POST", "tasks", {"id": NEW + "1", "title": "own"})
    assert (own.status, own.code, own.headers["X-Mine"]) == (402, "mine", "1")
