"""A new ability or rule of a goal takes one class. This adds two that the game's files do not mention."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from gonfalon.bots import Budget, make
from gonfalon.core.basics.errors import DataError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import Card, Seat, Step
from gonfalon.games.factionwars import FactionWars
from gonfalon.games.factionwars.bots.heuristic import FactionHeuristic
from gonfalon.games.factionwars.rules.cards import Acting, Weighing
from gonfalon.games.factionwars.rules.neutrals import EXCHANGE, Exchange
from gonfalon.games.factionwars.rules.recruits import RECRUITS
from gonfalon.games.factionwars.rules.scoring.goals import GOALS, Goal
from gonfalon.games.factionwars.rules.setup import Setup
from gonfalon.games.factionwars.rules.state import FactionState
from gonfalon_reference_rules.factionwars.judge import FactionWarsReferenceRules

CARDS: dict[str, Any] = {
    "form": 1,
    "faction": [
        {
            "slug": "smugglers",
            "name": "Smugglers",
            "cards": [
                {"slug": "smuggler", "name": "Smuggler", "copies": 8, "battle": 3, "points": 1, "ability": "smuggler"},
                {"slug": "mule", "name": "Mule", "copies": 4, "battle": 1, "points": 2},
            ],
        }
    ],
    "goal": [{"slug": "loner", "name": "Loner", "rule": "few-recruits", "count": 6, "bonus": 4}],
}


class Smuggler(Acting):
    """You also collect a recruit of your choice from the recruit discard pile."""

    ability: ClassVar[str] = "smuggler"
    text: ClassVar[str] = "You collect a recruit of your choice out of the recruit discard pile too."
    rulings: ClassVar[tuple[int, ...]] = (21, 22)
    icon: ClassVar[str] = "deck"
    steps: ClassVar[tuple[type[Step[Any]], ...]] = (Exchange,)
    rough_worth: ClassVar[float] = 3.5

    def on_collect(self, s: FactionState, seat: Seat, card: Card) -> None:
        s.gain(seat, card)
        s.put(EXCHANGE[seat])

    def worth(self, look: Weighing, seat: Seat) -> float:
        return look.exchange_gain(seat)


class FewRecruits(Goal):
    """At most this number of recruits."""

    rule: ClassVar[str] = "few-recruits"
    text: ClassVar[str] = "at most {count} recruits"
    needs: ClassVar[tuple[str, ...]] = ("count",)

    def progress(self, setup: Setup, seat: Seat, armies: list[list[int]]) -> tuple[int, int]:
        return self.count - sum(armies[seat][: setup.recruits]), 0

    def met_by_tally(self, s: FactionState, seat: Seat, tallies: list[int], factions: list[int]) -> bool:
        return s.count_recruits(seat) <= self.count


@pytest.fixture
def game(monkeypatch: pytest.MonkeyPatch) -> FactionWars:
    monkeypatch.setitem(RECRUITS, "smuggler", Smuggler)
    monkeypatch.setitem(GOALS, "few-recruits", FewRecruits)
    return FactionWars(seats=2, cards=CARDS)


def test_a_card_file_may_name_them_only_once_they_exist() -> None:
    with pytest.raises(DataError, match=r"there is no ability 'smuggler' here.*there is no rule 'few-recruits'"):
        FactionWars(cards=CARDS)


def test_they_have_text_icon_and_rulings(game: FactionWars) -> None:
    card, goal = game.card("smuggler"), game.card("loner")
    assert card is not None
    assert goal is not None
    assert (card["text"], card["icons"], card["rulings"]) == (Smuggler.text, ["deck"], [21, 22])
    assert (card["kind"], card["ability"]) == ("recruit", "smuggler")
    assert goal["text"] == "Goal: at most 6 recruits."


def test_bots_know_the_value_of_the_ability(game: FactionWars) -> None:
    state = game.start()
    while state.turn < 0:
        state.apply(state.turn, state.sample(Rng(3)))
    mule, smuggler = game.kind_of["mule"], game.kind_of["smuggler"]
    state.discard.append(mule | game.setup.full)
    view = state.mask(0)
    assert isinstance(view, FactionState)
    heuristic = FactionHeuristic(game)
    heuristic.prepare(view)
    look = heuristic.find_race(view, 0).look
    assert look.worth(0, smuggler) == pytest.approx(
        look.estimate_gain(0, smuggler) + look.estimate_plain_worth(0, mule)
    )


@pytest.mark.parametrize("level", ["greedy", pytest.param("expert", marks=pytest.mark.extended)])
def test_bots_play_with_them(game: FactionWars, level: str) -> None:
    bot, rng, state = make(level, game), Rng(8), game.start(log=True)
    while not state.over:
        seat = state.turn
        action = bot.choose(state.mask(seat), Budget(iterations=1), rng).action if seat >= 0 else state.chance(rng)
        state.apply(seat, action)
    assert FactionWarsReferenceRules().find_faults(game, state) == []
