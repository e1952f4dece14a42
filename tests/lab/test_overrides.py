"""Changes of single numbers: found by their names, checked by the game, reported with the source of the old number."""

from __future__ import annotations

from pathlib import Path

import pytest

from gonfalon import games
from gonfalon.core.basics.errors import DataError, GonfalonError, OptionError
from gonfalon.core.files.card_changes import Entry, make_slug, map_card_names
from gonfalon.games.generals.cards.files import load
from gonfalon.lab.studies.overrides import make_variant


@pytest.mark.parametrize(
    ("game", "change", "told", "touched"),
    [
        ("feint", "feint.patriot.strength=5", "patriot.strength: 6 (inferred) -> 5", ("keion",)),
        ("feint", "box.hand=8", "box.hand: 7 (rulebook) -> 8", ()),
        ("feint", "end_round=6", "end_round: 0 (an option of the rules) -> 6", ()),
        ("jinkei", 'sword-1a.rows=[".+2 . .", ". T .", "# . #"]', "(reconstructed)", ()),
        ("generals", "cao-cao.might=4", "cao-cao.might: 5 (ours) -> 4", ("vanguard-of-wei", "plans-of-wei")),
        ("generals", "red-cliffs.zhou-yu=2", "red-cliffs.zhou-yu: 3 (ours) -> 2", ("red-cliffs",)),
        ("factionwars", "wild-west.bonus=[4, 4, 3, 3]", "(reconstructed) -> [4, 4, 3, 3]", ()),
    ],
)
def test_a_number_is_found_and_reported_with_its_origin(
    game: str, change: str, told: str, touched: tuple[str, ...]
) -> None:
    found = make_variant(game, {}, [change])
    assert len(found.changes) == 1
    assert told in str(found.changes[0])
    assert found.touched == touched
    before, after = games.game(game), games.game(game, **found.options)
    data = "option" not in str(found.changes[0])
    assert (before.data_hash != after.data_hash) == data, "the change is part of the hash of the data"


@pytest.mark.parametrize(
    ("game", "change", "why"),
    [
        ("generals", "red-cliffs.zhou-yuu=2", "red-cliffs has no card 'zhou-yuu'. Did you mean zhou-yu?"),
        ("feint", "patriot.strenght=5", "unknown entry 'strenght'"),
        ("feint", "patriot.strength=21", "strength must be from 0 to 20, not 21"),
        ("jinkei", "game.rounds=2", "round must be from 1 to 2, not 3"),
        ("feint", "patriot=5", "has no option 'patriot'"),
        ("feint", "cards=mine.toml", "needs a file"),
        ("factionwars", "wild-west.bonus=[4, 4, 3]", "bonus is a number from 0 to 50, or four of them"),
        ("generals", "red-cliffs.d01=3", "keep only one of the 4 Commandments: Recruit and Provisions"),
    ],
)
def test_invalid_changes_are_refused_with_one_sentence(game: str, change: str, why: str) -> None:
    with pytest.raises(GonfalonError, match=why):
        make_variant(game, {}, [change])


def test_changes_apply_to_the_base_and_are_reported_against_it(tmp_path: Path) -> None:
    file = tmp_path / "base.toml"
    file.write_text('[[card]]\nslug = "patriot"\nstrength = 5\n')
    base = make_variant("feint", {}, file=file)
    found = make_variant("feint", {}, ["dragoon.strength=4"], base=base)
    assert [change.path for change in found.changes] == ["dragoon.strength"]
    assert games.game("feint", **found.options).data_hash != games.game("feint", **base.options).data_hash


def test_a_file_may_hold_lines_of_changes(tmp_path: Path) -> None:
    file = tmp_path / "change.txt"
    text = 'name = "Ours"\nend_round = 6\npatriot.strength = 5  # weaker\n[options]\nmirror = true\n'
    file.write_text(text, "utf-8")
    found = make_variant("feint", {}, ["dragoon.strength=4"], file)
    changed = {change.path: change.after for change in found.changes}
    assert changed == {"mirror": True, "end_round": 6, "patriot.strength": 5, "dragoon.strength": 4}


def test_a_complete_card_file_is_a_change(tmp_path: Path) -> None:
    file = tmp_path / "cards.toml"
    file.write_text("form = 1\n[box]\nhand = 8\n", "utf-8")
    [change] = make_variant("feint", {}, file=file).changes
    assert (change.path, change.before, change.after) == ("box.hand", 7, 8)


def test_a_deck_list_stands_for_the_ready_made_deck_of_its_name(tmp_path: Path) -> None:
    decks = games.game("generals").decks()
    assert decks is not None
    text = decks.text(decks.find("red-cliffs"))
    pool = load()
    deck = pool.deck("red-cliffs")
    assert deck is not None
    card = next(card for card in pool.cards if deck.counts.get(card.id) == 3)
    file = tmp_path / "deck.txt"
    file.write_text(text.replace(f"3 {card.name}", f"2 {card.name}"))
    found = make_variant("generals", {}, file=file)
    assert [str(change) for change in found.changes] == [f"red-cliffs.{make_slug(card.name)}: 3 (ours) -> 2"]
    file.write_text(text.replace("Name: Red Cliffs", "Name: Blue Cliffs"))
    with pytest.raises(DataError, match="the preset deck with its Name"):
        make_variant("generals", {}, file=file)


def test_a_card_whose_name_two_cards_have_keeps_its_id() -> None:
    """A path with the name would change either of them."""
    cards = [{"id": id, "name": name} for id, name in (("S1", "Guan Yu"), ("S2", "Guan Yu"), ("W1", "Xun Yu"))]
    assert map_card_names([Entry("card", (), card) for card in cards]) == {"W1": ("xun-yu", "Xun Yu")}


@pytest.mark.parametrize("text", ["patriot.name=5", "wu.colour=red"])
def test_only_numbers_and_rules_can_be_set(text: str) -> None:
    """Both variants would play the same games."""
    with pytest.raises(OptionError, match=f"^{text.partition('=')[0]} is a description"):
        make_variant("feint", {}, [text])
