"""Generals in Chromium: a deck is built, and a whole game is played with it and a Counter, by keyboard alone."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from gonfalon.table import LinkHolder, Person, Robot
from tests.browser.laid import Laid, laying
from tests.browser.player import PHONE, SCREEN, Player, phone
from tests.browser.tables import concede, open_table
from tests.browser.test_decks import WEI, add, fold, sift, unfold
from tests.generals.scenario import Table
from tests.web.served import Served

COUNTERS = ["C02", "C03", "C04"]
"""Empty Fort, Countermand and Feigned Retreat, which answer Sieges, Strategies and melees."""
FIRST = (r": Lay siege, Siege", r": Attack .*, (\d+) vs (\d+)", r": Move to ENEMY'S BORDER", r": Move to BORDER")
"""Acts of generals, best first. Of two numbers the first must be larger."""
TABLE = """() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const words = (el) => el.textContent.replace(/\\s+/g, ' ').trim();
  const seen = (el) => el.checkVisibility(), mark = (el) => el.className.match(/n-(\\w+)/)[1];
  const places = all('.fan > .slot');
  return {
    over: document.querySelector('form[action$="rematch"]') !== null,
    live: document.getElementById('net').dataset.state === 'on',
    expected: document.querySelector('#act input[name="expected"]').value,
    mode: document.querySelector('.generals')?.className.match(/mode-(\\w+)/)[1] ?? 'none',
    hand: places.map((el, i) => {
      const lift = el.querySelector('.lift'), draft = lift && document.querySelector(`.draft.f-${mark(lift)}`);
      return {n: i + 1, name: words(el.querySelector('.name')), kind: words(el.querySelector('.kind')),
        spend: el.querySelector('.spend') !== null, lift: lift?.id ?? null, pays: Number(draft?.dataset.pays ?? 0)};
    }),
    acts: all('.unit .lift').flatMap((el) => {
      const n = mark(el);
      return all(`.strike.f-${n}, .here.f-${n}`).map((to) => ({
        lift: el.id, n, value: to.value, text: words(to.querySelector(`.vs.f-${n}, span.f-${n}`)).replace(/^, /, '')}));
    }),
    choices: all('.strike.on, .here.on, #choices button').filter(seen).length,
    pass: document.getElementById('pass') !== null,
    refusal: document.getElementById('refusal').textContent.trim(),
  };
}"""
FITS = """() => {
  const root = document.documentElement, table = document.querySelector('.table');
  return root.scrollHeight <= innerHeight && root.scrollWidth <= innerWidth
    && scrollY === 0 && table.scrollTop === 0
    && [...document.querySelectorAll('.lord, .zone, .unit, .fan, .fan > .slot, .prompt')].every((el) => {
      const fan = el.matches('.slot') && el.closest('.fan');
      if (fan && getComputedStyle(fan).overflowY === 'auto' && fan.scrollHeight > fan.clientHeight) return true;
      const box = el.getBoundingClientRect();
      return box.left >= -1 && box.right <= innerWidth + 1 && box.top >= -1 && box.top < innerHeight; });
}"""


class General(Player):
    """A scripted person with a simple strategy: keep Counters and cards to pay for them, advance, besiege, and attack
    weaker generals."""

    def __init__(self, context: BrowserContext) -> None:
        super().__init__(context)
        self.countered: list[str] = []
        self.drafts = 0
        self.checks = True

    def read(self) -> dict[str, Any]:
        found: dict[str, Any] = self.page.evaluate(TABLE)
        return found

    def play_until_over(self, most: int) -> bool:
        """Answer every question until the game is over or up to a number of answers, and check each new situation.
        Return whether it is over."""
        deadline = time.monotonic() + 240
        for _ in range(most):
            table = self.read()
            while not table["over"] and (table["mode"] == "none" or not table["live"]):
                assert time.monotonic() < deadline, f"the game stands still: {table}"
                self.page.wait_for_timeout(15)
                table = self.read()
            mode = "over" if table["over"] else table["mode"]
            if mode not in self.modes:
                self.modes.add(mode)
                if self.checks:
                    self.check_both()
            if mode == "over":
                return True
            self.answer(mode, table)
            self.moves += 1
            assert self.moved_on(table) or self.tries_again(mode, table)
            assert self.page.locator("#refusal").inner_text() == ""
        return False

    def moved_on(self, table: dict[str, Any]) -> bool:
        """Return whether the next board or a refusal arrives in time."""
        changed = (
            "(was) => document.querySelector('#act input[name=\"expected\"]').value !== was"
            " || document.getElementById('refusal').textContent.trim() !== ''"
        )
        try:
            self.page.wait_for_function(changed, arg=table["expected"], timeout=30_000)
        except PlaywrightTimeout:
            return False
        return True

    def tries_again(self, mode: str, table: dict[str, Any]) -> bool:
        """Return False, because no key press is lost."""
        return False

    def answer(self, mode: str, table: dict[str, Any]) -> None:
        spends = [card for card in table["hand"] if card["spend"]]
        if mode == "main":
            self.act(table)
        elif mode == "answer":
            counters = [card for card in table["hand"] if card["lift"]]
            if not counters:
                self.give_way()
                return
            self.draft(counters[0])
            self.countered.append(counters[0]["name"])
        elif mode in ("pay", "excess"):
            self.pay()
        elif mode == "discard" and spends:
            # Counters are the last to go.
            self.spend(min(spends, key=lambda card: ("Counter" in card["kind"], card["n"])))
        else:
            self.choose()

    def act(self, table: dict[str, Any]) -> None:
        """Act in the Main Phase: a Siege, a winning melee, an advance, a general from the hand, or the turn's end."""
        for wanted in FIRST:
            for found in table["acts"]:
                match = re.search(wanted, found["text"])
                if match and (not match.groups() or int(match[1]) > int(match[2])):
                    self.send(found)
                    return
        for card in table["hand"]:
            if card["lift"] and card["kind"].startswith("General") and len(table["hand"]) > 4:
                self.draft(card)
                return
        self.end_turn()

    def send(self, found: dict[str, Any]) -> None:
        """Let a general act."""
        self.page.locator("#status").focus()
        self.tab_to(".lift", 200)
        for _ in range(30):
            if self.page.evaluate("document.activeElement.id") == found["lift"]:
                break
            self.press("ArrowRight")
        self.press("Space")
        self.tab_to(f'.f-{found["n"]}[value="{found["value"]}"]', 200)
        self.press("Enter")

    def draft(self, card: dict[str, Any]) -> None:
        """Select a card of the hand, pay with the least useful cards, and commit."""
        self.press(str(card["n"] % 10))
        self.drafts += 1
        if card["pays"]:
            self.pay()
        else:
            self.tab_to(".commit", 60)
            self.press("Enter")

    def pay(self) -> None:
        """Pay with the least useful cards."""
        assert self.page.locator(".draft:visible .commit").first.is_disabled()
        self.tab_to("[data-least-use]:is(.draft *)", 120)
        self.press("Enter")
        self.tab_to(".commit", 200)
        self.press("Enter")

    def end_turn(self) -> None:
        confirm = self.page.locator("#end-confirm").count()  # counted first: the next board may come at any time
        self.press("e", "e", *(["e"] if confirm else []))

    def give_way(self) -> None:
        self.press("p", "Enter")

    def spend(self, card: dict[str, Any]) -> None:
        self.press(str(card["n"] % 10), "Enter")

    def choose(self) -> None:
        self.press("1", "Enter")


