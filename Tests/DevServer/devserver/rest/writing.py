"""POST, PATCH, DELETE and PUT on a table."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from aiohttp import web

from ..catalog import Column
from ..errors import RestError
from ..quoting import identifier, literal, qualified
from .answering import Call
from .model import Compare, Filter, Query
from .plan import Node, plan
from .ranges import content_range
from .statements import body_sql, condition_sql, select_sql, where_sql

_BOTH = {"return", "missing"}
_LIMITED = {"max-affected"}


@dataclass
class Payload:
    """A JSON body. `text` goes to PostgreSQL as it came, so that no number is read on the way."""

    text: str
    columns: list[Column]
    rows: int
    """How many rows it stands for; a scalar stands for none."""


async def read_payload(call: Call) -> Payload:
    content_type = call.incoming.content_type
    if content_type not in ("application/json", "application/octet-stream"):
        raise RestError(400, "PGRST102", f"Content-Type not acceptable: {content_type}")
    try:
        text = (await call.incoming.read()).decode()
        value = json.loads(text)
    except ValueError as error:
        raise RestError(400, "PGRST102", "Empty or invalid json") from error
    elements = value if isinstance(value, list) else [value]
    if not all(isinstance(element, dict) for element in elements):
        if isinstance(value, list):
            raise RestError(400, "PGRST102", "All object keys must match")
        return Payload("[]", [], 0)
    names = call.query.columns
    if names is None:
        keys = set(elements[0]) if elements else set()
        if any(set(element) != keys for element in elements):
            raise RestError(400, "PGRST102", "All object keys must match")
        names = tuple(elements[0]) if elements else ()
    return Payload(text, [_column(call, name) for name in names], len(elements))


def _column(call: Call, name: str) -> Column:
    column = call.table.columns.get(name)
    if column is None:
        raise RestError(
            400,
            "PGRST204",
            f"Could not find the '{name}' column of '{call.table.name}' in the schema cache",
        )
    return column


def _payload_source(call: Call, payload: Payload, *, one: bool) -> str:
    """A FROM item `pgrst_body` with the payload's rows, read by PostgreSQL by the columns' types."""
    body = f"{literal(payload.text)}::json"
    rows = f"CASE WHEN json_typeof({body}) = 'array' THEN {body} ELSE json_build_array({body}) END"
    function = "json_to_recordset"
    if call.preferences.get("missing") == "default":
        defaults = [c for c in payload.columns if c.default is not None]
        if defaults:
            given = ", ".join(f"{literal(c.name)}, {c.default}" for c in defaults)
            function = "jsonb_to_recordset"
            rows = (
                f"(SELECT jsonb_agg(jsonb_build_object({given}) || element) "
                f"FROM jsonb_array_elements(({rows})::jsonb) element)"
            )
    columns = ", ".join(f"{identifier(c.name)} {c.type}" for c in payload.columns)
    limit = " LIMIT 1" if one else ""
    return f"(SELECT * FROM {function}({rows}) AS _({columns}){limit}) pgrst_body"


# Returning


class Returning:
    """What a write gives back: the rows with their embeds, or only what the answer's headers need."""

    def __init__(self, call: Call, query: Query | None = None) -> None:
        self.call = call
        self.wants_rows = call.preferences.get("return") == "representation"
        self.node: Node | None = None
        if self.wants_rows:
            source = query or call.query
            inner = Query(
                source.select,
                [(path, condition) for path, condition in source.conditions if path],
                source.orders,
                {path: limit for path, limit in source.limits.items() if path},
                {path: offset for path, offset in source.offsets.items() if path},
            )
            self.node = plan(
                call.catalog, call.table, inner, max_rows=None, aggregates=call.settings.aggregates
            )
            self.node.source = f"pgrst_source AS {identifier(call.table.name)}"
            self.node.reference = identifier(call.table.name)

    @property
    def clause(self) -> str:
        """Names only what is needed: a role may be allowed to write a row and not to read all of it."""
        if self.node is None:
            if self.call.preferences.get("return") == "headers-only" and self.call.table.primary_key:
                return "RETURNING " + ", ".join(self._own(n) for n in self.call.table.primary_key)
            return "RETURNING 1"
        if any(item.is_star for item in self.node.fields()):
            return f"RETURNING {self._own_reference}.*"
        needed = [item.field.name for item in self.node.fields() if item.field.name != "*"]
        needed += [term.field.name for term in self.node.order if term.relation is None]
        for embed in self.node.embeds():
            junction = embed.relationship.junction
            if junction:
                needed += junction.to_origin.referenced_columns
            else:
                needed += [origin for origin, _ in embed.relationship.pairs]
        return "RETURNING " + (", ".join(self._own(n) for n in dict.fromkeys(needed)) or "1")

    @property
    def _own_reference(self) -> str:
        return qualified(self.call.table.schema, self.call.table.name)

    def _own(self, column: str) -> str:
        return f"{self._own_reference}.{identifier(column)}"

    def statement(self, write: str) -> str:
        """Columns: rows written, body or null, inserted less updated, key of the row written."""
        body, page = "null::text", "pgrst_source"
        if self.node is not None:
            media = self.call.media
            body = body_sql(single=media.single, strip_nulls=media.strip_nulls)
            page = select_sql(self.node)
        location = "null::text"
        if self.call.preferences.get("return") == "headers-only" and self.call.table.primary_key:
            location = (
                "(SELECT row_to_json(pgrst_key)::text FROM (SELECT * FROM pgrst_source LIMIT 1) pgrst_key)"
            )
        source = f"({page})" if self.node is not None else page
        return (
            f"WITH pgrst_source AS ({write} {self.clause}) "
            f"SELECT pg_catalog.count(*), {body}, "
            "coalesce(nullif(current_setting('pgrst.inserted', true), ''), '0')::int, "
            f"{location} FROM {source} pgrst_row"
        )


