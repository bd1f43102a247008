"""The Prefer header: what is asked for, and what of it was applied."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..errors import RestError

_VALUES: dict[str, tuple[str, ...] | None] = {
    "resolution": ("merge-duplicates", "ignore-duplicates"),
    "missing": ("default", "null"),
    "return": ("minimal", "headers-only", "representation"),
    "count": ("exact", "planned", "estimated"),
    "tx": ("commit", "rollback"),
    "handling": ("strict", "lenient"),
    "timezone": None,
    "max-affected": None,
}
"""In the order in which they are echoed; None: any value that passes a check of its own."""


@dataclass(frozen=True)
class Preferences:
    values: dict[str, str]
    invalid: tuple[str, ...] = ()

    def get(self, name: str) -> str | None:
        return self.values.get(name)

    @property
    def strict(self) -> bool:
        return self.values.get("handling") == "strict"

    @property
    def max_affected(self) -> int | None:
        """Only strict handling makes it binding."""
        value = self.values.get("max-affected")
        return int(value) if value is not None and self.strict else None

    def applied(self, names: Iterable[str]) -> str | None:
        """The value of Preference-Applied, or None when there is nothing to say."""
        said = [
            f"{name}={self.values[name]}"
            for name in _VALUES
            if name in names and name in self.values and (name != "max-affected" or self.strict)
        ]
        return ", ".join(said) or None


def parse_preferences(headers: list[str], time_zones: frozenset[str]) -> Preferences:
    values: dict[str, str] = {}
    invalid: list[str] = []
    for item in (part.strip() for part in ",".join(headers).split(",")):
        if not item:
            continue
        name, _, value = item.partition("=")
        if not _is_valid(name, value, time_zones):
            invalid.append(item)
        else:
            values.setdefault(name, value)  # the first mention wins
    preferences = Preferences(values, tuple(invalid))
    if preferences.strict and invalid:
        raise RestError(
            400,
            "PGRST122",
            "Invalid preferences given with handling=strict",
            f"Invalid preferences: {', '.join(invalid)}",
        )
    return preferences


def _is_valid(name: str, value: str, time_zones: frozenset[str]) -> bool:
    if name not in _VALUES:
        return False
    if name == "timezone":
        return value in time_zones
    if name == "max-affected":
        return value.isdecimal()
    allowed = _VALUES[name]
    return allowed is not None and value in allowed
