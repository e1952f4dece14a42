"""The card files: what comes with the program, what an owner may write, what is refused."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from gonfalon.core.errors import DataError
from gonfalon.games.generals import Generals
from gonfalon.games.generals.cards import decks, files
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
"""A card that is well formed."""


def with_card(**changes: Any) -> dict[str, Any]:
    """A file with that card, changed; None takes an entry away."""
    card = {key: value for key, value in {**CARD, **changes}.items() if value is not None}
    return {"form": 1, "card": [card]}


def refused(raw: dict[str, Any]) -> str:
    """Why a plain form is refused."""
    with pytest.raises(DataError) as caught:
        files.load(raw)
    return str(caught.value)


# ---- what comes with the program ------------------------------------------------------------------------------------


def test_the_pool_has_its_95_cards_in_a_fixed_order() -> None:
    """40 Characters, 18 Strategies with 6 Tactics, 13 Equipment, 7 Counters, 7 Commandments; then the ten that are
    data only: 6 Characters, 2 Strategies with 1 Tactics, 2 Counters."""
    assert len(POOL.cards) == 95
    first, ten = POOL.cards[:85], POOL.cards[85:]
    assert [card.kind for card in POOL.cards] == list(range(95))
    assert Counter(card.type for card in first) == {
        "character": 40,
        "strategy": 18,
        "equipment": 13,
        "counter": 7,
        "commandment": 7,
    }
    assert Counter(card.type for card in ten) == {"character": 6, "strategy": 2, "counter": 2}
    assert (sum(card.tactics for card in first), sum(card.tactics for card in ten)) == (6, 1)
    letters = [("W", 10), ("S", 10), ("U", 10), ("Q", 10), ("T", 6), ("P", 12), ("A", 7), ("R", 6), ("C", 7), ("D", 7)]
    assert [card.id for card in first] == [f"{letter}{n:02}" for letter, count in letters for n in range(1, count + 1)]


@pytest.mark.parametrize("faction", ["WEI", "SHU", "WU", "QUN"])
def test_each_faction_has_ten_generals_of_the_first_85(faction: str) -> None:
    generals = [card for card in POOL.cards[:85] if card.type == "character" and card.faction == faction]
    assert len(generals) == 10


@pytest.mark.parametrize(
    ("name", "cost", "might", "wits", "upkeep"),
    [
        ("Cao Cao", 4, 5, 6, 1),
        ("Liu Bei", 3, 3, 4, 1),
        ("Zhuge Liang", 4, 1, 8, 1),
        ("Diaochan", 2, 0, 5, 1),
        ("Lu Bu", 5, 8, 1, 2),
        ("Zhou Cang", 1, 4, 1, 1),
    ],
)
def test_numbers_of_generals(name: str, cost: int, might: int, wits: int, upkeep: int) -> None:
    card = POOL.find(name)
    assert card is not None
    assert (card.cost, card.pay, card.might, card.wits, card.upkeep) == (cost, {"hand": cost}, might, wits, upkeep)


@rule("generals", 28)
def test_costs_of_other_cards() -> None:
    """A number of cards from hand, another cost, or nothing."""
    fire, tiger, wind, recruit = (POOL.by_id[id] for id in ("T02", "P08", "P11", "D01"))
    assert (fire.cost, fire.pay) == (3, {"hand": 3})
    assert (tiger.cost, tiger.pay) == (0, {"sacrifice": 1})
    assert (wind.cost, wind.pay) == (0, {})
    assert (recruit.cost, recruit.pay) == (0, {})


def test_every_card_says_where_it_comes_from() -> None:
    """The rulebook names Liu Bei with faction and cost, Lu Bu, Tactics - Water, and Recruit with its text; the
    publisher's site tells what Xiahou Dun does; players tell of Zhou Cang and of four Strategies. All else is ours."""
    told = {
        "Liu Bei": {"name": "rulebook", "faction": "rulebook", "cost": "rulebook"},
        "Lu Bu": {"name": "rulebook"},
        "Tactics - Water": {"name": "rulebook"},
        "Recruit": {"name": "rulebook", "text": "rulebook"},
        "Xiahou Dun": {"name": "publisher", "text": "publisher"},
        "Zhou Cang": {"name": "inferred", "text": "inferred"},
        "Reward the Army": {"name": "inferred"},
        "Pincer Attack": {"name": "inferred"},
        "Plunder": {"name": "inferred"},
        "Lure the Tiger": {"name": "inferred", "cost": "inferred"},
    }
    for card in POOL.cards:
        printed = {"name", "faction", "text"}
        printed |= {"cost"} if card.type != "commandment" else set()
        printed |= {"might", "wits", "upkeep"} if card.type == "character" else set()
        assert set(card.sources) == printed
        others = {what: source for what, source in card.sources.items() if source != "ours"}
        assert others == told.get(card.name, {}), card.name


