"""Options of all games: each announces exactly its valid values, and the texts of cards follow it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from gonfalon import games
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.rules.game import Game, Option

ALL = [(name, option) for name in games.names() for option in games.find_game_class(name).options_spec]
IDS = [f"{name}-{option.name}" for name, option in ALL]


def is_number(option: Option) -> bool:
    """Return whether an option accepts any number within bounds."""
    return isinstance(option.default, int) and not isinstance(option.default, bool) and not option.choices


def list_announced_values(option: Option) -> list[Any]:
    """Return every value that an option announces, or none for lists, files and texts."""
    if option.choices:
        return [value for value, _ in option.choices]
    if isinstance(option.default, bool):
        return [False, True]
    if is_number(option):
        assert option.least is not None
        assert option.most is not None
        return list(range(option.least, option.most + 1))
    return []


@pytest.mark.parametrize(("name", "option"), ALL, ids=IDS)
def test_an_option_accepts_its_announced_values(name: str, option: Option) -> None:
    for value in list_announced_values(option):
        assert games.game(name, **{option.name: value}).options[option.name] == value
        assert games.game(name, **{option.name: str(value)}).options[option.name] == value


@pytest.mark.parametrize(("name", "option"), ALL, ids=IDS)
def test_an_option_refuses_other_values(name: str, option: Option) -> None:
    values = list_announced_values(option)
    if not values or isinstance(option.default, bool):
        return
    numbers = [value for value in values if isinstance(value, int)]
    odd = [n for n in range(min(numbers) - 1, max(numbers) + 2) if n not in numbers] if numbers else ["", "perhaps"]
    for value in odd:
        with pytest.raises(OptionError, match=option.name):
            games.game(name, **{option.name: value})


# ---- what is printed on the cards ---------------------------------------------------------------------------------

GOALS = {
    *("wild-west", "night-watch", "pirate-fleet", "great-hall", "clean-hands", "grand-alliance", "great-host"),
    *("two-leaders", "specialists", "shield-biters"),
}
CONSCRIPTS = {"conscript-rock", "conscript-paper", "conscript-scissors"}
BONUS = {"gatling-gun", "kuji-kiri", "fair-winds", "odins-favor"}
FOLLOWS: dict[str, dict[str, set[str]]] = {
    "feint": {
        "scrambler=played": {"scrambler"},
        "gang=faction": {"gangan-bit"},
    },
    "generals": {
        "counter_chain=False": {"iron-discipline"},
        "strategy_overdeplete_loses=True": {"burning-the-granaries"},
    },
    "jinkei": {},
    "factionwars": {
        "seats=2": {"grand-alliance", "specialists"},
        "seats=5": {"grand-alliance"},
        "revision=later": CONSCRIPTS | BONUS | {"common-cause"},
        "shuffle=deck": {"desertion", "parley"},
        "end=at-once": {"war-is-over"},
        "bonus=safe": BONUS | {"buccaneer", "kunoichi", "parley"},
        "bonus=apart": BONUS | {"wild-west", "night-watch", "pirate-fleet", "great-hall", "grand-alliance"},
        "bystander=out": {"bystander"},
        "symbols=always": CONSCRIPTS,
    },
}
"""The cards whose text changes, by option and value. All other texts stay true."""


def texts(game: Game) -> dict[str, str]:
    """Return the text of each card of the data in this game."""
    return {str(card["slug"]): str(card.get("text", "")) for card in game.catalogue()}


def variants(name: str) -> Iterator[tuple[str, str, Game]]:
    """Yield the option, its value, and the game, for each game with one option changed. Numbers take their extremes."""
    for option in games.find_game_class(name).options_spec:
        values = [option.least, option.most] if is_number(option) else list_announced_values(option)
        for value in values:
            if value != option.default:
                yield option.name, f"{option.name}={value}", games.game(name, **{option.name: value})


@pytest.mark.parametrize("name", games.names())
def test_the_texts_of_cards_follow_the_options(name: str) -> None:
    usual = texts(games.game(name))
    found = {}
    for _, word, game in variants(name):
        now = texts(game)
        assert now.keys() == usual.keys()
        changed = {slug for slug, text in now.items() if text != usual[slug]}
        if changed:
            found[word] = changed
    assert found == FOLLOWS[name]


def test_the_texts_follow_the_options() -> None:
    """Some of them are compared completely."""
    granaries = texts(games.game("generals", strategy_overdeplete_loses=True))["burning-the-granaries"]
    assert granaries.endswith("deplete 3 enemy RESOURCE. An enemy who has fewer loses at once.")
    assert texts(games.game("generals", counter_chain=False))["iron-discipline"].startswith("Cannot be played")
    war = texts(games.game("factionwars", revision="later", end="at-once"))["war-is-over"]
    assert war == "When it appears, the game is over."
    safe = texts(games.game("factionwars", bonus="safe", shuffle="deck"))
    assert "(no Bonus Card)" in safe["parley"]
    assert safe["parley"].endswith("Both of you shuffle what is left of your battle decks.")
    later = texts(games.game("factionwars", bonus="safe", revision="later"))
    assert "Bonus" not in later["buccaneer"], "no Bonus Card can be in an army there"
