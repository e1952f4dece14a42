"""The card file: the built-in cards, the cards an owner can write, and errors."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from gonfalon.core.basics.errors import DataError, OptionError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.record import Record, load
from gonfalon.games.factionwars import FactionWars
from gonfalon.games.factionwars import box as data
from tests.factionwars.scenario import Table


def find_refusal(raw: dict[str, Any]) -> str:
    """Return the reason a plain form is rejected."""
    with pytest.raises(DataError) as caught:
        data.read_box(raw)
    return str(caught.value)


def refused_file(tmp_path: Path, text: str) -> str:
    """Return the reason a file is rejected, without the path."""
    path = tmp_path / "box.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as caught:
        data.read_box(path)
    return str(caught.value).removeprefix(f"{path}: ")


# ---- what comes with the program ---------------------------------------------------------------------


@pytest.mark.parametrize("revision", ["earlier", "later"])
def test_the_recruit_deck_is_the_later_box_without_war_is_over(revision: str) -> None:
    """It has at least 4 x 11 recruits, 6 Bystanders and 8 Actions. The later revision adds War is Over and has no Bonus
    Card in it."""
    game = FactionWars(revision=revision)
    deck = Counter(kind for kind in game.setup.deck)
    of_faction = Counter(game.entries[kind]["of"] for kind in deck.elements())
    assert min(of_faction[faction] for faction in range(4)) >= 11
    count = Counter(game.entries[kind].get("ability", "") for kind in deck.elements())
    assert count["bystander"] == 6
    assert [count[action] for action in ("call", "exchange", "desertion", "parley")] == [2, 2, 2, 2]
    assert count["war"] == (revision == "later")
    assert count["bonus"] == (0 if revision == "later" else 4)
    assert len(game.setup.deck) == sum(game.count_copies(entry) for entry in game.box.cards)


def test_the_berserker_is_the_only_recruit_with_a_published_battle_value() -> None:
    for card in data.read_box(None).cards:
        origin = data.list_provenance(card)
        assert (origin["battle"] == "rulebook") == (card["slug"] == "berserker")
    [berserker] = [card for card in data.read_box(None).cards if card["slug"] == "berserker"]
    assert berserker["battle"] == 2


@pytest.mark.parametrize(("seats", "places", "depletions"), [(2, 3, 2), (3, 4, 2), (4, 5, 3), (5, 6, 3)])
def test_places_and_depletions(seats: int, places: int, depletions: int) -> None:
    setup = FactionWars(seats=seats).setup
    assert (setup.size, setup.depletions) == (places, depletions)
    assert FactionWars(seats=seats, revision="later").setup.size == seats


# ---- what an owner may write -------------------------------------------------------------------------


def test_an_owner_replaces_single_entries() -> None:
    box = data.read_box(
        {
            "form": 1,
            "box": {"depletions": [1, 1, 1, 1]},
            "neutral": [{"slug": "bystander", "name": "Villager", "copies": 2, "ability": "bystander", "points": -3}],
        }
    )
    assert box.depletions == [1, 1, 1, 1]
    [villager] = [card for card in box.cards if card["slug"] == "bystander"]
    assert (villager["name"], villager["points"]) == ("Villager", -3)
    assert sum(card["slug"] == "parley" for card in box.cards) == 1


def test_a_record_carries_an_owners_cards(tmp_path: Path) -> None:
    path = tmp_path / "box.toml"
    path.write_text("form = 1\n[box]\ndepletions = [1, 1, 1, 1]\n", encoding="utf-8")
    game = FactionWars(seats=2, cards=path)
    record, state, rng = Record(game), game.start(), Rng(5)
    while not state.over:
        action = state.sample(rng)
        record.add(state.turn, action)
        state.apply(state.turn, action)
    record.close(state)
    again = load(record.dumps(), lambda name, **options: FactionWars(**options))
    assert json.loads(record.dumps())["options"]["cards"]["box"]["depletions"] == [1, 1, 1, 1]
    assert again.replay().dump()[0] == state.dump()[0]


HOST = {"slug": "great-host", "name": "Great Host", "rule": "most-recruits", "bonus": [7, 3, 0, 9]}


@pytest.mark.parametrize(("seats", "bonus"), [(2, 7), (3, 3), (4, 0), (5, 9)])
def test_a_bonus_may_be_another_for_each_number_of_players(seats: int, bonus: int) -> None:
    """Card, setup, page and score use the value for the number of players. The owner of the only recruit has
    the most."""
    table = Table(seats, cards={"form": 1, "goal": [HOST]})
    card = table.game.card("great-host")
    assert card is not None
    assert card["points"] == bonus
    assert [goal.bonus for goal in table.game.setup.goals if goal.slug == "great-host"] == [bonus]
    table.may.owns("raider").has_goal("great-host")
    assert table.may.board["seats"][0]["goal"]["bonus"] == bonus
    assert table.may.score["goal"] == bonus


def test_a_network_has_learnt_the_numbers_of_its_players() -> None:
    wild = next(goal for goal in FactionWars().box.goals if goal["slug"] == "wild-west")
    of_three = {"form": 1, "goal": [{**wild, "bonus": [wild["bonus"][0], 9, *wild["bonus"][2:]]}]}
    same, other = FactionWars(seats=2, cards=of_three), FactionWars(seats=3, cards=of_three)
    assert same.data_hash != FactionWars().data_hash
    assert same.learnt_hash == FactionWars(seats=2).learnt_hash
    assert other.learnt_hash != FactionWars(seats=3).learnt_hash
    longer = {"form": 1, "box": {"depletions": [2, 9, 3, 3]}}
    assert FactionWars(seats=2, cards=longer).learnt_hash == FactionWars(seats=2).learnt_hash
    assert FactionWars(seats=3, cards=longer).learnt_hash != FactionWars(seats=3).learnt_hash


# ---- what is refused ---------------------------------------------------------------------------------


def test_all_faults_are_named_at_once_with_their_lines(tmp_path: Path) -> None:
    text = """form = 1
