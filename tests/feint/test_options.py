"""The options of a table: other readings, other numbers, exact chance, and invalid values."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gonfalon.core.basics.errors import OptionError
from gonfalon.core.files.record import Record, load
from gonfalon.games.feint import Feint
from gonfalon.games.feint.rules import events
from gonfalon.games.feint.rules.state import FeintState
from gonfalon.testing import rule
from tests.feint.scenario import Table, card
from tests.feint.test_round import long_table, rounds_won_by

OX = card("ox", 4)
IMP = card("imp", 3, "scrambler")
BIT = card("bit", 2, "gangan", tags=("gang",))
MINE = card("mine", 1, "bomb-tower", tags=("tower",))
BUILDER = card("builder", 1, "engineer", tags=("engineer",))


def ready(table: Table) -> Table:
    table.david.holds("blue-filler", "blue-filler")
    return table.deploys(table.may)


# ---- scrambler=played ------------------------------------------------------------------------------


@rule("feint", 64)
@pytest.mark.parametrize("reading", ["itself", "played"])
def test_which_card_a_scrambler_moves(reading: str) -> None:
    """May plays an ox where David's Scrambler is. David chooses a Location in both readings."""
    table = Table(may=[card("ox", 2)], david=[IMP], scrambler=reading)
    table.may.has("ox", at=4).holds("ox", "red-filler")
    table.david.has("imp", at=4)
    ready(table).may.plays("ox@4")
    assert table.asked() == (1, "scramble")
    assert table.david.legal() == ["@2", "@3", "@5", "@6"]
    table.david.answers("@6")
    if reading == "played":
        assert (table.may.at(4), table.may.at(6), table.david.at(4)) == (["ox"], ["ox"], ["imp"])
        assert (table.load(4), table.load(6)) == (5, 2), "the ox that lay there before stays"
    else:
        assert (table.may.at(4), table.david.at(4), table.david.at(6)) == (["ox", "ox"], [], ["imp"])
        assert (table.load(4), table.load(6)) == (4, 3)


@rule("feint", 38, 64)
def test_a_moved_cards_own_text_works_where_it_has_come_to() -> None:
    """May lets the Scrambler act first. Her Bomb Tower is moved from 4, where the Scrambler is, to 6, and bombs David's
    cow there. With its own text first, it bombs at 4."""
    for first, hit in (("scrambler-first", "cow"), ("own-first", "imp")):
        table = Table(may=[MINE, BUILDER], david=[IMP, card("cow", 3)], scrambler="played")
        table.may.has("builder", at=4).holds("mine", "red-filler")
        table.david.has("imp", at=4).has("cow", at=6)
        ready(table).may.plays("mine@4", first)
        if first == "scrambler-first":
            table.david.answers("@6")
        assert table.david.discard == [hit]
        assert table.may.discard == ["mine"]
        assert table.asked() == (1, "deploy"), "a tower that is gone is moved no more"


@rule("feint", 39, 64)
def test_each_scrambler_moves_the_card_that_woke_it() -> None:
    """May plays Good-for-Something at 2 and with it a Gangan Bit at 5, which gathers the first card. David has a
    Scrambler at both. The one at 5 moves the Gangan Bit, not the gathered card, and the one at 2 finds its card
    gone."""
    table = Table(may=[card("idler", 1, "good-for-something", tags=("gang",)), BIT], david=[IMP], scrambler="played")
    table.may.holds("idler", "bit", "red-filler")
    table.david.has("imp", at=2).has("imp", at=5)
    ready(table).may.plays("idler@2", "own-first", "bit@5", "own-first")
    assert sorted(table.may.at(5)) == ["bit", "idler"]
    assert table.asked() == (1, "scramble")
    table.david.answers("@6")
    assert (table.may.at(5), table.may.at(6)) == (["idler"], ["bit"])
    assert table.asked() == (1, "deploy")
    assert (table.david.at(2), table.david.at(5)) == (["imp"], ["imp"])


# ---- capacity and end_round ------------------------------------------------------------------------


