"""The testing tools for authors of games, tried on a third-party game."""

from __future__ import annotations

from typing import Any, Self

import pytest

from gonfalon.check import ReferenceRules
from gonfalon.core.basics.cards import SEEN
from gonfalon.core.basics.errors import Refusal
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Action, State
from gonfalon.testing import check_record, random_record, scenario
from tests.stranger.gonfalon_duel import CHOOSE, NAMES, PLAYED, Duel, DuelState


class Player(scenario.Player["Table", DuelState]):
    def holds(self, *names: str) -> Self:
        self.state.hand[self.seat] = [NAMES.index(name) | SEEN[self.seat] for name in names]
        self.state.settle()
        return self


class Table(scenario.Table[Duel, DuelState, Player]):
    def __init__(self, game: Duel | None = None, **options: Any) -> None:
        super().__init__(game or Duel(**options), Player)
        self.settle_chance()
        self.state.stack[:] = [CHOOSE]
        self.state.settle()
        self.forget()

    def name(self, card: int) -> str:
        return NAMES[card]


@pytest.fixture
def table() -> Table:
    table = Table()
    table.may.holds("Page", "Baron")
    table.david.holds("Knight", "Squire")
    return table


def test_people_act_and_look(table: Table) -> None:
    assert table.may.legal() == ["page", "baron"]
    assert table.asked() == (0, "choose")
    assert table.may.may_do("baron")
    assert not table.may.may_do("baron", "page"), "they have answered by then"
    assert table.david.prompt == table.game.prompt(table.david.view, ["May", "You"])
    assert table.may.board == table.game.board(table.may.view)
    assert table.may.controls["choices"]
    table.may.does("baron")
    table.david.does("knight")
    assert [event[2] for event in table.happened(PLAYED)] == [0, 1]
    assert any(line.startswith("You ") for line in table.may.log())
    assert any(line.startswith("May ") for line in table.told(-2))


def test_names_hide_unknown_cards(table: Table) -> None:
    assert table.names(table.david.view.hand[0]) == ["?", "?"]
    assert table.names(table.open.hand[0]) == ["Page", "Baron"]
    assert table.names(table.spectator.hand[0]) == ["?", "?"]


def test_a_refusal_has_its_reason_and_changes_nothing(table: Table) -> None:
    before = table.state.dump()
    assert table.may.why_not("knight")
    assert table.may.why_not("baron", "page") == "You have already answered. Other players are still deciding."
    with pytest.raises(AssertionError, match="baron was legal"):
        table.may.why_not("baron")
    with pytest.raises(Refusal):
        table.may.does("knight")
    assert table.state.dump() == before


def test_chance_is_answered_by_hand_or_by_itself() -> None:
    for decide in (Table.seed, Table.settle_chance):
        table = Table()
        table.state = Duel().start(log=True)
        decide(table)
        assert len(table.state.hand[0]) == len(table.state.hand[1]) > 0


class Strict(ReferenceRules[Duel]):
    """Reference rules that reject every decision."""

    def judge_step(self, game: Duel, before: State, seat: int, action: Action, after: State) -> list[str]:
        return ["That was wrong."]


def test_reference_rules_see_every_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scenario, "load_reference_rules", lambda name: Strict())
    table = Table()
    with pytest.raises(AssertionError, match="That was wrong"):
        table.may.holds("Page").does("page")


def test_records_of_random_play() -> None:
    record = random_record(Duel(), 3)
    assert record.result is not None
    check_record(record)
    assert random_record(Duel(), 3).decisions == record.decisions
    part = random_record(Duel(), 3, most=4)
    assert (part.decisions, part.result) == (record.decisions[:4], None)


class Mumbling(Duel):
    """A game that parses another action than it wrote."""

    def parse(self, text: str) -> Action:
        return super().parse(text) + (0 if text.startswith("seed") else 1)


def test_a_notation_that_reads_back_otherwise_is_found() -> None:
    game: Game = Mumbling()
    with pytest.raises(AssertionError):
        check_record(random_record(game, 3))
