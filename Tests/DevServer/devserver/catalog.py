"""What the database holds: tables, columns, keys and how tables refer to each other."""

from __future__ import annotations

import difflib
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any, Literal

import psycopg

from .errors import RestError

Cardinality = Literal["many-to-one", "one-to-many", "one-to-one", "many-to-many"]


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    type: str
    """As one writes it in a column list, with its length."""
    base_type: str
    """Without length, and for a domain the type below it."""
    default: str | None
    insertable: bool


@dataclass(frozen=True, slots=True)
class ForeignKey:
    name: str
    table: tuple[str, str]
    columns: tuple[str, ...]
    referenced: tuple[str, str]
    referenced_columns: tuple[str, ...]


@dataclass
class Table:
    schema: str
    name: str
    columns: dict[str, Column] = field(default_factory=dict)
    primary_key: tuple[str, ...] = ()
    unique: list[frozenset[str]] = field(default_factory=list)

    @property
    def key(self) -> tuple[str, str]:
        return self.schema, self.name

    def base_type(self, column: str) -> str | None:
        found = self.columns.get(column)
        return found.base_type if found else None


@dataclass(frozen=True, slots=True)
class Junction:
    table: tuple[str, str]
    to_origin: ForeignKey
    to_target: ForeignKey


@dataclass(frozen=True, slots=True)
class Relationship:
    """One way from a table to another. `pairs` are (column of the origin, column of the target)."""

    origin: tuple[str, str]
    target: tuple[str, str]
    cardinality: Cardinality
    name: str
    pairs: tuple[tuple[str, str], ...] = ()
    junction: Junction | None = None

    @property
    def to_one(self) -> bool:
        return self.cardinality in ("many-to-one", "one-to-one")

    def has_name(self, name: str) -> bool:
        return self.junction is None and self.name == name

    def has_origin_column(self, name: str) -> bool:
        return len(self.pairs) == 1 and self.pairs[0][0] == name

    def has_target_column(self, name: str) -> bool:
        return len(self.pairs) == 1 and self.pairs[0][1] == name

    def has_junction(self, name: str) -> bool:
        return self.junction is not None and self.junction.table[1] == name

    def described(self) -> dict[str, str]:
        """As the ambiguity error lists its candidates."""
        return {
            "cardinality": self.cardinality,
            "relationship": self._columns_in_words(),
            "embedding": f"{self.origin[1]} with {self.target[1]}",
        }

    def hint(self) -> str:
        return f"{self.target[1]}!{self.junction.table[1] if self.junction else self.name}"

    def _columns_in_words(self) -> str:
        if self.junction:
            first, second = self.junction.to_origin, self.junction.to_target
            return (
                f"{self.junction.table[1]} using {first.name}({', '.join(first.columns)})"
                f" and {second.name}({', '.join(second.columns)})"
            )
        origin = f"{self.origin[1]}({', '.join(pair[0] for pair in self.pairs)})"
        target = f"{self.target[1]}({', '.join(pair[1] for pair in self.pairs)})"
        return f"{self.name} using {origin} and {target}"


class Catalog:
    """A picture of the database, as of the last load."""

    def __init__(
        self,
        tables: dict[tuple[str, str], Table],
        foreign_keys: list[ForeignKey],
        role_settings: dict[str, list[tuple[str, str]]],
        time_zones: frozenset[str],
    ) -> None:
        self.tables = tables
        self.role_settings = role_settings
        self.time_zones = time_zones
        self._relationships = _relationships(tables, foreign_keys)

    def table(self, schema: str, name: str) -> Table:
        table = self.tables.get((schema, name))
        if table is None:
            near = difflib.get_close_matches(name, [n for s, n in self.tables if s == schema], 1)
            raise RestError(
                404,
                "PGRST205",
                f"Could not find the table '{schema}.{name}' in the schema cache",
                None,
                f"Perhaps you meant the table '{schema}.{near[0]}'" if near else None,
            )
        return table

    def relationship(self, origin: Table, target: str, hint: str | None) -> Relationship:
        """The one relationship that a name in `select` means, or the error for none or several."""
        candidates = [
            r
            for r in self._relationships[origin.key]
            if r.target[0] == origin.schema and _is_meant(r, target, hint)
        ]
        if not candidates:
            using = f" using the hint '{hint}'" if hint else ""
            raise RestError(
                400,
                "PGRST200",
                f"Could not find a relationship between '{origin.name}' and '{target}' in the schema cache",
                f"Searched for a foreign key relationship between '{origin.name}' and '{target}'{using} "
                f"in the schema '{origin.schema}', but no matches were found.",
            )
        if len(candidates) > 1:
            hints = ", ".join(f"'{r.hint()}'" for r in candidates)
            raise RestError(
                300,
                "PGRST201",
                f"Could not embed because more than one relationship was found for "
                f"'{origin.name}' and '{target}'",
                [r.described() for r in candidates],
                f"Try changing '{target}' to one of the following: {hints}. "
                "Find the desired relationship in the 'details' key.",
            )
        return candidates[0]


def _is_meant(r: Relationship, target: str, hint: str | None) -> bool:
    by_table = target == r.target[1]
    if r.origin == r.target:
        # A table that refers to itself: its name means the rows below, the column's the row above.
        if hint is not None:
            return by_table and not r.to_one and _fits_hint(r, hint)
        if r.cardinality == "many-to-one":
            return r.has_origin_column(target) or r.has_name(target)
        return by_table and not r.to_one
    if hint is not None:
        return by_table and _fits_hint(r, hint)
    return by_table or r.has_name(target) or (r.to_one and r.has_origin_column(target))


def _fits_hint(r: Relationship, hint: str) -> bool:
    return r.has_name(hint) or r.has_origin_column(hint) or r.has_target_column(hint) or r.has_junction(hint)


