"""Which of the few media types this server makes a client accepts."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import RestError


@dataclass(frozen=True)
class MediaType:
    name: str
    single: bool = False
    strip_nulls: bool = False

    @property
    def content_type(self) -> str:
        stripped = ";nulls=stripped" if self.strip_nulls else ""
        return f"{self.name}{stripped}; charset=utf-8"


JSON = MediaType("application/json")
_OBJECT = "application/vnd.pgrst.object"
_ARRAY = "application/vnd.pgrst.array"


def accepted(header: str | None) -> MediaType:
    if not header:
        return JSON
    ranked = sorted((_with_quality(item) for item in header.split(",")), key=lambda pair: -pair[0])
    for _, (name, parameters) in ranked:
        strip_nulls = "nulls=stripped" in parameters
        if name in ("*/*", "application/*", "application/json"):
            return JSON
        if name in (_OBJECT, _OBJECT + "+json"):
            return MediaType(_OBJECT + "+json", True, strip_nulls)
        if name in (_ARRAY, _ARRAY + "+json"):
            return MediaType(_ARRAY + "+json", False, True) if strip_nulls else JSON
    raise RestError(406, "PGRST107", f"None of these media types are available: {header}")


def _with_quality(item: str) -> tuple[float, tuple[str, list[str]]]:
    name, *parameters = (part.strip().replace(" ", "") for part in item.split(";"))
    quality = 1.0
    for parameter in parameters:
        if parameter.startswith("q="):
            try:
                quality = float(parameter[2:])
            except ValueError:
                quality = 0.0
    return quality, (name.lower(), parameters)
