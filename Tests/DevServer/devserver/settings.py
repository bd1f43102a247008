"""What the server is started with, and what a test may change while it runs."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal


@dataclass
class Settings:
    """One server. The first group is fixed at the start; the second may be changed over the control port."""

    database: str
    """A connection string of the owner; requests run under the role of their token all the same."""
    jwt_secret: str
    publishable_key: str

    schemas: list[str] = field(default_factory=lambda: ["public", "archive"])
    """The exposed schemas; the first is the default."""
    extra_search_path: list[str] = field(default_factory=lambda: ["public", "extensions"])
    anonymous_role: str = "anon"
    max_rows: int | None = 1000
    tx_end: Literal["commit", "commit-allow-override", "rollback", "rollback-allow-override"] = "commit"
    aggregates: bool = False
    safe_update: bool = True
    """Refuse an update or delete without a filter, as the safeupdate module of hosted projects does."""
    jwt_wording: Literal["v12", "v13"] = "v13"
    """Up to version 12 an expired token was PGRST301, since then it is PGRST303."""
    clock_skew_seconds: int = 30
    token_seconds: int = 3600
    reuse_seconds: int = 10
    """How long a refresh token that was just used may be used again, as after a lost answer."""

    FIXED = ("database", "jwt_secret", "publishable_key")

    def changeable(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if name not in self.FIXED}

    def change(self, changes: dict[str, Any]) -> None:
        """Takes over what a test asks for; an unknown name is an error, so that no typing error passes."""
        known = {f.name for f in fields(self)} - set(self.FIXED)
        unknown = sorted(set(changes) - known)
        if unknown:
            raise ValueError(f"no such setting: {', '.join(unknown)}; there are {', '.join(sorted(known))}")
        for name, value in changes.items():
            setattr(self, name, value)
