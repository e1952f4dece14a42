"""The table of a game that brings no page of its own: whatever its board holds, laid out as sides, zones and cards.

All of it is made from the board that the viewer is given anyway, so it can show nothing more. What cannot be drawn so
is left to the game's words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final
from zlib import crc32

from gonfalon.core.rules.game import Game
from gonfalon.core.rules.page import CardIds
from gonfalon.core.text.english import slug
from gonfalon.core.text.sides import Odd, Side, Zone, sides_of
from gonfalon.core.text.untrusted import initial
from gonfalon.table.live.views import ShownAction

MOST_BACKS: Final = 8
"""More cards face down than that are a pile."""
MOST_CARDS: Final = 12
"""Of more cards face up equal ones are drawn once."""
MOST_SHARED: Final = 5
"""The same where nobody's cards lie; there any that are face down are a pile."""
COLOURS: Final = ("red", "blue", "yellow", "green", "purple", "orange", "teal", "brown", "grey")
PATTERNS: Final = ("barry", "paly", "bendy", "chevronny", "lozengy", "checky", "plain")
ENDS: Final = ("end", "end-turn", "done", "stop")
"""The answers to which the key `e` leads."""


def table_of(
    game: Game | None,
    board: Mapping[str, Any],
    me: int | None,
    names: Sequence[str],
    answers: Sequence[ShownAction],
) -> dict[str, Any] | None:
    """What _plain.html is given of a board: the sides of the others, what lies between, one's own side; None for one
    that is told in words alone. `answers` may be given by touching the card that they name."""
    try:
        sides, shared = sides_of(board, len(names))
    except Odd:
        return None
    order = sides if me is None else [*sides[me + 1 :], *sides[:me]]
    draw = Drawing(printed(game), {slug(answer["id"]): answer for answer in answers}, me)
    others = [draw.side(side, names[side.seat]) for side in order]
    between = draw.side(shared, "")
    return {"others": others, "shared": between, "mine": draw.side(sides[me], names[me]) if me is not None else None}


def marked(answers: Sequence[ShownAction]) -> list[dict[str, str]]:
    """Answers as buttons, with the marks of those to which keys of their own lead."""
    marks = {"pass": "pass"} | dict.fromkeys(ENDS, "done")
    return [{"id": one["id"], "text": one["text"], "mark": marks.get(one["id"], "")} for one in answers]


# ---- drawing it ----------------------------------------------------------------------------------------------------


def printed(game: Game | None) -> dict[str, str]:
    """The cards of a game of which there is more to read, by their names, in its order."""
    return (
        {}
        if game is None
        else {str(card["name"]): str(card.get("slug", "")) for card in game.all_cards() if "name" in card}
    )


def texts(game: Game) -> list[dict[str, Any]]:
    """What _plain_cards.html is given: what is printed on a game's cards, with the arms that they bear on the board."""
    words = {str(card["name"]): str(card.get("text", "")) for card in game.all_cards() if "name" in card}
    return [
        arms(name, n) | {"slug": slug, "text": words[name]}
        for n, (name, slug) in enumerate(printed(game).items())
        if slug
    ]


def arms(name: str, number: int | None = None) -> dict[str, Any]:
    """A card's initial on a field of its own: by its number in the game's list, else by its name."""
    number = crc32(name.encode()) if number is None else number
    colour, pattern = COLOURS[number % len(COLOURS)], PATTERNS[number % len(PATTERNS)]
    return {"name": name, "letter": initial(name), "colour": colour, "pattern": pattern}


class Drawing:
    """Gives every card an id from what is seen, its arms, and the answer that it stands for."""

    def __init__(self, printed: dict[str, str], answers: dict[str, ShownAction], me: int | None) -> None:
        self.ids = CardIds()
        self.printed = printed
        self.arms: dict[str, int] = {name: n for n, name in enumerate(printed)}
        self.answers = answers
        self.me = me

    def side(self, side: Side, name: str) -> dict[str, Any]:
        """A side, or what lies between them."""
        mine = side.seat == self.me
        zones = [self.zone(zone, mine, side.seat >= 0) for zone in side.zones]
        return {"seat": side.seat, "name": name, "facts": side.facts, "zones": zones}

    def zone(self, zone: Zone, mine: bool, seated: bool) -> dict[str, Any]:
        """A zone; equal cards of a long one are drawn once."""
        known = [card for card in zone.cards if card is not None]
        backs = len(zone.cards) - len(known)
        counts: dict[str, int] = {}
        for card in known:
            counts[card] = counts.get(card, 0) + 1
        most_cards, most_backs = (MOST_CARDS, MOST_BACKS) if seated else (MOST_SHARED, 1)
        drawn = list(counts.items()) if len(known) > most_cards else [(card, 1) for card in known]
        may = self.answers if mine and zone.secret else {}
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

    def card(self, name: str, count: int, answer: ShownAction | None) -> dict[str, Any]:
        """A card face up."""
        return arms(name, self.arms.get(name)) | {
            "id": self.ids.numbered(f"c-{slug(name)}"),
            "count": count,
            "text": self.printed.get(name, ""),
            "answer": answer["id"] if answer else None,
        }
