"""Every card of the standard sets has a picture of its own, and every other card the crest of its faction and its
initials."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any, Final

import pytest
from starlette.testclient import TestClient

from gonfalon import games
from gonfalon.web.http.templates import Templates
from gonfalon.web.shared.card_pictures import draw_path, draw_shape, draw_sheets, list_pictures, read_face
from gonfalon.web.shared.renderer import Renderer
from gonfalon.web.shared.static_files import STATIC, find_sheets, list_credits

DRAWN: Final = ("factionwars", "feint", "generals")
"""The games whose cards have pictures."""
OWN: Final = {"bulb", "deck", "gonfalon", "menu", "paper", "plug", "rock", "skull", "tombstone"}
"""The icons that this project drew itself."""
MOST: Final = 30_000
USED: Final = re.compile(r'<use href="/static/\w+/([\w-]+\.svg)#([\w-]+)"')


@pytest.fixture(scope="module")
def templates() -> Templates:
    return Renderer({name: games.find_game_class(name) for name in games.names()}).templates


def draw(templates: Templates, game: str, card: dict[str, Any], macro: str = "picture") -> str:
    """Return a card's picture as HTML."""
    source = f'{{% import "{game}/art.html" as art %}}{{{{ art.{macro}(c) }}}}'
    return templates.env.render_str(source, c=card).replace("&#x2f;", "/")


def list_cards(game: str) -> list[dict[str, Any]]:
    return [dict(card) for card in games.find_game_class(game)().catalogue()]


@pytest.mark.parametrize("game", DRAWN)
def test_every_card_has_a_picture_of_its_own_in_a_served_sheet(
    client: TestClient, templates: Templates, game: str
) -> None:
    root = re.search(r'href="(/static/\w+)/', client.get("/").text)
    assert root is not None
    seen: dict[tuple[str, str], str] = {}
    for card in list_cards(game):
        [(sheet, symbol)] = USED.findall(draw(templates, game, card))
        assert "unknown" not in draw(templates, game, card), card["slug"]
        assert seen.setdefault((sheet, symbol), card["slug"]) == card["slug"]
    for sheet, symbol in seen:
        answer = client.get(f"{root[1]}/{sheet}")
        assert answer.headers["content-type"].startswith("image/svg+xml")
        assert f'<symbol id="{symbol}"' in answer.text


@pytest.mark.parametrize("game", DRAWN)
def test_no_two_cards_share_an_icon_and_none_is_a_crest(game: str) -> None:
    icons = [face["icon"] for face in list_pictures({game: games.find_game_class(game)})[game].values()]
    assert len(icons) == len(set(icons))
    assert {card["slug"] for card in list_cards(game)} == set(
        read_face(games.find_game_class(game).folder, "faces.toml")["icon"]
    )
    crests = {card.get("glyph") for card in list_cards("generals")} if game == "generals" else set()
    assert not crests & set(icons)


def test_every_general_has_a_portrait_that_no_other_has(templates: Templates) -> None:
    kind = games.find_game_class("generals")
    generals = {card["slug"] for card in list_cards("generals") if card["type"] == "character"}
    faces = {
        slug: face
        for sheet in read_face(kind.folder, "faces.toml")["portraits"].values()
        for slug, face in sheet.items()
    }
    assert set(faces) == generals
    for one, other in combinations(faces, 2):
        parts = [[faces[slug].get(part) for part in ("head", "arm", "held", "beard")] for slug in (one, other)]
        assert parts[0] != parts[1], (one, other)
    for card in list_cards("generals"):
        drawn = draw(templates, "generals", card)
        assert ("generals-" + card["slug"] in drawn) == (card["slug"] in generals)


def test_a_large_card_of_a_general_also_has_its_icon(templates: Templates) -> None:
    cards = {card["slug"]: card for card in list_cards("generals")}
    found = [
        [symbol for _, symbol in USED.findall(draw(templates, "generals", cards[slug], "full"))]
        for slug in ("zhou-yu", "plunder")
    ]
    assert found == [["generals-zhou-yu", "lyre"], ["robber-hand"]]
    own = draw(templates, "generals", UNKNOWN | {"type": "character"}, "full")
    assert "badge" not in own


def test_all_parts_are_used() -> None:
    folder = games.find_game_class("generals").folder
    sheets, parts = read_face(folder, "faces.toml")["portraits"], read_face(folder, "parts.toml")
    faces = [{**parts["defaults"], **face} for sheet in sheets.values() for face in sheet.values()]
    for place, drawn in parts["parts"].items():
        assert {name.removesuffix("-back") for name in drawn} == {face[place] for face in faces if face[place]}, place


