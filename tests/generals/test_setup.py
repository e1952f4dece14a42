"""Public information before the game: decks, factions, Commandments. Rulings 57 to 61."""

from __future__ import annotations

import pytest

from gonfalon.core.basics.errors import OptionError
from gonfalon.core.rules.game import names_for
from gonfalon.core.rules.state import SPECTATOR
from gonfalon.core.text.citations import cite_rule
from gonfalon.games.generals import Generals
from gonfalon.games.generals.rules import events
from gonfalon.games.generals.rules.state import GeneralsState
from gonfalon.games.generals.ruleset import compile_standard
from gonfalon.testing import rule
from tests.generals.folk import plain
from tests.generals.test_turn import opened


def read_log(game: Generals, state: GeneralsState, viewer: int) -> list[str]:
    view = state.mask(viewer)
    return [game.words(event, view, names_for(game, viewer, ["May", "David"])) for event in view.log or []]


def deck_of(*ids: str, commandment: str = "D01") -> str:
    """Return a deck file with three of each of these cards, filled up to 60 with neutral ones."""
    pool = compile_standard().pool
    more = [card.id for card in pool.cards if card.faction == "NONE" and card.type != "commandment"]
    wanted = [*ids, *more][:20]
    return "\n".join([f"3 {pool.by_id[id].name}" for id in wanted] + [f"Commandment: {pool.by_id[commandment].name}"])


FACTIONS = [
    # cards, factions and hand limit, the same without Qun
    ([], (0, 10), (0, 10)),
    (["W01", "Q01"], (2, 8), (1, 10)),
    (["W01", "S01", "U01"], (3, 6), (3, 6)),
    (["R03"], (1, 10), (1, 10)),  # a Troop of Wei
]


@rule("generals", 57, 58, 61)
@pytest.mark.parametrize(("ids", "with_qun", "without"), FACTIONS)
@pytest.mark.parametrize("qun_counts", [True, False])
def test_factions_are_counted_and_announced(
    ids: list[str], with_qun: tuple[int, int], without: tuple[int, int], qun_counts: bool
) -> None:
    """Qun counts unless the option excludes it. The neutral mark never counts, support cards do."""
    factions, limit = with_qun if qun_counts else without
    game = Generals(decks=(deck_of(*ids), "yellow-sky"), qun_counts=qun_counts)
    state = opened(game, 0)
    announced = {event[2]: event[4:6] for event in state.log or [] if event[0] == events.FACTIONS}
    assert announced == {0: (factions, limit), 1: (int(qun_counts), 10)}
    [told] = [line for line in read_log(game, state, 1) if line.startswith("May leads ")]
    assert told.endswith(f" (hand limit {limit}).")
    assert state.setup.limits[0] == limit


@rule("generals", 59)
def test_a_game_refuses_a_deck_that_is_not_legal() -> None:
    pool = compile_standard().pool
    too_small = "\n".join([f"3 {card.name}" for card in pool.cards[:13]] + ["Commandment: Recruit"])
    with pytest.raises(OptionError, match=r"Add at least 1 card: RESOURCE needs 40 to 60"):
        Generals(decks=(too_small, "alliance"))
    none = "\n".join(f"3 {card.name}" for card in pool.cards[:14])
    with pytest.raises(OptionError, match=r"Add a Commandment: a deck has exactly one"):
        Generals(decks=("alliance", none))


@rule("generals", 59)
def test_the_commandment_lies_outside_resource() -> None:
    game = Generals(decks=("vanguard-of-wei", "yellow-sky"))
    state = opened(game, 0)
    sizes = [len(state.hand[seat]) + len(state.deck[seat]) for seat in (0, 1)]
    assert sizes == [52, 51]
    assert [[game.kinds[card & 1023].name for card in zone] for zone in state.command] == [["Siegecraft"], ["Recruit"]]


@rule("generals", 60)
def test_commandments_are_revealed_together_before_anything_is_drawn() -> None:
    game = Generals(decks=("vanguard-of-wei", "yellow-sky"))
    for viewer in (0, 1, SPECTATOR):
        lines = read_log(game, opened(game, 0), viewer)
        names = names_for(game, viewer, ["May", "David"])
        owner = ["Your" if name == "You" else f"{name}'s" for name in names]
        assert lines[:2] == [f"{owner[0]} Commandment is Siegecraft.", f"{owner[1]} Commandment is Recruit."]
        assert "draw" not in "".join(lines[:4])


@rule("generals", 60)
def test_a_commandment_is_never_declared_negated_or_moved() -> None:
    """It is not in the hand, not an act, and not a target of Counters."""
    table = plain(commandments=("D07", "X99"), ask=True)
    table.may.holds("Reed")
    table.david.holds("Countermand", "Silence the Envoy", "Militia")
    table.may.does("reed", "@border")
    assert table.may.place("Reed") == "BORDER"
    assert table.may.asked == "main", "Vanguard's leave was no act to answer"
    assert cite_rule(table.may.why_not("vanguard")) == "Vanguard is not in your hand (Main Phase)."
    assert [len(zone) for zone in table.state.command] == [1, 1]
