"""The stills before a moment, at arranged tables and in random games."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

import gonfalon
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import SPECTATOR, State
from gonfalon.core.text.sheet import Line, Still
from tests.factionwars import scenario as wars
from tests.feint.scenario import Table as FeintTable
from tests.feint.scenario import card
from tests.generals.folk import card as general
from tests.generals.folk import plain
from tests.generals.scenario import Table as GeneralsTable
from tests.jinkei.scenario import Table as JinkeiTable

NAMES = ["You", "David", "Ann"]


def words(stills: Sequence[Still]) -> list[str]:
    return [still.words for still in stills]


def watched(state: State) -> list[State]:
    """Return the moments from here on."""
    found: list[State] = []
    state.moments = found
    return found


def test_the_resolution_goes_from_the_location_cards_to_the_sums() -> None:
    """May has Strength 6 at Location 2, hers: 12. David has 4 and, face down, 1 at 5, his: 25."""
    table = FeintTable(may=[card("ox", 6)], david=[card("hen", 4), card("owl", 1)])
    table.may.has("ox", at=2).scouted(2)
    table.david.has("hen", at=5).has("owl", at=5, down=True).scouted(5)
    before = table.may.board
    found = watched(table.state)
    table.deploys(table.may).both_pass()
    board = table.game.board(found[0].mask(0))
    down, opened, turned, summed = film = table.game.film(board, before, NAMES[:2])
    assert words(film) == [
        "The round is over. The Location Cards are turned up.",
        "Location Cards: you 2, David 5.",
        "All cards are turned up.",
        "You 6×2 + 0×5 = 12; David 0×2 + 5×5 = 25.",
    ]
    assert list(down.ahead) == ["Location Cards: you 2, David 5."]
    assert [seat["location"]["number"] for seat in board_of(down)["seats"]] == [2, None]
    for still in (opened, summed):
        # With 55 columns beside the log, on the smallest screen, nothing of what is shown is cut.
        theirs, *_, own = ("".join(piece.text for piece in line) for line in drawn(table.game, still))
        assert "⚑5  passed  hand 0  deck 26" in theirs
        assert "⚑2  passed  hand 0" in own
    assert [seat["location"]["number"] for seat in board_of(opened)["seats"]] == [2, 5]
    for still in (down, opened):
        theirs = next(place for place in board_of(still)["places"] if place["number"] == 5)
        assert [one["back"] for one in theirs["sides"][1]["cards"]] == [False, True]
        assert (theirs["load"], theirs["sides"][1]["strength"], theirs["sides"][1]["hidden"]) == (4 + 3, 4, 1)
        assert "owl" not in json.dumps(still.board["places"])
    assert "owl" in json.dumps(turned.board["places"])
    for still in film:
        assert [seat["vp"] for seat in board_of(still)["seats"]] == [0, 0]
        assert [seat["morale"] for seat in board_of(still)["seats"]] == [seat["morale"] for seat in before["seats"]]
        assert not any(board_of(still)["won"])
    assert summed.board == turned.board
    assert [seat["vp"] for seat in board["seats"]] == [0, 1]


def drawn(game: Game, still: Still) -> list[Line]:
    sheet = game.sheet(still.board, NAMES[:2], 55, 16)
    assert sheet is not None
    return sheet.lines


def board_of(still: Still) -> Mapping[str, Any]:
    return still.board


def test_without_a_board_of_before_the_resolution_hides_as_much() -> None:
    table = FeintTable(may=[card("ox", 6)], david=[card("hen", 4)])
    table.may.has("ox", at=2).scouted(2)
    table.david.has("hen", at=5, down=True).scouted(5)
    morale = table.may.morale
    found = watched(table.state)
    table.deploys(table.may).both_pass()
    for viewer, known in ((0, [2, None]), (1, [None, 5]), (SPECTATOR, [None, None])):
        board = table.game.board(found[0].mask(viewer))
        first = table.game.film(board, None, NAMES[:2])[0]
        assert [seat["location"]["number"] for seat in board_of(first)["seats"]] == known
        assert board_of(first)["seats"][0]["morale"] == morale
        assert table.may.morale == morale - 1


def test_a_duel_goes_from_the_cards_to_their_values() -> None:
    table = JinkeiTable([".+1 .W .", "# . .", ". . ."], [". . .", ". . .", ". . ."], battles=3)
    table.may.stands(vg1="red9")
    table.david.stands(rg1="red8")
    table.attacks(table.may)
    found = watched(table.state)
    table.may.plays("vg1:red")
    table.david.plays("rg1:red")
    film = table.game.film(table.game.board(found[0].mask(0)), None, NAMES)
    assert words(film) == ["The cards meet.", "You 9 + 1 = 10, David 8."]
    assert [board_of(still)["duel"]["lead"]["sum"] for still in film] == ["", "9 + 1 = 10"]
    for still in film:
        assert board_of(still)["duel"]["winner"] is None
        assert "told" not in board_of(still)["duel"]
        assert set(board_of(still)["battles"]) == {None}


def test_a_battle_goes_card_by_card_and_its_verdict_comes_after() -> None:
    """David and Ann tie at 3. Then he has a symbol, value 1, and she a 4."""
    table = wars.Table(seats=3)
    table.david.draws("gunner", "rock")
    table.ann.draws("deputy", "blade")
    table.lines_up("jarl", "captain", "outlaw", "raider")
    found = watched(table.state)
    table.select(1, 2, 2)
    table.settle_chance()
    boards = {moment.moment + str(n): table.game.board(moment.mask(0)) for n, moment in enumerate(found)}
    films = {name: table.game.film(board, None, NAMES) for name, board in boards.items()}
    assert {name: words(film) for name, film in films.items() if film} == {
        "flags0": ["All players have picked."],
        "cards3": ["David: Gunner.", "Ann: Deputy."],
        "cards4": ["David: Conscript (Rock), Ann: Blade."],
    }
    assert [place["selected_by"] for place in board_of(films["flags0"][0])["lineup"]] == [[]] * 4
    counts = [[len(lane["cards"]) for lane in board_of(still)["scenes"][-1]["lanes"]] for still in films["cards3"]]
    assert counts == [[1, 0], [1, 1]]
    for still in (*films["cards3"], *films["cards4"]):
        lanes = board_of(still)["scenes"][-1]["lanes"]
        assert [(lane["verdict"], lane["out"], lane["won"]) for lane in lanes] == [("", False, False)] * 2


@pytest.mark.parametrize(
    ("mine", "theirs", "told", "beaten"),
    [
        ("Ash", "Kite", ["Ash attacks Kite: 5 against 4.", "5 against 4: Ash wins."], ["kite#2"]),
        ("Ash", "Rook", ["Ash attacks Rook: 5 against 5.", "5 against 5: both generals fall."], ["ash#1", "rook#2"]),
    ],
)
def test_a_melee_is_fought_before_anybody_falls(mine: str, theirs: str, told: list[str], beaten: list[str]) -> None:
    table = plain()
    table.may.has(mine, at="BORDER")
    table.david.has(theirs, at="ENEMY_BORDER")
    for seat in (0, 1):
        assert watch(table, seat, f"{mine.lower()}#1", f"{theirs.lower()}#2") == (told, beaten)


def test_in_a_mirror_match_the_loser_of_a_melee_is_marked() -> None:
    """Both have an Ash, Might 5. May's leads a troop of 2."""
    more = {"op": "modify", "stat": "might", "by": 2, "target": {"ref": "host"}, "until": "while"}
    table = plain(general("X50", "Pikes", "equipment", {"kind": "static", "do": [more]}, subtypes=["troop"]))
    table.may.has("Ash", at="BORDER", gear=("Pikes",))
    table.david.has("Ash", at="ENEMY_BORDER")
    told, beaten = watch(table, 0, "ash#1", "ash#2")
    assert told == ["Ash attacks Ash: 7 against 5.", "7 against 5: Ash wins."]
    assert beaten == ["ash#2"]


