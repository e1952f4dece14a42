"""Several people on one device watch a round of Faction Wars together before the curtain falls."""

from __future__ import annotations

import re
from html import unescape

from gonfalon.core.rules.state import SPECTATOR
from gonfalon.table import Beside, Person, Seating
from tests.web.every import Everything
from tests.web.person import Page


def pick(server: Everything, url: str, seat: int, nth: int) -> None:
    """Raise the curtain for a seat and select a card."""
    assert server.client.post(url + "screen", data={"seat": str(seat)}).status_code == 303
    answers = Page(server.page(url)).answers()
    assert server.client.post(url + "act", data=dict(answers[nth])).status_code == 303


def goals(server: Everything, url: str, seats: int) -> list[str]:
    """Return each player's goal from their own page."""
    found = []
    for seat in range(seats):
        server.client.post(url + "screen", data={"seat": str(seat)})
        name = re.search(r'<div class="goal secret.*?<strong>(.*?)</strong>', server.page(url), re.DOTALL)
        assert name is not None
        found.append(name[1])
        server.client.post(url + "screen", data={"seat": ""})
    return found


def test_the_public_screen_holds_no_goal_and_no_pick_of_the_coming_round(server: Everything) -> None:
    seating: list[Seating] = [Person("May"), Beside("Bo"), Beside("Cy")]
    table, tokens = server.call(server.tables.open_table, server.tables.find("factionwars", seats=3), seating)
    url = f"/t/{table.key}/{tokens[0]}/"
    secret = goals(server, url, 3)
    assert len(set(secret)) == 3
    for seat in range(3):
        pick(server, url, seat, seat % 2)
    count = table.position.moment_count
    assert count > 3
    # Whoever is asked now has answered; May's first selector of the coming round is laid before anybody looks.
    while table.position.state.stack[-1].prompt != "select":
        pick(server, url, next(seat for seat in range(3) if table.position.is_asked(seat)), 0)
    pick(server, url, 0, 2)
    server.client.post(url + "screen", data={"seat": "0"})
    assert "your pick" in server.page(url)
    server.client.post(url + "screen", data={"seat": ""})
    ended = server.page(f"{url}moment?n={table.position.moment_count}")
    recap = re.findall(
        r"<li>(.*?)</li>", ended[ended.index('class="recap"') : ended.index("</section>", ended.index('class="recap"'))]
    )
    assert len(recap) == 2  # at the places of the first three picks, which were two
    assert all(line.startswith(("May ", "Bo ", "Cy ", "No winner")) for line in recap)
    for number in range(1, table.position.moment_count + 1):
        page = server.page(f"{url}moment?n={number}")
        live = page[page.index('<div id="table"') :]
        assert not [goal for goal in secret if goal in live]
        assert not Page(page).answers()
        assert not [words for words in ("your pick", "my-pick", "only you") if words in live]


def test_moments_show_the_same_for_each_person_at_the_screen(server: Everything) -> None:
    """The page without scripts shows the moment with its log of public information."""
    seating: list[Seating] = [Person("May"), Beside("Bo")]
    table, tokens = server.call(server.tables.open_table, server.tables.find("factionwars", seats=2), seating)
    url = f"/t/{table.key}/{tokens[0]}/"
    pick(server, url, 0, 0)
    pick(server, url, 1, 1)
    server.client.post(url + "screen", data={"seat": "0"})
    own = read_log(server.page(url))
    assert any("only you" in line for line in own)
    for number in range(1, table.position.moment_count + 1):
        seen = read_log(server.page(f"{url}moment?n={number}"))
        assert seen == [line["text"] for line in table.moment(SPECTATOR, number)["log"]]
        assert len(seen) < len(own)


def read_log(page: str) -> list[str]:
    """Return the sentences of a page's log."""
    found = re.findall(r'<li id="log-\d+"[^>]*>(.*?)</li>', page, re.DOTALL)
    return [unescape(re.sub("<[^>]*>", "", line)).strip() for line in found]
