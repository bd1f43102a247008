"""What reading and writing share: who asks, for which schema, and how the answer is put together."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import unquote

from aiohttp import web

from ..catalog import Catalog, Table
from ..database import Database, Hooks, Request
from ..errors import RestError
from ..settings import Settings
from ..tokens import Identity
from .media import MediaType, accepted
from .model import Query
from .preferences import Preferences, parse_preferences
from .query import parse_query


@dataclass
class Call:
    """A REST request, understood as far as that goes without SQL."""

    incoming: web.Request
    database: Database
    settings: Settings
    hooks: Hooks
    identity: Identity
    schema: str
    table: Table
    query: Query
    preferences: Preferences
    media: MediaType

    @property
    def catalog(self) -> Catalog:
        return self.database.catalog

    @property
    def request(self) -> Request:
        return Request(
            self.identity,
            self.schema,
            self.incoming.method,
            self.incoming.path,
            {name.lower(): value for name, value in self.incoming.headers.items()},
            self.preferences.get("timezone"),
        )

    @property
    def rolls_back(self) -> bool:
        """Whether this request keeps nothing of what it writes."""
        if self.may_choose_transaction_end and self.preferences.get("tx"):
            return self.preferences.get("tx") == "rollback"
        return self.settings.tx_end.startswith("rollback")

    @property
    def may_choose_transaction_end(self) -> bool:
        return self.settings.tx_end.endswith("allow-override")

    def response(
        self,
        status: int,
        body: str | None,
        *,
        content_range: str | None = None,
        applied: set[str] = frozenset(),  # type: ignore[assignment]
        headers: dict[str, str] | None = None,
    ) -> web.Response:
        """`body` None: an answer without content. `applied`: preferences to echo where they were sent."""
        answer = web.Response(status=status, headers=headers or {})
        if len(self.settings.schemas) > 1:
            answer.headers["Content-Profile"] = self.schema
        if content_range:
            answer.headers["Content-Range"] = content_range
        names = applied | {"count", "handling", "timezone"}
        if self.may_choose_transaction_end:
            names |= {"tx"}
        said = self.preferences.applied(names)
        if said:
            answer.headers["Preference-Applied"] = said
        if body is not None:
            answer.body = body.encode()
            answer.headers["Content-Type"] = self.media.content_type
        elif status != 204:
            answer.headers["Content-Length"] = "0"
            answer.headers.pop("Content-Type", None)
        return answer

    def expect_one(self, rows: int) -> None:
        """The object media type takes exactly one row."""
        if self.media.single and rows != 1:
            raise RestError(
                406,
                "PGRST116",
                "Cannot coerce the result to a single JSON object",
                f"The result contains {rows} rows",
            )


def understand(
    request: web.Request, database: Database, settings: Settings, hooks: Hooks, identity: Identity
) -> Call:
    """Raises for everything that is wrong before the database is asked."""
    path, _, query_string = request.raw_path.partition("?")
    preferences = parse_preferences(request.headers.getall("Prefer", []), database.catalog.time_zones)
    schema = _schema(request, settings)
    query = parse_query(query_string)
    media = accepted(request.headers.get("Accept"))
    table = database.catalog.table(schema, unquote(path.rpartition("/")[2]))
    return Call(request, database, settings, hooks, identity, schema, table, query, preferences, media)


def _schema(request: web.Request, settings: Settings) -> str:
    header = "Accept-Profile" if request.method in ("GET", "HEAD") else "Content-Profile"
    schema = request.headers.get(header)
    if schema is None:
        return settings.schemas[0]
    if schema not in settings.schemas:
        raise RestError(
            406,
            "PGRST106",
            f"Invalid schema: {schema}",
            None,
            f"Only the following schemas are exposed: {', '.join(settings.schemas)}",
        )
    return schema
