"""Hidden information: goals until the end, selectors until the reveal, the order of every deck."""

from __future__ import annotations

import json

import pytest

from gonfalon.core.basics.cards import KIND
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import names_for
from gonfalon.core.rules.state import SPECTATOR, State
from gonfalon.games.factionwars import FactionWars
from gonfalon.games.factionwars.rules.state import FactionState
from gonfalon.testing import rule
from tests.factionwars.scenario import Table


def collect_output(game: FactionWars, view: State) -> dict[str, str]:
    """Return all data that leaves the core for a viewer, by type."""
    assert isinstance(view, FactionState)
    names = names_for(game, view.viewer, ["May", "David", "Ann", "Ben", "Cleo"][: game.seats])
    out = {"board": json.dumps(game.board(view)), "controls": json.dumps(game.controls(view))}
    out["text"] = game.text(view, names)
    out["prompt"] = game.prompt(view, names)
    out["log"] = "\n".join(game.words(event, view, names) for event in view.log or [])
    out["actions"] = "\n".join(game.notation(a) + game.describe(view, a) for a in view.legal(view.viewer))
    out["events"] = repr(view.log)
    return out


@rule("factionwars", 31)
@pytest.mark.parametrize("seats", [2, 5])
def test_no_goal_is_seen_before_the_end(seats: int) -> None:
    """Before the end, no message contains the name or slug of another player's goal or an undealt one. At the end all
    players read all dealt goals."""
    game = FactionWars(seats=seats)
    every = {goal["slug"]: goal["name"] for goal in game.box.goals}
    for seed in range(2):
        state = game.start(log=True)
        rng = Rng(seed)
        number = 0
        while not state.over:
            state.apply(state.turn, state.sample(rng))
            number += 1
            if number % 20 or not state.stack or not state.round:
                continue
            for viewer in (*range(seats), SPECTATOR):
                own = {game.entries[state.goal[viewer][0] & KIND]["slug"]} if viewer >= 0 else set()
                for what, text in collect_output(game, state.mask(viewer)).items():
                    for slug in set(every) - own:
                        assert f'"{slug}"' not in text, f"{viewer} {what}"
                        assert every[slug] not in text, f"{viewer} {what}"
        dealt = {game.entries[zone[0] & KIND]["name"] for zone in state.goal}
        for viewer in (*range(seats), SPECTATOR):
            out = collect_output(game, state.mask(viewer))
            assert all(name in out["log"] and name in out["board"] for name in dealt)
            assert not any(every[slug] in out["board"] for slug in every if every[slug] not in dealt)


@rule("factionwars", 31)
def test_a_selector_shows_nothing_before_the_reveal() -> None:
    """The other players get the same data for each selection of May and for none."""
    for seats in (2, 3, 5):
        table = Table(seats=seats)
        others = [*range(1, seats), SPECTATOR]
        before = [(collect_output(table.game, table.state.mask(v)), table.state.mask(v).dump()) for v in others]
        for action in table.state.legal(0):
            twin = table.state.clone()
            twin.apply(0, action)
            assert [(collect_output(table.game, twin.mask(v)), twin.mask(v).dump()) for v in others] == before
            mine = twin.mask(0)
            assert mine.answers[0] == [action]


@rule("factionwars", 31)
def test_a_deserter_shows_nothing_before_all_have_chosen() -> None:
    table = Table(seats=4)
    table.david.owns("outlaw", "jarl")
    table.ann.owns("blade", "captain")
    table.collects(table.may, "desertion")
    others = [0, 2, 3, SPECTATOR]
    before = [(collect_output(table.game, table.state.mask(v)), table.state.mask(v).dump()) for v in others]
    for action in table.state.legal(1):
        twin = table.state.clone()
        twin.apply(1, action)
        assert [(collect_output(table.game, twin.mask(v)), twin.mask(v).dump()) for v in others] == before


@rule("factionwars", 31)
@pytest.mark.parametrize("options", [{"seats": 3}, {"seats": 5, "shuffle": "deck"}, {"seats": 2, "revision": "later"}])
def test_no_view_holds_the_order_of_a_deck(options: dict[str, object]) -> None:
    """No view has a card of the recruit deck. Piles, line-up and armies are public. A battle deck has no order, so its
    cards are sorted."""
    game = FactionWars(**options)
    for seed in range(2):
        state = game.start(log=True)
        rng = Rng(seed)
        while not state.over:
            state.apply(state.turn, state.sample(rng))
            if not state.round:
                continue
            for viewer in (*range(game.seats), SPECTATOR):
                view = state.mask(viewer)
                assert isinstance(view, FactionState)
                assert all(card & KIND == KIND for card in view.deck)
                assert view.army == [sorted(army) for army in state.army]
                for zone, real in zip(
                    (view.discard, view.lineup, view.table, *view.pile),
                    (state.discard, state.lineup, state.table, *state.pile),
                    strict=True,
                ):
                    assert zone == real
                assert view.count_all_owned() == state.count_all_owned()
                for seat in range(game.seats):
                    assert seat == viewer or view.answers[seat] == []
                    for card in view.goal[seat]:
                        assert seat == viewer or card & KIND == KIND or not state.stack


@rule("factionwars", 31)
def test_two_deals_that_differ_in_secrets_look_the_same() -> None:
    """May gets the same data with other orders of all decks and another goal of David."""
    table = Table(seats=3)
    table.may.owns("jarl").draws("outlaw", "rock")
    table.may.has_goal("great-host")
    twin = table.state.clone()
    twin.deck.reverse()
    for army in twin.army:
        army.reverse()
    twin.goal[1], twin.goals[:1] = [twin.goals[0] | 1 << 11], [twin.goal[1][0] & KIND]
    twin.goals.sort()
    assert twin.dump() != table.state.dump()
    assert twin.mask(0).dump() == table.state.mask(0).dump()
    assert collect_output(table.game, twin.mask(0)) == collect_output(table.game, table.state.mask(0))
    assert twin.mask(1).dump() != table.state.mask(1).dump()


@rule("factionwars", 31)
def test_chance_steps_hold_nothing_secret() -> None:
    """A pick offers public options, which are the same in every deal."""
    table = Table(seats=2)
    table.david.owns("outlaw", "jarl", "blade").draws("jarl", "rock", "paper")
    table.collects(table.may, "buccaneer")
    options = table.outcomes()
    table.state.army[1].reverse()
    table.state.settle()
    assert table.outcomes() == options
