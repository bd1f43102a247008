"""Replays vectors: requests with the answers a real server gave. Only where OFFLINE_VECTORS names their folder."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support import KEY, SECRET, Answer, World, lossless, quoted, running_server, scratch_database
from vector_database import SCHEMA, fill

from devserver.settings import Settings

FOLDER = os.environ.get("OFFLINE_VECTORS")

pytestmark = pytest.mark.skipif(not FOLDER, reason="OFFLINE_VECTORS does not name a folder with vectors")

KNOWN_DISAGREEMENTS: dict[str, str] = {}
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
    default = vector_world.server.settings.changeable()
    differences: dict[str, str] = {}
    for vector in vectors:
        configured = {
            _SETTING[name]: int(value) if name == "db-max-rows" else value
            for name, value in vector.get("serverConfig", {}).items()
            # url-use-legacy-target-names is not known here: an alias always goes before the name beside it.
            if name in _SETTING
        }
        if configured:
            vector_world.settings(**configured)
        headers = vector.get("requestHeaders", {})
        answer = vector_world.client.send(
            vector.get("method", "GET"),
            f"/rest/v1/{quoted(vector['table'])}?{vector['query']}",
            headers=headers,
        )
        difference = _difference(vector, answer)
        if difference:
            differences[vector["id"]] = difference
        if configured:
            vector_world.settings(**default)
    _report("reads", len(vectors), differences)


def _report(what: str, total: int, differences: dict[str, str]) -> None:
    agreeing = total - len(differences)
    print(f"\n{what}: {agreeing} of {total} vectors agree")
    for name, difference in differences.items():
        print(f"  {name}: {KNOWN_DISAGREEMENTS.get(name, 'NOT EXPLAINED')}: {difference}")
    assert agreeing >= 0.95 * total
    unexplained = sorted(set(differences) - set(KNOWN_DISAGREEMENTS))
    assert not unexplained, f"differences without an explanation: {unexplained}"
    mended = sorted(set(KNOWN_DISAGREEMENTS) - set(differences))
    assert not mended, f"these agree by now, take them off the list: {mended}"


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
