"""Battles: tied players, rock, paper, scissors, empty decks, and the shuffle afterwards."""

from __future__ import annotations

from typing import Any

import pytest

from gonfalon.games.factionwars.rules import events as ev
from gonfalon.testing import rule
from tests.factionwars.scenario import Player, Table


def battle(*decks: tuple[str, ...], card: str = "jarl", seats: int | None = None, **options: Any) -> Table:
    """Arrange a battle for the card on place 1 between the players with a deck here. The others take the next places.
    Decks are given by seat, top card first. Chance is left open."""
    seats = seats or max(len(decks), 2)
    table = Table(seats=seats, **options)
    for player, deck in zip(table.people, decks, strict=False):
        player.draws(*deck)
    rest = [c for c in ("deckhand", "gunner", "first-mate", "captain", "oarsman") if all(c not in d for d in decks)]
    later = options.get("revision") == "later"
    table.lines_up(card, *rest[: seats - later])
    return table.select(*[1 if seat < len(decks) else seat - len(decks) + 2 for seat in range(seats)])


def list_reveals(table: Table) -> list[tuple[int, str, int]]:
    """Return each revealed card with its player and its reveal of the battle."""
    return [(event[2], table.name(event[3]), event[4]) for event in table.happened(ev.SHOWN)]


def winner(table: Table, card: str = "jarl") -> Player | None:
    """Return the owner of the card, or None if it is in the recruit discard pile."""
    owner = next((player for player in table.people if card in player.army), None)
    assert (owner is None) == (card in table.discard)
    return owner


def out(table: Table) -> list[tuple[int, int]]:
    """Return the players out of the battle with the reason, by seat."""
    return sorted((event[2], event[4]) for event in table.happened(ev.OUT))


# ---- values ------------------------------------------------------------------------------------------


def test_the_highest_value_takes_the_card() -> None:
    """4 against 3 against 5."""
    table = battle(("outlaw", "rock"), ("gunner", "rock"), ("marshal", "rock"))
    assert list_reveals(table) == [(0, "outlaw", 1), (1, "gunner", 1), (2, "marshal", 1)]
    assert winner(table) is table.ann
    assert out(table) == [(0, ev.LOWER), (1, ev.LOWER)]


def test_revealed_cards_go_to_the_discard_piles_and_the_won_card_too() -> None:
    table = battle(("outlaw", "rock", "paper"), ("deputy", "rock", "paper"))
    assert table.may.pile == ["scissors", "outlaw", "jarl"]
    assert table.david.pile == ["scissors", "deputy"]
    assert table.may.deck == table.david.deck == ["rock", "paper"]


def test_a_berserker_fights_with_two() -> None:
    """2 beats a conscript's 1 and is level with a Lookout's 2."""
    assert winner(table := battle(("berserker", "rock"), ("rock", "paper"))) is table.may
    table = battle(("berserker", "rock", "paper"), ("lookout", "deputy", "paper"))
    assert winner(table) is table.david
    assert list_reveals(table)[2:] == [(0, "rock", 2), (1, "deputy", 2)]


# ---- ties ----------------------------------------------------------------------------------------------


@rule("factionwars", 3)
def test_only_those_level_for_the_highest_go_on() -> None:
    """4, 4, 3: Ann is out, with any next card."""
    table = battle(("outlaw", "deputy", "rock"), ("huscarl", "ranch-hand", "rock"), ("gunner", "marshal", "rock"))
    assert list_reveals(table) == [
        (0, "outlaw", 1),
        (1, "huscarl", 1),
        (2, "gunner", 1),
        (0, "deputy", 2),
        (1, "ranch-hand", 2),
    ]
    assert winner(table) is table.may
    assert table.ann.deck == ["marshal", "rock"]
    assert out(table) == [(1, ev.LOWER), (2, ev.LOWER)]


