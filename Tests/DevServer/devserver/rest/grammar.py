"""The little languages inside a query string: select, filters, logic trees, order.

Written rule by rule after what PostgREST accepts, its oddities included: what follows a complete `is`
keyword or a closing parenthesis is ignored, an unclosed quote is data, a blank inside a list element
counts. Every rule either returns or raises `SyntaxFailure`; `attempt` goes back to where it began.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from .model import (
    Compare,
    Condition,
    Distinct,
    Field,
    Filter,
    FullText,
    In,
    Is,
    JsonStep,
    Logic,
    Operation,
    Order,
    SelectField,
    SelectItem,
    SelectRelation,
)

T = TypeVar("T")

QUANTIFIABLE = ("eq", "gte", "gt", "lte", "lt", "like", "ilike", "match", "imatch")
SIMPLE = ("neq", "cs", "cd", "ov", "sl", "sr", "nxr", "nxl", "adj")
FULL_TEXT = ("fts", "plfts", "phfts", "wfts")
AGGREGATES = ("sum", "avg", "count", "max", "min")
IS_VALUES = ("null", "not_null", "true", "false", "unknown")


class SyntaxFailure(Exception):
    def __init__(self, text: str, position: int, expected: str) -> None:
        super().__init__(f"at {position + 1} of {text!r}: expected {expected}")


class Reader:
    """A text and how far it is read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0

    def fail(self, expected: str) -> SyntaxFailure:
        return SyntaxFailure(self.text, self.position, expected)

    def attempt(self, rule: Callable[[Reader], T]) -> T | None:
        start = self.position
        try:
            return rule(self)
        except SyntaxFailure:
            self.position = start
            return None

    @property
    def at_end(self) -> bool:
        return self.position >= len(self.text)

    def looking_at(self, *texts: str) -> bool:
        return any(self.text.startswith(text, self.position) for text in texts)

    def take(self, text: str) -> bool:
        if self.text.startswith(text, self.position):
            self.position += len(text)
            return True
        return False

    def expect(self, text: str) -> None:
        if not self.take(text):
            raise self.fail(f'"{text}"')

    def take_while(self, allowed: Callable[[str], bool]) -> str:
        start = self.position
        while not self.at_end and allowed(self.text[self.position]):
            self.position += 1
        return self.text[start : self.position]

    def take_rest(self) -> str:
        rest, self.position = self.text[self.position :], len(self.text)
        return rest

    def skip_blanks(self) -> None:
        self.take_while(str.isspace)

    def take_spaced(self, text: str) -> bool:
        """`text` with blanks around it; without it, nothing is read."""
        start = self.position
        self.skip_blanks()
        if self.take(text):
            self.skip_blanks()
            return True
        self.position = start
        return False

    def expect_spaced(self, text: str) -> None:
        if not self.take_spaced(text):
            raise self.fail(f'"{text}"')


# Names and paths


def _is_name_character(character: str) -> bool:
    return character.isalpha() or character in "0123456789_ $"


def identifier(r: Reader) -> str:
    name = r.take_while(_is_name_character)
    if not name:
        raise r.fail("a name (letters, digits, _ or $)")
    return name.strip()


def quoted(r: Reader) -> str:
    r.expect('"')
    text: list[str] = []
    while not r.take('"'):
        if r.at_end:
            raise r.fail("a closing quote")
        if r.take("\\") and r.at_end:
            raise r.fail("a character after the backslash")
        text.append(r.text[r.position])
        r.position += 1
    return "".join(text)


def _dashed(r: Reader, piece: Callable[[Reader], str]) -> str:
    """Pieces joined by `-`, as long as the dash does not begin an arrow."""
    pieces = [piece(r)]
    while r.looking_at("-") and not r.looking_at("->"):
        r.expect("-")
        pieces.append(piece(r))
    return "-".join(pieces)


def field_name(r: Reader) -> str:
    return quoted(r) if r.looking_at('"') else _dashed(r, identifier)


def _json_key_piece(r: Reader) -> str:
    piece = r.take_while(lambda character: character not in "(-:.,>)")
    if not piece:
        raise r.fail("a key")
    return piece.strip()


def _json_index(r: Reader) -> str:
    sign = "-" if r.take("-") else ""
    digits = r.take_while(lambda character: character in "0123456789")
    # `)` is missing here on purpose: inside order=rel(data->0) an index is read as a key.
    if not digits or not (r.at_end or r.looking_at("->", "::", ".", ",")):
        raise r.fail("an index")
    return sign + digits


