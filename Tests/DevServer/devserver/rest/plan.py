"""From what a request asks for to what it means in this database: embeds resolved, filters in place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ..catalog import Catalog, Relationship, Table
from ..errors import RestError
from ..quoting import qualified
from .model import Condition, Order, Path, Query, SelectField, SelectRelation


@dataclass
class Embed:
    """A related table inside another's rows."""

    relation: SelectRelation
    relationship: Relationship
    node: Node
    key: str
    """The SQL name under which the parent sees the embedded rows."""

    @property
    def name(self) -> str:
        return self.relation.alias or self.relation.name


Item = SelectField | Embed


@dataclass
class Node:
    """One table of a request, with what is selected from it and what is embedded in it."""

    table: Table
    source: str
    """What stands in FROM."""
    reference: str
    """What its columns are qualified with."""
    items: list[Item] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)
    order: tuple[Order, ...] = ()
    limit: int | None = None
    offset: int = 0

    def embeds(self) -> Iterator[Embed]:
        return (item for item in self.items if isinstance(item, Embed))

    def fields(self) -> Iterator[SelectField]:
        return (item for item in self.items if isinstance(item, SelectField))

    def embed(self, name: str) -> Embed | None:
        """The embed a name means: its alias, or the relation's name where it has none.

        The relation's name beside an alias is the old way and still understood when nothing else fits.
        """
        return next((e for e in self.embeds() if e.name == name), None) or next(
            (e for e in self.embeds() if e.relation.name == name), None
        )

    @property
    def has_output(self) -> bool:
        """Whether anything of it reaches the answer; `rel()` only filters."""
        return any(isinstance(item, SelectField) or item.node.has_output for item in self.items)


def plan(catalog: Catalog, table: Table, query: Query, *, max_rows: int | None, aggregates: bool) -> Node:
    """The tree of a request. Raises for an unknown relationship or a name that is not embedded."""
    source = qualified(table.schema, table.name)
    root = Node(table, source, source)
    _Planner(catalog, aggregates).fill(root, query.select)
    for path, condition in query.conditions:
        _find(root, path).conditions.append(condition)
    for path, order in query.orders:
        _find(root, path).order = order
    for path, limit in query.limits.items():
        node = _find(root, path)
        if limit < 0:
            raise RestError(
                416,
                "PGRST103",
                "Requested range not satisfiable",
                "Limit should be greater than or equal to zero.",
            )
        node.limit = limit
    for path, offset in query.offsets.items():
        _find(root, path).offset = max(0, offset)
    if max_rows is not None:
        _cap(root, max_rows)
    return root


class _Planner:
    def __init__(self, catalog: Catalog, aggregates: bool) -> None:
        self.catalog = catalog
        self.aggregates = aggregates
        self.count = 0

    def fill(self, node: Node, items: tuple[SelectField | SelectRelation, ...]) -> None:
        for item in items:
            if isinstance(item, SelectField):
                if item.aggregate and not self.aggregates:
                    raise RestError(400, "PGRST123", "Use of aggregate functions is not allowed")
                node.items.append(item)
            else:
                node.items.append(self.embed(node, item))

    def embed(self, parent: Node, relation: SelectRelation) -> Embed:
        relationship = self.catalog.relationship(parent.table, relation.name, relation.hint)
        table = self.catalog.tables[relationship.target]
        self.count += 1
        reference = f'"pgrst_table_{self.count}"'
        source = f"{qualified(table.schema, table.name)} AS {reference}"
        node = Node(table, source, reference)
        embed = Embed(relation, relationship, node, f'"pgrst_embed_{self.count}"')
        self.fill(node, relation.items)
        return embed


def _find(root: Node, path: Path) -> Node:
    node = root
    for name in path:
        node = embedded(node, name).node
    return node


def embedded(node: Node, name: str) -> Embed:
    embed = node.embed(name)
    if embed is None:
        raise RestError(
            400,
            "PGRST108",
            f"'{name}' is not an embedded resource in this request",
            None,
            f"Verify that '{name}' is included in the 'select' query parameter.",
        )
    return embed


def _cap(node: Node, max_rows: int) -> None:
    node.limit = max_rows if node.limit is None else min(node.limit, max_rows)
    for embed in node.embeds():
        _cap(embed.node, max_rows)
