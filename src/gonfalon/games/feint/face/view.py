"""The table as data and as text. Everything here is computed from a masked state."""

from __future__ import annotations

from collections import Counter
from typing import Final, cast

from gonfalon.core.basics.cards import HIDDEN, KIND, SEEN
from gonfalon.core.rules.page import Arms, CardIds, Page, Round, Shown, ended, is_due, wrapped
from gonfalon.core.rules.state import OPEN, Card, Event, Seat, State
from gonfalon.core.text.english import verb
from gonfalon.core.text.sheet import Sheet, Still
from gonfalon.games.feint import box
from gonfalon.games.feint.face import refusals
from gonfalon.games.feint.face.board import (
    Back,
    Board,
    CatalogueCard,
    Change,
    Controls,
    Face,
    Lobby,
    Place,
    PlayableCard,
    PrintedCard,
    Resolution,
    SeatPanel,
    Side,
    Sum,
)
from gonfalon.games.feint.face.film import film
from gonfalon.games.feint.face.sheet import sheet
from gonfalon.games.feint.face.words import FeintWords
from gonfalon.games.feint.rules import events as ev
from gonfalon.games.feint.rules.actions import CARD, PASS
from gonfalon.games.feint.rules.cards import Kind, Knight
from gonfalon.games.feint.rules.state import DOWN, MORE_STAY, OPPONENT, STAY, FeintState
from gonfalon.games.feint.setup import feint

ICONS: Final = {
    "restrict": "limits how it is played",
    "play": "happens when it is played",
    "trigger": "happens at a time of its own",
    "resolve": "happens in the Resolution phase",
    "protected": "Protected: other cards' effects pass it by",
}
PROTECTED_RULINGS: Final = (30, 31, 32, 33)
PHASES: Final[dict[str, str]] = dict.fromkeys(("reinforce", "shuffle", "deal", "toss"), "reinforcement")


