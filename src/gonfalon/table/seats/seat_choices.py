"""The choice of each seat, a faction or a deck, and the game with all choices."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any, Final, NotRequired, TypedDict, cast

from gonfalon.core.basics.decks import DeckError
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.files.card_changes import copy_data, iter_entries
from gonfalon.core.files.card_sets import has_own_cards
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.page import dress_factions
from gonfalon.core.rules.rules import BEGUN
from gonfalon.core.rules.state import SPECTATOR
from gonfalon.table import messages
from gonfalon.table.chance import SYSTEM
from gonfalon.table.shared.services import Find

Options = Mapping[str, Any]
LOT: Final = "lot"
"""In place of a deck: a random preset deck."""
FACTIONS: Final = "factions"
TRIES: Final = 100


class Banner(TypedDict):
    """A public faction of a seat."""

    slug: NotRequired[str]
    name: str
    colour: NotRequired[str]


def find_choice_option(game: Game) -> str | None:
    """Return the option that lists the choices of the seats; None in a game without choices, or one played on from a
    position."""
    if BEGUN in game.options:
        return None
    decks = game.decks()
    if decks is not None:
        return decks.option
    listed = (option.name for option in game.options_spec if isinstance(option.default, tuple))
    return FACTIONS if FACTIONS in listed else None


def list_choices(game: Game) -> list[str]:
    """Return the preset choices of a seat: preset decks, or factions."""
    decks = game.decks()
    if decks is not None:
        return [decks.word(deck) for deck in decks.ready()]
    return [str(faction["slug"]) for faction in list_factions(game)]


def list_factions(game: Game) -> Sequence[Mapping[str, Any]]:
    """Return the factions of a game with its own cards: `slug`, `name`, and their looks."""
    usual: Sequence[Mapping[str, Any]] = game.lobby().get(FACTIONS, [])
    if not usual or not has_own_cards(game):
        return usual
    return dress_factions([one.table for one in iter_entries(copy_data(game)) if one.list == "faction"]) or usual


def find_faction_name(game: Game, slug: str) -> str:
    """Return the name of a faction; empty if there is none."""
    return next((str(faction["name"]) for faction in list_factions(game) if faction["slug"] == slug), "")


def read_choices(game: Game) -> list[str]:
    """Return the choices of the seats of a game; empty texts in a game without choices."""
    option = find_choice_option(game)
    return [""] * game.seats if option is None else [str(one) for one in game.options[option]]


def combine_choices(find: Find, game: Game, options: Options, brings: Sequence[str]) -> Game:
    """Return a game with these options and the choice of each seat. LOT stands for a random choice, an empty text for
    any; neither has a faction of another seat, if anything else fits. Raises OptionError."""
    option = find_choice_option(game)
    if option is None:
        return find(game.name, **options)
    usual = cast(Sequence[str], next(spec.default for spec in game.options_spec if spec.name == option))
    choices: list[list[str]] = []
    # Sides of one faction are hard to tell apart. Only what is announced counts: a secret deck must not change the lot.
    taken = {faction for one in brings if one not in ("", LOT) for faction in list_announced(game, one)}
    for seat, one in enumerate(brings):
        known = list_choices(game)
        if one == LOT:
            SYSTEM.shuffle(known)
        elif not one and seat < len(usual):
            known.insert(0, usual[seat])
        drawn = sorted(known, key=lambda other: not taken.isdisjoint(list_announced(game, other)))
        choices.append(drawn if one in ("", LOT) else [one])
        taken.update(*(list_announced(game, other) for other in choices[-1][:1]))
    refusal: OptionError | None = None
    # Choices may exclude each other, so combinations are tried, but not all of the thousands.
    for listed in itertools.islice(itertools.product(*choices), TRIES):
        try:
            return find(game.name, **{**options, option: list(listed)})
        except OptionError as error:
            refusal = refusal or error
    raise refusal or OptionError(messages.NO_CHOICE_FITS.format(game=game.title))


def list_announced(game: Game, one: str) -> Sequence[str]:
    """Return the factions of a choice that all viewers learn."""
    decks = game.decks()
    if decks is None:
        return [one]
    try:
        return decks.announced(decks.find(one))
    except DeckError:  # the game refuses it with a sentence
        return ()


def fill_choices(seats: int, seat: int, one: str) -> list[str]:
    """Return the choices of all seats if one brings this and the others anything."""
    return [one if other == seat else "" for other in range(seats)]


def list_banners(find: Find, game: Game, options: Options, seat: int, one: str) -> list[Banner]:
    """Return the factions of a seat's choice, and nothing else about it."""
    if find_choice_option(game) is None or not one:
        return []
    if one == LOT:
        return [{"name": messages.RANDOM_DECK}]
    try:
        met = combine_choices(find, game, options, fill_choices(game.seats, seat, one))
    except OptionError:
        return []
    # The board of spectators shows the factions but no card of a deck.
    panels = cast(Sequence[Mapping[str, Any]], met.board(met.start(log=True).mask(SPECTATOR))["seats"])
    told = panels[seat]
    if FACTIONS in told:
        return [{"slug": f["slug"], "name": f["name"], "colour": f["colour"]} for f in told[FACTIONS]]
    return [{"slug": told["faction"], "name": told["faction_name"], "colour": told["colour"]}]
