"""The table as a picture."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

import gonfalon
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.record import Record
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.page import Shown
from gonfalon.core.rules.picture import COLUMNS, PLAIN, TOKENS, Span, draw_state
from gonfalon.core.rules.state import OPEN, SPECTATOR, State
from gonfalon.core.text.sheet import BACK, Piece, Sheet
from tests.feint.scenario import Table, card
from tests.stranger.gonfalon_duel import Duel


def play_randomly(game: Game, count: int, seed: int = 5) -> tuple[State, Record]:
    state, record, rng = game.start(log=True), Record(game, ["May", "David"]), Rng(seed)
    for _ in range(count):
        if not state.over:
            action = state.sample(rng)
            record.add(state.turn, action)
            state.apply(state.turn, action)
    return state, record


def words(svg: str) -> str:
    """All that is written in a picture."""
    return "\n".join(text for text in ET.fromstring(svg).itertext())


@pytest.mark.parametrize("name", gonfalon.names())
def test_every_game_shows_itself(name: str) -> None:
    game = gonfalon.game(name)
    for count in (0, 30, 100_000):
        state, record = play_randomly(game, count)
        views = [state.mask(viewer) for viewer in (*range(game.seats), SPECTATOR, OPEN)]
        for svg in (state._repr_svg_(), record._repr_svg_(), *(view._repr_svg_() for view in views)):
            assert svg is not None
            assert game.title in words(svg)
            assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")


def arrange_table() -> Table:
    table = Table(may=[card("ox", 6), card("fox", 2, "covert")], david=[card("hen", 3)])
    table.may.holds("ox").has("fox", at=3, down=True)
    table.david.holds("hen")
    return table.deploys(table.may)


def test_a_view_shows_its_contents_and_a_full_state_everything() -> None:
    table = arrange_table()
    mine, theirs, spectators = (words(str(table.state.mask(viewer)._repr_svg_())) for viewer in (0, 1, SPECTATOR))
    everything = words(str(table.state._repr_svg_()))
    assert ("Ox" in mine, "Fox" in mine, "Hen" in mine) == (True, True, False)
    assert ("Ox" in theirs, "Fox" in theirs, "Hen" in theirs) == (False, False, True)
    assert not {"Ox", "Fox", "Hen"} & set(spectators.split())
    assert ("Ox" in everything, "Fox" in everything, "Hen" in everything) == (True, True, True)


def test_a_state_of_no_known_game_shows_nothing() -> None:
    state = arrange_table().state.clone()
    state.rules = None
    assert state._repr_svg_() is None
    assert draw_state(state) is None


def test_a_token_has_the_color_of_its_card_or_side() -> None:
    class Colored(Duel):
        def sheet(self, board: Shown, names: list[str], width: int, height: int) -> Sheet:
            line = [
                Piece("Ox", "red wash", "", "ox"),
                Piece("  "),
                Piece("Hen", "grey", "", "hen"),
                Piece(f"  {BACK} face down"),
            ]
            return Sheet([Piece("Head", "blue")], [line, [Piece(f"{BACK} 2 face down")]])

    picture = draw_state(Colored().start())
    assert picture is not None
    head, first, second, *_ = picture.lines
    assert head == [Span(0, "Head", "")]
    assert first[:2] == [Span(0, "Ox", TOKENS["red"]), Span(4, "Hen", PLAIN)]
    assert second == [Span(0, f"{BACK} 2 face down", PLAIN)]
    assert all(span.column + len(span.text) <= COLUMNS for line in picture.lines for span in line)
