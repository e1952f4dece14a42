"""A sentence of the log shows the table after it, as its viewer saw it then and no better."""

from __future__ import annotations

import re
from functools import partial

import pytest

from gonfalon.core.rules.game import names_for
from gonfalon.core.rules.log import list_lines
from gonfalon.core.rules.state import SPECTATOR, State
from gonfalon.table import LinkHolder, Table
from gonfalon.table.links import WATCH
from tests.web.every import HOUSE, Everything

LINK = re.compile(r'<a href="past\?n=(\d+)">')


def has_decisions(table: Table, number: int, _: State) -> bool:
    return len(table.position.course) > number


def play_and_keep(server: Everything, name: str, decisions: int) -> tuple[Table, dict[int, dict[int, list[object]]]]:
    """Play some decisions. Return the table, and for each viewer the boards that they had, by the length of the log."""
    table, _ = server.sit(name)
    kept: dict[int, dict[int, list[object]]] = {0: {}, SPECTATOR: {}}
    for n in range(decisions):
        server.play(table, partial(has_decisions, table, n), seed=n)
        for viewer, views in kept.items():
            view = table.view(viewer)
            views.setdefault(len(view.log or ()), []).append(table.game.board(view))
        if table.position.over:
            break
    return table, kept


@pytest.mark.parametrize("name", HOUSE)
def test_a_past_position_is_a_view_that_its_viewer_has_had(server: Everything, name: str) -> None:
    table, kept = play_and_keep(server, name, 40)
    shown = 0
    for viewer, views in kept.items():
        for line in range(len(table.view(viewer).log or ())):
            if (view := table.position.past(viewer, line)) is None:
                continue
            shown += 1
            told = len(view.log or ())
            assert told > line
            assert view.viewer == viewer
            assert table.game.board(view) in views.get(told, [table.game.board(view)])
    assert (shown > 0) != table.game.moments_pass


@pytest.mark.parametrize("name", HOUSE)
def test_a_log_links_to_the_positions_after_its_sentences(server: Everything, name: str) -> None:
    table, address = server.sit(name)
    server.play(table, lambda state: len(table.position.course) > 25 and bool(state.asked()))
    for page in (address, f"/t/{table.key}/{WATCH}/"):
        numbers = LINK.findall(server.page(page))
        if table.game.moments_pass:
            assert numbers == []
            assert server.client.get(f"{page}past?n=1").status_code == 410
            continue
        answer = server.client.get(f"{page}past?n={numbers[-1]}")
        assert answer.status_code == 200
        assert f'data-past="{int(numbers[-1]) - 1}"' in answer.text
        assert 'form="act" name=' not in answer.text
        assert server.client.get(f"{page}past?n={numbers[-1]}", headers={"x-live": "1"}).text.startswith("<div id=")
        for number in numbers:  # sentences with one cause show the table after the last of them, which is marked
            viewer = table.seats.find_holder(page.split("/")[3]).viewer
            if (view := table.position.past(viewer, int(number) - 1)) is not None:
                names = names_for(table.game, viewer, table.names)
                last = list(list_lines(table.game, view, names))[-1]["n"]
                assert last >= int(number) - 1
                assert f'data-past="{last}"' in server.page(f"{page}past?n={number}")
                break
        assert server.client.get(f"{page}past?n=99999").status_code == 410
        assert server.client.get(f"{page}past?n=x").status_code == 404


def test_what_the_rules_let_players_forget_is_not_shown_again(server: Everything) -> None:
    """In Generals the log forgets the cards of older turns, and with them the positions."""
    table, _ = server.sit("generals")
    server.play(table, lambda state: len(state.log or ()) > 150)
    lines = len(table.view(0).log or ())
    assert table.position.past(0, 0) is None
    assert table.position.past(0, lines - 1) is not None


def test_answers_of_others_stay_secret_in_the_past(server: Everything) -> None:
    """A position within a simultaneous decision shows no answer of others, nor that there is one."""
    table, _ = server.sit("factionwars")
    server.play(
        table, lambda state: len(state.asked()) > 1 and not any(state.answers) and len(table.position.course) > 20
    )

    def look() -> object:
        view = table.position.past(0, len(table.view(0).log or ()) - 1)
        assert view is not None
        return table.game.board(view)

    before = look()
    other = next(seat for seat in table.position.find_awaited_seats() if seat)
    action = table.view(other).legal(other)[0]
    server.call(table.moves.act, LinkHolder(other), table.position.version(other), [action])
    assert look() == before
