"""The state codec: states and views as JSON text, the same in both builds.

Apart from records this is the only stored form of a position. Bot workers receive views in it, and it is part of
pickles, copies, frozen states (`core/files/freeze.py`) and start positions (`core/files/start_position.py`).

The text of a view contains the view and nothing of the position behind it. Objects that are constant in a game, such as
its cards, are not written: the receiver has a game with the same options, and both sides number these objects in the
same order.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import sys
import types
from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

from gonfalon.core.basics.cards import KIND
from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.rules import Rules
from gonfalon.core.rules.state import NO_ANSWERS, OPEN, TOGETHER, State, Step
from gonfalon.core.rules.tensor import build_undeclared_error

UNSET: Final = object()
"""Marks a slot without a value."""
_SLOT_NAMES: Final[dict[type, list[str]]] = {}
_ARGUMENT_NAMES: Final[dict[type, list[str]]] = {}


class StateCodec:
    """The encoder and decoder of the states and views of one game."""

    def __init__(self, game: Game) -> None:
        self.game: Game = game.without_secrets()
        self.shared: list[object] = []
        """The objects that belong to the game and not to a position."""
        self.numbers: dict[int, int] = {}
        """The place of each shared object in `shared`, by its id."""
        self.steps: dict[str, type] = {class_name(step): step for step in game.steps}
        self._number_shared(self.game.start())

    # ---- encoding -------------------------------------------------------------------------------

    def encode_view(self, view: State) -> dict[str, object]:
        """Return a view as JSON.

        Raises:
            ValueError: The state is full, so it must not leave its owner.
            GonfalonError: The game does not declare the class of a step.
        """
        if view.viewer == OPEN:
            raise ValueError("This is a full state. Only views may be sent.")
        return self.encode(view)

    def encode(self, state: State) -> dict[str, object]:
        """Return a state as JSON, also a full one, for copies that stay with their owner."""
        if any(id(root) not in self.numbers for root in shared_roots(state)):
            self._number_shared(state)  # a state of another object of the same game
        # The game itself is not sent: the receiver has its own.
        return {
            name: self._encode(value) for name, value in attributes_of(state).items() if not isinstance(value, Game)
        }

    def _encode(self, value: object) -> object:
        """Return a value as JSON that preserves tuples, dicts with keys of any type, and objects."""
        if value is None or isinstance(value, (bool, int, float, str)):
            return value
        if isinstance(value, list):
            return [item if type(item) is int else self._encode(item) for item in value]
        if isinstance(value, tuple):
            return {"tuple": [self._encode(item) for item in value]}
        if isinstance(value, dict):
            return {"dict": [[self._encode(key), self._encode(item)] for key, item in value.items()]}
        number = self.numbers.get(id(value))
        if number is not None:
            return {"shared": number}
        if not belongs_to_game(value):
            raise ValueError(f"A view with a {type(value).__qualname__} cannot be encoded.")
        if isinstance(value, Step) and type(value) not in self.game.steps:
            raise build_undeclared_error(type(value))
        return {
            "object": class_name(type(value)),
            "holds": {name: self._encode(item) for name, item in attributes_of(value).items()},
        }

    def _number_shared(self, state: State) -> None:
        """Number the objects that a state shares with its game, in an order that depends on the game alone."""
        self.shared, self.numbers = [], {}
        waiting: list[object] = shared_roots(state)[::-1]
        while waiting:
            value = waiting.pop()
            if isinstance(value, (list, tuple)):
                waiting += value[::-1]
            elif isinstance(value, dict):
                waiting += list(value.values())[::-1]
            elif belongs_to_game(value) and id(value) not in self.numbers:
                self.numbers[id(value)] = len(self.shared)
                self.shared.append(value)
                waiting += list(attributes_of(value).values())[::-1]

    # ---- decoding -------------------------------------------------------------------------------

    def decode_view(self, body: Mapping[str, object]) -> State:
        """Return the view that `encode_view` wrote.

        Raises:
            ValueError: The state is full.
            KeyError, IndexError, TypeError: The JSON is not a view of this game.
        """
        view = self.decode(body)
        if view.viewer == OPEN:
            raise ValueError("This is a full state. Only views may be received.")
        return view

    def decode(self, body: Mapping[str, object]) -> State:
        """Return the state that `encode` wrote. Raises KeyError, IndexError or TypeError for any other JSON."""
        state = self.game.start()
        if any(id(root) not in self.numbers for root in shared_roots(state)):
            self._number_shared(state)
        names = attributes_of(state)
        for name, value in body.items():
            if name not in names:
                raise KeyError(name)
            setattr(state, name, self._decode(value))
        if not state.stack or state.stack[-1].seat != TOGETHER:
            state.answers = NO_ANSWERS[state.seats]  # compared by identity, which makes clones cheap
        return state

    def _decode(self, value: object) -> object:
        """Return the value that `_encode` wrote."""
        if isinstance(value, list):
            return [item if type(item) is int else self._decode(item) for item in value]
        if not isinstance(value, dict):
            return value
        if "tuple" in value:
            return tuple(self._decode(item) for item in value["tuple"])
        if "dict" in value:
            return {self._decode(key): self._decode(item) for key, item in value["dict"]}
        if "shared" in value:
            return self.shared[value["shared"]]
        cls = self.find_class(value["object"])
        holds = {name: self._decode(item) for name, item in value["holds"].items()}
        # A compiled class cannot be made without its arguments, which must be stored under their names.
        lost = [name for name in argument_names(cls) if name not in holds]
        if lost:
            raise GonfalonError(f"{cls.__name__} must store its argument {lost[0]} in an attribute of that name.")
        made = cls(**{name: holds[name] for name in argument_names(cls)})
        for name, item in holds.items():
            setattr(made, name, item)
        return made

    def find_class(self, name: str) -> type:
        """Return a class by its name. Raises KeyError unless it is a step of the game, or is defined in the game's own
        modules."""
        if name in self.steps:
            return self.steps[name]
        module, _, qualified = name.partition(":")
        home = type(self.game).__module__.rpartition(".")[0]
        if not home or not module.startswith(home + "."):
            raise KeyError(name)
        cls = vars(sys.modules[module])[qualified]
        if not isinstance(cls, type) or cls.__module__ != module:  # a class that the module has imported is not its own
            raise KeyError(name)
        return cls


# ---- text and pickles ---------------------------------------------------------------------------


@lru_cache(maxsize=8)
def codec_of(game: Game) -> StateCodec:
    """Return the codec of a game. The last few are cached, because making one searches all tables of the game."""
    return StateCodec(game)


def game_of(state: State) -> Game:
    """Return the game that started a state. Raises TypeError if it is not known."""
    game = state.rules
    if not isinstance(game, Game):
        raise TypeError("This state was not started by a game, so it cannot be encoded.")
    return game


def state_to_text(state: State) -> tuple[Game, str]:
    """Return the game of a state or view, and the state as text. Raises TypeError if the game is not known."""
    game = game_of(state)
    return game, json.dumps(codec_of(game).encode(state), separators=(",", ":"))


def state_from_text(game: Game, text: str) -> State:
    """Return the state or view that `state_to_text` wrote."""
    return codec_of(game).decode(json.loads(text))


@lru_cache(maxsize=64)
def options_to_text(game: Rules) -> str:
    """Return the options of a game as text, equal for equal options. It is cached, because own cards make it long
    and every question to a bot sends it."""
    return json.dumps(game.shown_options(), separators=(",", ":"))


@lru_cache(maxsize=8)
def make_game(kind: Callable[..., Game], options: str) -> Game:
    """Return a game of a class and the text of its options. Many states of one game share it."""
    return kind(**json.loads(options))


# ---- whether a text still fits ------------------------------------------------------------------


def shape_of(game: Game) -> str:
    """Return a hash of the structure of a game's states. A state of another shape cannot be decoded."""
    codec = codec_of(game.without_secrets())
    first = codec.game.start(log=True)
    parts = [[class_name(type(one)), sorted(attributes_of(one))] for one in [first, *codec.shared]]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


