"""The table as data and as text. Everything here is computed from a masked state."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any, Final

from gonfalon.core.cards import HIDDEN, KIND, SEEN
from gonfalon.core.state import OPEN, Card, Seat
from gonfalon.games.feint import box
from gonfalon.games.feint.face import refusals, words
from gonfalon.games.feint.rules import events as ev
from gonfalon.games.feint.rules.actions import CARD, PASS
from gonfalon.games.feint.rules.state import DOWN, OPPONENT, STAY, FeintState

if TYPE_CHECKING:
    from gonfalon.games.feint.game import Feint

ICONS: Final = {
    "restrict": "limits how it is played",
    "play": "happens when it is played",
    "trigger": "happens at a time of its own",
    "resolve": "happens in the Resolution phase",
    "protected": "Protected: other cards' effects pass it by",
}
PROTECTED_RULINGS: Final = (30, 31, 32, 33)
PHASES: Final = dict.fromkeys(("reinforce", "shuffle", "deal", "toss"), "reinforcement")


def printed(game: Feint, number: int) -> dict[str, Any]:
    """What is printed on a card, with what is known about it."""
    card, kind = game.cards[number], game.setup.kinds[number]
    text, icons, rulings = kind.says(game.setup), kind.icons, kind.rulings
    if kind.protected:
        text = f"{text} Protected.".strip()
        icons = (*icons, "protected")
        rulings = (*rulings, *PROTECTED_RULINGS)
    return {
        "slug": card["slug"],
        "name": card["name"],
        "faction": game.box.factions[kind.faction]["slug"],
        "strength": card["strength"],
        "morale": card["morale"],
        "copies": card["copies"],
        "tags": list(card.get("tags", [])),
        "ability": kind.ability or None,
        **({"by": card["by"]} if "by" in card else {}),
        "protected": kind.protected,
        "text": text,
        "icons": list(icons),
        "icon_words": [ICONS[icon] for icon in icons],
        "rulings": list(rulings),
        "provenance": box.provenance(card),
    }


class _Faces:
    """Gives every card on the page an id, from what the viewer sees alone: equal cards are numbered in
    the order they are drawn on the page, so no id can follow a card through a hidden place."""

    def __init__(self, game: Feint) -> None:
        self.game = game
        self.count: dict[str, int] = {}
        self.printed: dict[int, dict[str, Any]] = {}

    def face(self, seat: Seat, card: Card, zone: str) -> dict[str, Any]:
        kind = card & KIND
        if kind == HIDDEN:
            stem = f"h{seat}-{zone}"
            face: dict[str, Any] = {"back": True, "owner": seat, "down": bool(card & DOWN), "weight": 3}
        else:
            if kind not in self.printed:
                self.printed[kind] = printed(self.game, kind)
            stem = f"k{seat}-{self.printed[kind]['slug']}"
            face = {
                **self.printed[kind],
                "back": False,
                "owner": seat,
                "down": bool(card & DOWN),
                "known": True,
                "stay": int(bool(card & STAY)),
            }
        number = self.count[stem] = self.count.get(stem, 0) + 1
        face["id"] = f"{stem}-{number}"
        return face


def board(game: Feint, view: FeintState) -> dict[str, Any]:
    """All that lies on the table, as the viewer may know it."""
    faces = _Faces(game)
    numbers = game.box.locations
    phase = PHASES.get(view.stack[-1].prompt, "deployment") if view.stack else "over"
    places = [_place(game, view, faces, place) for place in range(len(numbers))]
    return {
        "viewer": view.viewer,
        "me": view.viewer if view.viewer >= 0 else None,
        "round": min(view.round, view.end - 1),
        "rounds": view.end - 1,
        "phase": phase,
        "start": view.first,
        "capacity": view.setup.capacity,
        "hand_size": view.setup.hand,
        "won": [view.won[i] if i < len(view.won) else None for i in range(view.end - 1)],
        "seats": [_seat(game, view, faces, seat) for seat in (0, 1)],
        "places": places,
        "resolution": resolution(game, view),
        "outcome": _outcome(view),
    }


def _outcome(view: FeintState) -> dict[str, Any] | None:
    outcome = view.outcome()
    return None if outcome is None else {"winners": outcome.winners, "how": outcome.how}


def _place(game: Feint, view: FeintState, faces: _Faces, place: int) -> dict[str, Any]:
    number = game.box.locations[place]
    sides = []
    for seat in (0, 1):
        cards = view.at(seat, place)
        known = [card for card in cards if card & KIND != HIDDEN]
        strength = sum(view.kinds[card & KIND].strength for card in known)
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
        "load": view.load[place],
        "capacity": view.capacity(place),
        "closed": view.load[place] > view.capacity(place),
        "battle": True if any(_location(view, seat) == place for seat in (0, 1)) else None,
        "sides": sides,
    }


def _location(view: FeintState, seat: Seat) -> int:
    """The place of a seat's Location Card, as far as the viewer knows it; else -1."""
    scout = view.scout[seat]
    return scout[0] & KIND if scout and scout[0] & KIND != HIDDEN else -1


