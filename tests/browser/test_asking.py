"""Take-back requests with the others' consent: by keys alone, announced to a screen reader, on a phone in the dark."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Page, ViewportSize, WebSocket, expect

from tests.web.served import Served

PHONE: ViewportSize = {"width": 360, "height": 740}


def test_by_keys_one_asks_and_the_other_agrees(browser: Browser, served: Served) -> None:
    key, tokens, asker = passed(served)
    with browser.new_context(viewport=PHONE, color_scheme="dark") as mine, browser.new_context() as others:
        may, bo = (
            page_at(context.new_page(), served, key, tokens[seat])
            for context, seat in ((mine, asker), (others, 1 - asker))
        )
        may.keyboard.press("u")  # leads to the button, and does not press it
        expect(may.locator("#ask-back")).to_be_focused()
        may.keyboard.press("Enter")
        expect(bo.locator("#request [role=status]")).to_contain_text("asks to undo: “")
        expect(may.locator("#request [role=status]")).to_contain_text("You asked")
        sizes = bo.evaluate(
            "[...document.querySelectorAll('#request button')].map((el) => el.getBoundingClientRect().height)"
        )
        assert len(sizes) == 2
        assert min(sizes) >= 44
        assert may.evaluate("document.documentElement.scrollWidth <= innerWidth")
        bo.locator("#agree button").focus()
        bo.keyboard.press("Enter")
        for page in (may, bo):
            expect(page.locator("#request [role=status]")).to_contain_text("was undone")
            expect(page.locator("#request button")).to_have_count(0)
        expect(may.locator("#prompt.mine")).to_be_visible()


def test_a_hidden_page_hears_only_that_its_turn_has_come(browser: Browser, served: Served) -> None:
    key, tokens, asker = passed(served)
    with browser.new_context() as context:
        page, sockets = context.new_page(), list[WebSocket]()
        page.on("websocket", lambda socket: sockets.append(socket))
        page.clock.install()
        status = page_at(page, served, key, tokens[asker]).locator("#status").text_content()
        set_hidden(page, hidden=True)
        with sockets[0].expect_event("framereceived"):
            page.clock.fast_forward(10_000)
        version = served.ask("GET", f"/api/tables/{key}", token=tokens[1 - asker])[1]["version"]
        move = {"expected": version, "actions": ["pass"]}
        served.ask("POST", f"/api/tables/{key}/actions", move, token=tokens[1 - asker])
        expect(page).to_have_title(re.compile("^Your turn"))
        assert page.locator("#status").text_content() == status, "the board was not sent"
        set_hidden(page, hidden=False)
        expect(page.locator("#status")).not_to_have_text(status or "")
        assert len(sockets) == 2


def set_hidden(page: Page, hidden: bool) -> None:
    """Make a page believe that it is hidden, or shown again."""
    page.evaluate(
        """hidden => { Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
        document.dispatchEvent(new Event("visibilitychange")); }""",
        hidden,
    )


def passed(served: Served) -> tuple[str, list[str], int]:
    """Open a table of Feint where the first seat has passed, which reveals no card in any deal."""
    _, table, _ = served.ask("POST", "/api/tables", {"game": "feint", "seats": ["me", "me"]})
    key, tokens = table["table"], [seat["token"] for seat in table["seats"]]
    views = [served.ask("GET", f"/api/tables/{key}", token=token)[1] for token in tokens]
    asker = next(view["viewer"] for view in views if view["decision"])
    move = {"expected": views[asker]["version"], "actions": ["pass"]}
    status, view, _ = served.ask("POST", f"/api/tables/{key}/actions", move, token=tokens[asker])
    assert (status, view["can_ask_back"]) == (200, True)
    return key, tokens, asker


def page_at(page: Page, served: Served, key: str, token: str) -> Page:
    page.goto(f"http://127.0.0.1:{served.port}/t/{key}/{token}/")
    expect(page.locator("#net")).to_have_attribute("data-state", "on")
    return page