def test_every_card_has_a_text_a_story_and_rulings() -> None:
    for card in POOL.cards:
        assert card.text, card.name
        assert card.text.endswith(".")
        assert 20 <= len(card.story) <= 140, card.name
        assert card.rulings == tuple(sorted(set(card.rulings))), card.name
        assert card.rulings
    assert len({card.story for card in POOL.cards}) == 95


def test_slugs_and_names_find_a_card() -> None:
    water = POOL.by_id["T01"]
    assert water.slug == "tactics-water"
    for text in ("T01", "t01", "tactics-water", "Tactics - Water", " TACTICS   WATER "):
        assert POOL.find(text) is water
    assert POOL.find("Tactics - Wine") is None
    assert POOL.find("") is None


def test_the_file_says_that_the_pool_is_ours() -> None:
    head = files.FILES[0].read_text("utf-8").split("form = 1")[0]
    assert "This pool is OURS" in head


@pytest.mark.parametrize(
    ("slug", "size", "factions", "limit", "commandment"),
    [
        ("vanguard-of-wei", 52, ["WEI"], 10, "Siegecraft"),
        ("plans-of-wei", 58, ["WEI"], 10, "Stratagems"),
        ("brothers-in-arms", 60, ["SHU"], 10, "Siegecraft"),
        ("sleeping-dragon", 43, ["SHU"], 10, "Recruit"),
        ("little-conqueror", 46, ["WU"], 10, "Vanguard"),
        ("red-cliffs", 52, ["WU"], 10, "Provisions"),
        ("flying-general", 45, ["QUN"], 10, "Provisions"),
        ("yellow-sky", 51, ["QUN"], 10, "Recruit"),
        ("alliance", 52, ["SHU", "WU"], 8, "Recruit"),
    ],
)
def test_the_nine_ready_made_decks(slug: str, size: int, factions: list[str], limit: int, commandment: str) -> None:
    deck = POOL.deck(slug)
    assert deck is not None
    kinds = POOL.resource(deck)
    assert len(kinds) == size
    assert max(Counter(kinds).values()) <= 3
    assert [code for code in decks.factions(POOL, deck) if code != "NONE"] == factions
    assert decks.hand_limit(POOL, deck) == limit
    assert POOL.cards[POOL.commandment(deck)].name == commandment
    assert POOL.commandment(deck) not in kinds


def test_there_are_nine_ready_made_decks() -> None:
    assert len(POOL.decks) == 9
    assert len({deck.name for deck in POOL.decks}) == 9
    assert all(deck.style for deck in POOL.decks)


def test_the_rulebooks_numbers() -> None:
    """Setting up: 40 to 60 cards, at most 3 of a name, hands of 10, 8 and 6, 5 cards at the start."""
    assert (POOL.deck_least, POOL.deck_most, POOL.copies, POOL.hands, POOL.opening) == (40, 60, 3, [10, 8, 6], 5)


# ---- an owner's file ------------------------------------------------------------------------------------------------


def test_a_card_of_a_known_id_replaces_it_in_its_place() -> None:
    pool = files.load(with_card(id="S01", name="Liu Xuande", cost=1))
    assert pool.cards[10].name == "Liu Xuande"
    assert (pool.cards[10].id, pool.cards[10].kind, pool.cards[10].cost) == ("S01", 10, 1)
    assert pool.cards[11] == POOL.cards[11], "the next one stays"
    assert len(pool.cards) == 95
    assert pool.hash != POOL.hash


def test_a_card_of_a_new_id_comes_last() -> None:
    pool = files.load(with_card())
    assert len(pool.cards) == 96
    assert (pool.cards[95].name, pool.cards[95].kind, pool.find("ma-dai")) == ("Ma Dai", 95, pool.cards[95])
    assert pool.cards[:95] == POOL.cards


def test_a_faction_and_its_cards_may_be_new() -> None:
    jin = {"code": "JIN", "slug": "western-jin", "name": "Jin"}
    pool = files.load({"form": 1, "faction": [jin], "card": [{**CARD, "faction": "JIN"}]})
    assert [faction.code for faction in pool.factions] == ["WEI", "SHU", "WU", "QUN", "NONE", "JIN"]
    assert pool.faction("JIN").counts
    assert pool.cards[95].faction == "JIN"