def _seat(game: Feint, view: FeintState, faces: _Faces, seat: Seat) -> dict[str, Any]:
    faction = game.box.factions[view.setup.factions[seat]]
    fielded = [card for place in range(view.places) for card in view.at(seat, place)]
    at = _location(view, seat)
    scouted = bool(view.scout[seat])
    revealed = scouted and bool(view.scout[seat][0] & SEEN[OPPONENT[seat]])
    pile = view.pile[seat]
    peeked = bool(pile) and pile[-1] & KIND != HIDDEN
    marked = [game.notation(action) for action in view.answers[seat] if action >= CARD]
    known_deck = [card for card in reversed(view.deck[seat]) if card & KIND != HIDDEN]
    return {
        "seat": seat,
        "faction": faction["slug"],
        "faction_name": faction["name"],
        "colour": faction.get("colour", ""),
        "glyph": faction.get("glyph", ""),
        "pattern": faction.get("pattern", ""),
        "morale": view.morale[seat],
        "at_risk": view.fielded_morale(seat),
        "at_risk_hidden": sum(card & KIND == HIDDEN for card in fielded),
        "vp": view.won.count(seat),
        "passed": bool(view.passed >> seat & 1),
        "to_act": seat in view.asked() and not (seat == view.viewer and view.turn != seat),
        "hand": [faces.face(seat, card, "hand") for card in view.hand[seat]],
        "hand_count": len(view.hand[seat]),
        "deck_count": len(view.deck[seat]),
        "known_deck": [faces.face(seat, card, "deck") for card in known_deck],
        "discard": [faces.face(seat, card, "discard") for card in view.discard[seat]],
        "location": {
            "number": game.box.locations[at] if at >= 0 else None,
            "revealed": revealed,
            "drawn": scouted,
        },
        "next_location": game.box.locations[pile[-1] & KIND] if peeked else None,
        "pips": _pips(game, view, seat),
        "marked": marked,
    }


def _pips(game: Feint, view: FeintState, seat: Seat) -> dict[str, int]:
    """The Location Cards a seat may still draw or is holding unrevealed: public by deduction."""
    left = {number: view.setup.location_deck.count(place) for place, number in enumerate(game.box.locations)}
    gone = view.used[seat][:]
    if view.scout[seat] and view.scout[seat][0] & SEEN[0] and view.scout[seat][0] & SEEN[1]:
        gone += view.scout[seat]
    for card in gone:
        left[game.box.locations[card & KIND]] -= 1
    return {str(number): count for number, count in left.items()}


def resolution(game: Feint, view: FeintState) -> dict[str, Any] | None:
    """The sums of the last finished round, read from the log; None before the first."""
    if not view.log:
        return None
    last = -1
    for i in range(len(view.log) - 1, -1, -1):
        if view.log[i][0] == ev.COST:
            last = i
            break
    if last < 0:
        return None
    sums: list[dict[str, Any]] = [{"seat": seat, "parts": [], "total": 0} for seat in (0, 1)]
    result: dict[str, Any] = {"round": len(view.won), "battles": [], "sums": sums}
    first = max((i for i in range(last) if view.log[i][0] == ev.ROUND), default=0)
    for code, _, seat, _, a, b in view.log[first : last + 1]:
        if code == ev.BATTLE:
            result["battles"].append(game.box.locations[a])
        elif code == ev.RATING:
            number = game.box.locations[a]
            sums[seat]["parts"].append({"number": number, "strength": b, "value": b * number})
        elif code == ev.TOTAL:
            sums[seat]["total"] = a
        elif code == ev.WON:
            result.update(winner=seat, loser=OPPONENT[seat], tie=bool(a))
        elif code == ev.COST:
            result["lost"] = a
    return result


