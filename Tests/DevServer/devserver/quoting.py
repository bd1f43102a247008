"""Names and values as SQL text.

Values go out as untyped literals on purpose: PostgreSQL then reads each by the type of the column it
meets, which is what PostgREST's answers rest on. Parameters with a type would change them.
"""

from __future__ import annotations

from collections.abc import Iterable

from .errors import RestError


def identifier(name: str) -> str:
    return '"' + _without_nul(name).replace('"', '""') + '"'


def qualified(schema: str, name: str) -> str:
    return f"{identifier(schema)}.{identifier(name)}"


def literal(text: str) -> str:
    """A string literal; `E''` where there is a backslash, so that no server setting can change its meaning."""
    quoted = "'" + _without_nul(text).replace("'", "''") + "'"
    return " E" + quoted.replace("\\", "\\\\") if "\\" in quoted else quoted


def array_literal(elements: Iterable[str]) -> str:
    """`'{"a","b"}'`: every element quoted, so that none is read as NULL or split at a comma."""
    quoted = ('"' + e.replace("\\", "\\\\").replace('"', '\\"') + '"' for e in elements)
    return literal("{" + ",".join(quoted) + "}")


def _without_nul(text: str) -> str:
    if "\0" in text:
        raise RestError(400, "22021", 'invalid byte sequence for encoding "UTF8": 0x00')
    return text
