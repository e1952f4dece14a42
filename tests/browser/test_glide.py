"""The newest board wins over all messages still in transit."""

from __future__ import annotations

from playwright.sync_api import Browser

from tests.web.served import Served

RACE = """async (url) => {
  const { glide } = await import(url);
  document.body.insertAdjacentHTML('beforeend', '<ul id="from"><li id="c-x">x</li></ul><ul id="to"></ul>');
  const order = [];
  glide('<ul id="to"><li id="c-x">x</li></ul>', () => order.push('older'));
  glide('<ul id="to"></ul>', () => order.push('newer'));
  await new Promise((done) => setTimeout(done, 500));
  return order;
}"""


def test_a_board_that_came_later_is_never_overwritten(browser: Browser, served: Served) -> None:
    context = browser.new_context(reduced_motion="no-preference")
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{served.port}/")
    page.locator("#g-feint").get_by_role("button", name="Play").click()
    page.wait_for_url("**/t/*/*/")
    script = page.locator('script[src$="table.js"]').get_attribute("src")
    assert script is not None
    assert page.evaluate(RACE, script.rpartition("/")[0] + "/glide.js")[-1] == "newer"
    context.close()
