"""The changeable parts of a game and their bounds."""

from __future__ import annotations

import pytest

from gonfalon.core.basics.errors import OptionError
from gonfalon.lab.studies.tune import parameters


def test_a_card_is_found_by_its_name_however_it_is_written() -> None:
    assert [thing.word for thing in parameters.search_groups("feint", "  PATRIOT ")] == ["patriot"]
    assert parameters.search_groups("generals", "cao cao")[0].word == "cao-cao"
    assert {thing.of for thing in parameters.search_groups("feint", "tribe wu")} == {"faction", "Tribe Wu"}, (
        "and all of a faction"
    )
    assert parameters.search_groups("feint", "no such thing") == []
    assert parameters.search_groups("feint", "") == []


def test_the_bounds_are_those_of_the_rules() -> None:
    """Feint's reader accepts Strengths from 0 to 20. A deck has 40 cards, so a fifth Patriot replaces another card."""
    for word in ("explorer", "knight"):  # what is known of others misleads nobody
        assert parameters.list_parameters("feint", parameters.search_groups("feint", word)[0].word)[1].most == 20
    copies, strength, _ = parameters.list_parameters("feint", "patriot")
    assert (copies.most, strength.least, strength.most, strength.origin) == (4, 0, 20, "inferred")
    beside, _, _ = parameters.list_parameters("feint", "patriot", ("explorer.copies=3",))
    assert beside.most == 5
    [end] = [knob for knob in parameters.list_parameters("feint", parameters.RULES_WORD) if knob.path == "end_round"]
    assert [value for value, _ in end.choices] == ["0", *map(str, range(2, 12))]
    [capacity] = [
        knob for knob in parameters.list_parameters("feint", parameters.RULES_WORD) if knob.path == "capacity"
    ]
    assert (capacity.least, capacity.most) == (0, 99)


def test_changes_have_one_notation_and_default_values_are_none() -> None:
    sets = ["patriot.strength=5", "patriot.morale=3", "end_round=6", "Patriot.Strength= 4 "]
    assert parameters.normalize_changes("feint", sets) == ("patriot.strength=4", "end_round=6")
    [copies] = parameters.apply_changes(
        "generals", parameters.normalize_changes("generals", ["red-cliffs.zhou-yu=2"])
    ).changes
    assert (copies.before, copies.after) == (3, 2)
    [added] = parameters.apply_changes(
        "generals", parameters.normalize_changes("generals", ["red-cliffs.lu-bu=1"])
    ).changes
    assert (added.before, added.after) == (None, 1), "a card that the deck has not"
    lines = "sword-1a.rows=.+2 . .\r\n. T .\r\n# . #"
    assert parameters.normalize_changes("jinkei", [lines]) == ('sword-1a.rows=[".+2 . .", ". T .", "# . #"]',)
    assert parameters.normalize_changes("feint", ["box.locations=2, 3,4 5 6"]) == ()
    rows = 'sword-1a.rows=[".+2 . .", ". T .", "# . #"]'
    assert parameters.apply_changes("jinkei", parameters.normalize_changes("jinkei", [rows])).changes[0].after == [
        ".+2 . .",
        ". T .",
        "# . #",
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("patriot.strength", "Write a change as card.number=value"),
        ("patriot.strength=much", "must be a whole number"),
        ("patriot.glory=1", "Possible values: patriot.copies"),
        ("patriot.name=Knave", "has no value 'patriot.name'"),
        ("cards=/etc/passwd", "has no value 'cards'"),
        ("box.locations=" + "[" * 301, "too long"),
    ],
)
def test_invalid_changes_are_refused_with_one_sentence(text: str, says: str) -> None:
    with pytest.raises(OptionError, match=says.replace("(", r"\(")):
        parameters.normalize_changes("feint", [text])


def test_every_game_has_numbers_to_turn() -> None:
    for name in ("feint", "jinkei", "generals", "factionwars"):
        words = [thing.word for thing in parameters.list_groups(name)]
        assert words[0] == parameters.RULES_WORD
        assert len(words) == len(set(words)) > 15


def test_changes_as_the_command_line_takes_them() -> None:
    """With the game in front, and a number for an entry of a list."""
    assert parameters.normalize_changes("feint", ["feint.patriot.strength=4"]) == ("patriot.strength=4",)
    sets = parameters.normalize_changes("factionwars", ["wild-west.bonus=9"])
    assert sets == ("wild-west.bonus=9",)
    assert parameters.find_refusal("factionwars", sets) == ""
