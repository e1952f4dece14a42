"""Invariants of every game: notation, legality and battles against the plain rules, conservation."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gonfalon.core.basics.cards import KIND
from gonfalon.core.basics.errors import NotationError
from gonfalon.core.basics.rng import Rng
from gonfalon.games.jinkei import Jinkei, box
from gonfalon.games.jinkei.rules import events
from gonfalon.games.jinkei.rules.setup import SPACES
from gonfalon.games.jinkei.rules.state import JinkeiState
from tests.jinkei.plain import POINTS, Side, rank_of, winner

GAME = Jinkei()
BINDS = Jinkei(wild="binds", memory="open")
ROWS = {
    (entry["type"], entry["round"], letter): entry["rows"]
    for letter, chosen in (("A", 0), ("B", 1))
    for entry in box.read_standard_box()["formation"][chosen::2]
}
SEEDS = st.integers(min_value=0, max_value=2**32 - 1)


def side(game: Jinkei, state: JinkeiState, seat: int) -> Side:
    """Return a seat's formation in the plain rules' form."""
    type, round, letter = str(game.board(state.mask(-3))["seats"][seat]["formation"]).split()
    cards = {
        name: " ".join(game.names[card & KIND] for card in zone)
        for name, zone in zip(SPACES, state.spaces[seat], strict=True)
    }
    return Side.of(ROWS[type.lower(), int(round), letter], **cards)


@settings(max_examples=20)
@given(SEEDS, st.sampled_from([GAME, BINDS]))
def test_combat_matches_the_plain_rules(seed: int, game: Jinkei) -> None:
    """Legal cards, winners, advances and points of random games match a second implementation."""
    state = game.start()
    rng = Rng(seed)
    sides: list[Side] = []
    lead = answer = ("", "")
    taken = [0, 0]
    leader = 0
    while not state.over:
        seat, asked = state.turn, state.stack[-1].prompt
        action = state.sample(rng)
        text = game.notation(action)
        if asked == "lead":
            if not state.battles:
                sides = [side(game, state, 0), side(game, state, 1)]
                taken = [0, 0]
            leader = seat
            assert [game.notation(a) for a in state.actions] == [f"{s}:{c}" for s, c in sides[seat].attacks()]
            space, _, colour = text.partition(":")
            lead = (space, colour)
        elif asked == "answer":
            legal = sides[seat].answers(lead[1], binds=game.setup.wild_binds)
            assert [game.notation(a) for a in state.actions] == [f"{s}:{c}" for s, c in legal]
            space, _, colour = text.partition(":")
            answer = (space, colour)
            a, b = sides[leader].cards[lead[0]][0], sides[seat].cards[space][0]
            ranks = sides[leader].rank(lead[0], a), sides[seat].rank(space, b)
            who = winner(a, ranks[0], lead[1], b, ranks[1], answer[1])
            for owner, card in ((leader, a), (seat, b)):
                taken[{"lead": leader, "answer": seat, "tie": owner}[who]] += POINTS[rank_of(card)]
            sides[leader] = sides[leader].without(lead[0], a)
            sides[seat] = sides[seat].without(space, b)
            round = state.round
            state.apply(seat, action)
            if state.stack and state.stack[-1].prompt == "advance":
                chooser = state.turn
                ways = dict(sides[chooser].advanced())
                assert sorted(ways, key=str) == sorted((text_of(game, a) for a in state.actions), key=str)
                chosen = state.sample(rng)
                sides[chooser] = ways[text_of(game, chosen)]
                sides[1 - chooser] = dict(sides[1 - chooser].advanced())[None]
                state.apply(chooser, chosen)
            else:
                sides = [dict(held.advanced())[None] for held in sides]
            for each in (0, 1):
                cards = [[game.names[c & KIND] for c in zone] for zone in state.spaces[each]]
                assert [sorted(zone) for zone in cards] == [sorted(zone) for zone in sides[each].cards.values()]
            if len(state.battles) == 7:
                assert [state.scored[each][round - 1] for each in (0, 1)] == taken
            continue
        state.apply(seat, action)


def text_of(game: Jinkei, action: int) -> str:
    """Return the card of an advance."""
    return game.notation(action).partition(":")[2]


@settings(max_examples=20)
@given(SEEDS)
def test_invariants(seed: int) -> None:
    """Cards are conserved, only Reinforcements are face down, blanks stay empty, and each seat to play has a card."""
    state = GAME.start()
    rng = Rng(seed)
    while not state.over:
        for deck, zones in state.pools():
            assert sorted(card & KIND for zone in zones for card in zone) == deck
        for seat in (0, 1):
            for space, zone in enumerate(state.spaces[seat]):
                if zone:
                    form = state.form(seat)
                    assert not form.blank[space]
                    assert len(zone) <= 1 + form.two[space]
                    assert all(bool(card >> 10 & 1 and card >> 11 & 1) == (space < 6) for card in zone)
        assert state.actions == sorted(set(state.actions)) != []
        state.apply(state.turn, state.sample(rng))
    assert sum(map(sum, state.scored)) == sum(state.totals)
    assert all(len(seat) == 3 for seat in state.scored)


@settings(max_examples=20)
@given(SEEDS)
def test_every_point_is_won_once(seed: int) -> None:
    """The sum of both scores in a round is the value of its battles' 14 cards."""
    state = GAME.start(log=True)
    rng = Rng(seed)
    worth = [0, 0, 0, 0]
    while not state.over:
        if state.stack[-1].prompt == "lead" and not state.battles:
            cards = [card for seat in (0, 1) for zone in state.spaces[seat] for card in zone]
            worth[state.round] = sum(POINTS[rank_of(GAME.names[card & KIND])] for card in cards)
            assert len(cards) == 14
        state.apply(state.turn, state.sample(rng))
    for round in (1, 2, 3):
        assert sum(seat[round - 1] for seat in state.scored) == worth[round]
    assert state.log is not None
    assert len([event for event in state.log if event[0] in (events.TOOK, events.TIED)]) == 21


WRONG = ["", "a b", "c", "red10", "red5", "red5-vg4", "red5:vg1", "vg1", "vg1:green", "vg1:", "first:2", "seed:-1"]
WRONG += ["seed:x", "advance:", "advance:red13", "deal:vg1", "-vg1", "red5-", "sword 1", "12"]


@pytest.mark.parametrize("text", WRONG)
def test_invalid_notation(text: str) -> None:
    with pytest.raises(NotationError, match="no action of Jinkei"):
        GAME.parse(text)