def controls(game: Feint, view: FeintState) -> dict[str, Any]:
    """How a page asks the viewer's decision: marks to discard, a card with its Location, or a choice."""
    blank: dict[str, Any] = {"mode": None, "cards": {}, "pass": False, "confirm_pass": None, "choices": []}
    seat = view.turn
    if seat < 0 or seat != view.viewer:
        return blank
    asked = view.stack[-1].prompt
    if asked == "reinforce":
        return {**blank, "mode": "reinforce"}
    if asked in ("deploy", "play-one", "conjure"):
        source = view.discard[seat] if asked == "conjure" else view.hand[seat]
        return {
            **blank,
            "mode": "play",
            "source": "discard" if asked == "conjure" else "hand",
            "cards": {view.kinds[k].slug: _play(game, view, k) for k in sorted({c & KIND for c in source})},
            "pass": PASS in view.actions,
            "confirm_pass": _lethal(view, seat) if asked == "deploy" else None,
        }
    choices = [{"id": game.notation(a), "text": words.describe(game, view, a)} for a in view.actions]
    return {**blank, "mode": "choice", "choices": choices}


def _play(game: Feint, view: FeintState, number: int) -> dict[str, Any]:
    kind = view.kinds[number]
    legal = set(view.actions)
    announce = kind.base - 1 in legal
    places = [game.box.locations[p] for p in range(view.places) if kind.base + p in legal]
    barred = [p for p in range(view.places) if kind.base + p not in legal]
    why = {str(game.box.locations[p]): refusals.why_not_at(view, kind, p) for p in barred}
    hopeless = None
    if not announce and not places:
        hopeless = next(iter(why.values()), None)
    return {"places": places, "why": why, "announce": announce, "why_all": hopeless}


def _lethal(view: FeintState, seat: Seat) -> str | None:
    risk = view.fielded_morale(seat)
    if risk >= view.morale[seat]:
        return (
            f"If you lose this round you lose {risk} Morale, and you have {view.morale[seat]}: the game would be over."
        )
    return None


# ---- text for terminals -----------------------------------------------------------------------------


def text(game: Feint, view: FeintState, names: list[str]) -> str:
    """The table in words, at most 80 columns wide."""
    shown = board(game, view)
    me = view.viewer if view.viewer >= 0 else 0
    lines = _wrap(f"Round {shown['round']} of {shown['rounds']}, {names[shown['start']]} first.  " + _won(shown, names))
    for seat in (OPPONENT[me], me):
        lines += _wrap(_seat_line(shown["seats"][seat], names[seat]))
    lines.append("")
    for place in shown["places"]:
        mark = "*" if shown["seats"][me]["location"]["number"] == place["number"] and view.viewer != OPEN else " "
        closed = " over, closed" if place["closed"] else ""
        lines.append(f"{mark}Location {place['number']}   {place['load']}/{place['capacity']}{closed}")
        for seat in (OPPONENT[me], me):
            side = place["sides"][seat]
            if side["cards"]:
                unknown = f" +{side['hidden']} face down" if side["hidden"] else ""
                sum_ = f"{side['strength']}x{place['number']}={side['rating']}{unknown}"
                lines += _wrap(f"   {names[seat]}: {_cards(side['cards'])}  [{sum_}]")
    if view.viewer >= 0:
        own = shown["seats"][me]
        lines.append("")
        if own["location"]["number"]:
            after = f"   next round: {own['next_location']}" if own["next_location"] else ""
            lines.append(f"* your Location Card: {own['location']['number']}{after}")
        lines += _wrap(f"Your hand: {_cards(own['hand']) or 'empty'}")
        if own["marked"]:
            lines += _wrap(f"Marked to discard: {', '.join(own['marked'])}")
    return "\n".join(lines)


def _won(shown: dict[str, Any], names: list[str]) -> str:
    return f"Rounds won: {names[0]} {shown['seats'][0]['vp']}, {names[1]} {shown['seats'][1]['vp']}."


def _seat_line(seat: dict[str, Any], name: str) -> str:
    passed = ", passed" if seat["passed"] else ""
    bared = f", Location Card {seat['location']['number']} open" if seat["location"]["revealed"] else ""
    unknown = "+?" if seat["at_risk_hidden"] else ""
    faction = "" if name.startswith(seat["faction_name"]) else f" ({seat['faction_name']})"
    return (
        f"{name}{faction}: Morale {seat['morale']} (-{seat['at_risk']}{unknown} if lost), "
        f"hand {seat['hand_count']}, deck {seat['deck_count']}, discard {len(seat['discard'])}{passed}{bared}"
    )


def _cards(cards: list[dict[str, Any]]) -> str:
    return ", ".join(
        "face down (3)" if card["back"] else f"{card['name']} {card['strength']}/{card['morale']}" + _marks(card)
        for card in cards
    )


def _marks(card: dict[str, Any]) -> str:
    return (" face down" if card["down"] else "") + (" stays" if card["stay"] else "")


def _wrap(line: str) -> list[str]:
    indent = " " * (len(line) - len(line.lstrip()) + 2)
    return textwrap.wrap(line, 80, subsequent_indent=indent) or [line]
