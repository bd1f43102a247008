"""Pages: from `limit`, `offset` and the Range header to Content-Range and the status."""

from __future__ import annotations

import re

from ..errors import RestError
from .plan import Node

_RANGE = re.compile(r"([0-9]+)-([0-9]*)")


def apply_range_header(node: Node, header: str | None) -> None:
    """Narrows the page by a Range header. Anything but `a-b` and `a-` is ignored."""
    match = _RANGE.fullmatch(header.strip()) if header else None
    if match is None:
        return
    lower = int(match[1])
    upper = int(match[2]) if match[2] else None
    if upper is not None and upper < lower:
        raise unsatisfiable(
            "The lower boundary must be lower than or equal to the upper boundary in the Range header."
        )
    if node.limit == 0:
        return
    last = None if node.limit is None else node.offset + node.limit - 1
    if upper is not None:
        last = upper if last is None else min(last, upper)
    node.offset = max(node.offset, lower)
    if last is not None:
        if last < node.offset:
            raise unsatisfiable("The requested range does not overlap limit and offset.")
        node.limit = last - node.offset + 1


def unsatisfiable(details: str, *, total: int | None = None) -> RestError:
    headers = {} if total is None else {"Content-Range": f"*/{total}"}
    return RestError(416, "PGRST103", "Requested range not satisfiable", details, None, headers)


def content_range(offset: int, rows: int, total: int | None) -> str:
    page = f"{offset}-{offset + rows - 1}" if rows and total != 0 else "*"
    return f"{page}/{'*' if total is None else total}"


def read_status(offset: int, rows: int, total: int | None) -> int:
    """200, 206 for a part of a counted whole; raises 416 for a page behind the end of it."""
    if total is None:
        return 200
    if offset > total:
        raise unsatisfiable(
            f"An offset of {offset} was requested, but there are only {total} rows.", total=total
        )
    return 206 if rows < total else 200