def json_path(r: Reader) -> tuple[JsonStep, ...]:
    steps: list[JsonStep] = []
    while r.looking_at("->"):
        r.expect("->")
        as_text = r.take(">")
        index = r.attempt(_json_index)
        if index is not None:
            steps.append(JsonStep(as_text, index, True))
        elif r.looking_at('"'):
            steps.append(JsonStep(as_text, quoted(r), False))
        else:
            steps.append(JsonStep(as_text, _dashed(r, _json_key_piece), False))
    return tuple(steps)


def field(r: Reader) -> Field:
    r.skip_blanks()
    name = field_name(r)
    path = json_path(r)
    r.skip_blanks()
    return Field(name, path)


def dotted_names(r: Reader) -> list[str]:
    names = [field_name(r)]
    while r.take("."):
        names.append(field_name(r))
    return names


def filter_key(r: Reader) -> tuple[tuple[str, ...], Field]:
    """The key of a filter parameter: embeds, then a column with an optional json path."""
    names = dotted_names(r)
    return tuple(names[:-1]), Field(names[-1], json_path(r))


def name_list(r: Reader) -> tuple[str, ...]:
    names = [field_name(r)]
    while r.take_spaced(","):
        names.append(field_name(r))
    return tuple(names)


# Operator expressions


def list_values(r: Reader) -> tuple[str, ...]:
    r.expect_spaced("(")
    values = [_list_element(r)]
    while r.take(","):
        values.append(_list_element(r))
    r.expect_spaced(")")
    return tuple(values)


def _closed_quote(r: Reader) -> str:
    text = quoted(r)
    if not (r.at_end or r.looking_at(",", ")")):
        raise r.fail('"," or ")"')
    return text


def _list_element(r: Reader) -> str:
    text = r.attempt(_closed_quote)
    return text if text is not None else r.take_while(lambda character: character not in ",)")


def _braces(r: Reader) -> str:
    r.expect("{")
    inner = r.take_while(lambda character: character not in "{}")
    r.expect("}")
    return "{" + inner + "}"


def plain_value(r: Reader) -> str:
    """The value of a filter parameter: all that follows, as it stands."""
    return r.take_rest()


def tree_value(r: Reader) -> str:
    """The value of a leaf in a logic tree: quoted, an array without inner braces, or up to `,` or `)`."""
    for rule in (_closed_quote, _braces):
        text = r.attempt(rule)
        if text is not None:
            return text
    return r.take_while(lambda character: character not in ",)")


def _is_value(r: Reader) -> Is:
    for value in IS_VALUES:
        if r.text[r.position : r.position + len(value)].lower() == value:
            r.position += len(value)
            return Is(value)  # type: ignore[arg-type]
    raise r.fail("null, not_null, true, false or unknown")


def _full_text(r: Reader, value: Callable[[Reader], str]) -> FullText:
    operator = next((name for name in FULL_TEXT if r.take(name)), None)
    if operator is None:
        raise r.fail("a full text operator")
    configuration: str | None = None
    if r.take("("):
        configuration = identifier(r)
        r.expect(")")
    r.expect(".")
    return FullText(operator, configuration, value(r))


def operation(r: Reader, value: Callable[[Reader], str]) -> Operation:
    if r.take("in."):
        return In(list_values(r))
    if r.take("is."):
        return _is_value(r)
    if r.take("isdistinct."):
        return Distinct(value(r))
    full_text = r.attempt(lambda r: _full_text(r, value))
    if full_text is not None:
        return full_text
    for name in SIMPLE:
        if r.take(name + "."):
            return Compare(name, None, value(r))
    for name in QUANTIFIABLE:
        if r.take(name + "."):
            return Compare(name, None, value(r))
        if r.take(name + "(any)."):
            return Compare(name, "any", value(r))
        if r.take(name + "(all)."):
            return Compare(name, "all", value(r))
    raise r.fail("an operator (eq, gt, …)")


def operator_expression(r: Reader, value: Callable[[Reader], str]) -> tuple[bool, Operation]:
    negated = r.take("not.")
    return negated, operation(r, value)


