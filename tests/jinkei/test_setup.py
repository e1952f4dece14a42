"""Setup: the first player, the types, decks and draws."""

from __future__ import annotations

import pytest

from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.record import Record
from gonfalon.core.text.citations import cite_rule
from gonfalon.games.jinkei import Jinkei
from gonfalon.games.jinkei.rules import events
from gonfalon.games.jinkei.rules.state import JinkeiState
from gonfalon.testing import rule


def start_game(game: Jinkei, first: int = 0) -> JinkeiState:
    """Return the position where the types are chosen."""
    state = game.start(log=True)
    state.play(-1, game.parse(f"first:{first}"))
    state.play(-1, game.parse("seed:4711"))
    return state


@pytest.mark.parametrize("first", [0, 1])
def test_chance_names_the_first_player(first: int) -> None:
    game = Jinkei()
    toss = game.start().decisions()[0]
    assert (toss.seat, toss.prompt) == (-1, "toss")
    assert [game.notation(a) for a in toss.actions] == ["first:0", "first:1"]
    state = start_game(game, first)
    assert (state.starter, state.first) == (first, first)


@rule("jinkei", 35)
@pytest.mark.parametrize(("starts", "first"), [("seat-1", 0), ("seat-2", 1)])
def test_by_option_the_players_name_the_first_player(starts: str, first: int) -> None:
    """Chance only shuffles the decks. In the second game of a match the other player is first."""
    game = Jinkei(starts=starts, games=2)
    state, rng = game.start(log=True), Rng(1)
    assert [(d.seat, d.prompt) for d in state.decisions()] == [(-1, "shuffle")]
    state.play(-1, game.parse("seed:4711"))
    assert (state.starter, state.first) == (first, first)
    assert [(d.seat, d.prompt) for d in state.decisions()] == [(1 - first, "type")]
    while state.game < 2:
        decision = state.decisions()[0]
        state.apply(decision.seat, decision.sample(rng))
    assert state.starter == 1 - first


@rule("jinkei", 1)
@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("taken", ["sword", "shield", "bow"])
def test_the_second_player_chooses_first_and_types_are_exclusive(first: int, taken: str) -> None:
    game = Jinkei()
    state = start_game(game, first)
    second = 1 - first
    assert [(d.seat, d.prompt) for d in state.decisions()] == [(second, "type")]
    assert [game.notation(a) for a in state.legal(second)] == ["sword", "shield", "bow"]
    state.play(second, game.parse(taken))
    assert [(d.seat, d.prompt) for d in state.decisions()] == [(first, "type")]
    left = [type for type in ("sword", "shield", "bow") if type != taken]
    assert [game.notation(a) for a in state.legal(first)] == left
    assert "ruling 1" in cite_rule(state.why_not(first, game.parse(taken)) or "")


@rule("jinkei", 1)
@pytest.mark.parametrize("first", [0, 1])
def test_types_that_are_given_are_not_chosen_in_either_game(first: int) -> None:
    game = Jinkei(types="bow,sword", games=2)
    state, rng = start_game(game, first), Rng(1)
    assert [d.prompt for d in state.decisions()] == ["formation", "formation"]
    assert state.log is not None
    told = [(event[2], game.box.types[event[4]]) for event in state.log if event[0] == events.TYPE]
    assert told == [(1 - first, ["bow", "sword"][1 - first]), (first, ["bow", "sword"][first])]
    while not state.over:
        decision = state.decisions()[0]
        assert decision.prompt != "type"
        state.apply(decision.seat, decision.sample(rng))
    assert (state.game, game.turned_out(state)) == (2, ["bow", "sword"])


def test_a_record_names_later_options_only_where_they_were_given() -> None:
    """Older records are found by the hash of their contents."""
    assert "types" not in Record(Jinkei()).dumps()
    assert "starts" not in Record(Jinkei()).dumps()
    assert Jinkei(**Jinkei(starts="seat-2").shown_options()).options["starts"] == "seat-2"
    again = Jinkei(**Jinkei(types=("bow", "sword")).shown_options())
    assert again.options["types"] == ("bow", "sword")


@rule("jinkei", 1)
@pytest.mark.parametrize("types", ["bow", "bow,bow", "bow,axe", "bow,sword,shield"])
def test_two_types_are_given_or_none(types: str) -> None:
    with pytest.raises(OptionError, match="types takes two different types"):
        Jinkei(types=types)


@rule("jinkei", 32)
@pytest.mark.parametrize("exact", [False, True])
def test_decks_hands_and_battles_of_random_games(exact: bool) -> None:
    """Decks have 22, 14, 7 and 0 cards at the starts of rounds and at the end. Draws are 7, 6 and 6, one card is left
    in the hand, each round has seven battles, and each seat always has an answer."""
    game = Jinkei(exact=exact)
    for seed in range(5 if exact else 40):
        state = game.start(log=True)
        rng = Rng(seed)
        sizes: list[list[int]] = [[], []]
        battles = 0
        while not state.over:
            if state.stack[-1].prompt == "formation" and not state.answers[0] and not state.answers[1]:
                for seat in (0, 1):
                    drawn = 7 if state.round == 1 else 6
                    sizes[seat].append(len(state.deck[seat]) + drawn)
                    assert len(state.hand[seat]) == 7
            battles += state.stack[-1].prompt == "answer"
            if state.stack[-1].prompt == "lead" and not state.battles:
                assert [len(hand) for hand in state.hand] == [1, 1]
                assert [sum(map(len, state.spaces[seat])) for seat in (0, 1)] == [7, 7]
            state.apply(state.turn, state.sample(rng))
        for seat in (0, 1):
            assert [*sizes[seat], len(state.deck[seat])] == [22, 14, 7, 0]
            assert not any(state.spaces[seat])
        assert battles == 21
        assert state.log is not None
        drew = [(event[2], event[4]) for event in state.log if event[0] == events.DREW]
        assert sorted(drew) == [(0, 6), (0, 6), (0, 7), (1, 6), (1, 6), (1, 7)]


def test_the_first_player_changes_each_round() -> None:
    game = Jinkei()
    state = start_game(game, 1)
    rng = Rng(6)
    leaders: dict[int, int] = {}
    while not state.over:
        if state.stack[-1].prompt == "lead" and not state.battles:
            leaders[state.round] = state.turn
        state.apply(state.turn, state.sample(rng))
    assert leaders == {1: 1, 2: 0, 3: 1}
    assert state.log is not None
    assert [(event[4], event[2]) for event in state.log if event[0] == events.ROUND] == [(1, 1), (2, 0), (3, 1)]