class FeintPage(FeintWords, Page):
    """What pages, terminals and programs show of Feint."""

    counts = "Morale"
    rounds_count = "Strategy Rating of each round"

    def board(self, view: State) -> Board:
        """All that lies on the table, as the viewer may know it."""
        s = feint(view)
        faces = _Faces(self)
        if s.moment:
            faces.turned.update(
                (event[2], event[3] & KIND, f"at{s.setup.numbers[event[4]]}")
                for event in last_round(s)
                if event[0] == ev.TURNED
            )
        places = [_place(s, faces, place) for place in range(s.places)]  # before the seats: faces are numbered
        return {
            "viewer": s.viewer,
            "me": s.viewer if s.viewer >= 0 else None,
            "round": min(s.round, s.end - 1),
            "rounds": s.end - 1,
            "phase": s.moment or (PHASES.get(s.stack[-1].prompt, "deployment") if s.stack else "over"),
            "start": s.first,
            "capacity": s.setup.capacity,
            "hand_size": s.setup.hand,
            "won": [s.won[i] if i < len(s.won) else None for i in range(s.end - 1)],
            "seats": [self._seat(s, faces, seat) for seat in (0, 1)],
            "places": places,
            "resolution": resolution(s),
            "outcome": ended(s),
        }

    def _seat(self, s: FeintState, faces: _Faces, seat: Seat) -> SeatPanel:
        faction = self.box.factions[s.setup.factions[seat]]
        numbers = s.setup.numbers
        fielded = [card for place in range(s.places) for card in s.at(seat, place)]
        at = _location(s, seat)
        scouted = bool(s.scout[seat])
        pile = s.pile[seat]
        peeked = bool(pile) and pile[-1] & KIND != HIDDEN
        known_deck = [card for card in reversed(s.deck[seat]) if card & KIND != HIDDEN]
        return {
            "seat": seat,
            "faction": faction["slug"],
            "faction_name": faction["name"],
            "colour": faction.get("colour", ""),
            "glyph": faction.get("glyph", ""),
            "pattern": faction.get("pattern", ""),
            "morale": s.morale[seat],
            "at_risk": s.fielded_morale(seat),
            "at_risk_hidden": sum(card & KIND == HIDDEN for card in fielded),
            "vp": s.won.count(seat),
            "passed": bool(s.passed >> seat & 1),
            "to_act": is_due(s, seat),
            "hand": [faces.face(seat, card, "hand") for card in s.hand[seat]],
            "hand_count": len(s.hand[seat]),
            "deck_count": len(s.deck[seat]),
            "known_deck": [faces.face(seat, card, "deck") for card in known_deck],
            "discard": [faces.face(seat, card, "discard") for card in s.discard[seat]],
            "location": {
                "number": numbers[at] if at >= 0 else None,
                "revealed": scouted and bool(s.scout[seat][0] & SEEN[OPPONENT[seat]]),
                "drawn": scouted,
            },
            "next_location": numbers[pile[-1] & KIND] if peeked else None,
            "pips": _pips(s, seat),
            "marked": [self.notation(action) for action in s.answers[seat] if action >= CARD],
        }

    def moment_words(self, view: State, names: list[str]) -> str:
        s = feint(view)
        fought = resolution(s)
        if fought is None:
            return ""
        winner, loser = fought["winner"], fought["loser"]
        won, lost = fought["sums"][winner]["total"], fought["sums"][loser]["total"]
        tie = " A tie: the start player wins." if fought["tie"] else ""
        nowhere = "" if fought["battles"] else " No Battle Location was left."
        return (
            f"{verb(names[winner], 'win')} round {fought['round']}, {won} to {lost}.{nowhere}{tie} "
            f"{verb(names[loser], 'lose')} {fought['lost']} Morale."
        )

    def arms(self, seat: Seat) -> Arms:
        faction = self.box.factions[self.setup.factions[seat]]
        return {
            "colour": faction.get("colour", ""),
            "pattern": faction.get("pattern", ""),
            "glyph": faction.get("glyph", ""),
        }

    def chapter(self, view: State) -> str:
        s = feint(view)
        return f"Round {min(s.round, s.end - 1)}" if s.round else ""

    def score(self, view: State) -> list[int]:
        return feint(view).morale[:]

    def rounds(self, view: State) -> list[Round]:
        found: list[Round] = []
        totals = [0, 0]
        for code, _, seat, _, a, _ in view.log or []:
            if code == ev.TOTAL:
                totals[seat] = a
            elif code == ev.WON:
                found.append({"name": str(len(found) + 1), "values": totals[:], "winner": seat})
        return found

    def controls(self, view: State) -> Controls:
        """How a page asks the viewer's decision: marks to discard, a card with its Location, or a choice."""
        s = feint(view)
        shown: Controls = {"mode": None, "cards": {}, "pass": False, "confirm_pass": None, "choices": []}
        seat = s.turn
        if seat < 0 or seat != s.viewer:
            return shown
        asked = s.stack[-1].prompt
        if asked == "reinforce":
            shown["mode"] = "reinforce"
        elif asked in ("deploy", "play-one", "conjure"):
            source = s.discard[seat] if asked == "conjure" else s.hand[seat]
            shown["mode"] = "play"
            shown["source"] = "discard" if asked == "conjure" else "hand"
            shown["cards"] = {s.kinds[k].slug: _playable(s, s.kinds[k]) for k in sorted({c & KIND for c in source})}
            shown["pass"] = PASS in s.actions
            shown["confirm_pass"] = _lethal(s, seat) if asked == "deploy" else None
        else:
            shown["mode"] = "choice"
            shown["choices"] = self.buttons(s, s.actions)
        return shown

    def sheet(self, board: Shown, names: list[str], width: int, height: int) -> Sheet:
        """The table in characters."""
        return sheet(cast("Board", board), names, width, height)

    def film(self, board: Shown, before: Shown | None, names: list[str]) -> list[Still]:
        """The way to a board, in stills."""
        return film(cast("Board", board), cast("Board | None", before), names)

    def touches(self, notation: str) -> tuple[str, ...]:
        """A card and the Location that it is played to."""
        card, at, place = notation.partition("@")
        return (card, at + place) if card and at else (notation,)

    def card(self, text: str) -> PrintedCard | None:
        kind = self.kind_of.get(text.strip().lower().replace(" ", "-"))
        return self.printed(kind) if kind else None

    def all_cards(self) -> list[CatalogueCard]:
        return [self._catalogued(kind) for kind in self.setup.kinds if kind.faction in self.setup.factions]

    def catalogue(self) -> list[CatalogueCard]:
        return [self._catalogued(kind) for kind in self.setup.kinds]

    def guide_tables(self) -> dict[str, list[list[str]]]:
        """Return a table of the cards of each faction."""
        head = ["Card", "n", "Str", "Mor", "When", "What it does", "Rulings"]
        return {
            f"cards of {faction['slug']}": [
                head,
                *(self._guide_row(kind) for kind in self.kind_of.values() if kind.faction == number),
            ]
            for number, faction in enumerate(self.box.factions)
        }

    def _guide_row(self, kind: Kind) -> list[str]:
        """Return a card as a row of the guide: names of ours in italics, inferred numbers with an i."""
        card = self.cards[kind.id]
        numbers = [
            f"{card[key]} i" if key in card.get("inferred", []) else str(card[key]) for key in ("strength", "morale")
        ]
        name = f"*{kind.name}*" if card.get("ours") else kind.name
        text = " ".join([*(f"{tag.capitalize()}." for tag in card.get("tags", [])), self.printed(kind)["text"]])
        return [name, str(card["copies"]), *numbers, ", ".join(kind.icons), text, ", ".join(map(str, kind.rulings))]

    def _catalogued(self, kind: Kind) -> CatalogueCard:
        faction = self.box.factions[kind.faction]
        return {**self.printed(kind), "faction_name": faction["name"], "colour": faction.get("colour", "")}

    def printed(self, kind: Kind) -> PrintedCard:
        """What is printed on a card, with what is known about it."""
        card = self.cards[kind.id]
        text, icons, rulings = kind.says(self.setup), kind.icons, kind.rulings
        if kind.protected:
            text = f"{text} Protected.".strip()
            icons = (*icons, "protected")
            rulings = (*rulings, *PROTECTED_RULINGS)
        change: Change = {"by": card["by"]} if "by" in card else {}
        if "tokens" in card:
            change["tokens"] = card["tokens"]
        return {
            "slug": kind.slug,
            "name": kind.name,
            "faction": self.box.factions[kind.faction]["slug"],
            "strength": kind.strength,
            "morale": kind.morale,
            "copies": card["copies"],
            "tags": list(card.get("tags", [])),
            "ability": kind.ability or None,
            **change,
            "protected": kind.protected,
            "text": text,
            "icons": list(icons),
            "icon_words": [ICONS[icon] for icon in icons],
            "rulings": list(rulings),
            "provenance": box.provenance(card),
        }

    @classmethod
    def lobby(cls) -> Lobby:
        """The factions."""
        keys = ("slug", "name", "colour", "glyph", "pattern", "style")
        return {"factions": [{key: str(faction.get(key, "")) for key in keys} for faction in box.read(None).factions]}

    def text(self, view: State, names: list[str]) -> str:
        """The table in words, at most 80 columns wide."""
        return _text(self.board(view), view.viewer, names)


