"""GET and HEAD on a table."""

from __future__ import annotations

from aiohttp import web

from ..database import Transaction
from .answering import Call
from .plan import Node, plan
from .ranges import apply_range_header, content_range, read_status
from .statements import read_sql, select_sql


async def read(call: Call) -> web.Response:
    settings = call.settings
    node = plan(
        call.catalog,
        call.table,
        call.query,
        max_rows=settings.max_rows,
        aggregates=settings.aggregates,
    )
    if call.incoming.method == "GET":
        apply_range_header(node, call.incoming.headers.get("Range"))
    count = call.preferences.get("count")
    # An estimate counts for itself up to the cap on rows, and asks the planner beyond it.
    limit = settings.max_rows + 1 if count == "estimated" and settings.max_rows is not None else None
    async with call.database.request(call.request, call.hooks, read_only=True) as transaction:
        total, rows, body = await transaction.fetch_one(
            read_sql(
                node,
                single=call.media.single,
                strip_nulls=call.media.strip_nulls,
                counted=count in ("exact", "estimated"),
                count_limit=limit,
            )
        )
        if count == "planned":
            total = await _planned(transaction, node)
        elif limit is not None and total == limit:
            total = max(total, await _planned(transaction, node))
        status = read_status(node.offset, rows, total)
        call.expect_one(rows)
        transaction.rollback = call.rolls_back
    return call.response(status, body, content_range=content_range(node.offset, rows, total))


async def _planned(transaction: Transaction, node: Node) -> int:
    (plans,) = await transaction.fetch_one(f"EXPLAIN (FORMAT JSON) {select_sql(node, paged=False)}")
    return int(plans[0]["Plan"]["Plan Rows"])
