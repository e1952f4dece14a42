"""Templates are rendered strictly: text is escaped, missing values raise, and an error quotes no value."""

from __future__ import annotations

from pathlib import Path

import pytest
from markupsafe import Markup
from minijinja import TemplateError

from gonfalon.web.http.templates import Templates


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def drawn(folder: Path, text: str, **given: object) -> str:
    (folder / "page.html").write_text(text, "utf-8")
    return Templates(folder, {}).draw("page.html", given)


def test_text_is_escaped_and_markup_is_not(folder: Path) -> None:
    shown = drawn(folder, "{{ name }} {{ whole }}", name="<b>\"A/B\" & 'C'", whole=Markup("<i>1/2</i>"))
    assert shown == "&lt;b&gt;&quot;A/B&quot; &amp; &#x27;C&#x27; <i>1/2</i>"


def test_text_like_an_escaped_slash_is_unchanged(folder: Path) -> None:
    assert drawn(folder, "{{ name }}", name="&#x2f;") == "&amp;#x2f;"


@pytest.mark.parametrize("text", ["{{ absent }}", "{{ card.absent }}", "{% for x in absent %}{% endfor %}"])
def test_missing_values_are_errors_that_quote_nothing(folder: Path, text: str) -> None:
    with pytest.raises(TemplateError) as caught:
        drawn(folder, text, card={"slug": "hidden-patriot"}, hand=["hidden-patriot"])
    assert "hidden-patriot" not in f"{caught.value!r} {caught.value}"


def test_a_game_finds_its_own_templates_and_those_of_the_server(folder: Path) -> None:
    for name in ("common", "own"):
        (folder / name).mkdir()
    (folder / "common" / "part.html").write_text("shared {{ word }}", "utf-8")
    (folder / "own" / "table.html").write_text('{% include "part.html" %}, own', "utf-8")
    templates = Templates(folder / "common", {"game": folder / "own"})
    assert templates.draw("game/table.html", {"word": "say"}) == "shared say, own"
    with pytest.raises(TemplateError):
        templates.draw("table.html", {})
    with pytest.raises(TemplateError):
        templates.draw("game/../own/nothing.html", {})


def test_filters(folder: Path) -> None:
    rows = [{"id": "a", "text": "Ay"}, {"id": "b", "text": "Be"}]
    assert drawn(folder, '{{ (rows|by("id")).b.text }}', rows=rows) == "Be"
    assert drawn(folder, "{{ (rows|numbered).b.n }}{{ (rows|numbered).a.text }}", rows=rows) == "2Ay"
    assert drawn(folder, '{{ lists|flat|join(",") }}', lists=[[1, 2], [], [3]]) == "1,2,3"
    assert (
        drawn(folder, '{{ texts|halves("-")|map("join", "+")|join(" ") }}', texts=["a-b", "c", "d-e-f"]) == "a+b d+e-f"
    )