def is_consistent(state: State) -> bool:
    """Return whether a full state has no surplus card, and its pending question follows from its steps."""
    for deck, zones in state.pools():
        if Counter(card & KIND for zone in zones for card in zone) - Counter(deck):
            return False
    again = state.clone()
    again.settle()
    return again.dump() == state.dump()


# ---- attributes of objects, interpreted or compiled ---------------------------------------------


def shared_roots(state: State) -> list[object]:
    """Return the constant objects of its game that a state holds in its attributes. Data that changes is in lists."""
    return [value for value in attributes_of(state).values() if belongs_to_game(value)]


def belongs_to_game(value: object) -> bool:
    """Return whether a value is an object of a game's class, and not a built-in type, a class or a function."""
    if isinstance(value, (type, Game, types.FunctionType, types.BuiltinFunctionType, types.MethodType)):
        return False
    return type(value).__module__.partition(".")[0] not in sys.stdlib_module_names


def attributes_of(thing: object) -> dict[str, object]:
    """Return the attributes of an object, sorted by name so that both builds write the same text."""
    found = {name: getattr(thing, name, UNSET) for name in slot_names(type(thing))}
    if more := getattr(thing, "__dict__", None):
        found = dict(sorted({**found, **more}.items()))
    return {name: value for name, value in found.items() if value is not UNSET}


def slot_names(cls: type) -> list[str]:
    """Return the names of the slots of a class, interpreted or compiled, sorted."""
    if cls in _SLOT_NAMES:
        return _SLOT_NAMES[cls]
    found: dict[str, None] = {}
    for base in cls.__mro__:
        compiled = vars(base).get("__mypyc_attrs__")
        declared = [name for name, slot in vars(base).items() if isinstance(slot, types.MemberDescriptorType)]
        found.update(dict.fromkeys(compiled or declared))
    _SLOT_NAMES[cls] = sorted(name for name in found if not name.startswith("__"))
    return _SLOT_NAMES[cls]


def argument_names(cls: type) -> list[str]:
    """Return the names of the arguments of a class."""
    if cls not in _ARGUMENT_NAMES:
        _ARGUMENT_NAMES[cls] = list(inspect.signature(cls).parameters)
    return _ARGUMENT_NAMES[cls]


def class_name(cls: type) -> str:
    """Return the name of a class with its module."""
    return f"{cls.__module__}:{cls.__qualname__}"
