"""Reads: what each part of a query string does, on the demo's rows and on tables of these tests' own."""

from __future__ import annotations

import time
from collections.abc import Iterator

import psycopg
import pytest
from support import World, quoted

TABLES = """
create table public.shelves (id int primary key, label text);
create table public.books (
  id int primary key, shelf_id int references public.shelves, title text, price numeric, tags text[],
  meta jsonb, big bigint, again_id int references public.books
);
create table public.authors (id int primary key, name text);
create table public.book_authors (
  book_id int references public.books, author_id int references public.authors, primary key (book_id, author_id)
);
insert into public.shelves values (1, 'upper'), (2, 'lower'), (3, 'empty');
insert into public.books values
  (1, 1, 'Ähre', 1.50, '{a,"b c"}', '{"n": 1.0, "in": {"k": "v"}}', 9007199254740993, null),
  (2, 1, 'birch, white', 10, '{}', '[1, 2]', -1, 1),
  (3, 2, 'Cedar', null, null, null, null, 1),
  (4, null, 'x*y%', 0.0, '{a}', '"s"', 0, null);
insert into public.authors values (1, 'Noor'), (2, 'Emil');
insert into public.book_authors values (1, 1), (1, 2), (2, 2);
"""


@pytest.fixture(scope="module")
def leaves_nothing(shared_world: World) -> Iterator[None]:
    yield
    shared_world.control.send("POST", "/reset")


@pytest.fixture
def library(world: World, leaves_nothing: None) -> World:
    """The tables of this file. They are made anew only after a test that changed something."""
    if world.client.send("HEAD", "/rest/v1/books").status == 404:
        world.sql(TABLES)
        world.changed = False
    return world


def ids(world: World, query: str) -> list[int]:
    answer = world.client.get(f"/rest/v1/books?select=id&order=id&{query}")
    assert answer.status == 200, answer.text
    return [row["id"] for row in answer.json]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("id=eq.2", [2]),
        ("id=neq.2", [1, 3, 4]),
        ("price=gt.1.5", [2]),
        ("price=gte.1.5", [1, 2]),
        ("price=not.gte.1.5", [4]),
        ("price=is.null", [3]),
        ("price=is.not_null", [1, 2, 4]),
        ("price=eq.1.5000", [1]),
        ("big=gt.9007199254740992", [1]),
        ("id=in.(1,3)", [1, 3]),
        ("id=in.()", []),
        ("id=not.in.()", [1, 2, 3, 4]),
        ("title=in.(" + quoted('"birch, white"') + ",Cedar)", [2, 3]),
        ("title=like.*r*", [1, 2, 3]),
        ("title=ilike." + quoted("ä") + "*", [1]),
        ("title=like." + quoted("x_y\\%"), [4]),
        ("title=match.^C", [3]),
        ("title=imatch.^c", [3]),
        ("tags=cs.{a}", [1, 4]),
        ("tags=cd.{a}", [2, 4]),
        ("tags=ov." + quoted('{"b c",z}'), [1]),
        ("id=eq(any).{1,4}", [1, 4]),
        ("id=gt(all).{1,2}", [3, 4]),
        ("title=like(any).{C*,x*}", [3, 4]),
        ("price=isdistinct.10", [1, 3, 4]),
        ("meta->n=eq.1", [1]),
        ("meta->in->>k=eq.v", [1]),
        ("meta->>0=eq.1", [2]),
        ("tags->>1=eq.b c", [1]),
        ("or=(id.eq.1,and(id.gt.2,price.is.null))", [1, 3]),
        ("not.or=(id.eq.1,id.eq.2)", [3, 4]),
        ("or=(title.eq." + quoted('"birch, white"') + ",id.in.(3,4))", [2, 3, 4]),
        ("title=fts.cedar", [3]),
        ("id=gte.2&id=lte.3", [2, 3]),
    ],
)
def test_filters(library: World, query: str, expected: list[int]) -> None:
    assert ids(library, query.replace(" ", "%20")) == expected


def test_numbers_and_json_come_as_postgresql_writes_them(library: World) -> None:
    answer = library.client.get("/rest/v1/books?select=big,price,meta&id=eq.1")
    assert answer.text == '[{"big":9007199254740993,"price":1.50,"meta":{"n": 1.0, "in": {"k": "v"}}}]'