@rule("factionwars", 4)
def test_a_tied_player_without_a_card_is_out() -> None:
    """4 against 4; David's deck is empty. May reveals a rock, which is spent, and wins."""
    table = battle(("outlaw", "rock", "paper"), ("huscarl",))
    assert out(table) == [(1, ev.NO_CARD)]
    table.settle_chance()
    assert winner(table) is table.may
    assert table.may.deck == ["paper"]
    assert "rock" in table.may.pile


@rule("factionwars", 4)
@pytest.mark.parametrize("exact", [False, True])
def test_by_option_a_tied_player_without_a_card_ends_the_battle(exact: bool) -> None:
    """4, 4, 4; Ann's deck is empty, so the battle ends though May and David have cards left."""
    decks = (("outlaw", "rock", "paper"), ("huscarl", "lookout", "paper"), ("blade",))
    table = battle(*decks, exhausted="ends", exact=exact).settle_chance()
    assert winner(table) is None
    assert out(table) == [(2, ev.NO_CARD)]
    assert [event[5] for event in table.happened(ev.LOST)] == [ev.TIE_ENDED]
    assert "No winner. Jarl is discarded." in table.said
    assert table.may.board["scenes"][0]["lost"] == "the tie ends without a winner"
    assert (table.may.deck, table.david.deck) == (["rock", "paper"], ["lookout", "paper"])


@rule("factionwars", 5)
def test_when_all_of_the_tied_are_out_of_cards_nobody_gets_it() -> None:
    """Ann is not tied, so her remaining cards do not help her."""
    table = battle(("outlaw",), ("huscarl",), ("gunner", "marshal", "captain"))
    table.settle_chance()
    assert winner(table) is None
    assert [event[5] for event in table.happened(ev.LOST)] == [ev.ALL_OUT]
    assert table.ann.deck == ["marshal", "captain"]


@rule("factionwars", 34)
@pytest.mark.parametrize("card", ["bystander", "desertion", "call-to-arms", "buccaneer"])
def test_what_nobody_wins_does_nothing(card: str) -> None:
    """Scissors, paper and rock: no clear winner."""
    table = Table(seats=3)
    table.may.draws("scissors", "blade")
    table.david.draws("paper", "outlaw")
    table.ann.draws("rock", "marshal")
    armies = [player.army for player in table.people]
    table.lines_up(card, "oarsman", "gunner", "deckhand").select(1, 1, 1)
    assert [player.army for player in table.people] == armies
    assert card in table.discard
    assert all(not table.happened(code) for code in (ev.ACTION, ev.HANDED, ev.TARGET, ev.DESERTED))


# ---- rock, paper, scissors -----------------------------------------------------------------------------


@rule("factionwars", 8)
@pytest.mark.parametrize(("mine", "theirs"), [("rock", "scissors"), ("paper", "rock"), ("scissors", "paper")])
def test_two_level_conscripts_play_their_symbols(mine: str, theirs: str) -> None:
    """The first of the pair beats the second, for either player."""
    table = battle((mine, "outlaw"), (theirs, "marshal"))
    assert winner(table) is table.may
    assert len(list_reveals(table)) == 2
    assert out(table) == [(1, ev.SYMBOL)]
    table = battle((theirs, "outlaw"), (mine, "marshal"))
    assert winner(table) is table.david


@rule("factionwars", 9)
@pytest.mark.parametrize("symbol", ["rock", "paper", "scissors"])
def test_the_same_symbol_goes_on_with_the_next_card(symbol: str) -> None:
    table = battle((symbol, "deputy", "marshal"), (symbol, "outlaw", "gunner"))
    assert winner(table) is table.david
    assert [(event[4], event[5]) for event in table.happened(ev.TIED)] == [(0b11, ev.SAME_SYMBOL)]
    assert [reveal for _, _, reveal in list_reveals(table)] == [1, 1, 2, 2]


@rule("factionwars", 10)
def test_of_three_conscripts_with_two_symbols_one_may_win() -> None:
    """Paper against two rocks."""
    table = battle(("rock", "marshal"), ("paper", "ranch-hand"), ("rock", "outlaw"))
    assert winner(table) is table.david
    assert len(list_reveals(table)) == 3
    assert out(table) == [(0, ev.SYMBOL), (2, ev.SYMBOL)]


