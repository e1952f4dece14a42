"""The law of a game's description and options: every offered value can be chosen, recorded and restored."""

from __future__ import annotations

import json
import re

from gonfalon.check.law import Broken, Law
from gonfalon.check.laws.rules.flow import raised
from gonfalon.check.play import Bench, Case, play
from gonfalon.core.basics.errors import GonfalonError, OptionError
from gonfalon.core.rules.game import Game, Option


def says_what_it_is(bench: Bench, case: Case) -> int:
    """A game's name, version, seats and options are complete, and the options in a record restore the game.

    Mistake:
        An option has no limits, or two options that the form offers exclude each other with a wrong error.
    Cure:
        Give numbers `least` and `most`, and raise OptionError for combinations that do not exist.
    """
    game = case.game
    if not re.fullmatch(r"[a-z0-9][a-z0-9_-]*", game.name):
        raise Broken(f"the game's name {game.name!r} is not one word of lower-case letters")
    for what in ("title", "version", "data_hash"):
        if not isinstance(getattr(game, what), str) or not getattr(game, what).strip():
            raise Broken(f"the game has no {what}")
    names = game.seat_names()
    if len(names) != game.seats or len(set(names)) != game.seats or not all(name.strip() for name in names):
        raise Broken(f"the {game.seats} seats do not have different names: {names}")
    if game.start().log is not None or game.start(log=True).log is None:
        raise Broken("start() keeps a log without log=True, or none with it")
    if game.start().rules is None:
        raise Broken("the state that start() returns does not know its game; decorate the method with starts_game")
    can_be_made_again(game)
    checked = 1
    for option in game.options_spec:
        for value in others(game, option):
            try:
                variant = type(game)(**{**game.options, option.name: value})
            except OptionError:
                continue  # the value does not combine with the other options
            except Exception as error:
                raise Broken(f"the option {option.name}={value!r} raised {raised(error)}") from error
            can_be_made_again(variant)
            if takes_a_number(option):
                can_be_played(variant, option.name, value)
            checked += 1
    return checked


def others(game: Game, option: Option) -> list[object]:
    """Return the values that an option offers, without the chosen one."""
    values = [value for value, _ in option.choices]
    if isinstance(option.default, bool):
        values = [True, False]
    elif option.name == "seats" and len(game.seat_counts) > 1:
        values = list(game.seat_counts)
    elif takes_a_number(option):
        if option.least is None or option.most is None:
            raise Broken(f"the option {option.name} has no limits; set `least` and `most`")
        values = [option.least, option.most]
    return [value for value in values if value != game.options[option.name]]


def takes_a_number(option: Option) -> bool:
    """Return whether an option takes any number, not one of a few."""
    return isinstance(option.default, int) and not isinstance(option.default, bool) and not option.choices


def can_be_played(game: Game, name: str, value: object) -> None:
    """Check that a game with this value of an option ends properly."""
    found = play(game, seed=1, keep=False)
    if found.crash is not None:
        raise Broken(f"with {name}={value!r} the rules raised {raised(found.crash)}")
    if found.endless:
        raise Broken(f"with {name}={value!r} a game exceeded its bound of {game.bound} decisions")


def can_be_made_again(game: Game) -> None:
    """Check that the options in a record make the same game. Options that a record omits have their defaults."""
    shown = game.shown_options()
    missing = [o.name for o in game.options_spec if o.name not in shown and game.options[o.name] != o.default]
    if missing:
        raise Broken(f"a record omits the option {missing[0]}, which differs from its default")
    try:
        again = type(game)(**json.loads(json.dumps(shown)))
    except (GonfalonError, TypeError, ValueError) as error:
        raise Broken(f"the options in a record do not restore the game: {raised(error)}") from error
    if again.shown_options() != shown or again.seats != game.seats or again.data_hash != game.data_hash:
        raise Broken("the options in a record make a different game")


LAWS = [Law("a game describes itself, and its options restore it", "games", says_what_it_is, once=True, share=0.2)]
