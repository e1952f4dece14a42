"""The card files: the built-in cards, the cards an owner can write, and errors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gonfalon.core.basics.errors import DataError
from gonfalon.games.generals import Generals
from gonfalon.games.generals.cards import files
from gonfalon.testing import rule

POOL = files.load()
CARD: dict[str, Any] = {
    "id": "X01",
    "name": "Ma Dai",
    "type": "character",
    "faction": "SHU",
    "cost": 2,
    "might": 4,
    "wits": 3,
    "text": "Might +1.",
    "abilities": [],
}
"""A valid card."""


def with_card(**changes: Any) -> dict[str, Any]:
    """Return a file with that card and these changes. None removes an entry."""
    card = {key: value for key, value in {**CARD, **changes}.items() if value is not None}
    return {"form": 1, "card": [card]}


def find_refusal(raw: dict[str, Any]) -> str:
    """Return the reason a plain form is rejected."""
    with pytest.raises(DataError) as caught:
        files.load(raw)
    return str(caught.value)


# ---- what comes with the program ------------------------------------------------------------------------------------


def test_slugs_and_names_find_a_card() -> None:
    water = POOL.by_id["T01"]
    assert water.slug == "tactics-water"
    for text in ("T01", "t01", "tactics-water", "Tactics - Water", " TACTICS   WATER "):
        assert POOL.find(text) is water
    assert POOL.find("Tactics - Wine") is None
    assert POOL.find("") is None


def test_the_rulebooks_numbers() -> None:
    """Setting up: 40 to 60 cards, at most 3 of a name, hands of 10, 8 and 6, 5 cards at the start."""
    assert (POOL.deck_least, POOL.deck_most, POOL.copies, POOL.hands, POOL.opening) == (40, 60, 3, [10, 8, 6], 5)


# ---- an owner's file ------------------------------------------------------------------------------------------------


def test_a_card_of_a_known_id_replaces_it_in_its_place() -> None:
    pool = files.load(with_card(id="S01", name="Liu Xuande", cost=1))
    assert pool.cards[10].name == "Liu Xuande"
    assert (pool.cards[10].id, pool.cards[10].kind, pool.cards[10].cost) == ("S01", 10, 1)
    assert pool.cards[11] == POOL.cards[11], "the next one stays"
    assert len(pool.cards) == len(POOL.cards)
    assert pool.hash != POOL.hash


def test_a_card_of_a_new_id_comes_last() -> None:
    pool = files.load(with_card())
    *before, last = pool.cards
    assert (last.name, last.kind, pool.find("ma-dai")) == ("Ma Dai", len(POOL.cards), last)
    assert before == POOL.cards


def test_a_faction_and_its_cards_may_be_new() -> None:
    jin = {"code": "JIN", "slug": "western-jin", "name": "Jin"}
    pool = files.load({"form": 1, "faction": [jin], "card": [{**CARD, "faction": "JIN"}]})
    assert [faction.code for faction in pool.factions] == ["WEI", "SHU", "WU", "QUN", "NONE", "JIN"]
    assert pool.faction("JIN").counts
    assert pool.cards[-1].faction == "JIN"


def test_single_numbers_of_the_game_are_replaced() -> None:
    pool = files.load({"form": 1, "game": {"opening": 7}})
    assert (pool.opening, pool.copies, pool.deck_least) == (7, 3, 40)


def test_a_network_knows_the_cards_with_any_lists() -> None:
    deck = POOL.raw["deck"][0]
    lists = files.load({"form": 1, "deck": [{**deck, "cards": {**deck["cards"], "W11": 3}}]})
    assert lists.hash != POOL.hash
    assert lists.cards_hash == POOL.cards_hash
    assert Generals(cards=lists.alone).learnt_hash == Generals().learnt_hash
    assert Generals(cards=with_card()).learnt_hash != Generals().learnt_hash


def test_decks_that_new_numbers_forbid_are_left_out() -> None:
    """With at most 2 copies of a name none of the nine decks is legal, but a deck of the file itself must be."""
    own = {"slug": "mine", "name": "Mine", "commandment": "D01", "cards": {card.id: 2 for card in POOL.cards[:20]}}
    pool = files.load({"form": 1, "game": {"copies": 2}, "deck": [own]})
    assert [deck.slug for deck in pool.decks] == ["mine"]
    assert "There is no legal preset deck" in find_refusal({"form": 1, "game": {"copies": 2}})


def test_the_plain_form_gives_the_same_pool_again() -> None:
    for source in (None, with_card(), {"form": 1, "game": {"copies": 4}}):
        pool = files.load(source)
        assert files.load(json.loads(json.dumps(pool.raw))) == pool


def test_reading_changes_nothing() -> None:
    raw = with_card()
    before = json.dumps(raw)
    files.load(raw)
    assert json.dumps(raw) == before


# ---- what is refused ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"id": "x1"}, "Card x1: id must be a word like W01, not 'x1'"),
        ({"name": "Ma\nDai"}, "name must be a text of one line"),
        ({"name": "馬岱"}, "has no letter or digit"),
        ({"faction": "SHO"}, "there is no faction 'SHO'; there are WEI, SHU, WU, QUN, NONE"),
        ({"faction": ["SHU"]}, "there is no faction"),
        ({"cost": None}, "cost is missing"),
        ({"subtypes": "armament"}, "subtypes must be a list of words"),
        ({"cost": True}, "cost must be a whole number from 0 to 20, not True"),
        ({"rank": 1}, "the entry 'rank' is unknown"),
        ({"rulings": [69]}, "rulings must be a list of numbers from 1 to 68"),
        ({"otherwise": "another text"}, "otherwise must be a table of texts by option"),
        (
            {"otherwise": {"decks": "Draw 1."}},
            "otherwise names 'decks', which is no such option; there are strict_blocking",
        ),
        ({"sources": {"colour": "rulebook"}}, "sources names 'colour', which is not printed"),
        ({"subtypes": ["armament"]}, "a character has no subtype 'armament'"),
    ],
)
def test_a_bad_entry_is_named(changes: dict[str, Any], why: str) -> None:
    assert why in find_refusal(with_card(**changes))


PLAIN = {"might": None, "wits": None}


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"type": "equipment", **PLAIN}, "an equipment needs one subtype, armament or troop"),
        ({"type": "equipment", "subtypes": ["troop", "troop"], **PLAIN}, "a subtype is listed twice"),
        ({"type": "strategy", "subtypes": ["fire"], **PLAIN}, "tactics must be among the subtypes"),
        ({"type": "strategy", "cost": {"gold": 1}, **PLAIN}, "cost is paid with hand, resource, sacrifice, not"),
        ({"type": "strategy", "cost": {"hand": -1}, **PLAIN}, "cost: hand must be a whole number from 0 to 20, not -1"),
        ({"type": "commandment", **PLAIN}, "the entry 'cost' is unknown"),
    ],
)
def test_each_type_has_its_own_entries(changes: dict[str, Any], why: str) -> None:
    assert why in find_refusal(with_card(**changes))


@rule("generals", 33)
def test_two_cards_of_one_name_are_refused() -> None:
    assert "Card X01: S01 has the same name, but a name has only one card (ruling 33)" in find_refusal(
        with_card(name="Liu Bei")
    )
    assert "S01 has the same name" in find_refusal(with_card(name="LIU BEI"))


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        ({}, "A card file begins with form = 1"),
        ({"form": 1, "cards": []}, "The entry 'cards' is unknown"),
        ({"form": 1, "card": {}}, "Card must be a list of [[card]] tables"),
        ({"form": 1, "game": []}, "[game] must be a table"),
        ({"form": 1, "faction": [{"code": "JIN", "counts": 1}]}, "counts must be true or false, not 1"),
        ({"form": 1, "game": {"copies": 0}}, "copies must be a whole number from 1 to 9, not 0"),
        ({"form": 1, "game": {"deck_least": 61}}, "Deck_least must not be above deck_most"),
        ({"form": 1, "game": {"hands": [10, True]}}, "hands must be a list of hand limits"),
        ({"form": 1, "card": [CARD, CARD]}, "Card X01: another card has the id X01 too"),
        ({"form": 1, "faction": [{"code": "jin"}]}, "code must be a word like WEI, not 'jin'"),
        ({"form": 1, "deck": [{"slug": "x"}]}, "Deck x: name is missing. Deck x: cards must give the number of copies"),
        (
            {"form": 1, "deck": [{"slug": "x", "name": "X", "cards": {"W01": 3}}]},
            "Deck x: commandment must be the id of a Commandment",
        ),
    ],
)
def test_a_bad_form_is_named(raw: dict[str, Any], why: str) -> None:
    assert why in find_refusal(raw)


@rule("generals", 59)
def test_a_deck_that_cannot_be_played_is_refused() -> None:
    cards = {"W01": 4, "Z99": 1, "D02": 1}
    said = find_refusal({"form": 1, "deck": [{"slug": "x", "name": "X", "commandment": "D01", "cards": cards}]})
    assert "Deck x: there is no card Z99" in said
    assert "Deck x: add at least 36 cards: RESOURCE needs 40 to 60" in said
    assert "Deck x: remove 1 of the 4 copies of Cao Cao: at most 3 are allowed" in said
    assert "Deck x: The deck" not in said
    assert "Deck x: keep only one of the 2 Commandments: Recruit and Provisions" in said


BAD = """\
form = 1
colour = "red"
[game]
copies = 0
[[card]]
id = "X01"
name = "Ma Dai"
type = "charakter"
cost = 99
wits = -1
abilities = [
  { kind = "aktive", cost = { gold = 1 }, do = [
    { op = "bounc", target = { ref = "self" } },
    { op = "draw", n = 0, who = "you" },
  ] },
]
[[card]]
id = "X02"
name = "Wen Yang"
type = "character"
cost = 1
might = 41
wits = 1
abilities = [
  { kind = "trigger", when = { event = "noon", subject = { ref = "host" } }, do = [
    { op = "kill", target = { side = "foe", count = 1 } },
  ] },
]
[[faction]]
code = "jin"
slug = "The Jin"
name = "Jin"
[[deck]] # too small
slug = "tiny"
name = "Tiny"
commandment = "D01"
cards = { W01 = 3 }
"""


def test_all_faults_are_named_at_once_each_with_its_line(tmp_path: Path) -> None:
    """Errors include every table or ability with a wrong type, number or event."""
    file = tmp_path / "bad.toml"
    file.write_text(BAD)
    with pytest.raises(DataError) as caught:
        files.load(file)
    said = str(caught.value)
    assert said.startswith(f"{file}: ")
    assert "\n" not in said
    lines = BAD.splitlines()
    for text, why in (
        ('colour = "red"', "the entry 'colour' is unknown"),
        ("copies = 0", "[game]: copies must be"),
        ('type = "charakter"', "card X01: type must be one of"),
        ("cost = 99", "card X01: cost must be a whole number from 0 to 20, not 99"),
        ("wits = -1", "card X01: wits must be a whole number from 0 to 20, not -1"),
        ('  { kind = "aktive"', "card X01: abilities 1: kind must be one of"),
        ('  { kind = "aktive"', "card X01: abilities 1, cost: the entry 'gold' is unknown"),
        ('    { op = "bounc"', "card X01: abilities 1, do 1: "),
        ('    { op = "draw", n = 0', "card X01: abilities 1, do 2 (draw): n must be"),
        ("might = 41", "card X02: might must be"),
        ('  { kind = "trigger"', "card X02: abilities 1 (trigger), when: event must be one of"),
        ('    { op = "kill"', "card X02: abilities 1 (trigger), do 1 (kill), target: side must be one of"),
        ('code = "jin"', "faction jin: code must be"),
        ('slug = "The Jin"', "faction jin: slug must be"),
        ("cards = { W01 = 3 }", "deck tiny: add at least 37 cards"),
    ):
        line = next(number for number, found in enumerate(lines, start=1) if found.startswith(text))
        assert f"Line {line}: {why[:1].upper()}{why[1:]}" in said, (why, said)


BROKEN = """\
form = 1
[[card]]
id = "X01"
name = "Ma Dai
type = "character"
[[card]]
id = "X02"
name = "Wen Yang"
type = "charakter"
[[card]]
id = X03
"""


def test_invalid_toml_hides_no_other_fault(tmp_path: Path) -> None:
    """Each table is read separately, because a reader of the whole file would stop at the first missing
    quotation mark."""
    file = tmp_path / "broken.toml"
    file.write_text(BROKEN)
    with pytest.raises(DataError) as caught:
        files.load(file)
    said = str(caught.value)
    assert "Line 4: " in said, said
    assert "Line 9: Card X02: type must be one of" in said
    assert "Line 11: " in said
    assert "X01" not in said, "of a table that cannot be read nothing else is said"
    assert "\n" not in said


def test_a_file_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read: No such file"):
        files.load(tmp_path / "missing.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(DataError, match="not UTF-8"):
        files.load(tmp_path / "bytes.toml")
    (tmp_path / "broken.toml").write_text("form = ")
    with pytest.raises(DataError, match=r"broken\.toml"):
        files.load(tmp_path / "broken.toml")