UNDER = """(el) => {
  const own = el.closest('label') ?? el, b = own.getBoundingClientRect();
  const left = Math.max(b.left, 0), top = Math.max(b.top, 0);
  const wide = Math.min(b.right, innerWidth) - left, high = Math.min(b.bottom, innerHeight) - top;
  for (const [dx, dy] of [[.5, .5], [.06, .5], [.06, .9], [.94, .5], [.5, .9], [.94, .1]]) {
    const x = left + wide * dx, y = top + high * dy;
    if (own.contains(document.elementFromPoint(x, y))) return [x, y, b.width, b.height];
  }
  return null;
}"""


class Finger(General):
    """A scripted person with that strategy on a touch screen. Every tapped element is visible and under the finger."""

    def tap(self, selector: str) -> None:
        box = self.under(selector)
        assert box, f"{selector} is not under the finger"
        assert min(box[2], box[3]) >= 43, f"{selector} is {box[2]} by {box[3]}"
        self.page.touchscreen.tap(box[0], box[1])

    def under(self, selector: str) -> list[float] | None:
        """Return the touchable point of an element and its size, or None if there is none in time."""
        target = self.page.locator(selector).first.element_handle()
        try:
            return cast("list[float]", self.page.wait_for_function(UNDER, arg=target, timeout=3000).json_value())
        except PlaywrightTimeout:
            return None

    def answer(self, mode: str, table: dict[str, Any]) -> None:
        self.page.wait_for_timeout(60)  # no finger is as fast: an answer still on its way is not given twice
        assert self.page.evaluate(FITS), f"the page does not fit in {mode}"
        super().answer(mode, table)

    def tries_again(self, mode: str, table: dict[str, Any]) -> bool:
        """Tap once more, because a tap is lost if the board is replaced under it."""
        self.answer(mode, self.read())
        return self.moved_on(table)

    def send(self, found: dict[str, Any]) -> None:
        there = f'.f-{found["n"]}[value="{found["value"]}"]'
        for _ in range(3):  # a board that was still on its way lays it down again
            self.tap(f"#{found['lift']}")
            if self.under(there):
                break
        assert self.page.evaluate(FITS)
        self.tap(there)

    def draft(self, card: dict[str, Any]) -> None:
        self.tap(f"#{card['lift']}")
        expect(self.page.locator(f"#{card['lift']}")).to_be_checked()
        self.page.wait_for_timeout(60)
        assert self.page.evaluate(FITS)
        self.drafts += 1
        if card["pays"]:
            self.pay()
        else:
            self.tap(".commit:visible")

    def pay(self) -> None:
        self.tap("[data-least-use]:visible")
        self.tap(".commit:visible")

    def end_turn(self) -> None:
        confirm = self.page.locator("#end-confirm").count()
        self.tap("#done")
        if confirm:
            self.tap("#end-confirm .danger")

    def give_way(self) -> None:
        self.tap("#pass")

    def spend(self, card: dict[str, Any]) -> None:
        self.tap(f".fan > .slot:nth-child({card['n']}) .spend")

    def choose(self) -> None:
        self.tap(":is(.strike.on, .here.on, #choices button):visible")


