"""Decks: legality, figures, files and share codes."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gonfalon.core.basics import share_code as sharecode
from gonfalon.core.basics.decks import Deck, DeckError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.text.untrusted import one_line, without_isolates
from gonfalon.games.generals.cards import decks
from gonfalon.games.generals.cards import files as data
from gonfalon.games.generals.cards.decks import GeneralsDecks
from gonfalon.testing import rule

POOL = data.load()
DECKS = GeneralsDecks(POOL)
RESOURCE = [card.id for card in POOL.cards if card.type != "commandment"]
COMMANDMENTS = [card.id for card in POOL.cards if card.type == "commandment"]


def build_deck(*cards: str, **more: int) -> Deck:
    """Return a deck of three copies of each card, other cards in the given numbers, and a Commandment."""
    return Deck("", {"D01": 1, **dict.fromkeys(cards, 3), **more})


def forty(**more: int) -> Deck:
    """Return a legal deck of 40 cards: 13 neutral ones three times and one once."""
    cards = [card.id for card in POOL.cards if card.faction == "NONE" and card.type != "commandment"]
    return Deck("", {**build_deck(*cards[:13]).counts, cards[13]: 1, **more})


drafts = st.dictionaries(st.sampled_from([*RESOURCE, *COMMANDMENTS]), st.integers(1, 99), max_size=60)


# ---- what is legal --------------------------------------------------------------------------------------------------


def test_a_legal_deck_has_no_faults() -> None:
    assert DECKS.check(forty()) == []
    for deck in DECKS.ready():
        assert DECKS.check(deck) == []


@rule("generals", 59)
@pytest.mark.parametrize(
    ("size", "remedy"), [(37, "Add at least 3 cards"), (40, ""), (60, ""), (61, "Remove at least 1 card")]
)
def test_a_deck_has_40_to_60_cards_beside_its_commandment(size: int, remedy: str) -> None:
    whole, rest = divmod(size, 3)
    deck = build_deck(*RESOURCE[:whole])
    if rest:
        deck.counts[RESOURCE[whole]] = rest
    assert len(POOL.resource(deck)) == size
    found = DECKS.check(deck)
    assert found == ([f"{remedy}: RESOURCE needs 40 to 60."] if remedy else [])


@rule("generals", 59)
def test_at_most_three_cards_have_one_name() -> None:
    assert DECKS.check(forty(A01=3)) == []
    assert DECKS.check(forty(A01=4)) == ["Remove 1 of the 4 copies of Green Dragon Blade: at most 3 are allowed."]


@rule("generals", 59)
def test_a_deck_has_exactly_one_commandment() -> None:
    deck = forty()
    without = replace(deck, counts={id: n for id, n in deck.counts.items() if id != "D01"})
    assert DECKS.check(without) == ["Add a Commandment: a deck has exactly one."]
    assert DECKS.check(forty(D02=1)) == ["Keep only one of the 2 Commandments: Recruit and Provisions."]
    assert DECKS.check(forty(D01=2)) == ["Keep only one of the 2 Commandments: Recruit."]


def test_tests_may_play_with_smaller_decks() -> None:
    tiny = build_deck("W01", "W02")
    assert decks.check_deck(POOL, tiny, least=1, most=6) == []
    assert GeneralsDecks(POOL, least=6, most=6).check(tiny) == []
    assert decks.check_deck(POOL, tiny, least=7, most=7) == ["Add at least 1 card: RESOURCE needs 7."]


# ---- factions and the hand ------------------------------------------------------------------------------------------


@rule("generals", 56, 57)
@pytest.mark.parametrize(
    ("cards", "limit", "without_qun"),
    [
        ([], 10, 10),
        (["Q01"], 10, 10),
        (["W01", "S01"], 8, 8),
        (["W01", "Q01"], 8, 10),
        (["W01", "S01", "Q01"], 6, 8),
        (["W01", "S01", "U01", "Q01"], 6, 6),
    ],
)
def test_the_hand_limit_follows_from_the_factions(cards: list[str], limit: int, without_qun: int) -> None:
    """The limit is 10, 8 or 6 for 1, 2 or at least 3 factions. Neutral cards have no faction. Qun counts as one unless
    the option excludes it."""
    deck = build_deck(*cards)
    assert decks.find_hand_limit(POOL, deck) == limit
    assert decks.find_hand_limit(POOL, deck, qun_counts=False) == without_qun


@rule("generals", 58)
def test_support_cards_with_a_mark_count_and_the_commandment_does_not() -> None:
    assert decks.list_counted_factions(POOL, build_deck("W01", "R04")) == ["WEI", "SHU"], "White Feather Guard is Shu's"
    pool = data.load({"form": 1, "card": [{**POOL.raw["card"][78], "faction": "WU"}]})
    assert pool.by_id["D01"].faction == "WU"
    assert decks.list_counted_factions(pool, build_deck("W01")) == ["WEI"]


def test_figures_of_a_ready_made_deck() -> None:
    """Qun 2 has 23 Characters, counted by hand from its list."""
    deck = POOL.deck("yellow-sky")
    assert deck is not None
    figures = DECKS.figures(deck)
    assert figures.size == 51
    assert dict(figures.facts) == {
        "Cards in RESOURCE": "51",
        "Commandment": "Recruit",
        "Factions": "Qun",
        "Hand limit": "10",
    }
    # Q04 Q05 Q06 Q10 Q02 Q08 Q09 three times, Q07 twice; P12 T01 T03 T04 three times, P06 P08 twice;
    # R01 A06 A07 twice; C01 C03 C07 twice.
    assert figures.groups == [("Characters", 23), ("Strategies", 16), ("Equipment", 6), ("Counters", 6)]
    # 0: R01 2, P08 2 (its cost is a general); 1: Q05 3, Q06 3, P12 3, T03 3, T04 3, A07 2, P06 2, C01 C03 C07 2 each;
    # 2: Q02 Q08 Q09 3 each, T01 3; 3: Q04 3, Q10 3, A06 2; 4: Q07 2.
    assert figures.curve == [("0", 4), ("1", 25), ("2", 12), ("3", 8), ("4", 2), ("5 or more", 0)]
    assert sum(count for _, count in figures.curve) == 51


def test_a_cost_above_the_last_bar_counts_there() -> None:
    pool = data.load({"form": 1, "card": [{**POOL.raw["card"][0], "cost": 9}]})
    assert decks.count_costs(pool, build_deck("W01", "Q01"))[5] == 6


# ---- chances --------------------------------------------------------------------------------------------------------


@rule("generals", 50)
def test_how_many_cards_a_player_has_seen() -> None:
    """A player sees five cards at the start and one in each Draw Phase. The first player skips the draw of turn 1."""
    assert [decks.count_drawn(POOL, turn, first=False) for turn in (0, 1, 2, 3)] == [5, 6, 7, 8]
    assert [decks.count_drawn(POOL, turn, first=True) for turn in (0, 1, 2, 3)] == [5, 5, 6, 7]


@pytest.mark.parametrize(
    ("size", "copies", "turn", "first", "expected"),
    [
        # drawn 5 of 40, one copy: 5/40
        (40, 1, 1, True, Fraction(5, 40)),
        (40, 1, 1, False, Fraction(6, 40)),
        # two copies, 5 drawn of 40: 1 - (35 * 34) / (40 * 39)
        (40, 2, 0, False, 1 - Fraction(35 * 34, 40 * 39)),
        # three copies, 7 drawn of 50: 1 - (43 * 42 * 41) / (50 * 49 * 48)
        (50, 3, 3, True, 1 - Fraction(43 * 42 * 41, 50 * 49 * 48)),
        (40, 1, 99, False, Fraction(1)),
    ],
)
def test_the_chance_to_hold_a_card(size: int, copies: int, turn: int, first: bool, expected: Fraction) -> None:
    rest = dict.fromkeys(RESOURCE[1 : 1 + size - copies], 1)
    deck = Deck("", {"D01": 1, **({"W01": copies} if copies else {}), **rest})
    assert len(POOL.resource(deck)) == size
    assert DECKS.chance(deck, "W01", turn, first) == pytest.approx(float(expected))


# ---- deck files -----------------------------------------------------------------------------------------------------


FILE = """\
# My first deck
Name: The Long Road

