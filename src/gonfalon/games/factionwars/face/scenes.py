"""What happens in a round, as small scenes and in a sentence for each moment at which everybody may look."""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.rules.state import Card, Event, Seat
from gonfalon.core.text.english import YOU, inside, many, several, verb
from gonfalon.games.factionwars.face import board as forms
from gonfalon.games.factionwars.face import words
from gonfalon.games.factionwars.face.cards import face
from gonfalon.games.factionwars.face.words import FactionWords
from gonfalon.games.factionwars.rules import events as ev
from gonfalon.games.factionwars.rules import moments
from gonfalon.games.factionwars.rules.state import FactionState


def revealed(game: FactionWords, view: FactionState) -> list[forms.Pick]:
    """The selectors that were revealed last, seat by seat: who selected which place, and what lay there."""
    found: list[forms.Pick] = []
    for code, _, seat, card, a, _ in reversed(view.log or []):
        if code == ev.CHOSE:
            found.append({"seat": seat, "place": a + 1, "card": face(game, card)})
        elif found:
            break
    return found[::-1]


def scenes(game: FactionWords, view: FactionState) -> list[forms.Scene]:
    """One scene for each place that was resolved since the last selectors were revealed: a claim or a
    battle reveal by reveal, and what it led to. Without a log there are none."""
    log = view.log or []
    begin = len(log)
    while begin and log[begin - 1][0] != ev.CHOSE:
        begin -= 1
    found: list[forms.Scene] = []
    for event in log[begin:]:
        code, _, seat, card, a, b = event
        if code == ev.CLEARED:
            break
        if code == ev.BATTLE:
            fighters = [i for i in range(game.seats) if b >> i & 1]
            found.append(scene(game, a, card, fighters))
        elif code == ev.CLAIMED:
            if b == ev.SOLE:
                found.append(scene(game, a, card, [seat]))
            found[-1]["winner"] = seat
        elif code == ev.LOST:
            found[-1]["lost"] = LOST[b]
        elif code == ev.SHOWN:
            rounds = found[-1]["reveals"]
            if len(rounds) < a:
                rounds.append({"shown": [], "out": [], "tied": None})
            rounds[-1]["shown"].append({"seat": seat, "card": face(game, card), "value": b})
        elif code == ev.OUT:
            rounds = found[-1]["reveals"]
            if a == ev.NO_CARD and (not rounds or rounds[-1]["tied"] is not None):
                rounds.append({"shown": [], "out": [], "tied": None})
            why = "no card left" if a == ev.NO_CARD else words.WHY_OUT[a]
            rounds[-1]["out"].append({"seat": seat, "why": why})
        elif code == ev.TIED:
            found[-1]["reveals"][-1]["tied"] = {
                "seats": [i for i in range(game.seats) if a >> i & 1],
                "why": "same symbol" if b == ev.SAME_SYMBOL else "level",
            }
        elif found and code in AFTERMATH:
            found[-1]["then"].append(aftermath(game, event))
    for shown in found:
        shown["lanes"] = lanes(shown)
    return found


LOST: Final = {
    ev.ALL_OUT: "all are out",
    ev.NO_CLEAR_WINNER: "no clear winner",
    ev.TIE_ENDED: "the tie ends without a winner",
}
"""Why no player takes the card of a battle, in a few words."""
AFTERMATH: Final = {
    ev.DREW: "drew",
    ev.NOTHING: "nothing",
    ev.TARGET: "target",
    ev.STOLE: "stole",
    ev.REMOVED: "removed",
    ev.DESERTED: "deserted",
    ev.GAVE: "gave",
    ev.HANDED: "handed",
    ev.ACTION: "action",
    ev.ACTION_DONE: "action_done",
    ev.CALLED: "called",
    ev.KEPT: "kept",
    ev.DISMISSED: "dismissed",
    ev.FREED: "freed",
    ev.SHUFFLED: "shuffled",
    ev.DEPLETED: "depleted",
    ev.RENEWED: "renewed",
    ev.WAR_OVER: "war_over",
    ev.WORTHLESS: "worthless",
}


AT_OTHERS: Final = (ev.TARGET, ev.STOLE, ev.REMOVED, ev.DESERTED, ev.GAVE, ev.HANDED)


def scene(game: FactionWords, place: int, card: Card, seats: list[Seat]) -> forms.Scene:
    """The beginning of a scene."""
    return {
        "place": place + 1,
        "card": face(game, card),
        "seats": seats,
        "battle": len(seats) > 1,
        "reveals": [],
        "lanes": [],
        "winner": None,
        "lost": None,
        "then": [],
    }


def aftermath(game: FactionWords, event: Event) -> forms.Aftermath:
    """One thing that a claim led to: what, who, which card, whom, out of how many."""
    code, _, seat, card, a, b = event
    shown: forms.Aftermath = {
        "what": AFTERMATH[code],
        "seat": seat if seat >= 0 else None,
        "card": face(game, card) if card & KIND != HIDDEN else None,
        "other": a if code in AT_OTHERS else None,
        "of": b if code in (ev.STOLE, ev.REMOVED) else None,
    }
    if code == ev.NOTHING:
        shown["why"] = words.WHY_NOTHING[a]
    return shown


# ---- who stands where in a battle ---------------------------------------------------------------------