@rule("factionwars", 10)
def test_of_three_conscripts_with_two_symbols_two_may_go_on() -> None:
    """Two papers against a rock: David is out with his Marshal, and the papers continue."""
    table = battle(("paper", "deputy", "blade"), ("rock", "marshal"), ("paper", "outlaw", "blade"))
    assert out(table) == [(0, ev.LOWER), (1, ev.SYMBOL)]
    assert winner(table) is table.ann
    assert table.david.deck == ["marshal"]


@rule("factionwars", 11)
def test_all_three_symbols_have_no_winner() -> None:
    """The card is discarded immediately, although all players have cards left."""
    table = battle(("rock", "marshal"), ("paper", "outlaw"), ("scissors", "blade"))
    assert winner(table) is None
    assert [event[5] for event in table.happened(ev.LOST)] == [ev.NO_CLEAR_WINNER]
    assert [player.deck for player in table.people] == [["marshal"], ["outlaw"], ["blade"]]
    assert "No winner. Jarl is discarded." in table.said


@rule("factionwars", 12)
def test_a_recruit_among_level_conscripts_silences_their_symbols() -> None:
    """Rock, scissors and a Buccaneer (1): all three continue."""
    table = battle(("rock", "ranch-hand"), ("scissors", "outlaw"), ("buccaneer", "gunner"))
    assert [event[4] for event in table.happened(ev.TIED)] == [0b111]
    assert winner(table.settle_chance()) is table.david


@rule("factionwars", 12)
@pytest.mark.parametrize("exact", [False, True])
def test_by_option_level_conscripts_play_their_symbols_beside_a_recruit(exact: bool) -> None:
    """Rock beats scissors: May and the Buccaneer (1) continue, and David is out with his Outlaw. Ann's 3
    beats May's 2."""
    decks = (("rock", "ranch-hand"), ("scissors", "outlaw"), ("buccaneer", "gunner"))
    table = battle(*decks, symbols="always", exact=exact).settle_chance()
    assert [(event[4], event[5]) for event in table.happened(ev.TIED)] == [(0b101, ev.SAME_VALUE)]
    assert out(table) == [(0, ev.LOWER), (1, ev.SYMBOL)]
    assert winner(table) is table.ann


# ---- Bystanders in battle --------------------------------------------------------------------------------


@rule("factionwars", 15)
def test_a_bystander_has_the_value_zero() -> None:
    table = battle(("bystander", "marshal"), ("rock", "paper"))
    assert winner(table) is table.david
    assert table.may.pile[-1] == "bystander"
    assert table.may.army == ["bystander", "marshal"]


@rule("factionwars", 15)
def test_by_option_a_bystander_takes_its_owner_out() -> None:
    table = battle(("bystander", "marshal", "rock"), ("bystander", "outlaw", "rock"), bystander="out")
    assert winner(table) is None
    assert out(table) == [(0, ev.HARMLESS), (1, ev.HARMLESS)]
    table = battle(("bystander", "marshal", "rock"), ("rock", "outlaw"), bystander="out")
    assert winner(table) is table.david


@rule("factionwars", 38)
def test_by_option_the_last_fighter_that_turns_up_a_bystander_is_out_too() -> None:
    """4 against 4: David has no card left, and May only has a Bystander, so the card has no winner. As a card of value
    0 it would win, because she is the only player left (ruling 4)."""
    for reading, taker in (("out", False), ("zero", True)):
        table = battle(("outlaw", "bystander"), ("huscarl",), bystander=reading)
        table.settle_chance()
        assert (winner(table) is table.may) == taker
        assert out(table) == ([(0, ev.HARMLESS), (1, ev.NO_CARD)] if reading == "out" else [(1, ev.NO_CARD)])