# The four methods


async def insert(call: Call) -> web.Response:
    payload = await read_payload(call)
    resolution = call.preferences.get("resolution")
    target = call.query.on_conflict or call.table.primary_key
    if not target:
        resolution = None
    returning = Returning(call)
    rows, body, inserted, location = await _run(
        call, returning.statement(_insert_sql(call, payload, resolution, target))
    )
    status = 200 if resolution == "merge-duplicates" and inserted <= 0 else 201
    headers = {}
    if call.preferences.get("return") == "headers-only" and rows == 1 and location:
        key = json.loads(location, parse_int=str, parse_float=str)
        headers["Location"] = f"/{quote(call.table.name)}?" + "&".join(
            f"{quote(name)}=eq.{quote(_as_filter(value))}" for name, value in key.items()
        )
    total = rows if call.preferences.get("count") else None
    return call.response(
        status,
        body,
        content_range=f"*/{'*' if total is None else total}",
        applied=_BOTH | ({"resolution"} if resolution else set()),
        headers=headers,
    )


def _as_filter(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


_COUNTED = "coalesce(nullif(current_setting('pgrst.inserted', true), '')::int, 0)"


def _insert_sql(
    call: Call,
    payload: Payload,
    resolution: str | None,
    target: tuple[str, ...],
    only: Sequence[str] = (),
) -> str:
    """`only`: conditions on the payload's rows, beyond which none is written."""
    table = qualified(call.table.schema, call.table.name)
    names = ", ".join(identifier(column.name) for column in payload.columns)
    # Counts rows up here and those that turn out to be updates down again below.
    counted = f"set_config('pgrst.inserted', ({_COUNTED} + 1)::text, true) <> '0'"
    if not payload.rows:
        sql = f"INSERT INTO {table} SELECT WHERE false"
    elif not payload.columns:
        sql = f"INSERT INTO {table} DEFAULT VALUES"
    else:
        values = ", ".join(f"pgrst_body.{identifier(c.name)}" for c in payload.columns)
        source = _payload_source(call, payload, one=False)
        # OFFSET 0 keeps the two apart: the counting must not see a row that another condition keeps out.
        rows = f"(SELECT * FROM {source}{where_sql(list(only))} OFFSET 0) pgrst_body" if only else source
        where = where_sql([counted] if resolution == "merge-duplicates" else [])
        sql = f"INSERT INTO {table} ({names}) SELECT {values} FROM {rows}{where}"
    if resolution is None:
        return sql
    conflict = f" ON CONFLICT ({', '.join(identifier(name) for name in target)})"
    if resolution == "ignore-duplicates" or not payload.columns or not payload.rows:
        return f"{sql}{conflict} DO NOTHING"
    changes = ", ".join(f"{identifier(c.name)} = EXCLUDED.{identifier(c.name)}" for c in payload.columns)
    uncounted = f"set_config('pgrst.inserted', ({_COUNTED} - 1)::text, true) <> '-1'"
    return f"{sql}{conflict} DO UPDATE SET {changes} WHERE {uncounted}"


async def update(call: Call) -> web.Response:
    payload = await read_payload(call)
    _refuse_unfiltered(call, "UPDATE")
    returning = Returning(call)
    table = qualified(call.table.schema, call.table.name)
    if payload.columns and payload.rows:
        changes = ", ".join(
            f"{identifier(c.name)} = pgrst_body.{identifier(c.name)}" for c in payload.columns
        )
        source = _payload_source(call, payload, one=True)
        statement = returning.statement(f"UPDATE {table} SET {changes} FROM {source}{_own_where(call)}")
        rows, body, _, _ = await _run(call, statement)
    else:
        rows, body = 0, "[]" if returning.wants_rows else None
        call.expect_one(rows)
    total = rows if call.preferences.get("count") else None
    return call.response(
        200 if returning.wants_rows else 204,
        body,
        content_range=content_range(0, rows, total),
        applied=_BOTH | _LIMITED,
    )


async def delete(call: Call) -> web.Response:
    _refuse_unfiltered(call, "DELETE")
    returning = Returning(call)
    table = qualified(call.table.schema, call.table.name)
    rows, body, _, _ = await _run(call, returning.statement(f"DELETE FROM {table}{_own_where(call)}"))
    total = rows if call.preferences.get("count") else None
    return call.response(
        200 if returning.wants_rows else 204,
        body,
        content_range=f"*/{'*' if total is None else total}",
        applied={"return"} | _LIMITED,
    )


async def put(call: Call) -> web.Response:
    """One whole row, named by its key in the URL and in the body."""
    conditions = call.query.root_conditions()
    wanted: dict[str, str] = {}
    for condition in conditions:
        if (
            isinstance(condition, Filter)
            and not condition.negated
            and not condition.field.path
            and isinstance(condition.operation, Compare)
            and condition.operation.operator == "eq"
            and condition.operation.quantifier is None
        ):
            wanted[condition.field.name] = condition.operation.value
    if len(wanted) != len(conditions) or set(wanted) != set(call.table.primary_key) or not wanted:
        raise RestError(
            405,
            "PGRST105",
            "Filters must include all and only primary key columns with 'eq' operators",
        )
    if call.query.limits or call.query.offsets:
        raise RestError(400, "PGRST114", "limit/offset querystring parameters are not allowed for PUT")
    payload = await read_payload(call)
    returning = Returning(call)
    given = {column.name for column in payload.columns}
    # The key in the body must be the key in the URL, compared as values of its type.
    same = [
        f"pgrst_body.{identifier(name)} = {literal(value)}" if name in given else "false"
        for name, value in wanted.items()
    ]
    write = _insert_sql(call, payload, "merge-duplicates", call.table.primary_key, same)
    async with call.database.request(call.request, call.hooks, read_only=False) as transaction:
        rows, body, inserted, _ = await transaction.fetch_one(returning.statement(write))
        if rows != 1:
            raise RestError(400, "PGRST115", "Payload values do not match URL in primary key column(s)")
        transaction.rollback = call.rolls_back
    status = 204 if not returning.wants_rows else 201 if inserted > 0 else 200
    return call.response(status, body, applied={"return"})


async def _run(call: Call, statement: str) -> tuple[Any, ...]:
    async with call.database.request(call.request, call.hooks, read_only=False) as transaction:
        row = await transaction.fetch_one(statement)
        call.expect_one(row[0])
        limit = call.preferences.max_affected if call.incoming.method != "POST" else None
        if limit is not None and row[0] > limit:
            raise RestError(
                400,
                "PGRST124",
                "Query result exceeds max-affected preference constraint",
                f"The query affects {row[0]} rows",
            )
        transaction.rollback = call.rolls_back
    return row


def _own_where(call: Call) -> str:
    reference = qualified(call.table.schema, call.table.name)
    node = Node(call.table, reference, reference)
    return where_sql([condition_sql(c, node) for c in call.query.root_conditions()])


def _refuse_unfiltered(call: Call, verb: str) -> None:
    if call.settings.safe_update and not call.query.root_conditions():
        raise RestError(400, "21000", f"{verb} requires a WHERE clause")
