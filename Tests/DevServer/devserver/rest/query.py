"""A query string, taken apart into what it asks for."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar
from urllib.parse import unquote_plus

from ..errors import RestError
from . import grammar
from .grammar import Reader, SyntaxFailure
from .model import Field, Filter, Path, Query, SelectField

T = TypeVar("T")

_TOP_LEVEL_ONLY = ("select", "columns", "on_conflict")
_WHOLE_NUMBER = re.compile(r"\s*(-?\d+)\s*")


def parameters(query_string: str) -> list[tuple[str, str]]:
    """The pairs of a query string; an item without `=` is none."""
    items = (item.partition("=") for item in query_string.split("&"))
    return [
        (unquote_plus(key, errors="replace"), unquote_plus(value, errors="replace"))
        for key, equals, value in items
        if equals
    ]


def parse_query(query_string: str) -> Query:
    pairs = parameters(query_string)
    first = dict(reversed(pairs))  # the first occurrence counts
    items = _parse("select", first.get("select", ""), grammar.select_list)
    query = Query(items or (SelectField(Field("*")),))
    if first.get("columns"):
        query.columns = _parse("columns", first["columns"], grammar.name_list)
    if first.get("on_conflict"):
        query.on_conflict = _parse("on_conflict", first["on_conflict"], grammar.name_list)
    for key, value in pairs:
        if key in _TOP_LEVEL_ONLY:
            continue
        match key.rpartition(".")[2]:
            case "order":
                query.orders.append((_path(key), _parse("order", value, grammar.order_list)))
            case "limit" | "offset" as word:
                number = _WHOLE_NUMBER.fullmatch(value)
                if number:  # anything else is ignored
                    into = query.limits if word == "limit" else query.offsets
                    into[_path(key)] = int(number[1])
            case "and" | "or":
                path, operator = _parse("logic", key, grammar.logic_key)
                query.conditions.append((path, _parse("logic tree", operator + value, grammar.logic_tree)))
            case _:
                query.conditions.append(_filter(key, value))
    return query


def _filter(key: str, value: str) -> tuple[Path, Filter]:
    path, column = _parse("filter", key, grammar.filter_key)
    negated, operation = _parse(
        "filter", value, lambda r: grammar.operator_expression(r, grammar.plain_value)
    )
    return path, Filter(column, negated, operation)


def _path(key: str) -> Path:
    return tuple(_parse("path", key, grammar.dotted_names)[:-1])


def _parse(what: str, text: str, rule: Callable[[Reader], T]) -> T:
    try:
        return rule(Reader(text))
    except SyntaxFailure as failure:
        raise RestError(400, "PGRST100", f'"failed to parse {what} ({text})"', str(failure)) from failure