def test_sheets_are_small_and_whole() -> None:
    sheets = draw_sheets("generals", games.find_game_class("generals").folder)
    assert set(sheets) == {f"generals-{name}-faces.svg" for name in ("wei", "shu", "wu", "qun")}
    sheets |= {file.name: file.read_text("utf-8") for file in STATIC.glob("*.svg")}
    for name, text in sheets.items():
        assert len(text.encode()) <= MOST, name
        # A policy without inline styles forbids them, and outside references would not be loaded.
        assert not re.search(r"\$|style|url\(|href", text), name


def test_every_icon_is_credited_and_every_credit_is_drawn(client: TestClient) -> None:
    credited = [url.rpartition("/")[2].removesuffix(".html") for icons in list_credits().values() for _, url in icons]
    assert len(credited) == len(set(credited))
    own = OWN | {name for name, sheet in find_sheets().items() if sheet == "generals-land.svg" and name[:5] == "land-"}
    assert set(credited) == set(find_sheets()) - own
    about = client.get("/about").text
    for author, icons in list_credits().items():
        assert f"<dt>{author}</dt>" in about
        for name, url in icons:
            assert f'<a href="{url}" rel="noreferrer">{name}</a>' in about


UNKNOWN: Final[dict[str, Any]] = {
    "slug": "own",
    "name": "Your own",
    "symbol": None,
    "subtypes": [],
    "glyph": "flame",
    "colour": "red",
    "pattern": "plain",
}


@pytest.mark.parametrize(
    ("game", "fields", "sign", "initials"),
    [
        ("generals", {"type": "character", "glyph": "flame", "name": "Dong Cheng"}, "flame", "DC"),
        ("generals", {"type": "character", "glyph": "", "name": "Ma"}, "gonfalon", "M"),
        ("generals", {"type": "strategy", "subtypes": ["tactics"], "name": "Tactics - Mud"}, "archery-target", "M"),
        ("generals", {"type": "equipment", "subtypes": ["troop"], "name": "Elephant Riders"}, "shield", "ER"),
        ("generals", {"type": "blessing", "name": "Rain"}, "scroll-unfurled", "R"),
        ("feint", {"faction": "keion", "colour": "red", "name": "New Knight"}, "griffin-shield", "NK"),
        ("factionwars", {"faction": "ninjas", "kind": "recruit", "name": "Smuggler"}, "ninja-mask", "S"),
        ("factionwars", {"faction": None, "kind": "goal", "name": "Two of a Kind"}, "archery-target", "TO"),
    ],
)
def test_an_unknown_card_has_a_sign_and_its_initials(
    templates: Templates, game: str, fields: dict[str, Any], sign: str, initials: str
) -> None:
    card = UNKNOWN | fields
    drawn = draw(templates, game, card)
    assert [symbol for _, symbol in USED.findall(drawn)] == [sign]
    assert re.findall(r"<text[^>]*>([^<]*)</text>", drawn) == [initials]


def test_a_game_without_pictures_shows_crests(templates: Templates) -> None:
    source = '{% import "_plain_art.html" as art with context %}{{ art.picture(c) }}'
    for card in ({"name": "Old Oak"}, {"name": "Old Oak", "faction": "nobody", "colour": None}):
        drawn = templates.env.render_str(source, c={"slug": "old-oak", **card}, game={"name": "oaks"})
        assert "#gonfalon" in drawn
        assert ">OO</text>" in drawn


def test_an_unknown_icon_is_drawn_as_a_gonfalon(templates: Templates) -> None:
    drawn = draw(templates, "generals", UNKNOWN | {"type": "character", "glyph": "dragonfly"}, "portrait")
    assert USED.findall(drawn) == [("icons.svg", "gonfalon")]


def test_shapes() -> None:
    assert draw_path("M20 10H24V12.5L20 10Z", mirrored=False) == "M80 40h16v10l-16-10z"
    assert draw_path("M20 10H24V12.5L20 10Z", mirrored=True) == "M176 40h-16v10l16-10z"
    assert draw_path("M0 0Q1 2 3 4C5 6 7 8 3 4", mirrored=False) == "M0 0q4 8 12 16c8 8 16 16 0 0"
    assert draw_shape("hat M0 0H1") == '<path fill="$hat" d="M0 0h4"/>'
    assert draw_shape("hat2/- M0 0H1") == '<path fill="$hat2" stroke="none" d="M0 0h4"/>'
    assert draw_shape("//1.3/0,2 M0 0H1") == '<path stroke-width="5.2" stroke-dasharray="0 8" d="M0 0h4"/>'
    assert draw_shape("= skin M0 0H1") == '<path fill="$skin" d="M0 0h4M256 0h-4"/>'
    assert draw_shape("skin M0 0H1", aside=True) == '<path fill="$skin" d="M256 0h-4"/>'
    with pytest.raises(ValueError, match="not a shape: skin"):
        draw_shape("skin")
