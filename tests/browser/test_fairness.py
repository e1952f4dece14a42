"""A proved deal in two browsers: their scripts seal and open shares, and check the game when it is over."""

from __future__ import annotations

import hashlib
import json
import re
from functools import partial
from pathlib import Path

from playwright.sync_api import Browser, Route, expect

from gonfalon import games
from gonfalon.core.files import proof
from gonfalon.core.files.record import load
from gonfalon.core.files.verify import deal_signs, find_proof, is_proved, read_device_data, verify_record
from tests.browser.player import Player, phone
from tests.browser.tables import concede
from tests.browser.test_gathering import invite
from tests.web.served import Served

FILE = """async (address) => {
  const found = await import(address);
  const key = found.root("c0", "5e", [null, "a1"]);
  return [found.digest("é", 1, null, ""), found.digest("x".repeat(200)), key, found.seed(key, 3).toString(),
    Array.from({ length: 40 }, (_, n) => found.pick(key, n, [1, 2, 3])), found.signs("c0", ["a1", null], "ee"),
    found.setup("5e", "duel", "1", "d", String.raw`{"a":"\\u00e9"}`)];
}"""


def test_two_devices_seal_open_and_check(browser: Browser, served: Served, tmp_path: Path) -> None:
    may, bo = Player(browser.new_context()), Player(phone(browser))
    for player in (may, bo):
        player.be_still()
    link, _ = invite(may.page, served, "jinkei", proved="yes")
    expect(may.page.locator("#seal-0")).to_contain_text("You sealed")
    expect(may.page.locator("#seal-1")).to_contain_text("Free seat not sealed yet")
    may.check_both()
    # Bo's device seals and does not open yet: both see the signs.
    bo.page.route(
        "**/share", lambda route: route.abort() if "opened" in (route.request.post_data or "") else route.continue_()
    )
    bo.quiet = True
    bo.page.goto(link)
    bo.page.locator("#name").fill("Bo")
    bo.page.get_by_role("button", name="Ready", exact=True).click()
    expect(may.page.locator("#seal-0")).to_contain_text("You opened")
    expect(bo.page.locator("#seal-1")).to_contain_text("You sealed")
    signs = may.page.locator("#proof .signs").inner_text()
    assert bo.page.locator("#proof .signs").inner_text() == signs
    bo.check_access()
    bo.page.unroute("**/share")
    for player in (may, bo):
        expect(player.page.locator("#prompt")).to_be_visible()
    bo.quiet = False
    concede(may.page)
    may.page.get_by_role("link", name="Check that the shuffle was fair").click()
    expect(may.page.locator("#own-findings .finding-good")).to_have_count(5)
    expect(may.page.locator(".finding-bad")).to_have_count(0)
    may.page.locator(".proof-more > summary").click()
    may.check_both()
    record = load(may.page.request.get(may.page.url.replace("fair", "record.json")).text(), games.game)
    assert deal_signs(find_proof(record)) == signs
    with may.page.expect_download() as saved:
        may.page.get_by_role("button", name="Save what this device stored").click()
    saved.value.save_as(tmp_path / "mine.json")
    findings = verify_record(record, read_device_data((tmp_path / "mine.json").read_text("utf-8")))
    assert is_proved(findings)
    told = [finding.text for finding in findings]
    assert "The share that your device added for May is in the deal." in told
    assert told[-1].startswith("The record agrees with your device at the seat of May: ")
    assert [player.complaints for player in (may, bo)] == [[], []]


