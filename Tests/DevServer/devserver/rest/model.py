"""What a request asks for, as plain values: names are not yet looked up in any table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True, slots=True)
class JsonStep:
    as_text: bool
    operand: str
    is_index: bool


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    path: tuple[JsonStep, ...] = ()


@dataclass(frozen=True, slots=True)
class Compare:
    operator: str
    quantifier: Literal["any", "all"] | None
    value: str


@dataclass(frozen=True, slots=True)
class In:
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Is:
    value: Literal["null", "not_null", "true", "false", "unknown"]


@dataclass(frozen=True, slots=True)
class Distinct:
    value: str


@dataclass(frozen=True, slots=True)
class FullText:
    operator: str
    configuration: str | None
    value: str


Operation = Compare | In | Is | Distinct | FullText


@dataclass(frozen=True, slots=True)
class Filter:
    field: Field
    negated: bool
    operation: Operation


@dataclass(frozen=True, slots=True)
class Logic:
    operator: Literal["and", "or"]
    negated: bool
    children: tuple[Condition, ...]


Condition = Filter | Logic


@dataclass(frozen=True, slots=True)
class Order:
    field: Field
    relation: str | None = None
    direction: Literal["asc", "desc"] | None = None
    nulls: Literal["first", "last"] | None = None


@dataclass(frozen=True, slots=True)
class SelectField:
    field: Field
    alias: str | None = None
    cast: str | None = None
    aggregate: str | None = None
    aggregate_cast: str | None = None

    @property
    def is_star(self) -> bool:
        return self.field.name == "*" and self.aggregate is None


@dataclass(frozen=True, slots=True)
class SelectRelation:
    name: str
    alias: str | None = None
    hint: str | None = None
    inner: bool = False
    spread: bool = False
    items: tuple[SelectItem, ...] = ()


SelectItem = SelectField | SelectRelation

Path = tuple[str, ...]
"""The embeds a part of the query belongs to, from the outermost; empty for the table itself."""


@dataclass
class Query:
    select: tuple[SelectItem, ...]
    conditions: list[tuple[Path, Condition]] = field(default_factory=list)
    orders: list[tuple[Path, tuple[Order, ...]]] = field(default_factory=list)
    limits: dict[Path, int] = field(default_factory=dict)
    offsets: dict[Path, int] = field(default_factory=dict)
    columns: tuple[str, ...] | None = None
    on_conflict: tuple[str, ...] | None = None

    def root_conditions(self) -> list[Condition]:
        return [condition for path, condition in self.conditions if not path]
