"""The law of a game's description and options: every offered value can be chosen, recorded and restored."""

from __future__ import annotations

import json
import re

from gonfalon.check.law import Law, LawBrokenError
from gonfalon.check.laws.rules.flow import format_exception
from gonfalon.check.play import Bench, Case, play_case
from gonfalon.core.basics.errors import GonfalonError, OptionError
from gonfalon.core.rules.game import Game, Option


def check_description(bench: Bench, case: Case) -> int:
    """A game's name, version, seats and options are complete, and the options in a record restore the game.

    Mistake:
        An option has no limits, or two options that the form offers exclude each other with a wrong error.
    Cure:
        Give numbers `least` and `most`, and raise OptionError for combinations that do not exist.
    """
    game = case.game
    if not re.fullmatch(r"[a-z0-9][a-z0-9_-]*", game.name):
        raise LawBrokenError(f"the game's name {game.name!r} is not one word of lower-case letters")
    for what in ("title", "version", "data_hash"):
        if not isinstance(getattr(game, what), str) or not getattr(game, what).strip():
            raise LawBrokenError(f"the game has no {what}")
    names = game.seat_names()
    if len(names) != game.seats or len(set(names)) != game.seats or not all(name.strip() for name in names):
        raise LawBrokenError(f"the {game.seats} seats do not have different names: {names}")
    if game.start().log is not None or game.start(log=True).log is None:
        raise LawBrokenError("start() keeps a log without log=True, or none with it")
    if game.start().rules is None:
        raise LawBrokenError(
            "the state that start() returns does not know its game; decorate the method with starts_game"
        )
    check_restorable(game)
    checked = 1
    for option in game.options_spec:
        for value in list_other_values(game, option):
            try:
                variant = type(game)(**{**game.options, option.name: value})
            except OptionError:
                continue  # the value does not combine with the other options
            except Exception as error:
                raise LawBrokenError(f"the option {option.name}={value!r} raised {format_exception(error)}") from error
            check_restorable(variant)
            if takes_a_number(option):
                check_playable(variant, option.name, value)
            checked += 1
    return checked


def list_other_values(game: Game, option: Option) -> list[object]:
    """Return the values that an option offers, without the chosen one."""
    values = [value for value, _ in option.choices]
    if isinstance(option.default, bool):
        values = [True, False]
    elif option.name == "seats" and len(game.seat_counts) > 1:
        values = list(game.seat_counts)
    elif takes_a_number(option):
        if option.least is None or option.most is None:
            raise LawBrokenError(f"the option {option.name} has no limits; set `least` and `most`")
        values = [option.least, option.most]
    return [value for value in values if value != game.options[option.name]]


def takes_a_number(option: Option) -> bool:
    """Return whether an option takes any number, not one of a few."""
    return isinstance(option.default, int) and not isinstance(option.default, bool) and not option.choices


def check_playable(game: Game, name: str, value: object) -> None:
    """Check that a game with this value of an option ends properly."""
    found = play_case(game, seed=1, keep=False)
    if found.crash is not None:
        raise LawBrokenError(f"with {name}={value!r} the rules raised {format_exception(found.crash)}")
    if found.endless:
        raise LawBrokenError(f"with {name}={value!r} a game exceeded its bound of {game.bound} decisions")


def check_restorable(game: Game) -> None:
    """Check that the options in a record make the same game. Options that a record omits have their defaults."""
    shown = game.shown_options()
    missing = [o.name for o in game.options_spec if o.name not in shown and game.options[o.name] != o.default]
    if missing:
        raise LawBrokenError(f"a record omits the option {missing[0]}, which differs from its default")
    try:
        again = type(game)(**json.loads(json.dumps(shown)))
    except (GonfalonError, TypeError, ValueError) as error:
        raise LawBrokenError(f"the options in a record do not restore the game: {format_exception(error)}") from error
    if again.shown_options() != shown or again.seats != game.seats or again.data_hash != game.data_hash:
        raise LawBrokenError("the options in a record make a different game")


LAWS = [Law("a game describes itself, and its options restore it", "games", check_description, once=True, share=0.2)]