def test_the_script_finds_what_does_not_fit(browser: Browser, served: Served) -> None:
    """Another draw, secret, share or seal is reported, and so is missing data of this device."""
    may = Player(browser.new_context())
    may.page.goto(f"http://127.0.0.1:{served.port}/games/feint/new")
    may.page.locator(".house-rules > summary").click()
    may.page.locator('input[name="proved"][value="yes"]').check(force=True)
    may.page.get_by_role("button", name="Play").click()
    expect(may.page.locator("#prompt")).to_be_visible()
    concede(may.page)
    expect(may.page.get_by_role("link", name="Check that the shuffle was fair")).to_be_visible()
    page = may.page.request.get(may.page.url + "fair").text()
    share, seal, secret, setup = (
        re.findall(f'data-{name}="([0-9a-f]{{64}})"', page)[0] for name in ("opened", "closed", "secret", "setup")
    )
    [given] = re.findall(r'data-given="(\d+)"', page)
    changed = ""

    def answer(route: Route) -> None:
        route.fulfill(body=changed, content_type="text/html")

    may.page.route("**/fair", answer)
    for old, bad in (
        (f'data-given="{given}"', 1),
        (f'data-secret="{secret}"', 2),
        (f'data-opened="{share}"', 3),
        (seal, 2),
        (f'data-setup="{setup}"', 2),
    ):
        number = old.split('"')[1] if '"' in old else old
        other = str(int(number) + 1) if number == given else "0" * 64
        changed = page.replace(old, old.replace(number, other))
        assert changed != page
        may.page.goto(may.page.url.removesuffix("fair") + "fair")
        expect(may.page.locator("#own-findings .finding-bad")).to_have_count(bad)
        expect(may.page.locator("#own-findings .finding-good")).to_have_count(5 - bad)


def answer_with(text: str, route: Route) -> None:
    route.fulfill(body=text, content_type="application/json")


def test_another_record_is_told_from_the_game_that_was_shown(browser: Browser, served: Served) -> None:
    """A record that is truncated, or has another decision or other names, differs from the device's stored game."""
    may = Player(browser.new_context())
    may.page.goto(f"http://127.0.0.1:{served.port}/games/feint/new")
    may.page.locator(".house-rules > summary").click()
    may.page.locator('input[name="proved"][value="yes"]').check(force=True)
    may.page.get_by_role("button", name="Play").click()
    expect(may.page.locator("#prompt")).to_be_visible()
    may.page.locator("#hand .card, .hand .card").first.wait_for()
    concede(may.page)
    expect(may.page.get_by_role("link", name="Check that the shuffle was fair")).to_be_visible()
    # The device keeps the end of the game after it has drawn it.
    may.page.wait_for_function("() => Object.values(localStorage).some((kept) => kept.includes('\"over\":true'))")
    fair, record = (may.page.url + name for name in ("fair", "record.json"))
    true = may.page.request.get(record).json()
    may.page.goto(fair)
    expect(may.page.locator("#own-findings .finding-good")).to_have_count(5)
    lies = [
        true | {"names": true["names"][::-1]},
        true | {"decisions": [*true["decisions"], [0, "pass"]]},
    ]
    for lie in lies:
        may.page.unroute_all()
        may.page.route("**/record.json", partial(answer_with, json.dumps(lie)))
        may.page.goto(fair)
        expect(may.page.locator("#own-findings .finding-bad")).to_have_count(1)
    page = may.page.request.get(fair).text()
    logs = re.search(r'id="own-logs">(.*?)</script>', page)
    assert logs is not None
    other = {seat: log[:-1] for seat, log in json.loads(logs[1]).items()}
    changed = page.replace(logs[1], json.dumps(other))
    may.page.unroute_all()
    may.page.route("**/fair", lambda route: route.fulfill(body=changed, content_type="text/html"))
    may.page.goto(fair)
    expect(may.page.locator("#own-findings .finding-bad")).to_contain_text("the record tells another game")


def test_the_script_counts_as_the_program_does(browser: Browser, served: Served) -> None:
    page = browser.new_context().new_page()
    page.goto(f"http://127.0.0.1:{served.port}/about")
    style = page.locator('link[rel="stylesheet"]').first.get_attribute("href") or ""
    found = page.evaluate(FILE, style.replace("gonfalon.css", "proof.js"))
    key = proof.derive_root("c0", "5e", [None, "a1"])
    text = json.dumps(["gonfalon proof 1", "é", 1, None, ""], separators=(",", ":"), ensure_ascii=False)
    long = json.dumps(["gonfalon proof 1", "x" * 200], separators=(",", ":"))
    assert found[:2] == [hashlib.sha256(each.encode()).hexdigest() for each in (text, long)]
    assert found[2:4] == [key.hex(), str(-1 - proof.derive_outcome(key, 3, [-1], [1]))]
    assert found[4] == [proof.derive_outcome(key, n, [0, 1, 2], [1, 2, 3]) for n in range(40)]
    assert found[5] == proof.format_signs(proof.hash_deal("c0", ["a1", None], "ee"))
    assert found[6] == proof.hash_parts("setup", "5e", "duel", "1", "d", json.dumps({"a": "é"}, separators=(",", ":")))