def lanes(shown: forms.Scene) -> list[forms.Lane]:
    """Of each fighter the cards they have revealed so far, and how they stand."""
    found: list[forms.Lane] = []
    for seat in shown["seats"]:
        cards: list[forms.Turned] = []
        verdict, out = "", False
        for number, reveal in enumerate(shown["reveals"], start=1):
            order = [one["seat"] for one in reveal["shown"]]
            if seat in order:
                one = reveal["shown"][order.index(seat)]
                cards.append({**one, "reveal": number, "order": order.index(seat) + 1})
            for gone in reveal["out"]:
                if gone["seat"] == seat:
                    verdict, out = out_words(gone["why"], cards), True
            tied = reveal["tied"]
            if tied is not None and seat in tied["seats"]:
                verdict = "same symbol" if tied["why"] == "same symbol" else f"level at {cards[-1]['value']}"
            elif not out:
                verdict = ""
        won = shown["winner"] == seat
        found.append({"seat": seat, "cards": cards, "verdict": verdict, "out": out, "won": won})
    return found


def out_words(why: str, cards: list[forms.Turned]) -> str:
    """Why a fighter is out, short."""
    return f"{cards[-1]['value']}: out" if why == words.WHY_OUT[ev.LOWER] and cards else why


# ---- moments in words ---------------------------------------------------------------------------------


def told(game: FactionWords, view: FactionState, names: list[str]) -> str:
    """What is to be seen at a moment, as one sentence or two."""
    moment = view.moment
    if moment == moments.FLAGS:
        return flags_told(game, view, names)
    if moment == moments.ROUND:
        return "\n".join([round_told(view), *(recap(shown, names) for shown in scenes(game, view))])
    if moment == moments.EFFECT:
        return effect_told(game, view, names)
    shown = scenes(game, view)[-1]
    card = shown["card"].get("name", "")
    if moment == moments.BATTLE:
        return f"{first_you(names, shown['seats'])} fight for {card}."
    if moment == moments.CARDS:
        return reveal_told(shown["reveals"][-1], names)
    if shown["winner"] is None:
        return f"Nobody gets {card}: {shown['lost']}."
    name = names[shown["winner"]]
    if not shown["battle"]:
        return f"{verb(name, 'take')} {card}, alone at place {shown['place']}."
    return f"{verb(name, 'win')} {card}{margin_told(shown)}."


def round_told(view: FactionState) -> str:
    """That a round is over."""
    left = len(view.lineup)
    return f"Round {view.round} is over." + (f" {many(left, 'card')} nobody wanted." if left else "")


def recap(shown: forms.Scene, names: list[str]) -> str:
    """Who got the card of a place, and which cards fought for it."""
    card, winner = shown["card"].get("name", ""), shown["winner"]
    fought = {lane["seat"]: f" with {several(turned(lane))}" for lane in shown["lanes"]}
    if winner is None:
        fighters = several([inside(names[seat]) + cards for seat, cards in fought.items()])
        return f"Nobody gets {card}, {shown['lost']}: {fighters}."
    if not shown["battle"]:
        return f"{verb(names[winner], 'take')} {card}, alone."
    others = [inside(names[seat]) + cards for seat, cards in fought.items() if seat != winner]
    return f"{verb(names[winner], 'win')} {card}{fought[winner]}, against {several(others)}."


def turned(lane: forms.Lane) -> list[str]:
    """The cards that a fighter revealed: a symbol by its name, others with their value."""
    found = [
        one["card"].get("name", "") + ("" if one["card"].get("symbol") else f" {one['value']}") for one in lane["cards"]
    ]
    return found or ["no card"]


def first_you(names: list[str], seats: list[Seat]) -> str:
    """The names of some seats, the viewer first."""
    return several(sorted([names[seat] for seat in seats], key=lambda name: name != YOU))


def flags_told(game: FactionWords, view: FactionState, names: list[str]) -> str:
    """Who has selected which card."""
    by_place: dict[int, list[forms.Pick]] = {}
    for pick in revealed(game, view):
        by_place.setdefault(pick["place"], []).append(pick)
    found = []
    for _, picks in sorted(by_place.items()):
        who = several([inside(names[pick["seat"]]) for pick in picks])
        found.append(f"{picks[0]['card'].get('name', '')}: {who}")
    return f"The flags land. {'; '.join(found)}."


def reveal_told(reveal: forms.Reveal, names: list[str]) -> str:
    """The cards of one reveal, and who goes on."""
    symbols = all(one["card"].get("symbol") for one in reveal["shown"])
    cards = [one["card"].get("name", "") if symbols else str(one["value"]) for one in reveal["shown"]]
    said = several(cards) if cards else "No card is left"
    tied = reveal["tied"]
    if tied is None:
        return f"{said}."
    return f"{said}: {first_you(names, tied['seats'])} go on with the next card."


def margin_told(shown: forms.Scene) -> str:
    """By which values a battle was won: those of its last reveal."""
    last = shown["reveals"][-1]["shown"] if shown["reveals"] else []
    own = [one["value"] for one in last if one["seat"] == shown["winner"]]
    others = [one["value"] for one in last if one["seat"] != shown["winner"]]
    if not own or not others or own[0] <= max(others):
        return ""
    after = " after a tie" if len(shown["reveals"]) > 1 else ""
    return f", {own[0]} against {max(others)}{after}"


def effect_told(game: FactionWords, view: FactionState, names: list[str]) -> str:
    """What the card that was claimed last has done."""
    found: list[str] = []
    for event in reversed(view.log or ()):
        if event[0] in (ev.CLAIMED, ev.CHOSE):
            break
        if event[0] in SEEN_OF_EFFECTS:
            found.append(game.words(event, view, names).strip())
    return " ".join(found[2::-1]) or "Nothing more comes of it."


SEEN_OF_EFFECTS: Final = set(AFTERMATH) - {ev.TARGET, ev.ACTION, ev.ACTION_DONE, ev.SHUFFLED, ev.RENEWED, ev.DISMISSED}
