"""The card data: the built-in cards, an owner's own file, and rejected files."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from gonfalon.core.basics.errors import DataError
from gonfalon.games.feint import Feint
from gonfalon.games.feint import box as data
from gonfalon.games.feint.face.refusals import explain_location
from gonfalon.testing import rule

STANDARD = data.read_standard_box()
SLUGS = [faction["slug"] for faction in STANDARD["faction"]]

MINE = """form = 1

[[faction]]
slug = "mine"
name = "Mine"
initiative = 9
cards = [
  { slug = "ox", name = "Ox", copies = 3, strength = 4, morale = 2 },
  { slug = "hen", name = "Hen", copies = 2, strength = 1, morale = 0, ability = "scrambler" },
]
"""
"""A valid file of an owner with one faction. Line 4 is its slug, lines 8 and 9 are its cards."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "own.toml"


def refusal(file: Path, text: str) -> str:
    """Return the reason a file of this text is rejected."""
    file.write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as caught:
        data.read_box(file)
    return str(caught.value)


# ---- what comes with the program -------------------------------------------------------------------


def test_the_box_matches_the_rulebook() -> None:
    assert STANDARD["box"] == {
        "locations": [2, 3, 4, 5, 6],
        "location_copies": 2,
        "capacity": 10,
        "hand": 7,
        "morale": 23,
        "end_round": 8,
    }


CARDS = [made for faction in STANDARD["faction"] for made in faction["cards"]]


def test_each_deck_has_forty_cards() -> None:
    assert {sum(made["copies"] for made in faction["cards"]) for faction in STANDARD["faction"]} == {40}


def test_no_number_of_the_box_is_said_to_be_published() -> None:
    for made in CARDS:
        origin = data.find_provenance(made)
        assert {value for entry, value in origin.items() if entry != "name"} <= {"reconstructed", "inferred"}
        shown = Feint(factions=("keion", "wu")).card(made["slug"])
        assert shown is None or shown["provenance"] == origin


@rule("feint", 54)
def test_each_location_has_its_knight() -> None:
    assert sorted(made["location"] for made in CARDS if "location" in made) == STANDARD["box"]["locations"]


@rule("feint", 77)
def test_cards_of_the_box_have_at_least_one_strength() -> None:
    assert min(made["strength"] for made in CARDS) >= 1


def test_the_names_of_plain_cards_are_ours() -> None:
    for made in CARDS:
        assert made.get("ability") or data.find_provenance(made)["name"] == "ours", made["slug"]


def test_a_ruling_that_asks_about_a_card_stands_with_it() -> None:
    guide = (Feint.folder / "guide.md").read_text("utf-8").replace("**", "")
    asked = {int(number): question for number, question in re.findall(r"^(\d+)\. ([^?\n]*\?)", guide, re.MULTILINE)}
    found = [(card, number) for card in Feint().catalogue() for number in asked if card["name"] in asked[number]]
    missing = [(card["name"], number) for card, number in found if number not in card["rulings"]]
    assert missing == [("Scrambler", 23)], "that one is about moving cards"
    assert len(found) > 30


def test_provenance_of_an_owners_numbers() -> None:
    made = {"slug": "ox", "rulebook": ["copies", "strength"], "inferred": ["morale"], "ours": True}
    assert data.find_provenance(made) == {
        "copies": "rulebook",
        "strength": "rulebook",
        "morale": "inferred",
        "name": "ours",
    }


# ---- an owner's file -------------------------------------------------------------------------------


def test_an_owners_faction_is_added(file: Path) -> None:
    file.write_text(MINE, encoding="utf-8")
    box = data.read_box(file)
    assert [faction["slug"] for faction in box.factions] == [*SLUGS, "mine"]
    assert box.factions[:-1] == STANDARD["faction"], "the others are left alone"
    game = Feint(factions=("mine", "wu"), cards=file)
    assert sorted(game.cards[kind]["slug"] for kind in game.setup.decks[0]) == ["hen"] * 2 + ["ox"] * 3
    assert len(game.setup.decks[1]) == 40


