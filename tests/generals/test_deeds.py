"""The actions of a seat's latest turn, as shown to the other seat."""

from __future__ import annotations

from gonfalon.core.rules.log import list_lines
from gonfalon.games.generals.face.deeds import Deed
from tests.generals.scenario import Table


def list_deeds(table: Table, viewer: int) -> list[Deed]:
    return table.game.board(table.state.mask(viewer))["done"]


def words(table: Table, viewer: int) -> list[str]:
    return [" ".join(filter(None, (deed["who"], deed["word"], deed["score"]))) for deed in list_deeds(table, viewer)]


def test_acts_stand_with_their_numbers_in_their_order() -> None:
    table = Table()
    table.david.has("Guan Yu", at="BORDER").has("Zhou Cang", at="FORTRESS")
    table.may.has("Lu Su", at="ENEMY_BORDER").ends()
    might, other = table.david.might("Guan Yu"), table.may.might("Lu Su")
    table.david.does("zhou-cang#2", "@border").does("guan-yu#2", "lu-su#1")
    assert words(table, 0)[:1] == ["Zhou Cang Move"]
    assert words(table, 0)[1] == f"Guan Yu Melee {might} : {other}"
    assert [deed["bad"] for deed in list_deeds(table, 0)] == [False, True]
    assert [deed["unit"] for deed in list_deeds(table, 0)] == ["zhou-cang#2", "guan-yu#2"]
    table.david.ends()
    assert words(table, 0)[-1].startswith("Upkeep −")


def test_a_siege_includes_its_damage() -> None:
    table = Table()
    table.david.has("Guan Yu", at="ENEMY_BORDER")
    table.may.ends()
    before = table.may.resources
    table.david.does("guan-yu#2", "siege")
    assert words(table, 0) == [f"Guan Yu Siege −{before - table.may.resources}"]


def test_a_players_own_acts_are_excluded() -> None:
    """On her own turn May sees David's actions of his turn, on the strip and on his generals."""
    table = Table()
    table.may.has("Zhou Cang", at="FORTRESS")
    table.david.has("Lu Su", at="FORTRESS")
    table.may.ends()
    table.david.does("lu-su#2", "@border").ends()
    table.may.does("zhou-cang#1", "@border")
    assert [deed["who"] for deed in list_deeds(table, 0) if deed["word"] == "Move"] == ["Lu Su"]
    seats = table.game.board(table.state.mask(0))["seats"]
    notes = {unit.get("name"): unit["note"] for seat in seats for unit in seat["units"]}
    assert notes == {"Lu Su": "Move", "Zhou Cang": "moved"}


def test_a_general_that_an_effect_moves_is_told_in_the_log_and_on_the_strip() -> None:
    """David's Deng Ai goes over the mountains at the start of David's turn, when nobody has chosen a move."""
    table = Table()
    table.david.has("Deng Ai")
    table.may.ends()
    table.david.ends()
    table.may.ends()
    assert words(table, 0)[0] == "Deng Ai Is moved −2"
    assert list_deeds(table, 0)[0]["unit"] == "deng-ai#2"
    told = [line["text"] for line in list_lines(table.game, table.state.mask(0), ["You", "David"])]
    assert "David's Deng Ai is moved to BORDER. You lose 2 cards of RESOURCE." in told


def test_an_act_that_was_answered_says_so() -> None:
    table = Table(ask=True)
    table.david.has("Guan Yu", at="BORDER")
    table.may.has("Lu Su", at="ENEMY_BORDER").holds("Feigned Retreat", "Militia", "Archers").ends()
    table.david.does("guan-yu#2", "lu-su#1")
    table.may.does("feigned-retreat", "militia")
    table.david.passes()
    assert words(table, 0) == ["Guan Yu Melee negated"]
    assert not list_deeds(table, 0)[0]["bad"]
