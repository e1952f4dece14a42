"""The script of clocks alone, in an arranged page with the test's own time."""

from __future__ import annotations

from playwright.sync_api import Page, Route

from gonfalon.web.shared.clocks import time_left
from gonfalon.web.shared.static_files import STATIC

PAGE = """<!doctype html><body data-now="1000"><section id="seats"><ul>
<li class="clock clock-free" id="free"><span data-ms="3000" data-since="1000">0:03</span></li>
<li class="chair chair-mine">
<span class="clock" id="own"><span data-ms="66000" data-since="1003">1:06</span></span></li>
<li class="chair"><span class="clock" id="other"><span data-ms="40000">0:40</span></span></li>
</ul></section><p id="time-left" role="status"></p><script type="module" src="/clock.js"></script>"""
SEEN = """() => [...document.querySelectorAll(".clock")]
.map(el => [el.textContent.trim(), el.classList.contains("low"), el.hidden])
.concat([document.getElementById("time-left").textContent])"""
MORPHED = """() => {
  document.querySelector("#own [data-ms]").textContent = "1:06";
  document.dispatchEvent(new Event("seats"));
  return document.querySelector("#own").innerText;
}"""


def answer(route: Route) -> None:
    if route.request.url.endswith(".js"):
        route.fulfill(body=(STATIC / "clock.js").read_text(), content_type="text/javascript")
    else:
        route.fulfill(body=PAGE, content_type="text/html")


def test_clocks_count_down_from_what_the_server_said(page: Page) -> None:
    page.route("**/*", answer)
    page.clock.install(time=5_000_000)  # this device's clock is quite another
    page.goto("http://clock.test/")
    page.clock.pause_at(5_000_010)
    own, other = page.evaluate(SEEN)[1:3]
    assert (own, other) == (["0:59", False, False], ["0:40", False, False])
    assert page.evaluate(SEEN)[0][2]  # the free time is over
    assert page.evaluate(SEEN)[3] == "One minute left."
    page.clock.run_for(30_000)
    assert page.evaluate(SEEN)[1:] == [["0:29", False, False], ["0:40", False, False], "One minute left."]
    assert page.evaluate(MORPHED) == "0:29"
    page.clock.run_for(20_000)
    assert page.evaluate(SEEN)[1] == ["0:09", True, False]
    assert page.evaluate(SEEN)[3] == "Twenty seconds left."
    page.clock.run_for(60_000)
    assert page.evaluate(SEEN)[1] == ["0:00", True, False]
    page.evaluate("delete document.querySelector('.chair-mine [data-ms]').dataset.since")
    page.clock.run_for(1_000)
    assert page.evaluate(SEEN)[3] == ""  # nothing runs any more


def test_script_and_server_write_the_same_figures(page: Page) -> None:
    page.route("**/*", answer)
    page.goto("http://clock.test/")
    for left in (0, 1, 59_000, 60_000, 401_000, 3_599_001, 3_600_000, 86_399_000, 86_400_000, 187_200_000):
        script = "(ms) => { const el = document.querySelector('#other [data-ms]'); el.dataset.ms = ms;"
        script += "document.dispatchEvent(new Event('seats')); return el.textContent; }"
        assert page.evaluate(script, left) == time_left(left)