class _Faces(CardIds):
    """The cards of a page."""

    def __init__(self, page: FeintPage) -> None:
        super().__init__()
        self.page = page
        self.printed: dict[int, PrintedCard] = {}
        self.turned: Counter[tuple[Seat, int, str]] = Counter()
        """Of each seat the kinds of cards that have just been turned up, and in which zone."""

    def face(self, seat: Seat, card: Card, zone: str) -> Face | Back:
        kind = card & KIND
        down = bool(card & DOWN)
        if kind == HIDDEN:
            return {"back": True, "owner": seat, "down": down, "weight": 3, "id": self.numbered(f"h{seat}-{zone}")}
        if kind not in self.printed:
            self.printed[kind] = self.page.printed(self.page.setup.kinds[kind])
        printed = self.printed[kind]
        return {
            **printed,
            "back": False,
            "owner": seat,
            "down": down,
            "turned": self.turned_up(seat, kind, zone),
            "known": True,
            "stay": 1 + card // MORE_STAY if card & STAY else 0,
            "id": self.numbered(f"k{seat}-{printed['slug']}"),
        }

    def turned_up(self, seat: Seat, kind: int, zone: str) -> bool:
        """Whether such a card there has just been turned up; each is named once."""
        found = self.turned[seat, kind, zone] > 0
        self.turned[seat, kind, zone] -= found
        return found