@rule("feint", 18, 20)
def test_another_capacity() -> None:
    """With 12, a load of 8 takes 4 more but not 5. At 13 no play is legal, at 12 a Strength of 0 is."""
    table = Table(may=[card("four", 4), card("five", 5), card("mist", 0)], david=[card("eight", 8)], capacity=12)
    table.may.has("four", at=5).has("five", at=6).holds("four", "five", "mist")
    table.david.has("eight", at=4).has("eight", at=5).has("eight", at=6)
    ready(table)
    assert table.may.may_do("four@4")
    assert table.may.why_not("five@4") == "Location 4 has room for 4. Five needs 5."
    assert table.may.may_do("mist@5")
    assert table.may.why_not("mist@6").rule == "ruling 20"
    board = table.game.board(table.open)
    assert {place["capacity"] for place in board["places"]} == {12}
    assert [place["closed"] for place in board["places"]] == [False, False, False, False, True]


@rule("feint", 58)
def test_the_spare_capacity_follows_the_option() -> None:
    """ "Usually 10": with 12, a Master of Earth of Strength 3 alone gains 9."""
    table = Table(may=[card("earth", 3, "master-of-earth")], capacity=12)
    table.may.has("earth", at=3).scouted(2).morale_is(20).holds("red-filler")
    table.david.scouted(2)
    ready(table).both_pass()
    assert table.may.morale == 29


@rule("feint", 72)
@pytest.mark.parametrize(("capacity", "fits"), [(3, False), (4, True), (12, True)])
def test_the_engineers_limit_of_four_does_not_follow_the_option(capacity: int, fits: bool) -> None:
    """2 are there. With 2 more it is 4, with 3 more 5. A Capacity of 3 also limits an Engineer."""
    table = Table(may=[card("mason", 2, "engineer"), card("master", 3, "engineer"), card("two", 2)], capacity=capacity)
    table.may.has("two", at=4).holds("mason", "master")
    ready(table)
    assert table.may.may_do("mason@4") is fits
    assert not table.may.may_do("master@4")
    assert table.may.why_not("master@4").tag == ("Limit 4" if capacity == 12 else "No room")


@rule("feint", 14, 15)
@pytest.mark.parametrize("rounds", [1, 8, 10])
def test_the_end_game_marker_sets_the_number_of_rounds(rounds: int) -> None:
    """On space n + 1 it is met after n rounds. The players win alternately, David last. An even number is a tie, which
    the final round decides. Of an odd number he wins one more."""
    table = long_table(end_round=str(rounds + 1))
    won = ("DM" * rounds if rounds % 2 else "MD" * rounds)[:rounds]
    assert won[-1] == "D"
    assert table.game.board(table.open)["rounds"] == rounds
    rounds_won_by(table, won[:-1])
    assert not table.state.over
    rounds_won_by(table, "D")
    outcome = table.state.outcome()
    assert outcome is not None
    assert outcome.winners == [1]
    assert outcome.how == ("rounds" if rounds % 2 else "final round")
    assert len(table.state.won) == rounds


@pytest.mark.parametrize(("value", "good"), [(1, False), (2, True), (11, True), (12, False), (-8, False)])
def test_the_bounds_of_the_end_game_marker(value: int, good: bool) -> None:
    """The round track has ten playable spaces and an eleventh for the marker."""
    if good:
        assert Feint(end_round=value).setup.end_round == value
    else:
        with pytest.raises(OptionError, match="end_round"):
            Feint(end_round=value)


def test_zero_means_as_the_box_says() -> None:
    setup = Feint(capacity=0, end_round=0).setup
    assert (setup.capacity, setup.end_round) == (10, 8)


@rule("feint", 7)
def test_ten_location_cards_last_ten_rounds() -> None:
    """The longest game draws each seat's tenth card in its last round, so there is never a shuffle."""
    table = long_table(end_round=11)
    rounds_won_by(table, "MDMDMDMDMD")
    assert table.state.over
    assert table.happened(events.SHUFFLED) == []


# ---- exact chance ----------------------------------------------------------------------------------


def small() -> dict[str, Any]:
    """Return two decks of three cards, two Locations and one card in hand."""
    red = [card("ox", 3, copies=2), card("hen", 1, copies=1)]
    blue = [card("cow", 2, copies=3)]
    return {
        "form": 1,
        "box": {"locations": [2, 5], "location_copies": 1, "capacity": 4, "hand": 1, "morale": 5, "end_round": 3},
        "faction": [
            {"slug": "red", "name": "Red", "initiative": 101, "cards": red},
            {"slug": "blue", "name": "Blue", "initiative": 102, "cards": blue},
        ],
    }


def deal_cards(game: Feint, *cards: str) -> FeintState:
    """Deal these cards by chance in order. Each must be possible."""
    state = game.start(log=True)
    for notation in cards:
        state.play(-1, game.parse(notation))
    return state