commandment: Recruit     # cheaper generals
3 Cao Cao
2x Xu Chu
1 x tactics-water   # by its slug
Red Hare
2 W02               # by its id
1 Cao Cao
"""


def test_a_deck_file_is_read() -> None:
    deck, faults = DECKS.parse(FILE)
    assert faults == []
    assert deck.name == "The Long Road"
    assert deck.counts == {"D01": 1, "W01": 4, "W05": 2, "T01": 1, "A03": 1, "W02": 2}


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("Name: The Long Road // great", "The Long Road"),
        ("Name: The #1 Road", "The #1 Road"),
        ("Name: // to be named", ""),
    ],
)
def test_a_remark_ends_every_line_alike(line: str, name: str) -> None:
    deck, faults = DECKS.parse(f"{line}\n3 Cao Cao // great\n2 Red Hare # great\n#1 of all\nXu Chu//great\n")
    assert (deck.name, faults) == (name, [])
    assert deck.counts == {"W01": 3, "A03": 2, "W05": 1}


ARENA = """\
About
Name The Long Road

Commander
1 Recruit (GEN) 12

Deck
3 Cao Cao (GEN) 1
// Equipment
1 Red Hare // a horse
[Characters]
2 W02
Counters (0)
Commandment:

Sideboard
"""


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_deck_file_of_another_program_is_read(ends: str, mark: str) -> None:
    deck, faults = DECKS.parse(mark + ARENA.replace("\n", ends))
    assert faults == []
    assert deck == Deck("The Long Road", {"D01": 1, "W01": 3, "A03": 1, "W02": 2})


def test_a_sideboard_is_refused_card_by_card() -> None:
    deck, faults = DECKS.parse("Deck\n1 Cao Cao\n\nSideboard\n2 Xu Chu\nDeck\n1 Red Hare")
    assert faults == ["Line 5: Decks of this game have no sideboard. Remove '2 Xu Chu'."]
    assert deck.counts == {"W01": 1, "A03": 1}


def test_a_deck_name_steers_no_terminal() -> None:
    deck, faults = DECKS.parse("Name: \x1b[2JMy\u202e deck\u2069\a\n1 Cao Cao")
    assert (deck.name, faults) == ("\ufffd[2JMy deck\ufffd", [])


def test_all_faults_of_a_deck_file_are_listed_with_their_lines() -> None:
    deck, faults = DECKS.parse(
        "3 Cao Coa\n\nCommandment: Red Hare\n0 Xu Chu\n2 Something Else Altogether\nCommandment: Recrut\n1 Xu Chu"
    )
    assert faults == [
        "Line 1: There is no card 'Cao Coa'; did you mean Cao Cao?",
        "Line 3: Red Hare belongs to Equipment, not to Commandments.",
        "Line 4: 0 is not a valid number of copies.",
        "Line 5: There is no card 'Something Else Altogether'.",
        "Line 6: There is no card 'Recrut'; did you mean Recruit?",
    ]
    assert deck.counts == {"W05": 1}


def test_a_deck_file_lists_the_faults_of_a_draft() -> None:
    text = DECKS.text(Deck("Draft", {"W01": 4}))
    assert "# Add at least 36 cards: RESOURCE needs 40 to 60." in text
    assert "# Add a Commandment" in text
    assert "\nCommandment:" not in text


@settings(max_examples=25)
@given(drafts, st.text(max_size=80))
def test_a_deck_file_reads_back(counts: dict[str, int], name: str) -> None:
    name = one_line(without_isolates(name))[:60].strip()
    deck, faults = DECKS.parse(DECKS.text(Deck(name, counts)))
    assert faults == []
    # Several Commandments are several lines; each is read as one card.
    assert deck == Deck(name, counts)


@given(st.text(max_size=400))
def test_any_text_is_read_without_stumbling(text: str) -> None:
    deck, faults = DECKS.parse(text)
    assert set(deck.counts) <= set(POOL.by_id)
    assert all("\n" not in fault for fault in faults)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("Name: A // B", "A"),
        ('Name: "A // B"', "A // B"),
        ('Name: "A"', '"A"'),
        ("Deck: The Long Road", "The Long Road"),
    ],
)
def test_quotes_protect_a_name_that_looks_like_a_remark(line: str, name: str) -> None:
    assert DECKS.parse(line) == (Deck(name, {}), [])


CAO_CAO = (
    "3 Cao Cao",
    "3x Cao Cao",
    "3× Cao Cao",
    "3xCao Cao",
    "x3 Cao Cao",
    "(3) Cao Cao",
    "[3x] Cao Cao",
    "3, Cao Cao",
    "3\tCao Cao",
    "Cao Cao x3",
    "Cao Cao 3x",
    "Cao Cao (3)",
    "Cao Cao [x3]",
    "Cao Cao: 3",
    "Cao Cao\t3",
    "Cao Cao - 3",
    "- 3 Cao Cao",
    "• Cao Cao x3",
    "* 3x cao-cao",
    "2. 3 Cao Cao",
    "  3   CAO  CAO  ",
    "3 Cáo Cáo",
    "3 Cao Cao (the founder of Wei)",
    "3 Cao Cao [GEN] 12",
    "3 Cao Cao (GEN) 12 *F*",
    "Cao Cao (3) # a remark",
    "Cao Cao x3 (a remark)",
    "3x (2) Cao Cao",
    "3 W01",
)


@pytest.mark.parametrize("line", CAO_CAO)
def test_every_way_to_write_three_copies_is_read(line: str) -> None:
    assert DECKS.parse(f"1 Xu Chu\n{line}\nRed Hare") == (Deck("", {"W05": 1, "W01": 3, "A03": 1}), [])


@pytest.mark.parametrize("line", ["Cao Cao", "Cao Cao (GEN) 12", "- Cao Cao", "Cao Cao (leader)", "1. Cao Cao"])
def test_a_card_without_a_number_is_one_copy(line: str) -> None:
    assert DECKS.parse(line) == (Deck("", {"W01": 1}), [])


HEADINGS = ("Characters (3)", "Characters: 3", "[Main]", "== Main Deck ==", "**Characters**", "// Strategies")
MORE_HEADINGS = ("3 Characters", "# Equipment: 4", "--- Counters ---", "Deck:", "Total: 43 cards", "Total")


@pytest.mark.parametrize("heading", HEADINGS + MORE_HEADINGS)
def test_headings_are_no_cards_and_no_names(heading: str) -> None:
    assert DECKS.parse(f"3 Cao Cao\n\n{heading}\n1 Red Hare") == (Deck("", {"W01": 3, "A03": 1}), [])
    assert DECKS.parse(f"{heading}\n1 Red Hare") == (Deck("", {"A03": 1}), [])


@pytest.mark.parametrize("heading", ["[The Long Road]", "=== The Long Road ===", "The Long Road:", "### The Long Road"])
def test_a_heading_before_the_cards_is_the_name(heading: str) -> None:
    assert DECKS.parse(f"{heading}\n\n[Characters]\n3 Cao Cao\n[Later]\nRed Hare") == (
        Deck("The Long Road", {"W01": 3, "A03": 1}),
        [],
    )


def test_a_list_that_is_all_remarks_is_read() -> None:
    """The form of a well-known digital card game."""
    text = "### The Long Road\n# Class: Wei\n#\n# 3x (1) Cao Cao\n# 1x (2) Red Hare\n#\n# To use this deck, copy it.\n"
    assert DECKS.parse(text) == (Deck("The Long Road", {"W01": 3, "A03": 1}), [])


@pytest.mark.parametrize("mark", ["// Sideboard", "Sideboard:", "[Sideboard]", "Sideboard (1)", "# Maybeboard"])
def test_a_sideboard_is_found_by_any_heading(mark: str) -> None:
    deck, faults = DECKS.parse(f"3 Cao Cao\n{mark}\n1 Red Hare")
    assert deck.counts == {"W01": 3}
    assert [fault[:40] for fault in faults] == ["Line 3: Decks of this game have no sideb"[:40]] or "maybe" in faults[0]


def test_a_card_marked_as_sideboard_is_refused() -> None:
    assert DECKS.parse("SB: 1 Red Hare")[1] == ["Line 1: Decks of this game have no sideboard. Remove '1 Red Hare'."]


@pytest.mark.parametrize(
    "table",
    [
        'Count,Name,Section\n3,Cao Cao,Main\n1,"Red Hare",\n',
        "\ufeffName;Quantity\r\nCao Cao;3\r\nRed Hare;1\r\n",
        "Card\tQty\nCao Cao\t3x\nRed Hare\t\n",
        '"Card Name","Set","Copies"\n"Cao Cao","GEN","3"\n\n"Red Hare","GEN","1"\n',
    ],
)
def test_a_table_with_a_header_is_read(table: str) -> None:
    assert DECKS.parse(table) == (Deck("", {"W01": 3, "A03": 1}), [])


def test_faults_of_a_table_have_their_lines() -> None:
    text = "Count,Name,Section\nmany,Cao Cao,\n1,Red Hair,\n1,Red Hare,Sideboard\n1,,\n"
    assert DECKS.parse(text)[1] == [
        "Line 2: many is not a valid number of copies.",
        "Line 3: There is no card 'Red Hair'; did you mean Red Hare?",
        "Line 4: Decks of this game have no sideboard. Remove 'Red Hare'.",
        "Line 5: There is no card ''.",
    ]


def test_a_text_that_is_far_too_long_is_refused_in_one_sentence() -> None:
    deck, faults = DECKS.parse("1 Cao Cao\n" * 10_000)
    assert (deck.counts, faults) == ({}, ["The text is longer than 50000 characters, which no deck needs."])


def test_reading_stops_after_many_faults() -> None:
    _, faults = DECKS.parse("nothing\n" * 5_000)
    assert len(faults) == 31
    assert faults[-1] == "Line 31 and all lines below it were not read."


@pytest.mark.parametrize("text", ["\ufeff3 Cao Cao", "\ufeffName: Mine\n3 Cao Cao", "\ufeffCount,Name\n3,Cao Cao"])
def test_a_byte_order_mark_is_ignored(text: str) -> None:
    deck, faults = DECKS.parse(text)
    assert (deck.counts, faults) == ({"W01": 3}, [])
    assert deck.name == ("Mine" if "Mine" in text else "")


def test_a_long_line_is_refused() -> None:
    assert DECKS.parse("( " * 5_000)[1] == ["Line 1 is longer than 300 characters."]


# ---- share codes ----------------------------------------------------------------------------------------------------


def test_codes_are_the_same_for_ever() -> None:
    """Worked out by hand from the form. No cards: version 1, the count 0 as `10`, filled up to five bits (16). One
    Cao Cao: the count 1 as `11`; W01 is number 2201, the distance 2201 as ten zeros, 1, and 2203 less 2048 in eleven
    bits (00010011011); one copy as `01`. In fives: 11000 00000 00100 01001 10110 1(0000)."""
    assert sharecode.encode({})[:2] == "1g"
    assert sharecode.encode({2201: 1})[:-6] == "1" + "r049p" + "g"


def test_the_checksum_is_that_of_bech32() -> None:
    """The example of BIP 173: its address with the prefix `bc`, which the checksum covers in this form."""
    letters = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
    data = [letters.index(letter) for letter in "qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"]
    prefix = [ord(letter) >> 5 for letter in "bc"] + [0] + [ord(letter) & 31 for letter in "bc"]
    assert sharecode._compute_remainder([*prefix, *data]) == 1


@settings(max_examples=25)
@given(drafts)
def test_a_code_reads_back(counts: dict[str, int]) -> None:
    code = DECKS.code(Deck("", counts))
    assert set(code) <= set(sharecode.ALPHABET)
    assert DECKS.decode(code).counts == counts


@given(st.dictionaries(st.integers(0, 2599), st.integers(1, 99), max_size=80))
def test_any_cards_have_a_code_of_their_own(cards: dict[int, int]) -> None:
    assert sharecode.decode(sharecode.encode(cards)) == cards


@settings(max_examples=25)
@given(drafts, st.data())
def test_four_typing_errors_are_noticed(counts: dict[str, int], data: st.DataObject) -> None:
    code = list(DECKS.code(Deck("", counts)))
    if len(code) > 89:
        return  # the checksum promises no more for so long a code
    places = data.draw(st.lists(st.integers(0, len(code) - 1), min_size=1, max_size=4, unique=True))
    for place in places:
        others = [letter for letter in sharecode.ALPHABET if letter != code[place]]
        code[place] = data.draw(st.sampled_from(others))
    with pytest.raises(DeckError, match="typing error"):
        DECKS.decode("".join(code))


def test_two_letters_that_changed_places_are_noticed() -> None:
    for deck in DECKS.ready():
        code = DECKS.code(deck)
        for i in range(len(code) - 1):
            swapped = code[:i] + code[i + 1] + code[i] + code[i + 2 :]
            if swapped != code:
                with pytest.raises(DeckError, match="typing error"):
                    DECKS.decode(swapped)


def test_a_code_may_be_typed_in_capitals_and_groups() -> None:
    deck = DECKS.ready()[0]
    code = DECKS.code(deck)
    grouped = "-".join(code[i : i + 5] for i in range(0, len(code), 5)).upper()
    assert DECKS.decode(f" {grouped} ").counts == deck.counts
    assert DECKS.decode(code.replace("0", "o").replace("1", "l")).counts == deck.counts


def test_a_code_does_not_depend_on_the_order_of_the_pool() -> None:
    """A card added between others does not change the codes of decks without it."""
    raw = {**POOL.raw, "card": [*POOL.raw["card"][5:], *POOL.raw["card"][:5]]}
    pool = replace(POOL, cards=list(reversed(POOL.cards)), raw=raw)
    assert GeneralsDecks(pool).code(DECKS.ready()[0]) == DECKS.code(DECKS.ready()[0])


@pytest.mark.parametrize(
    ("code", "why"),
    [("", "too short"), ("1gryen7d", "typing error"), ("1gr yé!n7c", "cannot contain the character 'é'")],
)
def test_a_code_that_is_none(code: str, why: str) -> None:
    with pytest.raises(DeckError, match=why):
        DECKS.decode(code)


def signed(symbols: list[int]) -> str:
    """Return a code of these symbols with its checksum."""
    rest = sharecode._compute_remainder([*symbols, *[0] * 6]) ^ 1
    return "".join(sharecode.ALPHABET[n] for n in [*symbols, *(rest >> 5 * (5 - i) & 31 for i in range(6))])


@pytest.mark.parametrize(
    ("symbols", "why"),
    [
        ([2, 16], "version 2; this program reads version 1"),
        ([1, 0, 0], "its contents are not a deck"),  # a count without an end
        ([1, 24], "its contents are not a deck"),  # one card, and no bits for it
        ([1, 17], "its contents are not a deck"),  # bits are left over
        ([1, 16, 0], "its contents are not a deck"),  # a symbol is left over
    ],
)
def test_a_code_with_a_right_checksum_and_no_sense(symbols: list[int], why: str) -> None:
    with pytest.raises(DeckError, match=why):
        DECKS.decode(signed(symbols))


@given(st.lists(st.integers(0, 31), max_size=60))
def test_every_code_is_the_only_one_of_its_deck(symbols: list[int]) -> None:
    """A code that can be decoded encodes to itself."""
    code = signed([1, *symbols])
    try:
        cards = sharecode.decode(code)
    except DeckError:
        return
    assert sharecode.encode(cards) == code


def test_a_code_of_another_pool_is_refused() -> None:
    with pytest.raises(DeckError, match="names cards that this game does not have: X01, X02"):
        DECKS.decode(sharecode.encode({2301: 1, 2302: 3}))


# ---- finding --------------------------------------------------------------------------------------------------------


def test_a_deck_is_found_by_slug_name_or_code() -> None:
    deck = DECKS.ready()[3]
    assert DECKS.find("sleeping-dragon") == DECKS.find(" Sleeping Dragon ") == deck
    assert DECKS.find(DECKS.code(deck)).counts == deck.counts


@pytest.mark.parametrize(
    ("text", "why"),
    [("sleepy-dragon", "did you mean sleeping-dragon"), ("12n581hztr68g0jqx7w1h5w0z7vqexmxggy2aqw", "typing error")],
)
def test_a_deck_that_is_not_found(text: str, why: str) -> None:
    with pytest.raises(DeckError, match=why):
        DECKS.find(text)


# ---- decks by lot ---------------------------------------------------------------------------------------------------


def test_decks_drawn_by_lot_are_legal() -> None:
    sizes = set()
    for seed in range(60):
        deck = decks.random_deck(POOL, Rng(seed))
        assert DECKS.check(deck) == []
        sizes.add(len(POOL.resource(deck)))
    assert min(sizes) == 40
    assert max(sizes) == 60
    assert len(POOL.resource(decks.random_deck(POOL, Rng(1), 44))) == 44


def test_the_cards_that_a_deck_may_hold() -> None:
    shown = DECKS.cards()
    assert {card.name for card in shown} == {card.name for card in POOL.cards}
    groups = ["Characters", "Strategies", "Equipment", "Counters", "Commandments"]
    assert [card.group for card in shown] == sorted((card.group for card in shown), key=groups.index)
    by_name = {card.name: card for card in shown}
    cao, tiger, recruit = by_name["Cao Cao"], by_name["Lure the Tiger"], by_name["Recruit"]
    assert (cao.cost, cao.cost_text, cao.most, cao.faction) == (4, "4", 3, "cao-wei")
    assert dict(cao.facts) == {"Might": "5", "Wits": "6"}
    assert (tiger.cost, tiger.cost_text) == (0, "1 general")
    assert (recruit.cost, recruit.cost_text, recruit.most) == (None, "", 1)
    assert dict(by_name["Lu Bu"].facts)["Upkeep"] == "2"


def test_a_pile_holds_every_card_but_the_commandment() -> None:
    deck = DECKS.ready()[0]
    pile = Counter(DECKS.pile(deck))
    assert pile == Counter({id: n for id, n in deck.counts.items() if id not in COMMANDMENTS})


# ---- filling up -----------------------------------------------------------------------------------------------------


def test_a_deck_is_filled_up_from_the_preset_deck_that_is_most_like_it() -> None:
    """Red Cliffs has 52 cards in RESOURCE. A deck without three of its cards gets just these back."""
    whole = DECKS.find("red-cliffs")
    short = {id: count for id, count in whole.counts.items() if id not in list(whole.counts)[:3]}
    assert DECKS.fill(Deck("Mine", short)) == Deck("Mine", whole.counts)


def test_a_deck_that_is_filled_up_keeps_its_cards_and_is_legal() -> None:
    for counts in ({}, {"W01": 3}, {"A01": 3, "D02": 1}, {"W01": 1, "A03": 2}):
        filled = DECKS.fill(Deck("", counts))
        assert DECKS.check(filled) == []
        assert all(filled.counts[id] >= count for id, count in counts.items())


def test_only_cards_are_added() -> None:
    """A deck with too many cards or copies keeps them, because players choose what to remove."""
    whole = DECKS.find("red-cliffs").counts
    assert DECKS.fill(Deck("", whole)).counts == whole
    assert DECKS.fill(Deck("", {"W01": 4, "D01": 1})).counts["W01"] == 4
