"""Replays vectors: requests with the answers a real server gave. Only where OFFLINE_VECTORS names their folder."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support import KEY, SECRET, Answer, Number, World, lossless, quoted, running_server, scratch_database
from vector_database import SCHEMA, Restorer, fill

from devserver.settings import Settings

FOLDER = os.environ.get("OFFLINE_VECTORS")

pytestmark = pytest.mark.skipif(not FOLDER, reason="OFFLINE_VECTORS does not name a folder with vectors")

KNOWN_DIFFERENCES: dict[str, str] = {}
"""id → why this server's answer differs. Those that are not listed here and differ are reported."""

_SETTING: dict[str, str] = {
    "db-max-rows": "max_rows",
    "db-aggregates-enabled": "aggregates",
    "db-tx-end": "tx_end",
}


@pytest.fixture(scope="module")
def vector_world(cluster: str) -> Iterator[World]:
    # The collation under which the vectors' text order was computed.
    options = "encoding 'UTF8' locale_provider libc lc_collate 'C.UTF-8' lc_ctype 'C.UTF-8'"
    name = f"devserver_vectors_{secrets.token_hex(4)}"
    with scratch_database(cluster, name, options) as database:
        fill(database, Path(FOLDER or "") / "postgrest-tables.json")
        settings = Settings(
            database,
            SECRET,
            KEY,
            schemas=[SCHEMA],
            extra_search_path=["public"],
            max_rows=None,
            safe_update=False,
        )
        with running_server(settings) as world:
            yield world


def load(name: str) -> list[dict[str, Any]]:
    vectors: list[dict[str, Any]] = lossless((Path(FOLDER or "") / name).read_bytes())
    return vectors


def test_reads_agree(vector_world: World) -> None:
    vectors = load("postgrest-filters.json")
    differences: dict[str, str] = {}
    for vector in vectors:
        with configured(vector_world, vector):
            difference = _difference(vector, ask(vector_world, vector))
        if difference:
            differences[vector["id"]] = difference
    _report("reads", len(vectors), differences)


def test_writes_agree(vector_world: World) -> None:
    vectors = load("postgrest-writes.json")
    restorer = Restorer(vector_world.database, Path(FOLDER or "") / "postgrest-tables.json")
    differences: dict[str, str] = {}
    for vector in vectors:
        with configured(vector_world, vector):
            answer = ask(vector_world, vector)
        difference = _write_difference(vector, answer, restorer)
        if difference:
            differences[vector["id"]] = difference
        restorer.restore(vector["table"])
    restorer.close()
    _report("writes", len(vectors), differences)


@contextlib.contextmanager
def configured(world: World, vector: dict[str, Any]) -> Iterator[None]:
    """The server as the vector's answer supposes it to be set."""
    before = world.server.settings.changeable()
    changes = {
        _SETTING[name]: int(value) if name == "db-max-rows" else value
        for name, value in vector.get("serverConfig", {}).items()
        # url-use-legacy-target-names is not known here: an alias always goes before the name beside it.
        if name in _SETTING
    }
    if changes:
        world.settings(**changes)
    yield
    if changes:
        world.settings(**before)


def ask(world: World, vector: dict[str, Any]) -> Answer:
    body = vector.get("rawBody")
    if body is None and "body" in vector:
        body = written(vector["body"])
    target = f"/rest/v1/{quoted(vector['table'])}?{vector['query']}"
    headers = vector.get("requestHeaders", {})
    return world.client.send(vector.get("method", "GET"), target, body, headers)


def written(value: Any) -> str:
    """JSON text with every number as it was."""
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(k)}:{written(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(written(v) for v in value) + "]"
    return json.dumps(value)


def _write_difference(vector: dict[str, Any], answer: Answer, restorer: Restorer) -> str | None:
    difference = _difference(vector | {"expected": None}, answer)
    if difference:
        return difference
    for name in vector.get("absentHeaders", []):
        if name in answer.headers:
            return f"{name} is there: {answer.headers[name]}"
    expected = vector.get("expectedBody")
    if expected == "" and answer.raw:
        return f"a body: {answer.text}"
    if isinstance(expected, list):
        rows = lossless(answer.raw)
        if "order=" not in vector["query"]:
            rows, expected = sorted(rows, key=repr_of), sorted(expected, key=repr_of)
        if rows != expected:
            return f"{rows!r} instead of {expected!r}"[:600]
    elif (
        isinstance(expected, dict)
        and "code" not in expected
        and lossless(answer.raw) != expected
        or isinstance(expected, dict)
        and lossless(answer.raw).get("code") != expected.get("code")
    ):
        return f"{answer.text} instead of {expected!r}"[:600]
    after = vector["rowsAfter"]
    if after == "has generated ids" or "columns" not in vector:
        return None
    if after == "unchanged":
        after = vector["rows"]
    kept = lossless(restorer.rows(vector["table"], list(vector["columns"])))
    if sorted(kept, key=repr_of) != sorted(after, key=repr_of):
        return f"rows after: {kept!r} instead of {after!r}"[:600]
    return None


def _report(what: str, total: int, differences: dict[str, str]) -> None:
    agreeing = total - len(differences)
    print(f"\n{what}: {agreeing} of {total} vectors agree")
    for name, difference in differences.items():
        print(f"  {name}: {KNOWN_DIFFERENCES.get(name, 'NOT EXPLAINED')}: {difference}")
    assert agreeing >= 0.95 * total
    unexplained = sorted(set(differences) - set(KNOWN_DIFFERENCES))
    assert not unexplained, f"differences without an explanation: {unexplained}"


def _difference(vector: dict[str, Any], answer: Answer) -> str | None:
    """What is not as the vector says, or None."""
    status = int(vector.get("expectedStatus", 200))
    if answer.status != status:
        return f"status {answer.status} instead of {status}: {answer.text[:200]}"
    for name, value in vector.get("expectedHeaders", {}).items():
        if name != "Content-Length" and answer.headers.get(name) != value:
            return f"{name} {answer.headers.get(name)!r} instead of {value!r}"
    body: Any = lossless(answer.raw) if answer.raw else None
    code = vector.get("expectedCode")
    if code is not None:
        return None if body.get("code") == code else f"code {body.get('code')} instead of {code}"
    if vector.get("expected") is None:
        return None
    expected, rows = vector["expected"], body
    if vector.get("embedOrder") == "none":
        expected, rows = ([_without_inner_order(row) for row in r] for r in (expected, rows))
    if vector.get("order") != "total":
        # Ties may come in any sequence; what the order itself says is covered by the total ones.
        expected, rows = sorted(expected, key=repr_of), sorted(rows, key=repr_of)
    if expected != rows:
        return f"{rows!r} instead of {expected!r}"[:600]
    return None


def _without_inner_order(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            key: sorted((_without_inner_order(v) for v in inner), key=repr_of)
            if isinstance(inner, list)
            else _without_inner_order(inner)
            for key, inner in value.items()
        }
    return value


def repr_of(value: Any) -> str:
    """A text to sort by, the same whatever sequence the keys of an object come in."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{k}:{repr_of(value[k])}" for k in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(repr_of(v) for v in value) + "]"
    return repr(value)