[box]
extra = 7
pace = 3

[[neutral]]
slug = "parley"
name = "Parley"
ability = "treaty"
copies = 2

[[faction]]
slug = "hill-folk"
name = "Hill Folk"
cards = [
  { slug = "ram", name = "Ram", copies = 9, battle = 33, points = 2 },
  { slug = "ewe", name = "Ewe", copies = "two", battle = 3, points = 2 },
]
"""
    told = refused_file(tmp_path, text)
    for line, what in [(3, "extra"), (4, "pace"), (9, "treaty"), (16, "battle must be"), (17, "copies must be")]:
        assert any(part.startswith(f"{line}: ") and what in part for part in told.split("Line ")), (line, told)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"form": 2}, "A card file begins with form = 1"),
        ({"box": {"depletions": [2, 2]}}, "depletions"),
        ({"cards": []}, "The entry 'cards' is unknown"),
        ({"alone": True}, "There is no faction"),
        ({"goal": [{"slug": "x", "name": "X", "rule": "fastest", "bonus": 1}]}, "no rule 'fastest'"),
        ({"goal": [{"slug": "x", "name": "X", "rule": "most-faction", "bonus": 1}]}, "needs faction"),
        ({"goal": [{"slug": "x", "name": "X", "rule": "most-recruits", "bonus": 1, "count": 2}]}, "has no count"),
        ({"goal": [{"slug": "x", "name": "X", "rule": "every-faction", "bonus": 1, "count": [1]}]}, "count is"),
        ({"goal": [{"slug": "x", "name": "X", "rule": "most-recruits", "bonus": [1, 2, 3]}]}, "bonus is"),
        ({"goal": [{"slug": "x", "name": "X", "rule": "most-recruits", "bonus": [1, 2, 3, 51]}]}, "from 0 to 50"),
        ({"goal": [{"slug": "x", "name": "X", "rule": "most-recruits"}]}, "lacks its bonus"),
        ({"conscript": [{"slug": "lamb", "name": "Lamb", "copies": 1, "battle": 1, "symbol": "well"}]}, "symbol"),
        ({"neutral": [{"slug": "outlaw", "name": "Outlaw", "copies": 1, "ability": "bystander"}]}, "has that slug"),
        ({"neutral": [{"slug": "mob", "name": "Mob", "copies": 1, "ability": "gambler"}]}, "no ability 'gambler'"),
        ({"neutral": [{"slug": "mob", "name": "Mob", "copies": 1, "ability": "bystander", "points": 2}]}, "penalty"),
    ],
)
def test_a_broken_form_is_refused(change: dict[str, Any], what: str) -> None:
    assert what in find_refusal({"form": 1, **change})


def test_every_player_needs_a_goal() -> None:
    raw = {"form": 1, "alone": True, **{key: data.read_standard()[key] for key in ("faction", "neutral", "conscript")}}
    raw["goal"] = data.read_standard()["goal"][4:5]
    with pytest.raises(DataError, match="1 goals; 2 players need one each"):
        FactionWars(seats=2, cards=raw)


def test_the_number_of_players_is_two_to_five() -> None:
    with pytest.raises(OptionError, match="must be one of 2, 3, 4, 5"):
        FactionWars(seats=6)


def test_a_card_file_without_colors_has_cards_with_one() -> None:
    cards = FactionWars.tiny()[0].catalogue()
    assert {card["colour"] for card in cards if card.get("faction")} == {"teal"}