def build(player: General, served: Served) -> None:
    """Build a deck of Wei with nine Counters, card by card."""
    page = player.page
    page.goto(f"http://127.0.0.1:{served.port}/games/generals/decks/build")
    unfold(player)
    player.tab_to("#name", 400)
    page.keyboard.type("Feints and Walls")
    player.press("Enter")
    expect(page.locator("#deck")).to_have_text("Feints and Walls")
    fold(player)
    sift(player, "by-cao-wei")
    expect(page.locator("#shown")).to_have_text(re.compile(r"^1\d of \d+ cards$"))
    for id in WEI:
        add(player, id, 3)
    sift(player, "by-cao-wei", "by-neutral", "of-5")
    expect(page.locator("#shown")).to_have_text(re.compile(r"^\d+ of \d+ cards$"))
    for id in COUNTERS:
        add(player, id, 3)
    expect(page.locator("#said")).to_contain_text("Not ready: add a Commandment")
    sift(player, "of-6")
    expect(page.locator("#add-D02")).to_be_attached()
    add(player, "D02", 1)
    expect(page.locator("#said")).to_contain_text("Ready to play.")


@pytest.mark.journey
@pytest.mark.parametrize("loaded", [4], indirect=True)
def test_a_game_is_begun_and_conceded_on_a_screen(browser: Browser, loaded: Served) -> None:
    context = browser.new_context(viewport=SCREEN, reduced_motion="reduce")
    player = General(context)
    open_table(player.page, loaded, "generals")
    expect(player.page.locator("#net")).to_have_attribute("data-state", "on")
    player.checks = False
    assert not player.play_until_over(8)
    player.check_access()
    concede(player.page)
    expect(player.page.locator("#end-h")).to_have_text("Defeat")
    assert player.complaints == []
    context.close()


@pytest.mark.long
@pytest.mark.parametrize("loaded", [4], indirect=True)
def test_a_deck_of_ones_own_a_whole_game_and_a_counter(browser: Browser, loaded: Served) -> None:
    context = phone(browser)
    player = General(context)
    page = player.page
    build(player, loaded)
    unfold(player)
    player.tab_to("#against", 400)
    page.keyboard.type("Red")
    player.tab_to("button.primary")
    player.press("Enter")
    page.wait_for_url("**/t/*/*/")
    expect(page.locator("#net")).to_have_attribute("data-state", "on")

    assert player.play_until_over(400)
    assert {"main", "answer"} <= player.modes
    assert player.drafts
    assert player.moves > 10
    assert player.countered
    assert page.locator("#log-list").get_by_text("is negated.").count() == len(player.countered)
    expect(page.locator("#status")).to_contain_text("You ")
    assert player.complaints == []
    context.close()