def test_an_owners_faction_replaces_the_one_of_its_slug(file: Path) -> None:
    file.write_text(MINE.replace('"mine"', '"wu"').replace("initiative = 9", "initiative = 3"), encoding="utf-8")
    box = data.read_box(file)
    assert [faction["slug"] for faction in box.factions] == SLUGS, "in its old place"
    assert [made["slug"] for made in box.factions[2]["cards"]] == ["ox", "hen"]
    assert Feint(factions=("wu", "keion"), cards=file).card("wu-elder") is None


def test_single_numbers_of_the_box_are_replaced(file: Path) -> None:
    file.write_text("form = 1\n[box]\ncapacity = 11\nmorale = 30\n", encoding="utf-8")
    game = Feint(cards=file)
    assert (game.setup.capacity, game.setup.morale) == (11, 30)
    assert (game.setup.hand, game.setup.end_round) == (7, 8)
    assert Feint(cards=file, capacity=9).setup.capacity == 9, "an option stands above the file"


def test_the_content_of_a_file_equals_the_file(file: Path) -> None:
    file.write_text(MINE, encoding="utf-8")
    assert data.read_box(tomllib.loads(MINE)).hash == data.read_box(file).hash
    game = Feint(factions=("mine", "wu"), cards=file)
    twin = Feint(**game.shown_options())
    assert (twin.data_hash, twin.setup.decks) == (game.data_hash, game.setup.decks)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("strength = 4", "strength = 5"),
        ("morale = 0", "morale = 1"),
        ("copies = 3", "copies = 4"),
        ('name = "Ox"', 'name = "Oxen"'),
        ('ability = "scrambler"', 'ability = "saboteur"'),
        ("initiative = 9", "initiative = 10"),
        ("form = 1", "form = 1\nbox = { hand = 6 }"),
        ("morale = 2 }", "morale = 2, protected = true }"),
    ],
)
def test_the_hash_changes_with_every_entry(old: str, new: str) -> None:
    assert old in MINE
    before, after = (data.read_box(tomllib.loads(text)).hash for text in (MINE, MINE.replace(old, new)))
    assert before != after


def test_the_hash_does_not_change_with_the_looks_of_the_file() -> None:
    tidied = MINE.replace("form = 1", "# my own\nform = 1").replace(
        'slug = "ox", name = "Ox"', 'name = "Ox", slug = "ox"'
    )
    assert data.read_box(tomllib.loads(tidied)).hash == data.read_box(tomllib.loads(MINE)).hash


