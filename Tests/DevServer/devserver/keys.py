"""What hangs on the application and on a request, by typed keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiohttp import web

from .database import Database, Hooks
from .settings import Settings

if TYPE_CHECKING:
    from .faults import FaultBox
    from .journal import Journal

SETTINGS = web.AppKey("settings", Settings)
DATABASE = web.AppKey("database", Database)
FAULTS: web.AppKey[FaultBox] = web.AppKey("faults")
JOURNAL: web.AppKey[Journal] = web.AppKey("journal")
HOOKS: web.RequestKey[Hooks] = web.RequestKey("hooks", Hooks)
API_KEY: web.RequestKey[str] = web.RequestKey("api_key", str)
