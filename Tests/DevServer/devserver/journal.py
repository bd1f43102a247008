"""What requests came in, so that a test can say how often the library asked."""

from __future__ import annotations

import re
import time
from collections import deque
from dataclasses import asdict, dataclass
from typing import Any

from aiohttp import web

from .tokens import bearer

_KEY_IN_QUERY = re.compile(r"(?<![^&])apikey=[^&]*")


@dataclass
class Entry:
    number: int
    at: float
    method: str
    path: str
    query: str
    user_token: bool
    """Whether the token of a signed-in user was sent. The token itself is never kept."""
    prefer: str | None
    status: int | None = None
    """None: no answer was sent."""
    fault: str | None = None


class Journal:
    def __init__(self) -> None:
        self._entries: deque[Entry] = deque(maxlen=20_000)
        self._count = 0

    def enter(self, request: web.Request) -> Entry:
        path, _, query = request.raw_path.partition("?")
        self._count += 1
        token = bearer(request.headers.get("Authorization"))
        entry = Entry(
            self._count,
            time.time(),
            request.method,
            path,
            _KEY_IN_QUERY.sub("apikey=…", query),
            bool(token) and token != request.headers.get("apikey"),
            ", ".join(request.headers.getall("Prefer", [])) or None,
        )
        self._entries.append(entry)
        return entry

    def listed(self, path: str) -> list[dict[str, Any]]:
        """Those whose path begins like this."""
        return [asdict(entry) for entry in self._entries if entry.path.startswith(path)]

    def clear(self) -> None:
        self._entries.clear()
