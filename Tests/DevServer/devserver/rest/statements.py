"""SQL in the shape PostgREST writes it: lateral joins for embeds, json_agg for the body."""

from __future__ import annotations

from collections.abc import Iterator

from ..catalog import Table
from ..errors import RestError
from ..quoting import array_literal, identifier, literal, qualified
from .model import (
    Compare,
    Condition,
    Distinct,
    Field,
    Filter,
    FullText,
    In,
    Is,
    Logic,
    Order,
    SelectField,
)
from .plan import Embed, Node, embedded

_OPERATORS = {
    "eq": "=",
    "neq": "<>",
    "gt": ">",
    "gte": ">=",
    "lt": "<",
    "lte": "<=",
    "like": "LIKE",
    "ilike": "ILIKE",
    "match": "~",
    "imatch": "~*",
    "cs": "@>",
    "cd": "<@",
    "ov": "&&",
    "sl": "<<",
    "sr": ">>",
    "nxr": "&<",
    "nxl": "&>",
    "adj": "-|-",
}
_FULL_TEXT = {
    "fts": "to_tsquery",
    "plfts": "plainto_tsquery",
    "phfts": "phraseto_tsquery",
    "wfts": "websearch_to_tsquery",
}
_IS = {
    "null": "NULL",
    "not_null": "NOT NULL",
    "true": "TRUE",
    "false": "FALSE",
    "unknown": "UNKNOWN",
}


# Columns and conditions


def field_sql(field: Field, reference: str, table: Table | None) -> str:
    column = "*" if field.name == "*" else identifier(field.name)
    sql = f"{reference}.{column}"
    if not field.path:
        return sql
    base_type = table.base_type(field.name) if table else "jsonb"
    if base_type is not None and base_type not in ("json", "jsonb"):
        sql = f"to_jsonb({sql})"
    for step in field.path:
        operand = literal(step.operand) + ("::int" if step.is_index else "")
        sql += ("->>" if step.as_text else "->") + operand
    return sql


def condition_sql(condition: Condition, node: Node) -> str:
    if isinstance(condition, Logic):
        joined = f" {condition.operator.upper()} ".join(
            condition_sql(child, node) for child in condition.children
        )
        return f"{'NOT ' if condition.negated else ''}({joined})"
    return _filter_sql(condition, node)


def _filter_sql(f: Filter, node: Node) -> str:
    operation = f.operation
    if operation == Is("null") and not f.field.path:
        embed = next((e for e in node.embeds() if e.name == f.field.name), None)
        if embed is not None:
            # Whether a joined row exists; a row of nulls is one.
            return f"({embed.key} IS {'' if f.negated else 'NOT '}DISTINCT FROM NULL)"
    column = field_sql(f.field, node.reference, node.table)
    match operation:
        case Compare(operator, quantifier, value):
            if operator in ("like", "ilike"):
                value = value.replace("*", "%")
            operand = literal(value)
            if quantifier:
                operand = f"{quantifier.upper()} ({operand})"
            test = f"{column} {_OPERATORS[operator]} {operand}"
        case In(values):
            # One empty element is the empty list: `in.()` and `in.("")` cannot be told apart.
            test = f"{column} = ANY ({literal('{}') if values == ('',) else array_literal(values)})"
        case Is(value):
            test = f"{column} IS {_IS[value]}"
        case Distinct(value):
            test = f"{column} IS DISTINCT FROM {literal(value)}"
        case FullText(operator, configuration, value):
            config = f"{literal(configuration)}, " if configuration is not None else ""
            if node.table.base_type(f.field.name) != "tsvector":
                column = f"to_tsvector({config}{column})"
            test = f"{column} @@ {_FULL_TEXT[operator]}({config}{literal(value)})"
    return f"NOT ({test})" if f.negated else f"({test})"


def where_sql(conditions: list[str]) -> str:
    return f" WHERE {' AND '.join(conditions)}" if conditions else ""


def _order_sql(order: tuple[Order, ...], node: Node) -> str:
    terms = []
    for term in order:
        if term.relation is not None:
            embed = embedded(node, term.relation)
            if not embed.relationship.to_one:
                raise RestError(
                    400,
                    "PGRST118",
                    f"A related order on '{term.relation}' is not possible",
                    f"'{node.table.name}' and '{term.relation}' do not form a many-to-one or "
                    "one-to-one relationship",
                )
            sql = field_sql(term.field, embed.key, embed.node.table)
        else:
            sql = field_sql(term.field, node.reference, node.table)
        if term.direction:
            sql += f" {term.direction.upper()}"
        if term.nulls:
            sql += f" NULLS {term.nulls.upper()}"
        terms.append(sql)
    return f" ORDER BY {', '.join(terms)}" if terms else ""


# Selecting


def _select_field_sql(item: SelectField, node: Node) -> tuple[str, str | None]:
    """An item's expression, and the name it needs where PostgreSQL would not find it by itself."""
    if item.aggregate == "count" and item.field.name == "*":
        sql = "count(*)"
    else:
        sql = field_sql(item.field, node.reference, node.table)
        if item.cast:
            sql = f"CAST( {sql} AS {item.cast} )"
        if item.aggregate:
            sql = f"{item.aggregate}({sql})"
    if item.aggregate and item.aggregate_cast:
        sql = f"CAST( {sql} AS {item.aggregate_cast} )"
    name = item.alias
    if name is None and item.field.path and not item.aggregate:
        keys = [step.operand for step in item.field.path if not step.is_index]
        name = keys[-1] if keys else item.field.name
    return sql, name


