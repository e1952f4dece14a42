"""A level with a network also plays with changed cards and reports its strength at the table."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from subprocess import check_output
from typing import Any, ClassVar

import pytest

from gonfalon import Rng
from gonfalon.bots import Budget, make
from gonfalon.bots.levels import find_makers, list_playable_levels, write_level_note
from gonfalon.bots.networks.adaptation import UNCHANGED, find_adaptation
from gonfalon.bots.networks.network import load, load_description
from gonfalon.bots.networks.network_level import ADAPTED, SEARCHING, NetworkLevel
from gonfalon.bots.networks.planner import Planner
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Seat
from gonfalon.games import game
from gonfalon.games.feint import Feint
from gonfalon.games.feint.bots.levels import TRAINED
from gonfalon.games.feint.rules.cards import ABILITIES, Acting, add_ability
from gonfalon.games.feint.rules.state import FeintState
from tests.bots.planners import positions
from tests.generals.test_data import with_card
from tests.measured import measured

GAMES: list[tuple[str, dict[str, Any]]] = [("feint", {}), ("generals", {}), ("factionwars", {"seats": 2})]
PROMPTS = {"feint": "deploy", "generals": "main", "factionwars": "select"}


def cards_of(name: str) -> dict[str, Any]:
    """Return the card data that a game stores, so that a new card in its standard data changes no test here."""
    first, *_ = sorted(game(name).folder.glob("kept/*.json"))
    raw: dict[str, Any] = json.loads(first.read_text("utf-8"))
    return raw


def renamed(name: str) -> dict[str, Any]:
    """Return a card file in which the first faction has another color, which no network reads."""
    faction = cards_of(name)["faction"][0]
    assert faction["colour"] != "grey"
    return {"form": 1, "faction": [faction | {"colour": "grey"}]}


def level_of(own: Game) -> NetworkLevel:
    level = find_makers(own)["expert"]
    assert isinstance(level, NetworkLevel)
    return level


def plays_by_network(own: Game) -> bool:
    return isinstance(make("expert", own), Planner)


def says_trained(own: Game) -> bool:
    """Return whether the table says that the network was trained with other cards."""
    assert write_level_note("club", own) == write_level_note(None, own) == ""
    return write_level_note("expert", own) == ADAPTED.format("Expert")


def says_search(own: Game) -> bool:
    return write_level_note("expert", own) == SEARCHING.format("Expert")


@pytest.mark.parametrize(
    ("name", "options"),
    [*GAMES, ("factionwars", {"seats": 3}), ("jinkei", {})],
)
def test_nothing_is_said_of_the_cards_that_come_with_a_game(name: str, options: dict[str, Any]) -> None:
    known = measured(name, **options)
    assert [level for level in list_playable_levels(known) if write_level_note(level, known)] == []


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_the_trained_cards_need_no_adaptation(name: str, options: dict[str, Any]) -> None:
    known = measured(name, **options)
    assert find_adaptation(known, load_description(level_of(known).file)) is UNCHANGED


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_with_a_change_that_no_network_reads_it_plays_as_before(name: str, options: dict[str, Any]) -> None:
    """The hash of the cards differs, so the network is adapted, with unchanged places."""
    known, own = measured(name, **options), game(name, **options, cards=renamed(name))
    assert own.learnt_hash != known.learnt_hash
    adaptation = find_adaptation(own, load_description(level_of(own).file))
    assert adaptation is not None
    assert adaptation.inputs == list(range(len(adaptation.inputs)))
    assert adaptation.outputs == list(range(len(adaptation.outputs)))
    choices = []
    for each in (known, own):
        (state,) = positions(each, PROMPTS[name], 1, 3)
        choices.append(make("expert", each).choose(state.mask(state.turn), Budget(iterations=16), Rng(1)))
    assert choices[0] == choices[1]


def test_a_changed_number_is_said(tmp_path: Path) -> None:
    path = tmp_path / "cards.toml"
    path.write_text("form = 1\n[box]\nmorale = 30\n", encoding="utf-8")
    own = Feint(cards=path)
    assert plays_by_network(own)
    assert says_trained(own)


def test_an_added_card_of_generals_keeps_the_network_playing() -> None:
    own = game("generals", cards=with_card())
    assert plays_by_network(own)
    assert says_trained(own)
    for state in positions(own, "main", 2, 3):
        choice = make("expert", own).choose(state.mask(state.turn), Budget(iterations=8), Rng(1))
        assert choice.action in state.actions


def test_an_added_card_of_faction_wars_keeps_the_network_playing() -> None:
    """A Samurai in front of the others shifts all card numbers."""
    faction = cards_of("factionwars")["faction"][1]
    samurai = {"slug": "samurai", "name": "Samurai", "copies": 5, "battle": 3, "points": 2, "ability": "gambler"}
    file = {"form": 1, "faction": [faction | {"cards": [samurai, *faction["cards"]]}]}
    own = game("factionwars", seats=2, cards=file)
    assert plays_by_network(own)
    assert says_trained(own)
    for state in positions(own, "select", 2, 3):
        choice = make("expert", own).choose(state.mask(state.turn), Budget(iterations=8), Rng(1))
        assert choice.action in state.actions


class Dancer(Acting):
    """Gain 1 Morale."""

    ability: ClassVar[str] = "network-dancer"
    text: ClassVar[str] = "You gain 1 Morale."

    def on_play(self, s: FeintState, seat: Seat, place: int) -> None:
        s.change_morale(seat, 1)


def test_an_added_ability_of_feint_keeps_the_network_playing() -> None:
    add_ability(Dancer)
    try:
        faction = cards_of("feint")["faction"][1]
        dancer = {
            "slug": "dancer",
            "name": "Dancer",
            "copies": 5,
            "strength": 2,
            "morale": 1,
            "ability": Dancer.ability,
        }
        own = Feint(
            cards={"form": 1, "faction": [faction | {"cards": [dancer, *faction["cards"][:-1]]}]},
            factions=("mibits", "wu"),
        )
        assert plays_by_network(own)
        assert says_trained(own)
        for state in positions(own, "deploy", 2, 4):
            choice = make("expert", own).choose(state.mask(state.turn), Budget(iterations=8), Rng(1))
            assert choice.action in state.actions
    finally:
        del ABILITIES[Dancer.ability]


def test_with_a_box_of_other_cards_it_searches() -> None:
    own = game("feint", cards=Feint.tiny()[0].options["cards"], factions=("red", "blue"))
    assert not plays_by_network(own)
    assert says_search(own)


def test_with_a_faction_of_other_cards_at_the_table_it_searches() -> None:
    """Eight new cards meet seven trained ones. A table without that faction has only trained cards."""
    faction = cards_of("feint")["faction"][2]
    cards = [card | {"slug": f"new-{card['slug']}"} for card in faction["cards"]]
    file = {"form": 1, "faction": [faction | {"cards": cards}]}
    assert len(cards) == 8
    assert says_search(Feint(cards=file, factions=("mibits", "wu")))
    assert says_trained(Feint(cards=file, factions=("mibits", "agents")))


def test_another_revision_of_the_rules_is_searched() -> None:
    own = game("factionwars", seats=2, revision="later")
    assert not plays_by_network(own)
    assert says_search(own)


def test_a_description_is_that_of_the_network() -> None:
    net, description = load(TRAINED), load_description(TRAINED)
    assert (description.widths, description.about) == (net.widths, net.about)


@pytest.mark.parametrize("cards", ["None", '{"form": 1, "box": {"morale": 30}}'])
def test_it_is_said_without_loading_a_network(cards: str) -> None:
    script = (
        "import sys; from gonfalon.bots.levels import write_level_note; from gonfalon.games.feint import Feint; "
        f"write_level_note('expert', Feint(cards={cards})); print('numpy' in sys.modules)"
    )
    assert check_output([sys.executable, "-c", script], text=True) == "False\n"
