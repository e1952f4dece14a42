"""The table of a game without a template: its board, laid out as sides, zones and cards.

It is made from the viewer's board alone, so it can show nothing more. Anything that it cannot draw is left to the
game's text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final
from zlib import crc32

from gonfalon.core.rules.game import Game
from gonfalon.core.rules.page import CardIds
from gonfalon.core.rules.simple import SEAT_MARK
from gonfalon.core.text.english import slug
from gonfalon.core.text.sides import OddBoardError, Side, Zone, sides_of
from gonfalon.core.text.untrusted import initial
from gonfalon.table.live.views import ShownAction
from gonfalon.web.shared.card_pictures import read_icons
from gonfalon.web.shared.template_context import Context

MOST_BACKS: Final = 8
"""The number of face-down cards above which they are drawn as a pile."""
MOST_CARDS: Final = 12
"""The number of face-up cards above which equal ones are drawn once."""
MOST_SHARED: Final = 5
"""The number of cards in a shared zone above which equal ones are drawn once; there any face-down cards are a pile."""
COLOURS: Final = ("red", "blue", "yellow", "green", "purple", "orange", "teal", "brown", "grey")
PATTERNS: Final = ("barry", "paly", "bendy", "chevronny", "lozengy", "checky", "plain")
ENDS: Final = ("end", "end-turn", "done", "stop")
"""The answers that have the key `e`."""


def build_table(
    game: Game | None, board: Mapping[str, object], me: int | None, names: Sequence[str], answers: Sequence[ShownAction]
) -> Context | None:
    """Return the board for _plain.html: the other sides, the shared zones, and the own side; None for a board of text
    alone. The `answers` may be given by a click on the card that they name."""
    try:
        sides, shared = sides_of(board, len(names))
    except OddBoardError:
        return None
    order = sides if me is None else [*sides[me + 1 :], *sides[:me]]
    icons = {} if game is None else read_icons(game.folder)
    draw = Drawing(list_printed(game), icons, {slug(answer["id"]): answer for answer in answers}, me)
    others = [draw.side(side, names[side.seat]) for side in order]
    between = draw.side(shared, "")
    return {"others": others, "shared": between, "mine": draw.side(sides[me], names[me]) if me is not None else None}


def mark_answers(answers: Sequence[ShownAction]) -> list[dict[str, str]]:
    """Return answers as buttons, with marks for those that have keys of their own."""
    marks = {"pass": "pass"} | dict.fromkeys(ENDS, "done")
    return [{"id": one["id"], "text": one["text"], "mark": marks.get(one["id"], "")} for one in answers]


# ---- drawing it ----------------------------------------------------------------------------------------------------


def list_printed(game: Game | None) -> dict[str, str]:
    """Return the cards of a game with further text, by name, in the game's order."""
    return (
        {}
        if game is None
        else {str(card["name"]): str(card.get("slug", "")) for card in game.all_cards() if "name" in card}
    )


def build_texts(game: Game) -> list[Context]:
    """Return the printed text of a game's cards for _plain_cards.html, with the arms that they have on the board."""
    words = {str(card["name"]): str(card.get("text", "")) for card in game.all_cards() if "name" in card}
    icons = read_icons(game.folder)
    return [
        make_arms(name, n) | {"slug": slug, "text": words[name], "icon": icons.get(slug)}
        for n, (name, slug) in enumerate(list_printed(game).items())
        if slug
    ]


def make_arms(name: str, number: int | None = None) -> Context:
    """Return a card's initial on a coloured field, chosen by its number in the game's list, else by its name."""
    # `hash` would give each process other colors.
    number = crc32(name.encode()) if number is None else number
    colour, pattern = COLOURS[number % len(COLOURS)], PATTERNS[number % len(PATTERNS)]
    return {"name": name, "letter": initial(name), "colour": colour, "pattern": pattern}


class Drawing:
    """Gives every visible card an id, its arms, and the answer that it stands for."""

    def __init__(
        self, printed: dict[str, str], icons: Mapping[str, str], answers: dict[str, ShownAction], me: int | None
    ) -> None:
        self.ids = CardIds()
        self.printed = printed
        self.icons = icons
        self.arms: dict[str, int] = {name: n for n, name in enumerate(printed)}
        self.answers = answers
        self.me = me

    def side(self, side: Side, name: str) -> Context:
        """Return a side, or the shared zones."""
        mine = side.seat == self.me
        zones = [self.zone(zone, mine, side.seat >= 0) for zone in side.zones]
        aim = self.answers.get(f"{SEAT_MARK}{side.seat + 1}")
        shown = {"seat": side.seat, "name": name, "facts": side.facts, "marks": side.marks, "zones": zones}
        return shown | {"answer": aim["id"] if aim else None}

    def zone(self, zone: Zone, mine: bool, seated: bool) -> Context:
        """Return a zone. Equal cards of a long one are drawn once."""
        known = [card for card in zone.cards if card is not None]
        backs = len(zone.cards) - len(known)
        counts: dict[str, int] = {}
        for card in known:
            counts[card] = counts.get(card, 0) + 1
        most_cards, most_backs = (MOST_CARDS, MOST_BACKS) if seated else (MOST_SHARED, 1)
        drawn = list(counts.items()) if len(known) > most_cards else [(card, 1) for card in known]
        held = {slug(card) for card in known}
        # A question that names other cards as well is about another hand, such as a guess.
        named = self.answers.keys() & map(slug, self.printed)
        may = self.answers if mine and zone.secret and named <= held else {}
        return {
            "id": zone.id,
            "label": zone.label,
            "secret": zone.secret and bool(known),
            "hand": mine and zone.secret,
            "size": len(zone.cards),
            "cards": [self.card(card, count, may.get(slug(card))) for card, count in drawn],
            "backs": [self.ids.numbered(f"c-{zone.id}-back") for _ in range(backs if backs <= most_backs else 1)],
            "pile": backs if backs > most_backs else 0,
        }

    def card(self, name: str, count: int, answer: ShownAction | None) -> Context:
        """Return a face-up card."""
        return make_arms(name, self.arms.get(name)) | {
            "id": self.ids.numbered(f"c-{slug(name)}"),
            "count": count,
            "text": self.printed.get(name, ""),
            "icon": self.icons.get(self.printed.get(name) or slug(name)),
            "answer": answer["id"] if answer else None,
        }