def test_a_game_with_one_finger_and_no_scrolling(browser: Browser, served: Served) -> None:
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce")
    player = Finger(context)
    open_table(player.page, served, "generals")
    expect(player.page.locator("#net")).to_have_attribute("data-state", "on")
    player.checks = False
    player.play_until_over(400)
    assert player.drafts
    assert player.moves > 8
    assert player.complaints == []
    context.close()


DRAFTED = ("Tactics - Water", "Tactics - Fire", "Militia", "Archers", "Plunder", "Reward the Army")


def rivers() -> Table:
    """Return a table where May holds Tactics and can plot against generals in two zones."""
    position = Table(ask=True)
    position.may.has("Guan Yu", "Pang Tong", at="BORDER").holds(*DRAFTED)
    position.david.has("Lu Su", "Gan Ning", at="ENEMY_BORDER").has("Sun Quan", at="BORDER").holds("Militia")
    return position


@pytest.fixture
def laid(tmp_path: Path, free_port: Callable[[], int]) -> Iterator[Laid]:
    with laying(tmp_path, free_port(), pause=(0.3, 0.3)) as laid:
        yield laid


def sat(browser: Browser, url: str, **more: Any) -> Page:
    page = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce", **more).new_page()
    page.goto(url)
    expect(page.locator("#net")).to_have_attribute("data-state", "on")
    return page


def place_of(page: Page, name: str) -> str:
    """Return the key of a card in the hand."""
    names = page.locator(".fan .name").all_inner_texts()
    return str(names.index(name) + 1)


LAID_OUT = """() => ({
  lit: [...document.querySelectorAll('.unit.aimable')].map((el) => el.dataset.id).sort(),
  aims: [...document.querySelectorAll('[name="aim"]:checked')].map((el) => el.value).sort(),
  paid: [...document.querySelectorAll('.pays :checked')].map((el) => el.value).sort(),
  ready: [...document.querySelectorAll('.commit:enabled')].filter((el) => el.checkVisibility()).map((el) => el.value),
  up: document.querySelector('.lift:checked')?.value ?? null,
  said: [...document.querySelectorAll('.said')].filter((el) => el.checkVisibility()).map((el) => el.textContent).join(),
})"""


def test_tactics_are_aimed_and_paid_by_tap_and_key_and_sent_at_once(browser: Browser, laid: Laid) -> None:
    """Water has up to two targets (three with Pang Tong, all in one zone) for two cards."""
    table, urls = laid.seat_at(rivers())
    page = sat(browser, urls[0])
    sent: list[str] = []
    page.on("request", lambda request: sent.append(f"{request.method} {request.post_data}"))
    page.keyboard.press(place_of(page, "Water"))
    assert page.evaluate(LAID_OUT)["lit"] == []
    page.locator('.unit[data-id="pang-tong#1"] .strike').click()
    laid_out = page.evaluate(LAID_OUT)
    assert laid_out["lit"] == ["gan-ning#2", "lu-su#2", "sun-quan#2"]
    assert laid_out["ready"] == []
    page.locator('.unit[data-id="lu-su#2"] .standard').click()
    assert page.evaluate(LAID_OUT)["lit"] == ["gan-ning#2", "lu-su#2"]
    page.locator('.unit[data-id="gan-ning#2"] .standard').click()
    page.locator('.unit[data-id="gan-ning#2"] .standard').click()
    assert page.evaluate(LAID_OUT)["aims"] == ["lu-su#2"]
    for name in ("Reward the Army", "Plunder", "Plunder", "Archers"):  # Plunder is put back
        page.keyboard.press(place_of(page, name))
    laid_out = page.evaluate(LAID_OUT)
    assert laid_out["said"] == "2 of 2 paid"
    assert laid_out["paid"] == ["archers", "reward-the-army"]
    assert laid_out["ready"] == ["pang-tong#1"]
    assert sent == []
    page.keyboard.press("Enter")
    expect(page.locator(".generals")).to_have_class(re.compile("mode-none"))
    assert [line.split()[0] for line in sent] == ["POST"]
    board: Any = table.build_view(0)["board"]
    assert (board["act"]["unit"], board["act"]["targets"]) == ("pang-tong#1", ["lu-su#2"])
    assert sorted(card["slug"] for card in board["seats"][0]["hand"]) == ["militia", "plunder", "tactics-fire"]


