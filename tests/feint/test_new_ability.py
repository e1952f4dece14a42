"""An ability that does not come with the program: one class, and pages, guide and bots know it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import pytest

from gonfalon import Rng
from gonfalon.bots import Budget, make
from gonfalon.bots.search.searcher import SearchBot
from gonfalon.core.basics.errors import DataError
from gonfalon.core.rules.state import Seat
from gonfalon.core.text.citations import cite_rule
from gonfalon.games.feint.bots.heuristic import FeintHeuristic
from gonfalon.games.feint.rules.cards import ABILITIES, Acting, Kind, add_ability
from gonfalon.games.feint.rules.state import FeintState
from gonfalon_reference_rules.feint.judge import FeintReferenceRules
from tests.feint.scenario import Table, card

HEN = card("hen", 2, copies=6)
DANCER = card("dancer", 2, "dancer", copies=6, protected=True)


class Dancer(Acting):
    """Gain 1 Morale."""

    ability: ClassVar[str] = "dancer"
    text: ClassVar[str] = "You gain 1 Morale."
    rulings: ClassVar[tuple[int, ...]] = (49, 61)
    worth: ClassVar[float] = 1.25

    def on_play(self, s: FeintState, seat: Seat, place: int) -> None:
        s.change_morale(seat, 1)


class Hermit(Kind):
    """Playable only to Location 6."""

    ability: ClassVar[str] = "hermit"
    text: ClassVar[str] = "Goes only to the last Location."
    icons: ClassVar[tuple[str, ...]] = ("restrict",)
    rulings: ClassVar[tuple[int, ...]] = (54,)

    def fits(self, s: FeintState, place: int) -> bool:
        return place == s.places - 1 and super().fits(s, place)

    def plays(self, s: FeintState, out: list[int]) -> None:
        if self.fits(s, s.places - 1):
            out.append(self.base + s.places - 1)


@pytest.fixture(autouse=True)
def added(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for ability in (Dancer, Hermit):
        add_ability(ability)
    yield
    for ability in (Dancer, Hermit):
        del ABILITIES[ability.ability]


def test_it_has_its_printed_effect() -> None:
    table = Table(may=[DANCER, HEN])
    table.may.holds("dancer", "hen").morale_is(10)
    table.deploys(table.may)
    table.may.plays("dancer@4")
    assert table.may.morale == 11
    assert "You gain 1 Morale (now 11)." in table.may.log()


def test_its_card_can_be_read() -> None:
    game = Table(may=[DANCER]).game
    found = game.card("dancer")
    assert found is not None
    listed = next(card for card in game.catalogue() if card["slug"] == "dancer")
    assert {**found, "faction_name": "Red", "colour": listed["colour"]} == listed
    assert found["text"] == "You gain 1 Morale. Protected."
    assert found["icons"] == ["play", "protected"]
    assert found["rulings"][:2] == [49, 61]


def test_a_refusal_says_its_text_and_ruling() -> None:
    table = Table(may=[card("hermit", 3, "hermit", copies=6)])
    table.may.holds("hermit", "red-filler").has("red-filler", at=6)
    table.deploys(table.may)
    assert table.may.may_do("hermit@6")
    assert (
        cite_rule(table.may.why_not("hermit@4"))
        == "Hermit cannot go to Location 4: goes only to the last Location (ruling 54)."
    )


def test_the_heuristic_knows_its_worth() -> None:
    """Both cost as much and are as strong: the hen is the one to be changed for another card."""
    table = Table(may=[DANCER, HEN])
    worth = dict(zip(table.game.kind_of, FeintHeuristic(table.game).worth, strict=True))
    assert worth["dancer"] == worth["hen"] + 1.25


@pytest.mark.parametrize("level", ["gentle", "club", "strong", "expert"])
def test_every_level_plays_with_it_and_the_reference_rules_say_nothing(level: str) -> None:
    game = Table(may=[DANCER, HEN], david=[card("hermit", 3, "hermit", copies=6)], end_round=2).game
    bots, reference = [make(level, game) for _ in range(2)], FeintReferenceRules()
    state, rng = game.start(log=True), Rng(5)
    while not state.over:
        before, seat = state.clone(), state.turn
        action = (
            state.chance(rng) if seat < 0 else bots[seat].choose(state.mask(seat), Budget(iterations=8), rng).action
        )
        state.apply(seat, action)
        assert reference.judge_step(game, before, seat, action, state) == reference.find_faults(game, state) == []
        assert reference.legal_actions(game, state, state.turn) is None


def test_an_expert_whose_network_has_not_learnt_it_searches() -> None:
    assert isinstance(make("expert", Table(may=[DANCER]).game), SearchBot)


def test_a_word_is_given_once() -> None:
    with pytest.raises(DataError, match="The ability 'dancer' already exists"):
        add_ability(Dancer)