def _place(s: FeintState, faces: _Faces, place: int) -> Place:
    number = s.setup.numbers[place]
    sides: list[Side] = []
    for seat in (0, 1):
        cards = s.at(seat, place)
        known = [card for card in cards if card & KIND != HIDDEN]
        strength = sum(s.kinds[card & KIND].strength for card in known)
        sides.append(
            {
                "cards": [faces.face(seat, card, f"at{number}") for card in cards],
                "strength": strength,
                "hidden": len(cards) - len(known),
                "rating": strength * number,
            }
        )
    return {
        "number": number,
        "load": s.load[place],
        "capacity": s.capacity(place),
        "closed": s.load[place] > s.capacity(place),
        "battle": True if any(_location(s, seat) == place for seat in (0, 1)) else None,
        "sides": sides,
    }


def _location(s: FeintState, seat: Seat) -> int:
    """The place of a seat's Location Card, as far as the viewer knows it; else -1."""
    scout = s.scout[seat]
    return scout[0] & KIND if scout and scout[0] & KIND != HIDDEN else -1


def _pips(s: FeintState, seat: Seat) -> dict[str, int]:
    """The Location Cards a seat may still draw or is holding unrevealed: public by deduction."""
    numbers = s.setup.numbers
    left = {number: s.setup.location_deck.count(place) for place, number in enumerate(numbers)}
    gone = s.used[seat][:]
    if s.scout[seat] and s.scout[seat][0] & SEEN[0] and s.scout[seat][0] & SEEN[1]:
        gone += s.scout[seat]
    for card in gone:
        left[numbers[card & KIND]] -= 1
    return {str(number): count for number, count in left.items()}


def last_round(s: FeintState) -> list[Event]:
    """The log of the last round that was fought, up to its end."""
    log = s.log or []
    last = max((i for i, event in enumerate(log) if event[0] == ev.COST), default=-1)
    first = max((i for i in range(last) if log[i][0] == ev.ROUND), default=0)
    return log[first : last + 1]


def resolution(s: FeintState) -> Resolution | None:
    """The sums of the last finished round, read from the log; None before the first."""
    fought = last_round(s)
    if not fought:
        return None
    sums: list[Sum] = [{"seat": seat, "parts": [], "total": 0} for seat in (0, 1)]
    found: Resolution = {
        "round": len(s.won),
        "battles": [],
        "sums": sums,
        "winner": -1,
        "loser": -1,
        "tie": False,
        "lost": 0,
    }
    for code, _, seat, _, a, b in fought:
        if code == ev.BATTLE:
            found["battles"].append(s.setup.numbers[a])
        elif code == ev.RATING:
            number = s.setup.numbers[a]
            sums[seat]["parts"].append({"number": number, "strength": b, "value": b * number})
        elif code == ev.TOTAL:
            sums[seat]["total"] = a
        elif code == ev.WON:
            found["winner"], found["loser"], found["tie"] = seat, OPPONENT[seat], bool(a)
        elif code == ev.COST:
            found["lost"] = a
    return found