def test_a_draft_is_put_down_by_escape_and_outlives_what_leaves_its_cards(browser: Browser, laid: Laid) -> None:
    table, urls = laid.seat_at(rivers())
    page = sat(browser, urls[0])

    def lay_out() -> None:
        page.keyboard.press(place_of(page, "Water"))
        page.locator('.unit[data-id="pang-tong#1"] .strike').click()
        page.locator('.unit[data-id="lu-su#2"] .standard').click()
        page.keyboard.press(place_of(page, "Archers"))
        assert page.evaluate(LAID_OUT)["said"] == "1 of 2 paid"

    def elsewhere(*texts: str) -> None:
        expected = page.locator('#act input[name="expected"]')
        was = str(expected.get_attribute("value"))
        actions = [table.game.parse(text) for text in texts]
        laid.do(table.moves.act(LinkHolder(0), table.position.version(0), actions))
        expect(expected).not_to_have_value(was)

    lay_out()
    page.keyboard.press("Escape")
    empty: dict[str, object] = {"lit": [], "aims": [], "paid": [], "ready": [], "up": None, "said": ""}
    assert page.evaluate(LAID_OUT) == empty
    lay_out()
    before = page.evaluate(LAID_OUT)
    elsewhere("guan-yu#1", "@fortress")
    assert page.evaluate(LAID_OUT) == before
    assert page.locator("#refusal").inner_text() == ""
    elsewhere("archers", "guan-yu#1", "plunder")
    assert page.evaluate(LAID_OUT) == empty
    assert page.locator("#refusal").inner_text() == (
        "The table has changed: what you had laid out is back where it was."
    )


def test_a_tap_beside_an_open_card_closes_it_and_keeps_the_draft(browser: Browser, laid: Laid) -> None:
    """On a phone a card that is read while another is drafted closes by a tap beside it, or by its button."""
    _, urls = laid.seat_at(rivers())
    page = sat(browser, urls[0], has_touch=True)
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator(".fan .lift").first.evaluate("(el) => el.click()")
    up = page.locator(".lift:checked").get_attribute("id")
    closes: list[Callable[[], None]] = [
        lambda: page.touchscreen.tap(20, 150),
        lambda: page.locator(".full:popover-open .full-close").tap(),
    ]
    for close in closes:
        page.locator(".fan .full").last.evaluate("(el) => el.showPopover()")
        close()
        expect(page.locator(".full:popover-open")).to_have_count(0)
        assert page.locator(".lift:checked").get_attribute("id") == up
    page.touchscreen.tap(20, 150)
    expect(page.locator(".lift:checked")).to_have_count(0)
    page.context.close()


SIDES = """() => [...document.querySelectorAll('.unit')].map((el) => [
  el.querySelector('.standard').textContent.includes(', enemy'),
  getComputedStyle(el.querySelector('.unit-name')).backgroundColor])"""


def test_equal_generals_differ_by_side_in_more_than_color(browser: Browser, laid: Laid) -> None:
    position = Table()
    position.may.has("Xu Chu")
    position.david.has("Xu Chu")
    _, urls = laid.seat_at(position)
    page = sat(browser, urls[0])
    (foe, dark), (own, light) = page.evaluate(SIDES)
    assert (foe, own) == (True, False)
    assert dark != light
    page.context.close()


def test_a_counter_is_drafted_while_the_window_closes(browser: Browser, laid: Laid) -> None:
    position = Table(ask=True)
    position.may.has("Guan Yu", at="BORDER")
    position.david.has("Lu Su", at="ENEMY_BORDER").holds("Feigned Retreat", "Militia", "Plunder")
    position.may.does("guan-yu#1", "lu-su#2")
    table, urls = laid.seat_at(position)
    page = sat(browser, urls[1])
    assert page.locator(".window").inner_text().count("Feigned Retreat (1)") == 1
    fuse = page.evaluate("document.querySelector('.fuse').getAnimations()[0].effect.getTiming()")
    assert (fuse["duration"], fuse["easing"]) == (300, "steps(1)")
    page.keyboard.press(place_of(page, "Feigned Retreat"))
    assert page.evaluate(LAID_OUT)["ready"] == []
    page.keyboard.press(place_of(page, "Militia"))
    page.keyboard.press("Enter")
    expect(page.locator(".generals")).to_have_class(re.compile("mode-none"))
    board: Any = table.build_view(1)["board"]
    seat = board["seats"][1]
    assert [card["slug"] for card in seat["hand"]] == ["plunder"]
    assert [unit["place"] for unit in seat["units"]] == ["fortress"]