def test_single_numbers_of_the_game_are_replaced() -> None:
    pool = files.load({"form": 1, "game": {"opening": 7}})
    assert (pool.opening, pool.copies, pool.deck_least) == (7, 3, 40)


def test_a_network_has_learnt_the_cards_whatever_lists_there_are() -> None:
    deck = POOL.raw["deck"][0]
    lists = files.load({"form": 1, "deck": [{**deck, "cards": {**deck["cards"], "W11": 3}}]})
    assert lists.hash != POOL.hash
    assert lists.cards_hash == POOL.cards_hash
    assert Generals(cards=lists.alone).learnt_hash == Generals().learnt_hash
    assert Generals(cards=with_card()).learnt_hash != Generals().learnt_hash


def test_decks_that_new_numbers_forbid_are_left_out() -> None:
    """With at most 2 of a name none of the nine is legal; a deck of the file itself must be."""
    own = {"slug": "mine", "name": "Mine", "commandment": "D01", "cards": {card.id: 2 for card in POOL.cards[:20]}}
    pool = files.load({"form": 1, "game": {"copies": 2}, "deck": [own]})
    assert [deck.slug for deck in pool.decks] == ["mine"]
    assert "there is no ready-made deck that may be played" in refused({"form": 1, "game": {"copies": 2}})


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
        ({"id": "x1"}, "card x1: id must be a word like W01, not 'x1'"),
        ({"id": None}, "card 1: id must be a word like W01, not None"),
        ({"name": ""}, "name is missing"),
        ({"name": "Ma\nDai"}, "name must be a text of one line"),
        ({"name": "馬岱"}, "has no letter or digit"),
        ({"type": "hero"}, "type is one of character, strategy, equipment, counter, commandment, not 'hero'"),
        ({"faction": "SHO"}, "there is no faction 'SHO'; there are WEI, SHU, WU, QUN, NONE"),
        ({"faction": 5}, "there is no faction 5"),
        ({"cost": None}, "cost is missing"),
        ({"cost": True}, "cost must be a whole number from 0 to 20, not True"),
        ({"cost": {"hand": 1}}, "cost must be a whole number from 0 to 20"),
        ({"might": -1}, "might must be a whole number from 0 to 20, not -1"),
        ({"wits": None}, "wits is missing"),
        ({"upkeep": 10}, "upkeep must be a whole number from 0 to 9, not 10"),
        ({"rank": 1}, "unknown entry 'rank'"),
        ({"host": {}}, "unknown entry 'host'"),
        ({"abilities": {}}, "abilities must be a list of tables"),
        ({"rulings": [0]}, "rulings must be a list of numbers from 1 to 68"),
        ({"rulings": [69]}, "rulings must be a list of numbers from 1 to 68"),
        ({"otherwise": "another text"}, "otherwise must be a table of texts by option"),
        ({"otherwise": {"counter_chain": 7}}, "otherwise must be a table of texts by option"),
        ({"otherwise": {"decks": "Draw 1."}}, "otherwise names 'decks', which is no option; there are strict_blocking"),
        ({"sources": {"colour": "rulebook"}}, "sources names 'colour', which is nothing printed"),
        ({"sources": {"might": "hearsay"}}, "the source of might is one of rulebook, publisher, inferred, ours"),
        ({"subtypes": ["armament"]}, "a character has no subtype 'armament'"),
        ({"subtypes": "armament"}, "subtypes must be a list of words"),
    ],
)
def test_a_bad_entry_is_named(changes: dict[str, Any], why: str) -> None:
    assert why in refused(with_card(**changes))


PLAIN = {"might": None, "wits": None}


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"type": "equipment", **PLAIN}, "an equipment is either an armament or a troop"),
        ({"type": "equipment", "subtypes": ["armament", "troop"], **PLAIN}, "an equipment is either"),
        ({"type": "equipment", "subtypes": ["troop", "troop"], **PLAIN}, "a subtype stands twice"),
        ({"type": "strategy", "subtypes": ["fire"], **PLAIN}, "tactics must be among the subtypes"),
        ({"type": "strategy", "cost": {"gold": 1}, **PLAIN}, "cost is paid with hand, resource, sacrifice, not"),
        ({"type": "strategy", "cost": {"hand": -1}, **PLAIN}, "cost: hand must be a whole number from 0 to 20, not -1"),
        ({"type": "strategy", "requires": [1], **PLAIN}, "requires must be a list of conditions"),
        ({"type": "commandment", **PLAIN}, "unknown entry 'cost'"),
        ({"type": "commandment"}, "unknown entry 'might'"),
        ({"type": "equipment", "subtypes": ["troop"], "host": [], **PLAIN}, "host must be a table"),
    ],
)
def test_each_type_has_its_own_entries(changes: dict[str, Any], why: str) -> None:
    assert why in refused(with_card(**changes))