def _relationships(
    tables: dict[tuple[str, str], Table], foreign_keys: list[ForeignKey]
) -> defaultdict[tuple[str, str], list[Relationship]]:
    found: defaultdict[tuple[str, str], list[Relationship]] = defaultdict(list)
    keys_of: defaultdict[tuple[str, str], list[ForeignKey]] = defaultdict(list)
    for key in foreign_keys:
        if key.table not in tables or key.referenced not in tables:
            continue
        keys_of[key.table].append(key)
        down = tuple(zip(key.columns, key.referenced_columns, strict=True))
        up = tuple((target, origin) for origin, target in down)
        one_to_one = frozenset(key.columns) in tables[key.table].unique
        there: Cardinality = "one-to-one" if one_to_one else "many-to-one"
        back: Cardinality = "one-to-one" if one_to_one else "one-to-many"
        found[key.table].append(Relationship(key.table, key.referenced, there, key.name, down))
        found[key.referenced].append(Relationship(key.referenced, key.table, back, key.name, up))
    for junction, keys in keys_of.items():
        primary_key = set(tables[junction].primary_key)
        # Only a table whose primary key holds both references joins two others.
        joining = [key for key in keys if set(key.columns) <= primary_key]
        for first in joining:
            for second in joining:
                if first is not second:
                    found[first.referenced].append(
                        Relationship(
                            first.referenced,
                            second.referenced,
                            "many-to-many",
                            junction[1],
                            (),
                            Junction(junction, first, second),
                        )
                    )
    return found


# Reading it. The search path is empty meanwhile, so that types outside pg_catalog carry their schema.

_COLUMNS = """
select n.nspname, c.relname, a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod),
       pg_catalog.format_type(coalesce(base.oid, a.atttypid), null),
       case when a.attgenerated = '' then coalesce(
         pg_catalog.pg_get_expr(d.adbin, d.adrelid),
         pg_catalog.pg_get_expr(own.typdefaultbin, 0)) end,
       a.attidentity, pg_catalog.pg_get_serial_sequence(
         pg_catalog.quote_ident(n.nspname) || '.' || pg_catalog.quote_ident(c.relname), a.attname)
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
left join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
left join pg_catalog.pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
left join pg_catalog.pg_type own on own.oid = a.atttypid
left join lateral (
  with recursive below as (
    select t.oid, t.typbasetype from pg_catalog.pg_type t where t.oid = a.atttypid and t.typtype = 'd'
    union all
    select t.oid, t.typbasetype from pg_catalog.pg_type t join below b on t.oid = b.typbasetype
  )
  select oid from below where typbasetype = 0
) base on true
where c.relkind in ('r', 'v', 'm', 'f', 'p')
  and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\\_%'
order by n.nspname, c.relname, a.attnum
"""

_KEYS = """
select n.nspname, c.relname, i.indisprimary, array_agg(a.attname::text order by k.position)
from pg_catalog.pg_index i
join pg_catalog.pg_class c on c.oid = i.indrelid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
cross join lateral unnest(i.indkey::int2[]) with ordinality k(attnum, position)
join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
where i.indisunique and i.indpred is null and i.indexprs is null and k.position <= i.indnkeyatts
group by i.indexrelid, n.nspname, c.relname, i.indisprimary
"""

_FOREIGN_KEYS = """
select f.conname, n.nspname, c.relname, rn.nspname, rc.relname,
  (select array_agg(a.attname::text order by k.position) from unnest(f.conkey) with ordinality k(attnum, position)
   join pg_catalog.pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.attnum),
  (select array_agg(a.attname::text order by k.position) from unnest(f.confkey) with ordinality k(attnum, position)
   join pg_catalog.pg_attribute a on a.attrelid = f.confrelid and a.attnum = k.attnum)
from pg_catalog.pg_constraint f
join pg_catalog.pg_class c on c.oid = f.conrelid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
join pg_catalog.pg_class rc on rc.oid = f.confrelid
join pg_catalog.pg_namespace rn on rn.oid = rc.relnamespace
where f.contype = 'f' and f.conparentid = 0
order by f.conname
"""

_ROLES = "select rolname, coalesce(rolconfig, '{}') from pg_catalog.pg_roles"


async def load_catalog(connection: psycopg.AsyncConnection[Any]) -> Catalog:
    async with connection.transaction():
        await connection.execute("set local search_path = ''")
        columns = await (await connection.execute(_COLUMNS)).fetchall()
        keys = await (await connection.execute(_KEYS)).fetchall()
        foreign = await (await connection.execute(_FOREIGN_KEYS)).fetchall()
        roles = await (await connection.execute(_ROLES)).fetchall()
        zones = await (await connection.execute("select name from pg_timezone_names")).fetchall()
    tables: dict[tuple[str, str], Table] = {}
    for schema, table_name, name, type_, base_type, default, identity, sequence in columns:
        table = tables.setdefault((schema, table_name), Table(schema, table_name))
        if name is None:
            continue
        if identity and sequence:
            default = f"pg_catalog.nextval('{sequence.replace(chr(39), chr(39) * 2)}'::regclass)"
        table.columns[name] = Column(name, type_, base_type, default, identity != "a")
    for schema, table_name, primary, names in keys:
        keyed = tables.get((schema, table_name))
        if keyed is None:
            continue
        keyed.unique.append(frozenset(names))
        if primary:
            keyed.primary_key = tuple(names)
    return Catalog(
        tables,
        [
            ForeignKey(name, (schema, table), tuple(own), (to_schema, to_table), tuple(theirs))
            for name, schema, table, to_schema, to_table, own, theirs in foreign
        ],
        {name: [tuple(s.split("=", 1)) for s in settings] for name, settings in roles},
        frozenset(name for (name,) in zones),
    )
