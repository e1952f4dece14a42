"""A view as JSON and back: how it travels to a bot in another process.

What is sent is the view alone, never the position behind it: its numbers, and its steps with what they
hold. What is the same throughout a game (its cards and what they do) the receiver has already, from a
game of the same options; it is sent as a number, in an order in which both sides count alike.
"""

from __future__ import annotations

import inspect
import sys
import types
from collections.abc import Mapping
from typing import Final

from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import NO_ANSWERS, OPEN, TOGETHER, State, Step
from gonfalon.core.rules.tensor import undeclared

UNSET: Final = object()


_SLOTS: Final[dict[type, list[str]]] = {}
_ARGUMENTS: Final[dict[type, list[str]]] = {}


class Wire:
    """Packs and unpacks the views of one game."""

    def __init__(self, game: Game) -> None:
        self.game: Game = game.without_secrets()
        self.shared: list[object] = []
        """What belongs to the game and not to a position."""
        self.number: dict[int, int] = {}
        self.roots: list[object] = []
        self.steps: dict[str, type] = {name_of(step): step for step in game.steps}
        self.count_shared(self.game.start())

    # ---- sending --------------------------------------------------------------------------------

    def pack(self, view: State) -> dict[str, object]:
        """A view as JSON. Raises ValueError for a full state, which must not leave its owner, and GonfalonError for a
        step that the game does not declare."""
        if view.viewer == OPEN:
            raise ValueError("This is a full state; only views are sent.")
        return self.body(view)

    def body(self, state: State) -> dict[str, object]:
        """A state as JSON, a full one too: for copies that stay with their owner (`gonfalon.core.files.freeze`)."""
        if any(id(root) not in self.number for root in roots(state)):
            self.count_shared(state)  # another start of the same game, with tables of its own
        # The game itself stays: the receiver has one of its own.
        return {name: self.encoded(value) for name, value in held(state).items() if not isinstance(value, Game)}

    def encoded(self, value: object) -> object:
        """A value as JSON that remembers which lists are tuples, dicts with keys of any kind, and objects."""
        if value is None or isinstance(value, (bool, int, float, str)):
            return value
        if isinstance(value, list):
            return [item if type(item) is int else self.encoded(item) for item in value]
        if isinstance(value, tuple):
            return {"tuple": [self.encoded(item) for item in value]}
        if isinstance(value, dict):
            return {"dict": [[self.encoded(key), self.encoded(item)] for key, item in value.items()]}
        number = self.number.get(id(value))
        if number is not None:
            return {"shared": number}
        if not own(value):
            raise ValueError(f"A view cannot be sent with a {type(value).__qualname__} in it.")
        if isinstance(value, Step) and type(value) not in self.game.steps:
            raise undeclared(type(value))
        return {
            "object": name_of(type(value)),
            "holds": {name: self.encoded(item) for name, item in held(value).items()},
        }

    def count_shared(self, state: State) -> None:
        """Number what the tables of a state hold, in an order that depends on the game alone."""
        self.shared, self.number, self.roots = [], {}, roots(state)
        waiting: list[object] = self.roots[::-1]
        while waiting:
            value = waiting.pop()
            if isinstance(value, (list, tuple)):
                waiting += value[::-1]
            elif isinstance(value, dict):
                waiting += list(value.values())[::-1]
            elif own(value) and id(value) not in self.number:
                self.number[id(value)] = len(self.shared)
                self.shared.append(value)
                waiting += list(held(value).values())[::-1]

    # ---- receiving ------------------------------------------------------------------------------

    def unpack(self, body: Mapping[str, object]) -> State:
        """The view again. Raises ValueError, KeyError, IndexError or TypeError for what is no view of this
        game."""
        view = self.state(body)
        if view.viewer == OPEN:
            raise ValueError("This is a full state; only views are received.")
        return view

    def state(self, body: Mapping[str, object]) -> State:
        """The state of a `body`."""
        state = self.game.start()
        if any(id(root) not in self.number for root in roots(state)):
            self.count_shared(state)
        names = held(state)
        for name, value in body.items():
            if name not in names:
                raise KeyError(name)
            setattr(state, name, self.decoded(value))
        if not state.stack or state.stack[-1].seat != TOGETHER:
            state.answers = NO_ANSWERS[state.seats]  # told by identity, which makes clones cheap
        return state

    def decoded(self, value: object) -> object:
        """What `encoded` was given."""
        if isinstance(value, list):
            return [item if type(item) is int else self.decoded(item) for item in value]
        if not isinstance(value, dict):
            return value
        if "tuple" in value:
            return tuple(self.decoded(item) for item in value["tuple"])
        if "dict" in value:
            return {self.decoded(key): self.decoded(item) for key, item in value["dict"]}
        if "shared" in value:
            return self.shared[value["shared"]]
        cls = self.class_of(value["object"])
        holds = {name: self.decoded(item) for name, item in value["holds"].items()}
        # A compiled class cannot be made without its arguments: they are named like what holds them.
        lost = [name for name in arguments(cls) if name not in holds]
        if lost:
            raise GonfalonError(f"{cls.__name__} does not keep its argument {lost[0]} under that name.")
        made = cls(**{name: holds[name] for name in arguments(cls)})
        for name, item in holds.items():
            setattr(made, name, item)
        return made

    def class_of(self, name: str) -> type:
        """A class by its name: only steps, and what the game's own modules define. Raises KeyError."""
        if name in self.steps:
            return self.steps[name]
        module, _, qualified = name.partition(":")
        home = type(self.game).__module__.rpartition(".")[0]
        if not home or not module.startswith(home + "."):
            raise KeyError(name)
        cls = vars(sys.modules[module])[qualified]
        if not isinstance(cls, type) or cls.__module__ != module:  # what a module has imported is not its own
            raise KeyError(name)
        return cls


def roots(state: State) -> list[object]:
    """The objects that a state holds directly: its game's tables. (What changes lies in lists.)"""
    return [value for value in held(state).values() if own(value)]


def own(value: object) -> bool:
    """Whether a value is an object of the game's: none of Python's own types, no class, no function."""
    if isinstance(value, (type, Game, types.FunctionType, types.BuiltinFunctionType, types.MethodType)):
        return False
    return type(value).__module__.partition(".")[0] not in sys.stdlib_module_names


def held(thing: object) -> dict[str, object]:
    """An object's attributes with their values, in the order of their names: both builds write the same text."""
    found = {name: getattr(thing, name, UNSET) for name in slots(type(thing))}
    if more := getattr(thing, "__dict__", None):
        found = dict(sorted({**found, **more}.items()))
    return {name: value for name, value in found.items() if value is not UNSET}


def slots(cls: type) -> list[str]:
    """The names of a class's slots, interpreted or compiled, sorted."""
    if cls in _SLOTS:
        return _SLOTS[cls]
    found: dict[str, None] = {}
    for base in cls.__mro__:
        compiled = vars(base).get("__mypyc_attrs__")
        declared = [name for name, slot in vars(base).items() if isinstance(slot, types.MemberDescriptorType)]
        found.update(dict.fromkeys(compiled or declared))
    _SLOTS[cls] = sorted(name for name in found if not name.startswith("__"))
    return _SLOTS[cls]


def arguments(cls: type) -> list[str]:
    """The names of what a class is made with."""
    if cls not in _ARGUMENTS:
        _ARGUMENTS[cls] = list(inspect.signature(cls).parameters)
    return _ARGUMENTS[cls]


def name_of(cls: type) -> str:
    """A class by its module and its name."""
    return f"{cls.__module__}:{cls.__qualname__}"