@rule("generals", 33)
def test_two_cards_of_one_name_are_refused() -> None:
    assert "card X01: S01 has this name too; cards of one name are one card (ruling 33)" in refused(
        with_card(name="Liu Bei")
    )
    assert "S01 has this name too" in refused(with_card(name="LIU BEI"))


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        ({}, "form must be 1, not None"),
        ({"form": True}, "form must be 1, not True"),
        ({"form": 2}, "form must be 1, not 2"),
        ({"form": 1, "cards": []}, "unknown entry 'cards'"),
        ({"form": 1, "card": {}}, "card must be a list of [[card]] tables"),
        ({"form": 1, "card": 5}, "card must be a list of [[card]] tables"),
        ({"form": 1, "card": [1]}, "card must be a list of [[card]] tables"),
        ({"form": 1, "game": []}, "[game] must be a table"),
        ({"form": 1, "game": {"copies": 0}}, "copies must be a whole number from 1 to 9, not 0"),
        ({"form": 1, "game": {"deck_least": 61}}, "deck_least must not be above deck_most"),
        ({"form": 1, "game": {"hands": []}}, "hands must be a list of hand limits"),
        ({"form": 1, "game": {"hands": [10, True]}}, "hands must be a list of hand limits"),
        ({"form": 1, "game": {"rounds": 1}}, "[game]: unknown entry 'rounds'"),
        ({"form": 1, "card": [CARD, CARD]}, "card X01: another card has the id X01 too"),
        ({"form": 1, "faction": [{"code": "jin"}]}, "code must be a word like WEI, not 'jin'"),
        ({"form": 1, "faction": [{"code": "JIN"}]}, "faction JIN: slug is missing; faction JIN: name is missing"),
        ({"form": 1, "faction": [{"code": "JIN", "slug": "A b", "name": "J"}]}, "slug must be words of small letters"),
        (
            {"form": 1, "faction": [{"code": "JIN", "slug": "j", "name": "J", "counts": 1}]},
            "counts must be true or false, not 1",
        ),
        ({"form": 1, "deck": [{"slug": "x"}]}, "deck x: name is missing; deck x: cards gives card ids their numbers"),
        ({"form": 1, "deck": [{"slug": "X"}]}, "slug must be a word like red-cliffs, not 'X'"),
        (
            {"form": 1, "deck": [{"slug": "x", "name": "X", "cards": {"W01": 0}}]},
            "deck x: cards gives card ids their numbers",
        ),
        (
            {"form": 1, "deck": [{"slug": "x", "name": "X", "cards": {"W01": 3}}]},
            "deck x: commandment must be the id of a Commandment",
        ),
    ],
)
def test_a_bad_form_is_named(raw: dict[str, Any], why: str) -> None:
    assert why in refused(raw)


@rule("generals", 59)
def test_a_deck_that_cannot_be_played_is_refused() -> None:
    cards = {"W01": 4, "Z99": 1, "D02": 1}
    said = refused({"form": 1, "deck": [{"slug": "x", "name": "X", "commandment": "D01", "cards": cards}]})
    assert "deck x: there is no card Z99" in said
    assert "deck x: 4 cards in RESOURCE are too few: it takes 40 to 60 (ruling 59)" in said
    assert "deck x: 4 copies of Cao Cao are too many: at most 3 may have one name" in said
    assert "deck x: recruit and Provisions are too many Commandments" not in said
    assert "deck x: Recruit and Provisions are too many Commandments: it takes exactly one" in said


BAD = """\
form = 2
colour = "red"

[game]
copies = 0
hands = [10, -1]

[[card]]
id = "X01"
name = "Ma Dai"
type = "character"
faction = "SHO"
cost = 2
might = 40
wits = 2
text = "No ability."
abilities = [
  { kind = "static", do = [
    { op = "modify", stat = "migth", by = 1, target = { ref = "self" }, until = "while" },
  ] },
  { kind = "active", cost = { hand = 1 }, do = [
    { op = "kill", target = { side = "enemy", zone = "BORDR", count = 1 } },
  ] },
]
rulings = [99]

[[deck]] # too small
slug = "tiny"
name = "Tiny"
commandment = "D01"
cards = { W01 = 3 }
"""


