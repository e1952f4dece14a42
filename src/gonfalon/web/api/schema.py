"""JSON schemas of types, mainly of TypedDicts, whose annotations become descriptions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import NoneType, SimpleNamespace, UnionType
from typing import (
    Annotated,
    Final,
    Literal,
    NotRequired,
    Required,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

Schema = dict[str, object]
SIMPLE: Final[dict[object, str]] = {str: "string", int: "integer", bool: "boolean", float: "number", NoneType: "null"}


class Schemas:
    """The schemas of types. `named` holds those of TypedDicts, to which the others refer."""

    def __init__(self) -> None:
        self.named: dict[str, Schema] = {}
        self.prefix: str = ""
        """The prefix of the names of new TypedDicts."""
        self._names: dict[type, str] = {}

    def of(self, kind: object) -> Schema:
        """Return the schema of a type."""
        origin, args = get_origin(kind), get_args(kind)
        if isinstance(kind, type) and kind in SIMPLE:
            return {"type": SIMPLE[kind]}
        if isinstance(kind, type) and is_typeddict(kind):
            return self._reference(kind)
        if origin is Annotated:
            return self.of(args[0]) | merge_annotations(args[1:])
        if origin in (Required, NotRequired):
            return self.of(args[0])
        if origin is Literal:
            return {"enum": list(args)}
        if origin in (Union, UnionType):
            return {"anyOf": [self.of(one) for one in args]}
        if origin is tuple and args[-1] is not Ellipsis:
            return {"type": "array", "prefixItems": [self.of(one) for one in args], "items": False}
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return {"type": "object", "additionalProperties": self.of(args[1])}
        if isinstance(origin, type) and issubclass(origin, Sequence):
            return {"type": "array", "items": self.of(args[0])}
        return {}

    def _reference(self, kind: type) -> Schema:
        # Types of the core are common to all games and need no prefix.
        prefix = "" if kind.__module__ == "gonfalon.core.rules.page" else self.prefix
        name = self._names.setdefault(kind, prefix + kind.__name__)
        # Another type has the same name, so this one is called by its module.
        if list(self._names.values()).count(name) > 1:
            name = self._names[kind] = f"{kind.__module__}.{kind.__name__}"
        if name not in self.named:
            self.named[name] = {}  # for a type that holds itself
            hints = get_type_hints(kind, include_extras=True)
            self.named[name] = {
                "type": "object",
                "properties": {field: self.of(hint) for field, hint in hints.items()},
                "required": [field for field in hints if is_required(hints[field], field, kind)],
            }
        return {"$ref": f"#/components/schemas/{name}"}


def merge_annotations(notes: Sequence[object]) -> Schema:
    """Return the annotations of a type: descriptions, and further parts of its schema."""
    found: Schema = {}
    for note in notes:
        found |= {"description": note} if isinstance(note, str) else note if isinstance(note, dict) else {}
    return found


def is_required(hint: object, field: str, kind: type) -> bool:
    """Return whether a field of a TypedDict is required."""
    # With postponed annotations Python itself cannot tell: `__required_keys__` holds all of them.
    return get_origin(hint) is not NotRequired and field not in getattr(kind, "__optional_keys__", ())


def return_type(function: Callable[..., object]) -> object:
    """Return the annotated return type of a function; an object of any form if it is unknown at run time. The other
    annotations need not be known."""
    try:
        bare = SimpleNamespace(__annotations__={"return": function.__annotations__["return"]})
        return get_type_hints(bare, function.__globals__, include_extras=True)["return"]
    except (AttributeError, KeyError, NameError):
        return dict[str, object]
