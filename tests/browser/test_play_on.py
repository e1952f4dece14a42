"""After the game, in Chromium, by keyboard and on a phone: from its review to a new table."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from typing import Any

from playwright.sync_api import Browser, expect

from gonfalon import games
from gonfalon.core.files.record import Record
from gonfalon.lessons import shelf
from gonfalon.table import Store
from gonfalon.table.game.entries import ACT, Entry
from gonfalon.table.links import hash_token, new_key, new_token
from gonfalon.table.store.store import SeatRow, TableRow
from tests.browser.player import Player, phone
from tests.table.opening import ending_of
from tests.web.served import Served


def review_of(decided: dict[str, Any]) -> dict[str, Any]:
    """Return the parts of a review that its pages read."""
    return {
        "format": "gonfalon-review", "format_version": 1, "record": "0", "game": "duel", "title": "Duel", "rules": "1",
        "data": "none", "names": ["May", "Random"], "seats": [0], "result": [0.0, 1.0], "ending": "Random wins.",
        "reviewer": {
            "judge": "the play of the network", "referee": "", "network": "", "baseline": "", "seed": 0,
            "budgets": {},
        },
        "cards": None, "decisions": [decided], "beliefs": [],
        "story": [{"at": decided["at"], "seat": 0, "text": "This mattered."}],
        "sums": [
            {"seat": 0, "decisions": 1, "judged": 1, "marks": {"mistake": 1}}
        ],
    }  # fmt: skip


def open_finished_table(served: Served, record: Record, at: int) -> str:
    """Return the first seat's page at a table of this game, with a review that marks one of the seat's decisions."""
    game, key, token = record.game, new_key(), new_token()
    seats = (SeatRow(0, "May", token=hash_token(token)), SeatRow(1, "Club", bot="club"))
    row = TableRow(
        key, game.name, game.shown_options(), game.rules_version, game.data_hash, None, None, time.time(), seats
    )
    entries = [Entry(ACT, s, game.notation(a)) for s, a in record.decisions]
    entries[-1] = replace(entries[-1], ending=ending_of(game, entries, ["May", "Club"]))
    state = next(state for number, (state, _, _) in enumerate(record.steps()) if number == at)
    chosen, *others = map(game.notation, state.actions)
    store = Store(f"sqlite:///{served.folder / 'tables.db'}")
    store.create(row, entries)
    decided = {
        "at": at, "seat": 0, "asked": "", "chosen": chosen, "best": others[0], "text": "You played a card.",
        "better": "Play the other.", "second": None, "value": 0.5, "best_value": 0.57, "loss": 0.07, "low": 0.04,
        "high": 0.1, "lead": 0.07, "lead_low": 0.04, "worlds": 64, "referee": None, "mark": "mistake", "why": "",
    }  # fmt: skip
    store.keep_review(key, json.dumps(review_of(decided)))
    store.close()
    return f"http://127.0.0.1:{served.port}/t/{key}/{token}/"


def test_from_the_review_to_a_new_table(browser: Browser, served: Served) -> None:
    record = shelf.find_lesson(games.find_game_class("feint"), "decoy", True).record
    worst = 49
    assert record.decisions[worst][0] == 0, "May decides there"
    with phone(browser) as context:
        player = Player(context)
        page = player.page
        page.goto(open_finished_table(served, record, worst) + "review")
        player.check_both()
        player.tab_to(".on-from")
        player.press("Enter")
        expect(page.locator("h1")).to_have_text("Play on from here")
        player.check_both()
        assert (
            page.evaluate(
                "[...document.querySelectorAll('.play-on :is(label, .button, button, summary)')]"
                ".filter((one) => one.getBoundingClientRect().height < 43.9).length"
            )
            == 0
        )
        page.locator('input[value="bot:gentle"]').check(force=True)
        player.tab_to(".play-on button.primary")
        player.press("Enter")
        expect(page.locator(".begun").first).to_contain_text("from decision 50")
        assert not player.play_on(1)
        assert player.complaints == []