@rule("factionwars", 38)
@pytest.mark.parametrize("exact", [False, True])
def test_who_is_out_by_a_bystander_is_not_said_to_be_out_of_cards(exact: bool) -> None:
    table = battle(("bystander", "marshal"), ("bystander", "outlaw"), bystander="out", exact=exact).settle_chance()
    assert "No winner. Jarl is discarded." in table.said
    assert not [text for text in table.said if "card left" in text or "out of cards" in text]
    assert table.may.board["scenes"][0]["lost"] == "all are out"


# ---- decks that run out ----------------------------------------------------------------------------------


@rule("factionwars", 6)
def test_a_deck_that_runs_out_in_a_battle_is_not_shuffled_in_it() -> None:
    """May's last card is tied. The Marshal in her discard pile is not drawn."""
    table = Table(seats=2)
    table.may.owns("marshal").draws("outlaw")
    table.david.draws("huscarl", "rock")
    table.lines_up("jarl", "gunner", "deckhand").select(1, 1)
    table.settle_chance()
    assert table.david.army == ["huscarl", "jarl"]
    assert out(table) == [(0, ev.NO_CARD)]


@rule("factionwars", 7)
def test_the_won_card_is_in_the_new_deck() -> None:
    """The claim comes first, so the pile, the revealed card and the won card are shuffled together."""
    table = Table(seats=2)
    table.may.draws("marshal")
    table.lines_up("jarl", "gunner", "deckhand").select(1, 1)
    assert table.question() == ([0, 1], "select")
    assert table.may.deck == ["jarl", "marshal", "paper", "rock", "scissors"]
    assert table.may.pile == []
    assert [(e[2], e[4], e[5]) for e in table.happened(ev.SHUFFLED)] == [(0, 5, ev.RAN_OUT)]


@rule("factionwars", 6, 7)
def test_only_a_player_without_cards_shuffles() -> None:
    table = battle(("marshal",), ("outlaw", "rock"))
    assert [event[2] for event in table.happened(ev.SHUFFLED)] == [0]
    assert table.david.deck == ["rock"]
    assert table.david.pile == ["paper", "scissors", "outlaw"]


@rule("factionwars", 7)
def test_abilities_of_the_won_card_come_before_the_shuffle() -> None:
    """May wins a Gambler with her last card. The card it draws is in her new deck too."""
    table = Table(seats=2)
    table.may.draws("marshal")
    table.lines_up("gambler", "gunner", "deckhand").on_top("blade").select(1, 1)
    assert table.may.army == ["blade", "gambler", "marshal"]
    assert table.may.deck == ["blade", "gambler", "marshal", "paper", "rock", "scissors"]


@rule("factionwars", 1)
def test_places_are_resolved_in_their_order() -> None:
    """The Buccaneer on place 1 finds no recruit. On place 2 it takes the recruit from place 1."""
    table = Table(seats=2).lines_up("buccaneer", "jarl", "gunner").select(1, 2)
    assert [player.army for player in table.people] == [["buccaneer"], ["jarl"]]
    table = Table(seats=2).lines_up("jarl", "buccaneer", "gunner").select(2, 1)
    table.settle_chance()
    assert [player.army for player in table.people] == [["buccaneer", "jarl"], []]


@rule("factionwars", 1)
def test_a_place_with_its_chances_is_done_before_the_next() -> None:
    """A Kunoichi on place 1 hits David, who shuffles a new battle deck. Place 2 waits, so the Jarl he takes there is
    not in it."""
    table = Table(seats=3)
    table.david.owns("outlaw", "gunner")
    table.lines_up("kunoichi", "jarl", "blade", "oarsman").select(1, 2, 3)
    assert table.question() == ([-1], "steal")
    assert table.state.place == 0
    assert table.lineup == ["jarl", "blade", "oarsman"]
    table.chance("steal:outlaw")
    assert sorted(table.david.deck) == ["gunner", "paper", "rock", "scissors"]
    assert table.david.army == ["gunner", "jarl"]
    assert table.david.pile == ["jarl"]