# ---- files that are refused ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("strength = 4", "strength = 21", 8, "strength must be from 0 to 20, not 21"),
        ("strength = 1", "strength = true", 9, "strength must be a whole number, not True"),
        ("morale = 0", "morale = 21", 9, "morale must be from 0 to 20, not 21"),
        ("copies = 2", "copies = 38", 4, "has 41 cards; a deck has 1 to 40"),
        ('"scrambler"', '"scramble"', 9, "unknown ability 'scramble'; choose one of: assassin"),
        ('"scrambler"', '"knight"', 9, "a knight needs a location"),
        ('"scrambler"', '"scrambler", location = 3', 9, "only a knight has a location"),
        ('"scrambler"', '"covert", protected = true', 9, "face down cannot be protected"),
        ('"scrambler"', '"scrambler", protected = 1', 9, "protected must be true or false"),
        (
            '"scrambler"',
            '"scrambler", tags = ["animal"]',
            9,
            "unknown tag 'animal'; choose from: engineer, tower, gang",
        ),
        ('"scrambler"', '"scrambler", tags = "gang"', 9, "tags must be a list"),
        ('"scrambler"', '"scrambler", inferred = ["name"]', 9, "inferred lists 'name'"),
        ('"scrambler"', '"scrambler", price = 3', 9, "unknown entry 'price'"),
        (", morale = 0", "", 9, "lacks its morale"),
        ('slug = "hen"', 'slug = "h#n"', 9, "a slug is lower-case words joined by hyphens"),
        ('slug = "hen"', 'slug = "pass"', 9, "slug 'pass' is a word of the notation"),
        ('slug = "hen"', 'slug = "wu-elder"', 9, "slug 'wu-elder' is used by two cards"),
        ('slug = "hen"', 'slug = "ox"', 8, "slug 'ox' is used by two cards"),
        ('name = "Hen"', 'name = ""', 9, "has an empty name"),
        ('slug = "mine"', 'slug = "My Own"', 4, "a slug is lower-case words joined by hyphens"),
        ("initiative = 9", "initiative = 3", 4, "another faction already has initiative 3"),
        ("initiative = 9\n", "", 4, "lacks its initiative"),
        ('slug = "mine"\n', "", 3, "Every [[faction]] needs a slug of its own"),
        ("[[faction]]", "[faction]", 3, "[[faction]] is not a list of tables"),
        ("form = 1\n", "form = 2\n", 1, "this one has form = 2"),
        ("form = 1\n", "form = true\n", 1, "this one has form = True"),
        ("form = 1\n", "form = 1\ncolour = 3\n", 2, "entry 'colour' is unknown"),
        ("form = 1\n", "form = 1\nbox = 3\n", 2, "[box] is not a table"),
        ("form = 1\n", "form = 1\n[box]\nsize = 3\n", 3, "unknown entry 'size'"),
        ("form = 1\n", "form = 1\n[box]\nhand = 0\n", 3, "hand must be from 1 to 20, not 0"),
        ("form = 1\n", "form = 1\n[box]\nhand = 7\nmorale = 0\n", 4, "morale must be from 1 to 99, not 0"),
        ("form = 1\n", "form = 1\n[box]\nend_round = 12\n", 3, "end_round must be from 2 to 11, not 12"),
        ("form = 1\n", "form = 1\n[box]\nlocations = [2]\n", 3, "two to five numbers from 1 to 9"),
        ("form = 1\n", "form = 1\n[box]\nlocations = [0, 2]\n", 3, "two to five numbers from 1 to 9"),
        ("form = 1\n", "form = 1\n[box]\nlocations = [3, 2]\n", 3, "locations must ascend without repetitions"),
        ("copies = 3", "copies = ", 8, "Invalid value"),
        ("copies = 3", "copies = 3, copies = 3", 8, "Duplicate"),
    ],
)
def test_a_bad_file_is_refused_with_line_and_reason(file: Path, old: str, new: str, line: int, reason: str) -> None:
    assert old in MINE
    told = refusal(file, MINE.replace(old, new, 1))
    assert reason in told
    assert str(file) in told
    assert f"Line {line}" in told
    assert "\n" not in told


def test_the_good_file_is_good(file: Path) -> None:
    """This ensures that each rejection above is due to its one change."""
    file.write_text(MINE, encoding="utf-8")
    assert data.read_box(file).hash


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("strength = 4", "strength = 0"),
        ("copies = 2", "copies = 37"),
        ("copies = 2", "copies = 0"),
        ("form = 1\n", "form = 1\n[box]\nlocations = [1, 9]\nend_round = 11\nhand = 20\n"),
        ('"scrambler"', '"knight", location = 7'),
    ],
)
def test_the_bounds_themselves_are_good(file: Path, old: str, new: str) -> None:
    file.write_text(MINE.replace(old, new, 1), encoding="utf-8")
    assert Feint(factions=("mine", "wu"), cards=file).data_hash


def test_all_faults_are_named_at_once_with_their_lines(file: Path) -> None:
    told = refusal(
        file, MINE.replace("form = 1\n", "form = 1\nbox = { hand = 0 }\n").replace("= 4", "= 40").replace("= 9", "= 3")
    )
    for part in (
        "[box]: hand must be from 1 to 20, not 0",
        "Line 5: Faction 'mine': another faction already has initiative 3",
        "Line 9: Faction 'mine', card 'ox': strength must be from 0 to 20, not 40",
    ):
        assert part in told


