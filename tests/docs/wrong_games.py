"""The wrong games of the laws' pages: each is the tutorial's game with some code replaced."""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Final
from unittest.mock import patch

from gonfalon.check import ReferenceRules
from gonfalon.core.basics import cards
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules import simple, state
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.learning import Part
from tests.docs.examples import ROOT, write_files

TUTORIAL: Final = ROOT / "docs" / "pages" / "learn" / "game.md"
MODULES: Final = ("face.words", "bots.rule_of_thumb", "game", "rules.state", "rules.steps")
"""Names of the later ones come first: `KEEP` is an action in the steps and a text in the words."""


@contextmanager
def tutorial_game(folder: Path) -> Iterator[list[ModuleType]]:
    """Write the tutorial's game into a folder and import it. Yield its modules."""
    write_files(TUTORIAL, folder)
    sys.path.insert(0, str(folder / "duel"))
    try:
        yield [importlib.import_module(f"duel.{name}") for name in MODULES]
    finally:
        sys.path.remove(str(folder / "duel"))
        for name in [name for name in sys.modules if name.partition(".")[0] == "duel"]:
            del sys.modules[name]


@contextmanager
def apply_example(code: str, modules: list[ModuleType]) -> Iterator[tuple[type[Game], ReferenceRules[Any] | None]]:
    """Replace the functions and members of classes that an example defines. Yield the game and its reference rules."""
    names: dict[str, Any] = {}
    for module in (cards, state, simple, *modules):
        names.update(vars(module))
    names.update(Rng=Rng, Part=Part, ReferenceRules=ReferenceRules, __name__="duel.example")
    before = dict(names)
    exec(compile(code, "example", "exec"), names)
    reference = None
    with ExitStack() as stack:
        for name, new in list(names.items()):
            old = before.get(name)
            if new is old or name.startswith("__"):
                continue
            if isinstance(new, type) and isinstance(old, type):
                for member, value in list(vars(new).items()):
                    if is_own_member(member, new):
                        bind_class(value, old)
                        stack.enter_context(patch.object(old, member, value, create=True))
                names[name] = old
            elif isinstance(new, type) and issubclass(new, ReferenceRules):
                reference = new()
            elif old is not None:
                for module in modules:
                    if vars(module).get(name) is old:
                        stack.enter_context(patch.object(module, name, new))
        game: type[Game] = before["Duel"]
        yield game, reference


def is_own_member(member: str, owner: type) -> bool:
    """Return whether a class body itself defined a member."""
    return member == "__init__" or not (member.startswith("_") or member in ("__slots__",))


def bind_class(value: object, owner: type) -> None:
    """Make `super()` in a function refer to another class than the one in whose body it was written."""
    function: Callable[..., object] | None = value if isinstance(value, FunctionType) else None
    if function is not None and "__class__" in inspect.getclosurevars(function).nonlocals:
        cells = zip(value.__code__.co_freevars, value.__closure__ or (), strict=True)  # type: ignore[attr-defined]
        next(cell for name, cell in cells if name == "__class__").cell_contents = owner