def test_all_faults_are_named_at_once_each_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(BAD)
    with pytest.raises(DataError) as caught:
        files.load(file)
    said = str(caught.value)
    assert said.startswith(f"{file}: ")
    lines = BAD.splitlines()
    for text, why in (
        ("form = 2", "form must be 1, not 2"),
        ('colour = "red"', "unknown entry 'colour'"),
        ("copies = 0", "[game]: copies must be"),
        ("hands = [10, -1]", "[game]: hands must be"),
        ('faction = "SHO"', "card X01: there is no faction 'SHO'"),
        ("might = 40", "card X01: might must be"),
        ('    { op = "modify", stat', "card X01: abilities 1 (static), do 1 (modify): stat is one of"),
        ('    { op = "kill"', "card X01: abilities 2 (active), do 1 (kill), target: zone is one of"),
        ("rulings = [99]", "card X01: rulings must be"),
        ("cards = { W01 = 3 }", "deck tiny: 3 cards in RESOURCE are too few"),
    ):
        line = next(i for i, found in enumerate(lines) if found.startswith(text))
        assert f"line {line + 1}: {why}" in said
    assert "\n" not in said


WORSE = """\
form = 1
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
id = "M02"
name = "Wen Yang"
type = "character"
cost = 1
might = 41
wits = 1
abilities = [
  { kind = "trigger", when = { event = "noon", subject = { ref = "host" } }, limit = "often", do = [
    { op = "kill", target = { side = "foe", count = 1 } },
  ] },
]
[[card]]
id = "M02"
name = "Wen Hu"
type = "commandment"
story = 5
[[card]]
id = "wrong"
name = "Pan Feng"
type = "strategy"
cost = 21
abilities = [{ kind = "play", do = [{ op = "win", who = "me", reason = "axe" }] }]
[[faction]]
code = "jin"
slug = "The Jin"
name = "Jin"
[[deck]]
slug = "BIG"
name = "Big"
cards = { W01 = 0 }
"""


def test_a_fault_hides_no_other(tmp_path: Path) -> None:
    """Whatever stands in a table or an ability whose own sort, number or event is wrong."""
    file = tmp_path / "worse.toml"
    file.write_text(WORSE)
    with pytest.raises(DataError) as caught:
        files.load(file)
    said = str(caught.value)
    lines = WORSE.splitlines()
    for text, why in (
        ('type = "charakter"', "card X01: type is one of"),
        ("cost = 99", "card X01: cost must be a whole number from 0 to 20, not 99"),
        ("wits = -1", "card X01: wits must be a whole number from 0 to 20, not -1"),
        ('  { kind = "aktive"', "card X01: abilities 1: kind is one of"),
        ('  { kind = "aktive"', "card X01: abilities 1, cost: unknown entry 'gold'"),
        ('    { op = "bounc"', "card X01: abilities 1, do 1: op is one of"),
        ('    { op = "draw", n = 0', "card X01: abilities 1, do 2 (draw): n must be"),
        ("might = 41", "card M02: might must be"),
        ('  { kind = "trigger"', "card M02: abilities 1 (trigger), when: event is one of"),
        (
            '  { kind = "trigger"',
            "card M02: abilities 1 (trigger), when, subject: only an Equipment's ability has a host",
        ),
        ('  { kind = "trigger"', "card M02: abilities 1 (trigger): limit is written"),
        ('    { op = "kill"', "card M02: abilities 1 (trigger), do 1 (kill), target: side is one of"),
        ("story = 5", "card M02: story must be"),
        ('id = "wrong"', "card wrong: id must be a word like W01"),
        ("cost = 21", "card wrong: cost must be"),
        ('abilities = [{ kind = "play"', "card wrong: abilities 1 (play), do 1 (win): who is one of"),
        ('code = "jin"', "faction jin: code must be"),
        ('slug = "The Jin"', "faction jin: slug must be"),
        ('slug = "BIG"', "deck BIG: slug must be"),
        ("cards = { W01 = 0 }", "deck BIG: cards gives card ids"),
        ("[[deck]]", "deck BIG: commandment must be"),
    ):
        at = [i for i, found in enumerate(lines) if found.startswith(text)]
        assert any(f"line {i + 1}: {why}" in said for i in at), (why, said)
    again = [i + 1 for i, found in enumerate(lines) if found == 'id = "M02"'][1]
    assert f"line {again}: card M02: another card has the id M02 too" in said


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


def test_what_is_no_toml_hides_nothing_else(tmp_path: Path) -> None:
    """Table by table: the reader of the whole file would stop at the first quotation mark that is missing."""
    file = tmp_path / "broken.toml"
    file.write_text(BROKEN)
    with pytest.raises(DataError) as caught:
        files.load(file)
    said = str(caught.value)
    assert "line 4: " in said, said
    assert "line 9: card X02: type is one of" in said
    assert "line 11: " in said
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