def test_a_deck_without_cards_is_refused(file: Path) -> None:
    told = refusal(file, MINE.replace("copies = 3", "copies = 0").replace("copies = 2", "copies = 0"))
    assert "Line 4: Faction 'mine' has 0 cards; a deck has 1 to 40" in told


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ('{ name = "Hen", copies = 2, strength = 1, morale = 0 }', "lacks its slug"),
        ('{ slug = 3, name = "Hen", copies = 2, strength = 1, morale = 0 }', "slug must be a text, not 3"),
        ("7", "is not a table of entries"),
    ],
)
def test_a_card_that_cannot_be_found_by_its_slug_names_its_list(file: Path, entry: str, reason: str) -> None:
    """The line of the list is better than none, or than that of the previous card."""
    lines = MINE.splitlines()
    lines[8] = f"  {entry},"
    told = refusal(file, "\n".join(lines))
    assert reason in told
    assert "action 'mine'" in told
    assert "Line 7" in told or "Line 9" in told


def test_spacing_does_not_hide_the_line(file: Path) -> None:
    told = refusal(file, MINE.replace('slug = "hen"', 'slug="hen"').replace("strength = 1", "strength=99"))
    assert "strength must be from 0 to 20, not 99" in told
    assert "Line 9" in told


@pytest.mark.parametrize("slug", ["ox", "mine"])
def test_the_order_of_entries_does_not_shift_the_line(file: Path, slug: str) -> None:
    """The strength is before the slug, and the next card has one too. A card may have its faction's slug."""
    bad = f'{{ strength = 99, slug = "{slug}", name = "Ox", copies = 3, morale = 2 }}'
    lines = MINE.splitlines()
    lines[7] = f"  {bad},"
    told = refusal(file, "\n".join(lines))
    assert "strength must be from 0 to 20, not 99" in told
    assert "Line 8" in told


@pytest.mark.parametrize("text", ["x = " + "[" * 20_000, "form = " + "9" * 5000], ids=["deep", "long"])
def test_a_file_that_python_cannot_digest_is_refused(file: Path, text: str) -> None:
    assert str(file) in refusal(file, text)


def test_files_that_cannot_be_read_are_refused(tmp_path: Path, file: Path) -> None:
    file.write_bytes(b"\xff\xfeform = 1")
    for path, reason in ((file, "not UTF-8"), (tmp_path / "none.toml", "No such file"), (tmp_path, "directory")):
        with pytest.raises(DataError, match=reason) as caught:
            data.read_box(path)
        assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ({}, "A card file begins with form = 1"),
        ({"form": 1, "box": {"hand": None}}, "hand must be a whole number"),
        ({"form": 1, "faction": [{"slug": "a"}, {"slug": "a"}]}, "a slug of its own"),
        ({"form": 1, "faction": [{"slug": ["a"]}]}, "a slug of its own"),
    ],
)
def test_bad_content_of_a_record_is_refused(content: dict[str, Any], reason: str) -> None:
    """Content of a record has no lines, but the error still has a reason."""
    with pytest.raises(DataError, match=reason):
        data.read_box(content)


def test_too_many_kinds_are_refused() -> None:
    """410 factions of one card each exceed the number of kinds that a card's number can hold."""
    factions = [
        {
            "slug": f"f{i}",
            "name": "F",
            "initiative": 100 + i,
            "cards": [{"slug": f"c{i}", "name": "C", "copies": 1, "strength": 1, "morale": 1}],
        }
        for i in range(410)
    ]
    with pytest.raises(DataError, match="at most 400 are possible"):
        data.read_box({"form": 1, "faction": factions})
    assert data.read_box({"form": 1, "faction": factions[:300]}).hash


@rule("feint", 54)
def test_a_knight_of_a_location_that_is_not_there_cannot_be_played(file: Path) -> None:
    file.write_text(MINE.replace('"scrambler"', '"knight", location = 7'), encoding="utf-8")
    game = Feint(factions=("mine", "wu"), cards=file)
    state = game.start()
    state.play(-1, game.parse("seed:1"))
    knight = game.kind_of["hen"]
    assert all(not knight.fits(state, place) for place in range(5))
    assert "another box" in (explain_location(state, knight, 0) or "")