@pytest.mark.parametrize(
    ("select", "expected"),
    [
        ("number:id,title", {"number": 1, "title": "Ähre"}),
        ("id::text", {"id": "1"}),
        ("meta->in->>k", {"k": "v"}),
        ("first:tags->>0", {"first": "a"}),
        ("shelves(label)", {"shelves": {"label": "upper"}}),
        ("shelf:shelf_id(label)", {"shelf": {"label": "upper"}}),
        ("shelves!books_shelf_id_fkey(label)", {"shelves": {"label": "upper"}}),
        ("...shelves(label)", {"label": "upper"}),
        ("authors(name)&authors.order=name", {"authors": [{"name": "Emil"}, {"name": "Noor"}]}),
        ("authors(name)&authors.name=eq.Noor", {"authors": [{"name": "Noor"}]}),
        ("...authors(names:name)&authors.order=name", {"names": ["Emil", "Noor"]}),
        ("books(id)&books.order=id.desc&books.limit=1", {"books": [{"id": 3}]}),
        ("shelves(books(id))&shelves.books.order=id", {"shelves": {"books": [{"id": 1}, {"id": 2}]}}),
    ],
)
def test_select(library: World, select: str, expected: dict[str, object]) -> None:
    assert library.client.get(f"/rest/v1/books?id=eq.1&select={select}").json == [expected]


def test_inner_embeds_drop_parents(library: World) -> None:
    answer = library.client.get("/rest/v1/shelves?select=id,books!inner(id)&books.price=gt.5&order=id")
    assert answer.json == [{"id": 1, "books": [{"id": 2}]}]
    answer = library.client.get("/rest/v1/shelves?select=id,books()&books=is.null")
    assert answer.json == [{"id": 3}]


def test_order_by_a_related_row(library: World) -> None:
    answer = library.client.get(
        "/rest/v1/books?select=id,shelves(label)&order=shelves(label).desc.nullslast,id.desc"
    )
    assert [row["id"] for row in answer.json] == [2, 1, 3, 4]


def test_text_order_is_that_of_hosted_projects(library: World) -> None:
    library.sql("insert into public.shelves values (4, 'Lower'), (5, '_z'), (6, 'über')")
    answer = library.client.get("/rest/v1/shelves?select=label&order=label")
    words = [row["label"] for row in answer.json]
    assert words == ["_z", "empty", "lower", "Lower", "über", "upper"]


@pytest.mark.parametrize(
    ("query", "headers", "status", "content_range", "expected"),
    [
        ("", {}, 200, "0-3/*", [1, 2, 3, 4]),
        ("limit=2&offset=1", {}, 200, "1-2/*", [2, 3]),
        ("limit=2", {"Prefer": "count=exact"}, 206, "0-1/4", [1, 2]),
        ("limit=9", {"Prefer": "count=exact"}, 200, "0-3/4", [1, 2, 3, 4]),
        ("offset=4", {"Prefer": "count=exact"}, 206, "*/4", []),
        ("limit=0", {}, 200, "*/*", []),
        ("", {"Range": "1-2", "Range-Unit": "items"}, 200, "1-2/*", [2, 3]),
        ("", {"Range": "items=1-2"}, 200, "0-3/*", [1, 2, 3, 4]),
        ("limit=x&offset=-3", {}, 200, "0-3/*", [1, 2, 3, 4]),
    ],
)
def test_pages(
    library: World,
    query: str,
    headers: dict[str, str],
    status: int,
    content_range: str,
    expected: list[int],
) -> None:
    answer = library.client.send("GET", f"/rest/v1/books?select=id&order=id&{query}", headers=headers)
    assert (answer.status, answer.headers["Content-Range"]) == (status, content_range)
    assert [row["id"] for row in answer.json] == expected


def test_pages_that_cannot_be(library: World) -> None:
    behind = library.client.get("/rest/v1/books?offset=5", Prefer="count=exact")
    assert (behind.status, behind.code) == (416, "PGRST103")
    assert behind.headers["Content-Range"] == "*/4"
    assert library.client.get("/rest/v1/books?limit=-1").status == 416
    assert library.client.get("/rest/v1/books", Range="3-1").status == 416


def test_the_cap_on_rows_reaches_embeds(library: World) -> None:
    library.settings(max_rows=1)
    answer = library.client.get("/rest/v1/shelves?select=id,books(id)&order=id", Prefer="count=exact")
    assert (answer.status, answer.headers["Content-Range"]) == (206, "0-0/3")
    assert len(answer.json[0]["books"]) == 1


def test_estimates(library: World) -> None:
    library.sql("analyze public.books")
    planned = library.client.get("/rest/v1/books?limit=1", Prefer="count=planned")
    assert planned.headers["Content-Range"] == "0-0/4"
    estimated = library.client.get("/rest/v1/books?limit=1", Prefer="count=estimated")
    assert estimated.headers["Content-Range"] == "0-0/4"
    assert estimated.headers["Preference-Applied"] == "count=estimated"


def test_head_has_the_headers_alone(library: World) -> None:
    answer = library.client.send("HEAD", "/rest/v1/books", headers={"Prefer": "count=exact"})
    assert (answer.status, answer.headers["Content-Range"], answer.raw) == (200, "0-3/4", b"")


