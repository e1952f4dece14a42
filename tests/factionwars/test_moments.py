"""The moments of a round: all players can watch, in the order of events, and the result comes last."""

from __future__ import annotations

import json

import gonfalon
from gonfalon.core.basics.cards import KIND
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import NOBODY, OPEN, SPECTATOR, State
from gonfalon.games.factionwars.face.board import Board
from gonfalon.games.factionwars.rules.actions import TAKE
from gonfalon.games.factionwars.rules.state import FactionState, as_faction_state
from tests.factionwars.scenario import Table

NAMES = ["You", "David", "Ann", "Ben", "Cleo"]


def watched(table: Table) -> list[State]:
    """Return the moments of a table from here on."""
    table.state.moments = []
    return table.state.moments


def play_fight() -> tuple[Table, list[State]]:
    """May takes a card alone. David and Ann tie, then Ann has the higher card."""
    table = Table(seats=3)
    table.david.draws("gunner", "rock")
    table.ann.draws("deputy", "blade")
    table.lines_up("jarl", "captain", "outlaw", "raider")
    found = watched(table)
    table.select(1, 2, 2)
    table.settle_chance()
    return table, found


def boards(table: Table, moments: list[State], viewer: int = 0) -> list[Board]:
    return [table.game.board(moment.mask(viewer)) for moment in moments]


def test_a_round_is_shown_place_by_place_and_a_battle_card_by_card() -> None:
    _, found = play_fight()
    assert [moment.moment for moment in found] == ["flags", "claimed", "battle", "cards", "cards", "won", "round"]
    assert all(moment.turn == NOBODY and not moment.legal(0) for moment in found)


def test_no_card_and_no_winner_is_shown_before_its_moment() -> None:
    table, found = play_fight()
    _, claimed, battle, first, second, won, _ = boards(table, found)
    assert claimed["scenes"][0]["winner"] == 0
    assert [len(board["scenes"][-1]["reveals"]) for board in (battle, first, second)] == [0, 1, 2]
    for board in (battle, first, second):
        scene = board["scenes"][-1]
        assert scene["winner"] is None
        assert [lane["won"] for lane in scene["lanes"]] == [False, False]
        assert [seat["points"] for seat in board["seats"]] == [seat["points"] for seat in battle["seats"]]
        assert board["lineup"][1]["card"] is not None
    assert [lane["verdict"] for lane in first["scenes"][-1]["lanes"]] == ["tied at 3", "tied at 3"]
    assert [lane["verdict"] for lane in second["scenes"][-1]["lanes"]] == ["1: out", ""]
    assert won["scenes"][-1]["winner"] == 2
    assert won["seats"][2]["points"] == battle["seats"][2]["points"] + 5


def test_the_log_of_a_moment_ends_where_the_moment_is() -> None:
    table, found = play_fight()
    logs = [[table.game.words(event, m, NAMES) for event in m.log or ()] for m in found]
    assert logs[3][-1] == "Tie. David and Ann reveal another card."
    assert not any("Ann wins Captain" in line for log in logs[:5] for line in log)
    assert logs[5][-1] == "Ann wins Captain."


def play_game(seed: int, seats: int = 5) -> list[FactionState]:
    state, rng = gonfalon.game("factionwars", seats=seats).start(log=True), Rng(seed)
    found: list[State] = []
    state.moments = found
    while not state.over:
        state.apply(state.turn, state.sample(rng))
    return [as_faction_state(moment) for moment in found]


def test_every_viewer_can_see_every_moment() -> None:
    game = gonfalon.game("factionwars", seats=5)
    for moment in play_game(3)[::3]:
        for viewer in (0, 4, SPECTATOR, OPEN):
            view = moment.mask(viewer)
            assert game.board(view)["phase"] == moment.moment
            assert game.moment_words(view, NAMES)
        assert moment.moment in game.moment_seconds


def table_goal(moment: FactionState, seat: int) -> str:
    """Return the name of a seat's goal."""
    names = [goal.slug for goal in moment.setup.goals]
    slug = names[(moment.goal[seat][0] & KIND) - moment.setup.first_goal]
    return f'"{slug}"'


def test_a_public_screen_holds_no_goal_and_no_pick_of_the_coming_round() -> None:
    """Before its curtain falls, a shared device shows the spectator's view."""
    game = gonfalon.game("factionwars", seats=5)
    for moment in play_game(5)[::3]:
        board = game.board(moment.mask(SPECTATOR))
        goals = [table_goal(moment, seat) for seat in range(5)]
        assert len(set(goals)) == 5
        told = json.dumps(board)
        assert not [goal for goal in goals if goal in told]
        assert board["my_pick"] is None
        assert moment.answers == [[]] * 5  # the picks of the coming round are made later


def test_only_the_players_own_pick_is_marked_while_waiting() -> None:
    table = Table(seats=3)
    table.lines_up("jarl", "captain", "outlaw", "raider")
    before = table.game.board(table.state.mask(1))
    assert before["my_pick"] is None
    table.state.apply(0, TAKE + 1)
    assert table.game.board(table.state.mask(0))["my_pick"] == 2
    for viewer in (1, 2, SPECTATOR):
        assert table.game.board(table.state.mask(viewer))["my_pick"] is None
    assert table.game.board(table.state.mask(1)) == before
