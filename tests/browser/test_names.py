"""Five people with names as long as may be, on a narrow phone: no page scrolls sideways, and they can be told apart."""

from __future__ import annotations

from typing import Final

from playwright.sync_api import Browser, Page, expect

from tests.browser.player import Player, phone
from tests.web.served import Served

NAMES: Final = (
    "Wilhelmina of Rohan1",
    "Wilhelmina of Rohan2",
    "Maximilianus Quintus",
    "WWWWWWWWWWWWWWWWWWWW",
    "Anna Maria Katharina",
)
SEEN: Final = """() => {
  const whole = (el) => { const box = el.getBoundingClientRect(); return box.width > 0 && box.right <= innerWidth; };
  const fits = (el) => el.scrollWidth <= el.clientWidth + 1;
  return {
    wide: document.documentElement.scrollWidth - innerWidth,
    rows: document.querySelector('.bar').clientHeight > 60,
    tags: [...document.querySelectorAll('.chair:not(.chair-watching)')].filter((el) => whole(el) && fits(el))
      .map((el) => el.querySelector('.chair-tag').textContent),
    names: [...document.querySelectorAll('.rival h2')].filter((el) => {
      const tail = el.querySelector('.cut-tail').getBoundingClientRect(), room = el.getBoundingClientRect();
      return tail.width > 20 && tail.right <= room.right + 1;
    }).map((el) => el.textContent),
    tails: [...document.querySelectorAll('.rival .cut')]
      .map((el) => el.firstChild.textContent[0] + el.lastChild.textContent),
  };
}"""
"""How much too wide a page is, whether its top bar has a second row, its seats, and the rivals whose names' ends are
seen."""
ENDS: Final = """() => ({
  wide: document.documentElement.scrollWidth - innerWidth,
  names: [...document.querySelectorAll('.end-others li > span:last-child')].filter((el) => {
    const box = el.getBoundingClientRect();
    return box.left >= 0 && box.right <= innerWidth && el.scrollWidth <= el.clientWidth + 1;
  }).map((el) => el.textContent),
})"""
"""Whose names stand whole at the end."""


STATE: Final = """([state, words]) => {
  const net = document.getElementById('net');
  net.dataset.state = state;
  net.querySelector('.net-words').textContent = words;
}"""
"""The page says this of its connection."""


def check_names(page: Page, others: set[str], seats: int) -> None:
    """In the top bar so many seats have a sign, and of every other's name the end is seen, whether the page is live or
    says that it is not, for which it needs room."""
    for state in (("off", "not live"), ("lost", "reconnecting …"), ("on", "live")):
        expect(page.locator("#net")).to_have_attribute("data-state", "on")
        page.evaluate(STATE, state)
        seen = page.evaluate(SEEN)
        page.evaluate(STATE, ("on", "live"))
        assert seen["wide"] <= 0
        assert not seen["rows"], state
        assert set(seen["names"]) == others
        assert len(set(seen["tails"])) == len(others)
        assert len(seen["tags"]) == len(set(seen["tags"])) == seats, state


def test_names_as_long_as_may_be_are_told_apart(browser: Browser, served: Served) -> None:
    context = phone(browser)
    player = Player(context)
    page = player.page
    page.goto(f"http://127.0.0.1:{served.port}/games/factionwars/new")
    page.locator('input[name="name"]').fill(NAMES[0])
    for n in range(1, 5):
        page.locator(f'select[name="who-{n}"]').select_option("beside" if n < 4 else "friend")
    for n in range(1, 4):
        page.locator(f'input[name="name-{n}"]').fill(NAMES[n])
    page.locator('label:has(input[name="seat"][value="0"])').click()
    player.check_width()
    page.get_by_role("button", name="Open the table").click()
    link, watch = (page.locator(name).input_value() for name in ("#invite-url-4", "#watch-url"))
    expect(page.locator(".camp")).to_have_count(5)
    player.check_width()
    friend = Player(phone(browser))
    friend.page.goto(link)
    friend.check_width()
    friend.page.locator("#name").fill(NAMES[4])
    friend.page.get_by_role("button", name="Sit down").click()
    expect(friend.page.locator(".rival")).to_have_count(4)
    check_names(friend.page, set(NAMES[:4]), 5)
    crowd = context.new_page()
    crowd.goto(watch)
    expect(friend.page.locator(".chair-watching")).to_have_count(1)  # which takes no room from the seats
    check_names(friend.page, set(NAMES[:4]), 5)
    crowd.close()
    expect(page.locator("[data-curtain]")).to_be_visible()  # the device of four people
    player.check_width()
    for one in (player, friend):
        at = one.page.url
        one.page.goto(f"http://127.0.0.1:{served.port}/")
        one.check_width()
        one.page.goto(at)
    for seat in range(4):
        page.request.post(page.url + "screen", form={"seat": str(seat)})
        page.request.post(page.url + "concede", form={"seat": str(seat)})
    expect(friend.page.locator(".chair", has_text="bot plays")).to_have_count(4)
    check_names(friend.page, set(NAMES[:4]), 1)  # where a bot plays, the rival's row says so
    friend.page.request.post(friend.page.url + "concede")
    expect(friend.page.get_by_role("button", name="Rematch")).to_be_visible()
    ends = friend.page.evaluate(ENDS)
    assert ends["wide"] <= 0
    assert set(ends["names"]) == {*NAMES[:4], "You"}
    assert [one.complaints for one in (player, friend)] == [[], []]
    context.close()