def test_one_object(library: World) -> None:
    accept = "application/vnd.pgrst.object+json"
    answer = library.client.get("/rest/v1/books?select=id,price&id=eq.3", Accept=accept)
    assert answer.json == {"id": 3, "price": None}
    assert answer.headers["Content-Type"].startswith(accept)
    stripped = library.client.get("/rest/v1/books?select=id,price&id=eq.3", Accept=accept + ";nulls=stripped")
    assert stripped.json == {"id": 3}
    for query in ("", "?id=eq.0"):
        refused = library.client.get(f"/rest/v1/books{query}", Accept=accept)
        assert (refused.status, refused.code) == (406, "PGRST116")
    assert "4 rows" in library.client.get("/rest/v1/books", Accept=accept).json["details"]


@pytest.mark.parametrize(
    ("target", "status", "code"),
    [
        ("books?id=1", 400, "PGRST100"),
        ("books?or=()", 400, "PGRST100"),
        ("books?order=id.sideways", 400, "PGRST100"),
        ("books?select=id,(", 400, "PGRST100"),
        ("books?authors.name=eq.x", 400, "PGRST108"),
        ("shelves?select=id,books(id)&order=books(id)", 400, "PGRST118"),
        ("books?select=id.sum()", 400, "PGRST123"),
        ("books?select=id,nothing(id)", 400, "PGRST200"),
        ("nowhere", 404, "PGRST205"),
        ("rpc/nothing", 404, "PGRST202"),
        ("a/b", 404, "PGRST125"),
        ("books?id=eq.x", 400, "22P02"),
        ("books?id=like.x", 404, "42883"),
        ("books?nothing=eq.1", 400, "42703"),
        ("books?title=eq.%00", 400, "22021"),
    ],
)
def test_errors(library: World, target: str, status: int, code: str) -> None:
    answer = library.client.rest("GET", target)
    assert (answer.status, answer.code) == (status, code)
    assert set(answer.json) == {"code", "message", "details", "hint"}
    assert answer.headers["Proxy-Status"] == f"PostgREST; error={code}"


def test_several_relationships_are_named(library: World) -> None:
    library.sql("alter table public.books add second_shelf int references public.shelves")
    answer = library.client.get("/rest/v1/books?select=id,shelves(label)")
    assert (answer.status, answer.code) == (300, "PGRST201")
    assert [d["cardinality"] for d in answer.json["details"]] == ["many-to-one"] * 2
    assert "shelves!books_shelf_id_fkey" in answer.json["hint"]


def test_schemas(world: World) -> None:
    default = world.ada.get("/rest/v1/tasks?select=title&order=title&limit=1")
    archived = world.ada.get("/rest/v1/tasks?select=title", Accept_Profile="archive")
    assert default.json == [{"title": "Answer Mr. Babbage"}]
    assert archived.json == [{"title": "Learn the calculus"}]
    assert archived.headers["Content-Profile"] == "archive"
    hidden = world.ada.get("/rest/v1/users", Accept_Profile="auth")
    assert (hidden.status, hidden.code) == (406, "PGRST106")


def test_media_types_and_preferences_that_are_not_known(world: World) -> None:
    assert world.client.get("/rest/v1/announcements", Accept="text/csv").code == "PGRST107"
    lenient = world.client.get("/rest/v1/announcements", Prefer="nonsense=1")
    assert lenient.status == 200 and "Preference-Applied" not in lenient.headers
    strict = world.client.get("/rest/v1/announcements", Prefer="handling=strict, nonsense=1")
    assert (strict.status, strict.code) == (400, "PGRST122")


def test_time_zone(world: World) -> None:
    answer = world.client.get(
        "/rest/v1/announcements?select=created_at&id=eq.1", Prefer="timezone=Asia/Tokyo"
    )
    assert answer.json == [{"created_at": "2026-01-01T09:00:00+09:00"}]
    assert answer.headers["Preference-Applied"] == "timezone=Asia/Tokyo"


def test_reads_cannot_write(library: World) -> None:
    library.sql(
        "create sequence public.sly_seq; create view public.sly as select nextval('public.sly_seq') as n"
    )
    answer = library.client.get("/rest/v1/sly")
    assert (answer.status, answer.code) == (405, "25006")


def test_time_limits_are_those_of_the_role(library: World) -> None:
    library.sql("create view public.slow as select 1 as n from pg_sleep(0.4)")
    before = library.sql("select rolconfig from pg_roles where rolname = 'anon'")[0][0]
    assert before == ["statement_timeout=3s"]
    assert library.client.get("/rest/v1/slow").status == 200
    library.sql("alter role anon set statement_timeout = '100ms'")
    try:
        library.control.send("POST", "/reload")
        answer = library.client.get("/rest/v1/slow")
        assert (answer.status, answer.code) == (500, "57014")
        assert library.ada.get("/rest/v1/slow").status == 200
    finally:
        library.sql("alter role anon set statement_timeout = '3s'")


def test_a_new_table_is_noticed_without_being_told(world: World) -> None:
    world.changed = True
    with psycopg.connect(world.database, autocommit=True) as connection:
        connection.execute("create table public.fresh (id int primary key)")
    for _ in range(50):
        if world.client.get("/rest/v1/fresh").status == 200:
            return
        time.sleep(0.05)
    raise AssertionError("the new table was not noticed")