def _playable(s: FeintState, kind: Kind) -> PlayableCard:
    legal = set(s.actions)
    numbers = s.setup.numbers
    announce = kind.base - 1 in legal
    places = [numbers[p] for p in range(s.places) if kind.base + p in legal]
    barred = [p for p in range(s.places) if kind.base + p not in legal]
    why = {str(numbers[p]): refusals.why_not_at(s, kind, p) for p in barred}
    told = isinstance(kind, Knight)
    own = str(numbers[kind.place]) if isinstance(kind, Knight) and kind.place >= 0 else ""
    hopeless = None if announce or places else why.get(own) or next(iter(why.values()), None)
    return {"places": places, "why": why, "announce": announce, "why_all": hopeless, "told": told}


def _lethal(s: FeintState, seat: Seat) -> str | None:
    risk, left = s.fielded_morale(seat), s.morale[seat]
    if risk < left:
        return None
    return f"If you lose this round you lose {risk} Morale, and you have {left}: the game would be over."


# ---- text for terminals -----------------------------------------------------------------------------


def _text(shown: Board, viewer: int, names: list[str]) -> str:
    me = max(viewer, 0)
    first = names[shown["start"]]
    lines = wrapped(f"Round {shown['round']} of {shown['rounds']}, {first} first.  {_won(shown, names)}")
    for seat in (OPPONENT[me], me):
        lines += wrapped(_seat_line(shown["seats"][seat], names[seat]))
    lines.append("")
    for place in shown["places"]:
        mark = "*" if shown["seats"][me]["location"]["number"] == place["number"] and viewer != OPEN else " "
        closed = " over, closed" if place["closed"] else ""
        lines.append(f"{mark}Location {place['number']}   {place['load']}/{place['capacity']}{closed}")
        for seat in (OPPONENT[me], me):
            side = place["sides"][seat]
            if side["cards"]:
                unknown = f" +{side['hidden']} face down" if side["hidden"] else ""
                sum_ = f"{side['strength']}x{place['number']}={side['rating']}{unknown}"
                lines += wrapped(f"   {names[seat]}: {_cards(side['cards'])}  [{sum_}]")
    if viewer >= 0:
        own = shown["seats"][me]
        lines.append("")
        if own["location"]["number"]:
            after = f"   next round: {own['next_location']}" if own["next_location"] else ""
            lines.append(f"* your Location Card: {own['location']['number']}{after}")
        lines += wrapped(f"Your hand: {_cards(own['hand']) or 'empty'}")
        if own["marked"]:
            called = {card["slug"]: card["name"] for card in own["hand"] if card["back"] is not True}
            lines += wrapped(f"Marked to discard: {', '.join(called[slug] for slug in own['marked'])}")
    return "\n".join(lines)


def _won(shown: Board, names: list[str]) -> str:
    return f"Rounds won: {names[0]} {shown['seats'][0]['vp']}, {names[1]} {shown['seats'][1]['vp']}."


def _seat_line(seat: SeatPanel, name: str) -> str:
    passed = ", passed" if seat["passed"] else ""
    bared = f", Location Card {seat['location']['number']} open" if seat["location"]["revealed"] else ""
    unknown = "+?" if seat["at_risk_hidden"] else ""
    faction = "" if name.startswith(seat["faction_name"]) else f" ({seat['faction_name']})"
    return (
        f"{name}{faction}: Morale {seat['morale']} (-{seat['at_risk']}{unknown} if lost), "
        f"hand {seat['hand_count']}, deck {seat['deck_count']}, discard {len(seat['discard'])}{passed}{bared}"
    )


def _cards(cards: list[Face | Back]) -> str:
    return ", ".join("face down (3)" if card["back"] is True else _open(card) for card in cards)


def _open(card: Face) -> str:
    marks = (" face down" if card["down"] else "") + (" stays" if card["stay"] else "")
    return f"{card['name']} {card['strength']}/{card['morale']}{marks}"