def read_question(game: Feint, state: FeintState) -> tuple[str, dict[str, int]]:
    """Return the prompt and the outcomes with their weights."""
    decision = state.decisions()[0]
    assert decision.seat == -1
    words = [game.notation(action) for action in decision.actions]
    return decision.prompt, dict(zip(words, state.weights(), strict=True))


def test_exact_chance_deals_card_by_card_with_the_right_weights() -> None:
    """Each Location pile has two cards, 1 : 1, and the second follows from the first. May's deck is two oxen and a hen:
    2 : 1, and 1 : 1 after an ox. David's three cows leave no choice."""
    game = Feint(factions=("red", "blue"), cards=small(), exact=True)
    state = deal_cards(game)
    assert read_question(game, state) == ("deal", {"@2": 1, "@5": 1})
    assert read_question(game, deal_cards(game, "@5")) == ("deal", {"@2": 1, "@5": 1})
    assert read_question(game, deal_cards(game, "@5", "@2")) == ("deal", {"ox": 2, "hen": 1})
    assert read_question(game, deal_cards(game, "@5", "@2", "ox")) == ("deal", {"ox": 1, "hen": 1})
    done = deal_cards(game, "@5", "@2", "hen")
    assert (done.decisions()[0].seat, done.decisions()[0].prompt) == (0, "deploy"), "two oxen are left"


def test_exact_chance_reaches_every_deal_and_no_other() -> None:
    """May's deck has 3 orders and each Location pile 2, so 12 deals, with probabilities that sum to 1."""
    game = Feint(factions=("red", "blue"), cards=small(), exact=True)
    chances: dict[str, float] = {}
    open_: list[tuple[FeintState, float]] = [(game.start(), 1.0)]
    while open_:
        state, likely = open_.pop()
        if state.turn != -1:
            key = str([state.hand, state.deck, state.pile, state.scout])
            assert key not in chances
            chances[key] = likely
            continue
        weights = state.weights()
        for action, weight in zip(state.actions, weights, strict=True):
            twin = state.clone()
            twin.apply(-1, action)
            open_.append((twin, likely * weight / sum(weights)))
    assert len(chances) == 12
    assert sorted(chances.values()) == pytest.approx([1 / 12] * 12)


# ---- reading options -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"colour": "red"}, "no option 'colour'"),
        ({"scrambler": "both"}, "itself, played"),
        ({"gang": "all"}, "tag, faction"),
        ({"mirror": "perhaps"}, "yes or no"),
        ({"exact": 2}, "yes or no"),
        ({"factions": ("wu",)}, "two factions, not 1"),
        ({"factions": ("wu", "keion", "agents")}, "two factions, not 3"),
        ({"factions": ("wu", "elves")}, "Unknown faction 'elves'"),
        ({"factions": 7}, "a list"),
        ({"cards": "/etc/passwd"}, "content of a file or a Path"),
        ({"end_round": "soon"}, "must be one of 0, 2, 3"),
        ({"capacity": "much"}, "whole number"),
    ],
)
def test_invalid_options(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(OptionError, match=reason):
        Feint(**options)


def test_options_may_be_texts() -> None:
    game = Feint(factions="wu, mibits", scrambler="PLAYED", gang="Faction", mirror="yes", capacity="11", exact="off")
    assert game.options == {
        "factions": ("wu", "mibits"),
        "scrambler": "played",
        "gang": "faction",
        "mirror": True,
        "capacity": 11,
        "end_round": 0,
        "exact": False,
        "pairings": False,
        "cards": None,
    }


def test_a_record_carries_its_options_and_card_data() -> None:
    """The text of a record restores options, own cards and decisions."""
    table = Table(may=[BIT, OX], david=[IMP], scrambler="played", gang="faction", capacity=12, end_round=9)
    record = Record(table.game, ["May", "David"], [(-1, table.game.parse("seed:3"))])
    made: list[Feint] = []

    def find(name: str, **options: Any) -> Feint:
        assert name == "feint"
        made.append(Feint(**options))
        return made[-1]

    again = load(record.dumps(), find)
    assert made[0].data_hash == table.game.data_hash
    assert made[0].options == table.game.options
    assert again.replay().dump() == record.replay().dump()
    assert json.loads(record.dumps())["options"]["cards"]["faction"][-1]["slug"] == "blue"
