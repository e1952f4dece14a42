"""Setup: initiative, the first hands, and the zones before the first turn."""

from __future__ import annotations

from itertools import permutations

import pytest

from gonfalon.core.basics.errors import OptionError
from gonfalon.games.feint import Feint
from gonfalon.games.feint.rules import events
from gonfalon.games.feint.rules.state import FeintState
from gonfalon.testing import rule
from tests.feint.scenario import Table, card

INITIATIVE = ["engineers", "mibits", "wu", "agents", "keion"]
"""The rulebook's Initiative Table, 1 to 5."""


def shuffle_deck(game: Feint) -> FeintState:
    """Return the position after the first shuffle."""
    state = game.start(log=True)
    state.play(-1, game.parse("seed:4711"))
    return state


# ---- who starts ------------------------------------------------------------------------------------


@pytest.mark.parametrize("pair", list(permutations(INITIATIVE, 2)))
def test_the_lower_initiative_starts_whichever_seat_it_has(pair: tuple[str, str]) -> None:
    state = shuffle_deck(Feint(factions=pair))
    expected = 0 if INITIATIVE.index(pair[0]) < INITIATIVE.index(pair[1]) else 1
    assert state.first == expected
    assert state.decisions()[0].seat == expected, "and takes the first turn"


@rule("feint", 1)
@pytest.mark.parametrize("faction", INITIATIVE)
def test_a_mirror_match_is_off_by_default(faction: str) -> None:
    with pytest.raises(OptionError, match=r"mirror match.*ruling 1"):
        Feint(factions=(faction, faction))
    assert Feint(factions=(faction, faction), mirror=True).setup.first == -1


@rule("feint", 1)
@pytest.mark.parametrize("start", [0, 1])
def test_chance_names_the_start_player_of_a_mirror_match(start: int) -> None:
    game = Feint(factions=("wu", "wu"), mirror=True)
    state = shuffle_deck(game)
    toss = state.decisions()[0]
    assert (toss.seat, toss.prompt) == (-1, "toss")
    assert [game.notation(a) for a in toss.actions] == ["first:0", "first:1"]
    assert state.weights() == [1, 1], "both are equally likely"
    assert state.why_not(0, game.parse("first:0")) == "It is not your decision now."

    state.play(-1, game.parse(f"first:{start}"))
    assert state.first == start
    assert state.decisions()[0].seat == start
    state.play(start, game.parse("pass"))
    state.play(1 - start, game.parse("pass"))
    assert state.round == 2
    assert state.first == 1 - start, "from then on the marker alternates as ever"


# ---- what lies on the table ------------------------------------------------------------------------


@rule("feint", 2)
def test_there_is_no_mulligan() -> None:
    """In round 1 the hand is empty at the optional discard, so the first question is a turn."""
    state = shuffle_deck(Feint(factions=("wu", "keion")))
    assert (state.decisions()[0].seat, state.decisions()[0].prompt) == (0, "deploy")
    assert [len(hand) for hand in state.hand] == [7, 7]
    assert [len(deck) for deck in state.deck] == [33, 33], "40 less the 7 drawn"
    assert state.discard == [[], []]
    assert state.log is not None
    assert not [event for event in state.log if event[0] == events.DISCARDED]


def test_the_scoring_board_before_round_one() -> None:
    game = Feint(factions=("wu", "keion"))
    board = game.board(shuffle_deck(game).mask(-2))
    assert (board["round"], board["rounds"]) == (1, 7)
    assert [seat["morale"] for seat in board["seats"]] == [23, 23]
    assert [seat["vp"] for seat in board["seats"]] == [0, 0]
    assert [place["number"] for place in board["places"]] == [2, 3, 4, 5, 6]
    assert [(place["load"], place["capacity"]) for place in board["places"]] == [(0, 10)] * 5


def test_a_location_card_is_its_owners_secret() -> None:
    table = Table(may=[card("ox", 6)])
    table.may.holds("ox").scouted(4)
    table.david.holds("blue-filler").scouted(6)
    table.deploys(table.may)
    board = table.game.board
    assert [s["location"]["number"] for s in board(table.may.view)["seats"]] == [4, None]
    assert [s["location"]["number"] for s in board(table.david.view)["seats"]] == [None, 6]
    assert [s["location"]["number"] for s in board(table.spectator)["seats"]] == [None, None]
    assert [s["location"]["number"] for s in board(table.open)["seats"]] == [4, 6]