def watch(table: GeneralsTable, viewer: int, *acts: str) -> tuple[list[str], list[str]]:
    """Return the stills a viewer sees of May's acts in a copy of the table, and the units marked as beaten."""
    state, game = table.state.clone(), table.game
    before = game.board(state.mask(viewer))
    for act in acts:
        state.apply(0, game.parse(act))
    film = game.film(game.board(state.mask(viewer)), before, ["May", "David"])
    fighting = {unit["id"] for still in film for seat in board_of(still)["seats"] for unit in seat["units"]}
    assert all(set(board_of(still)["fighting"]) <= fighting for still in film)
    return words(film), board_of(film[-1]).get("beaten", [])


def slugs(shown: object) -> set[str]:
    """Return all cards named in a value."""
    if isinstance(shown, Mapping):
        own = {str(shown["slug"])} if "slug" in shown else set()
        return own.union(*map(slugs, shown.values()))
    return set[str]().union(*map(slugs, shown)) if isinstance(shown, (list, tuple)) else set()


@pytest.mark.parametrize("name", ["feint", "jinkei", "generals", "factionwars"])
def test_no_still_shows_a_card_that_neither_board_shows(name: str) -> None:
    """Each step of a random game, and each moment in it, is checked for three viewers."""
    game = gonfalon.game(name)
    state, rng = game.start(log=True), Rng(5)
    last: dict[int, Mapping[str, Any]] = {}
    filmed = 0
    for _ in range(400):
        if state.over:
            break
        state.moments = []
        state.apply(state.turn, state.sample(rng))
        for seen in (*state.moments, state):
            for viewer in (0, 1, SPECTATOR):
                board = game.board(seen.mask(viewer))
                for still in game.film(board, last.get(viewer), game.seat_names()):
                    filmed += 1
                    assert slugs(still.board) <= slugs(board) | slugs(last.get(viewer, {}))
                last[viewer] = board
    assert filmed > 3
