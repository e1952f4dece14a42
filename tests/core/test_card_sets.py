"""Sets of own cards: both forms of a text, their faults by line, and the name that a game carries."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import pytest

from gonfalon import games
from gonfalon.core.basics.errors import DataError
from gonfalon.core.files.card_files import split_fault
from gonfalon.core.files.card_sets import describe_card_set, find_set_name, read_card_set
from gonfalon.core.files.record import Record, load
from gonfalon.core.rules.game import Game

OVERLAY = """\
# Printed on our copy
name = "Keion as printed"
game = "feint"

patriot.strength = 7   # the box says 7
box.hand = 8
"""
BOX = "[box]\nlocations = [2, 3]\nlocation_copies = 4\ncapacity = 12\nhand = 5\nmorale = 9\nend_round = 6\n"
OWN_SIDES = "".join(
    f'[[faction]]\nslug = "side-{n}"\nname = "Side {n}"\ninitiative = {n}\n'
    f'cards = [{{ slug = "unit-{n}", name = "Unit {n}", copies = 30, strength = {n}, morale = 1 }}]\n'
    for n in (1, 2)
)


def find_faults(text: str, game: str = "feint") -> list[tuple[int, str]]:
    with pytest.raises(DataError) as refused:
        read_card_set(games.find_game_class(game), text)
    assert len(str(refused.value)) < 8000
    return [split_fault(fault) for fault in refused.value.faults]


def test_lines_change_single_numbers_of_the_standard_cards() -> None:
    found = read_card_set(games.find_game_class("feint"), OVERLAY)
    assert (found.game, found.name) == ("feint", "Keion as printed")
    assert [str(change) for change in found.changes] == [
        "box.hand: 7 (rulebook) -> 8",
        "patriot.strength: 6 (inferred) -> 7",
    ]
    assert [(change.title, change.slug) for change in found.changes] == [
        ("box: hand", ""),
        ("Patriot: strength", "patriot"),
    ]


def test_a_changed_number_is_not_shown_as_published() -> None:
    game = games.game("feint", **read_card_set(games.find_game_class("feint"), OVERLAY).options)
    card = game.card("patriot")
    assert card is not None
    assert (card["strength"], card["provenance"]["strength"]) == (7, "reconstructed")  # type: ignore[index]


def test_a_set_without_the_usual_sides_names_its_own() -> None:
    found = read_card_set(games.find_game_class("feint"), f"form = 1\nalone = true\n{BOX}{OWN_SIDES}")
    game = games.game("feint", **found.options)
    assert game.options["factions"] == ("side-1", "side-2")


def test_a_set_of_one_side_allows_mirror_matches() -> None:
    one_side = OWN_SIDES.partition('[[faction]]\nslug = "side-2"')[0]
    found = read_card_set(games.find_game_class("feint"), f"form = 1\nalone = true\n{BOX}{one_side}")
    game = games.game("feint", **found.options)
    assert (game.options["factions"], game.options["mirror"]) == (("side-1", "side-1"), True)


def test_cards_that_refer_to_a_renamed_card_are_faults() -> None:
    """A card file may replace a general. The data of a game hold the new name only."""
    text = 'form = 1\n[[card]]\nid = "W01"\nname = "Another"\ntype = "character"\nfaction = "WEI"\ncost = 1\n'
    faults = find_faults(f"{text}might = 1\nwits = 1\n", "generals")
    assert any("there is no general called 'Cao Cao'" in fault for _, fault in faults)


def test_a_set_without_any_sides_is_refused() -> None:
    with pytest.raises(DataError, match="Unknown faction 'keion'"):
        read_card_set(games.find_game_class("feint"), f"form = 1\nalone = true\n{BOX}")


@pytest.mark.parametrize("game", ["feint", "generals", "factionwars", "jinkei"])
def test_the_standard_cards_have_no_differences(game: str) -> None:
    assert describe_card_set(games.game(game)) == ()
    assert find_set_name(games.game(game)) == ""


@pytest.mark.parametrize(
    ("game", "text", "told"),
    [
        ("feint", '[[card]]\nstrength = 7\nslug = "patriot"\n', "patriot.strength: 6 (inferred) -> 7"),
        ("feint", "[box]\nhand = 8  # seven\n", "box.hand: 7 (rulebook) -> 8"),
        ("jinkei", 'sword-1a.rows = [".+2 . .", ". T .", "# . #"]', "sword-1a.rows"),
        ("generals", '[[card]]\nname = "Cao Cao"\nmight = 4\n', "cao-cao.might: 5 (ours) -> 4"),
        ("generals", "cao-cao.might = 4", "cao-cao.might: 5 (ours) -> 4"),
        ("factionwars", "wild-west.bonus = [4, 4, 3, 3]", "wild-west.bonus"),
    ],
)
def test_every_game_reads_lines_and_tables(game: str, text: str, told: str) -> None:
    [change] = read_card_set(games.find_game_class(game), text).changes
    assert told in str(change)


def test_all_faults_are_reported_by_line() -> None:
    text = "patriot.strenght = 7\npatriots.strength = 3\ndragoon.strength = 99\nfoo\nend_round = 3\nbox.hand = two\n"
    found = find_faults(text)
    assert [line for line, _ in found] == [1, 2, 3, 4, 5, 6]
    for sentence, part in zip(
        [sentence for _, sentence in found],
        [
            "did you mean strength?",
            "Did you mean patriot?",
            "from 0 to 20, not 99",
            "Write a change as card.number=value",
            "'end_round' is no number of a card",
            "hand must be a whole number, not 'two'",
        ],
        strict=True,
    ):
        assert part in sentence
        assert re.search(r"[^.][.?]$", sentence)


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("patriot.strength = 7\npatriot.strength = 8", [(2, "Line 1 already sets patriot.strength.")]),
        (
            '[[card]]\nslug = "patriots"\nstrength = 5\n',
            [
                (3, "The data of Warriors of Jogu: Feint have no card or table 'patriots'. Did you mean patriot?"),
                (0, "A file that adds or replaces whole tables begins with form = 1."),
            ],
        ),
        ("patriot.slug = x", [(1, "The slug of patriot cannot change; write a card file to add a card.")]),
        (
            "patriot.strength = 5\ndragoon.strength = 99",
            [(2, "Faction 'keion', card 'dragoon': strength must be from 0 to 20, not 99.")],
        ),
        ("patriot.copies = 30\ndragoon.copies = 9", [(0, "Faction 'keion' has 71 cards; a deck has 1 to 40.")]),
        ("patriot.copies = 30", [(1, "Faction 'keion' has 66 cards; a deck has 1 to 40.")]),
        ("game = jinkei\npatriot.strength = 7", [(0, "The cards are for 'jinkei', not for feint.")]),
        (f"patriot.name = {'x' * 101}", [(1, f"'{'x' * 40}'... is longer than 100 letters.")]),
        (f"keion.style = {'x' * 4001}", [(1, f"'{'x' * 40}'... is longer than 4000 letters.")]),
        ("patriot.strength = 7\nname = Ours", [(2, "Write name = Ours before the first change.")]),
        ("# nothing", [(0, "The text changes no number; write a line such as card.number = value.")]),
        ("form = 1\n[box]\nmorale = x\n[[faction]]\nslug = ?", [(3, "Invalid value."), (5, "Invalid value.")]),
        ("patriot.strength = 7\nbox.hand = 8\0", [(2, "The line contains a control character.")]),
        ("patriot.strength = 7 \u202e", [(1, "The line contains a control character.")]),
    ],
)
def test_a_fault_names_its_line(text: str, faults: list[tuple[int, str]]) -> None:
    assert find_faults(text) == faults


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\t\n",
        "\n".join(f"nonsense {n} \N{DRAGON FACE}" for n in range(500)),
        "\n".join(f"nonsense-{n}.strength = 1" for n in range(500)),
        "patriot.strength = " + "[" * 20_000,
        "form = 1\nbox = " + "[" * 20_000,
        "form = 1\n" + "[box]\n" * 2_000,
        "a." * 10_000 + "b = 1",
        "patriot.strength = " + "9" * 10_000,
        "patriot.strength = 1979-05-27",
        "x" * (9 << 20),
        '"' * 5_000,
    ],
)
def test_a_hostile_text_is_refused_in_a_short_message(text: str) -> None:
    find_faults(text)


def test_at_most_twenty_faults_are_in_the_message() -> None:
    with pytest.raises(DataError) as refused:
        read_card_set(games.find_game_class("feint"), "\n".join(["nonsense"] * 500))
    assert "Line 20: " in str(refused.value)
    assert "Line 21: " not in str(refused.value)
    assert str(refused.value).endswith(" And 181 more.")
    assert refused.value.faults[-1] == "line 201: the lines from here on were not checked"


@pytest.mark.parametrize("name", ["a\nb", "x" * 61, "\N{RIGHT-TO-LEFT OVERRIDE}x", 7, ["x"]])
def test_a_name_is_one_short_line(name: object) -> None:
    with pytest.raises(DataError, match="The name of a set of cards is one line of at most 60 letters"):
        games.game("feint", cards={"form": 1, "box": {"hand": 8}}, card_set=name)


def test_a_file_of_lines_works_like_a_card_file(tmp_path: Path) -> None:
    file = tmp_path / "keion.txt"
    file.write_text(OVERLAY, "utf-8")
    game = games.game("feint", cards=file)
    assert find_set_name(game) == "Keion as printed"
    file.write_text("patriot.strength = 99", "utf-8")
    with pytest.raises(DataError, match=r"keion\.txt: Line 1: Faction 'keion', card 'patriot': strength must be"):
        games.game("feint", cards=file)


def test_the_name_and_the_cards_stay_with_a_game() -> None:
    game = games.game("feint", **read_card_set(games.find_game_class("feint"), OVERLAY, "Ours").options)
    again = load(Record(game).dumps(), games.game).game
    views = game.start().mask(0).rules
    assert isinstance(views, Game)
    copies: list[Game] = [again, pickle.loads(pickle.dumps(game)), views, games.game("feint", **game.pinned())]
    for one in copies:
        assert find_set_name(one) == "Ours"
        assert one.data_hash == game.data_hash
    other = games.game("feint", **read_card_set(games.find_game_class("feint"), OVERLAY, "Theirs").options)
    assert other.data_hash == game.data_hash, "a name changes no game"