def _output_names(node: Node) -> Iterator[str]:
    """The keys of a node's rows, for a parent that lifts them into its own."""
    for item in node.items:
        if isinstance(item, Embed):
            if item.relation.spread:
                yield from _output_names(item.node)
            elif item.node.has_output:
                yield item.name
        elif item.is_star:
            yield from node.table.columns
        else:
            yield _select_field_sql(item, node)[1] or item.aggregate or item.field.name


def _embed_expressions(embed: Embed) -> Iterator[tuple[str, str]]:
    if embed.relation.spread:
        for name in _output_names(embed.node):
            lifted = f"{embed.key}.{identifier(name)}"
            yield lifted if embed.relationship.to_one else f"COALESCE({lifted}, '[]')", name
    elif embed.node.has_output:
        if embed.relationship.to_one:
            yield f"row_to_json({embed.key}.*)::jsonb", embed.name
        else:
            yield f"COALESCE({embed.key}.{embed.key}, '[]')", embed.name


def _join_sql(embed: Embed, parent: Node) -> str:
    kind = "INNER" if embed.relation.inner else "LEFT"
    inner = select_sql(embed.node, _join_conditions(embed, parent), extra_source=_junction(embed))
    if embed.relationship.to_one:
        return f" {kind} JOIN LATERAL ({inner}) AS {embed.key} ON TRUE"
    if embed.relation.spread:
        lifted = ", ".join(
            f"json_agg({embed.key}.{identifier(name)})::jsonb AS {identifier(name)}"
            for name in _output_names(embed.node)
        )
        aggregated = f"SELECT {lifted or 'count(*)'} FROM ({inner}) AS {embed.key} HAVING count(*) > 0"
        return f" {kind} JOIN LATERAL ({aggregated}) AS {embed.key} ON TRUE"
    aggregated = f"SELECT json_agg({embed.key})::jsonb AS {embed.key} FROM ({inner}) AS {embed.key}"
    condition = f"{embed.key}.{embed.key} IS NOT NULL" if embed.relation.inner else "TRUE"
    return f" {kind} JOIN LATERAL ({aggregated}) AS {embed.key} ON {condition}"


def _junction(embed: Embed) -> str:
    junction = embed.relationship.junction
    return f" CROSS JOIN {qualified(*junction.table)} AS {_junction_alias(embed)}" if junction else ""


def _junction_alias(embed: Embed) -> str:
    return embed.key[:-1] + '_junction"'


def _join_conditions(embed: Embed, parent: Node) -> list[str]:
    def equal(left: str, left_column: str, right: str, right_column: str) -> str:
        return f"{left}.{identifier(left_column)} = {right}.{identifier(right_column)}"

    own, above = embed.node.reference, parent.reference
    junction = embed.relationship.junction
    if junction is None:
        return [equal(own, target, above, origin) for origin, target in embed.relationship.pairs]
    alias = _junction_alias(embed)
    conditions = []
    for key, reference in ((junction.to_origin, above), (junction.to_target, own)):
        for column, referenced in zip(key.columns, key.referenced_columns, strict=True):
            conditions.append(equal(alias, column, reference, referenced))
    return conditions


def select_sql(
    node: Node,
    join_conditions: list[str] | None = None,
    *,
    extra_source: str = "",
    paged: bool = True,
) -> str:
    """The SELECT of a node with all it embeds. Without pages it is what a count counts."""
    columns: list[str] = []
    groups: list[str] = []
    aggregated = any(item.aggregate for item in node.fields())
    for item in node.items:
        if isinstance(item, Embed):
            for sql, name in _embed_expressions(item):
                columns.append(f"{sql} AS {identifier(name)}")
                groups.append(sql)
        else:
            sql, needed = _select_field_sql(item, node)
            columns.append(f"{sql} AS {identifier(needed)}" if needed is not None else sql)
            if not item.aggregate:
                groups.append(sql)
    # An embedded row that selects nothing must still be a row, so that its presence can be asked for.
    selected = ", ".join(columns) or ("1" if join_conditions is not None else "")
    sql = f"SELECT {selected} FROM {node.source}{extra_source}"
    for embed in node.embeds():
        sql += _join_sql(embed, node)
    sql += where_sql((join_conditions or []) + [condition_sql(c, node) for c in node.conditions])
    if aggregated and groups:
        sql += f" GROUP BY {', '.join(groups)}"
    if paged:
        sql += _order_sql(node.order, node)
        if node.limit is not None:
            sql += f" LIMIT {node.limit}"
        if node.offset:
            sql += f" OFFSET {node.offset}"
    return sql


# The whole statement


def body_sql(*, single: bool, strip_nulls: bool) -> str:
    """The answer's text, made by PostgreSQL, so that no digit and no blank of a json value changes."""
    body = "json_agg(pgrst_row)"
    if strip_nulls:
        body = f"json_strip_nulls({body})"
    if single:
        return f"coalesce(({body}->0)::text, 'null')"
    return f"coalesce({body}::text, '[]')"


def read_sql(
    node: Node, *, single: bool, strip_nulls: bool, counted: bool, count_limit: int | None = None
) -> str:
    """Columns: total or null, rows in the page, body."""
    count = ""
    total = "null::bigint"
    if counted:
        limit = f" LIMIT {count_limit}" if count_limit is not None else ""
        count = f", pgrst_counted AS ({select_sql(node, paged=False)}{limit})"
        total = "(SELECT pg_catalog.count(*) FROM pgrst_counted)"
    return (
        f"WITH pgrst_source AS ({select_sql(node)}){count} "
        f"SELECT {total}, pg_catalog.count(*), {body_sql(single=single, strip_nulls=strip_nulls)} "
        "FROM (SELECT * FROM pgrst_source) pgrst_row"
    )