def test_a_hint_is_shown_over_an_answer_window_on_a_phone(browser: Browser, laid: Laid) -> None:
    position = Table(ask=True)
    position.may.has("Guan Yu", at="BORDER")
    position.david.has("Lu Su", at="ENEMY_BORDER").holds("Feigned Retreat", "Militia", "Plunder")
    position.may.does("guan-yu#1", "lu-su#2")
    _, urls = laid.seat_at(position, Robot("gentle"), Person("Bo"), hints=True)
    page = sat(browser, urls[0])
    page.set_viewport_size({"width": 360, "height": 740})
    expect(page.locator(".prompt .window")).to_be_visible()
    page.keyboard.press(place_of(page, "Feigned Retreat"))
    expect(page.locator(".generals .lift:checked")).to_have_count(1)
    page.keyboard.press("h")  # puts the card down, whose draft takes the place of the hint
    expect(page.locator("#hint-box")).to_be_visible(timeout=60_000)
    expect(page.locator("#hint-box")).to_be_in_viewport(ratio=1)
    page.locator("#play-hint").click()
    expect(page.locator(".prompt .window")).to_have_count(0)
    page.context.close()


def test_e_asks_before_a_turn_ends_and_once_more_where_that_loses(browser: Browser, laid: Laid) -> None:
    """Guan Yu's Upkeep exceeds May's empty RESOURCE."""
    for size, presses in ((30, 2), (0, 3)):
        position = Table(ask=True)
        position.may.has("Guan Yu", at="BORDER").resource(size=size)
        table, urls = laid.seat_at(position)
        page = sat(browser, urls[0])
        for _ in range(presses):
            assert table.build_view(0)["decision"] is not None
            page.keyboard.press("e")
        expect(page.locator(".generals.mode-main")).to_have_count(0)
        assert table.position.over is (size == 0)


SIZES = [(1280, 800), (1920, 1080), (390, 844), (360, 740)]


CROWD = {
    "May": {"FORTRESS": 4, "BORDER": 5, "ENEMY_BORDER": 2},
    "David": {"FORTRESS": 3, "ENEMY_BORDER": 5},
}
"""Nineteen generals, ten of them in one zone."""
FRIENDS = ["Sun Quan", "Zhou Yu", "Lu Su", "Lu Xun", "Gan Ning", "Taishi Ci", "Zhou Tai", "Huang Gai", "Sun Jian"]
FRIENDS += ["Lu Meng", "Sun Ce"]
FOES = ["Xun Yu", "Guo Jia", "Sima Yi", "Cao Cao", "Xiahou Dun", "Xiahou Yuan", "Xu Chu", "Dian Wei"]
WITHIN = """() => [...document.querySelectorAll('.unit')].flatMap((el) => {
  const box = el.getBoundingClientRect(), zone = el.closest('.zone').getBoundingClientRect();
  const name = el.querySelector('.unit-name');
  const out = box.top < zone.top - 1 || box.bottom > zone.bottom + 1
    || box.left < zone.left - 1 || box.right > zone.right + 1;
  const cut = getComputedStyle(name).opacity !== '0' && name.scrollWidth > name.clientWidth + 1;
  return out || cut ? [`${el.dataset.id}${out ? ' leaves its zone' : ''}${cut ? ' has its name cut' : ''}`] : [];
})"""


def test_a_crowd_stays_in_its_zones(browser: Browser, laid: Laid) -> None:
    position = Table()
    for player, crowd, names in ((position.may, CROWD["May"], FRIENDS), (position.david, CROWD["David"], FOES)):
        waiting = iter(names)
        for at, count in crowd.items():
            player.has(*[next(waiting) for _ in range(count)], at=at)
    position.may.holds(*DRAFTED, "Red Hare", "River Fleet", "River Fleet", "Feigned Retreat")
    _, urls = laid.seat_at(position)
    page = sat(browser, urls[0])
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(FITS), (width, height)
        assert page.evaluate(WITHIN) == [], (width, height)