def logic_tree(r: Reader) -> Condition:
    leaf = r.attempt(_logic_leaf)
    if leaf is not None:
        return leaf
    r.skip_blanks()
    negated = r.take("not.")
    operator = "and" if r.take("and") else "or" if r.take("or") else None
    if operator is None:
        raise r.fail("a condition, and(…) or or(…)")
    r.expect_spaced("(")
    children = [logic_tree(r)]
    while r.take_spaced(","):
        children.append(logic_tree(r))
    r.expect_spaced(")")
    return Logic(operator, negated, tuple(children))  # type: ignore[arg-type]


def _logic_leaf(r: Reader) -> Filter:
    column = field(r)
    r.expect(".")
    negated, test = operator_expression(r, tree_value)
    return Filter(column, negated, test)


def logic_key(r: Reader) -> tuple[tuple[str, ...], str]:
    """The key of a logic parameter: embeds, then `and`, `or`, `not.and` or `not.or`."""
    names = dotted_names(r)
    path = tuple(name for name in names[:-1] if name != "not")
    return path, ("not." if "not" in names else "") + names[-1]


# Order


def order_list(r: Reader) -> tuple[Order, ...]:
    terms = [_order_term(r)]
    while r.take_spaced(","):
        terms.append(_order_term(r))
    if not r.at_end:
        raise r.fail("asc, desc, nullsfirst, nullslast or the next term")
    return tuple(terms)


def _related_field(r: Reader) -> tuple[str, Field]:
    relation = field_name(r)
    r.expect("(")
    inner = field(r)
    r.expect(")")
    return relation, inner


def _order_term(r: Reader) -> Order:
    r.skip_blanks()
    related = r.attempt(_related_field)
    relation, column = related if related is not None else (None, field(r))
    direction = "asc" if r.take(".asc") else "desc" if r.take(".desc") else None
    nulls = "first" if r.take(".nullsfirst") else "last" if r.take(".nullslast") else None
    return Order(column, relation, direction, nulls)  # type: ignore[arg-type]


# Select


def select_list(r: Reader) -> tuple[SelectItem, ...]:
    """A list of items, possibly empty; stops before a closing parenthesis."""
    r.skip_blanks()
    if r.at_end or r.looking_at(")"):
        return ()
    items = [_select_item(r)]
    while r.take_spaced(","):
        items.append(_select_item(r))
    return tuple(items)


def _select_item(r: Reader) -> SelectItem:
    relation = r.attempt(_select_relation)
    return relation if relation is not None else _select_field(r)


def _alias(r: Reader) -> str:
    name = field_name(r)
    if r.looking_at("::"):
        raise r.fail('":"')
    r.expect(":")
    return name


def _select_relation(r: Reader) -> SelectRelation:
    r.skip_blanks()
    spread = r.take("...")
    alias = None if spread else r.attempt(_alias)
    name = field_name(r)
    if name == "count":
        raise r.fail("a relation")  # count() is an aggregate
    hint, inner = None, False
    for _ in range(2):
        if r.take("!"):
            parameter = field_name(r)
            if parameter in ("inner", "left"):
                inner = parameter == "inner"
            else:
                hint = parameter
    r.skip_blanks()
    r.expect("(")
    items = select_list(r)
    r.skip_blanks()
    r.expect(")")
    r.skip_blanks()
    return SelectRelation(name, alias, hint, inner, spread, items)


def _expect_item_end(r: Reader) -> None:
    r.skip_blanks()
    if not (r.at_end or r.looking_at(",", ")")):
        raise r.fail('",", ")" or the end')


def _cast(r: Reader) -> str | None:
    return identifier(r) if r.take("::") else None


def _star(r: Reader) -> SelectField:
    r.expect("*")
    _expect_item_end(r)
    return SelectField(Field("*"))


def _count(r: Reader) -> SelectField:
    alias = r.attempt(_alias)
    r.expect("count()")
    cast = _cast(r)
    _expect_item_end(r)
    return SelectField(Field("*"), alias, None, "count", cast)


def _select_field(r: Reader) -> SelectField:
    r.skip_blanks()
    for rule in (_star, _count):
        item = r.attempt(rule)
        if item is not None:
            return item
    alias = r.attempt(_alias)
    column = field(r)
    cast = _cast(r)
    aggregate = next((name for name in AGGREGATES if r.take(f".{name}()")), None)
    aggregate_cast = _cast(r) if aggregate else None
    _expect_item_end(r)
    return SelectField(column, alias, cast, aggregate, aggregate_cast)
