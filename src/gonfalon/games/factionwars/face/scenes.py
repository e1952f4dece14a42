"""The events of a round as scenes: claims, battles and their consequences."""

from __future__ import annotations

from typing import Final, NotRequired, TypedDict

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.rules.state import Card, Event, Seat
from gonfalon.games.factionwars.face import messages
from gonfalon.games.factionwars.face.cards import Face, build_face
from gonfalon.games.factionwars.face.words import FactionWords
from gonfalon.games.factionwars.rules import events as ev
from gonfalon.games.factionwars.rules.state import FactionState


class Pick(TypedDict):
    """A selector that was revealed."""

    seat: Seat
    place: int
    card: Face


class Shown(TypedDict):
    """A card revealed in a battle."""

    seat: Seat
    card: Face
    value: int


class Turned(Shown):
    """A card in the row of a fighter: the reveal that it belongs to, and its position in that."""

    reveal: int
    order: int


class Lane(TypedDict):
    """A fighter's row of a battle: the cards in their order, and the result so far."""

    seat: Seat
    cards: list[Turned]
    verdict: str
    out: bool
    won: bool


class Out(TypedDict):
    """A fighter that is out of a battle."""

    seat: Seat
    why: str


class Tied(TypedDict):
    """The fighters that stay in after a tie."""

    seats: list[Seat]
    why: str


class Reveal(TypedDict):
    """One reveal of a battle."""

    shown: list[Shown]
    out: list[Out]
    tied: Tied | None


class Aftermath(TypedDict):
    """A consequence of a claim: its sort, seat and card, the other seat, and the number of recruits it was picked
    from."""

    what: str
    seat: Seat | None
    card: Face | None
    other: Seat | None
    of: int | None
    why: NotRequired[str]


class Scene(TypedDict):
    """A resolved place: a claim or a battle, and its consequences."""

    place: int
    card: Face
    seats: list[Seat]
    battle: bool
    reveals: list[Reveal]
    lanes: list[Lane]
    winner: Seat | None
    lost: str | None
    then: list[Aftermath]


def find_revealed_picks(game: FactionWords, view: FactionState) -> list[Pick]:
    """Return the selectors that were revealed last, in the order of the seats."""
    found: list[Pick] = []
    for code, _, seat, card, a, _ in reversed(view.log or []):
        if code == ev.CHOSE:
            found.append({"seat": seat, "place": a + 1, "card": build_face(game, card)})
        elif found:
            break
    return found[::-1]


def build_scenes(game: FactionWords, view: FactionState) -> list[Scene]:
    """Return a scene for each place that was resolved since the last selectors were revealed.

    A scene has the claim, or the battle reveal by reveal, and the consequences. Without a log there are no scenes.
    """
    log = view.log or []
    begin = len(log)
    # All selectors are revealed together, so the events of the round begin after the last of them.
    while begin and log[begin - 1][0] != ev.CHOSE:
        begin -= 1
    found: list[Scene] = []
    for event in log[begin:]:
        if event[0] == ev.CLEARED:  # of the next round's beginning
            break
        add_event(found, game, event)
    for shown in found:
        shown["lanes"] = build_lanes(shown)
    return found


def add_event(found: list[Scene], game: FactionWords, event: Event) -> None:
    """Add an event to the last scene, or begin a scene with it."""
    code, _, seat, card, a, b = event
    if code == ev.BATTLE:
        found.append(build_scene(game, a, card, [i for i in range(game.seats) if b >> i & 1]))
    elif code == ev.CLAIMED:
        if b == ev.SOLE:
            found.append(build_scene(game, a, card, [seat]))
        found[-1]["winner"] = seat
    elif code == ev.LOST:
        found[-1]["lost"] = LOST[b]
    elif code == ev.SHOWN:
        rounds = found[-1]["reveals"]
        if len(rounds) < a:
            rounds.append({"shown": [], "out": [], "tied": None})
        rounds[-1]["shown"].append({"seat": seat, "card": build_face(game, card), "value": b})
    elif code == ev.OUT:
        rounds = found[-1]["reveals"]
        # A fighter without a card is out before the others reveal theirs, so it opens the next reveal.
        if a == ev.NO_CARD and (not rounds or rounds[-1]["tied"] is not None):
            rounds.append({"shown": [], "out": [], "tied": None})
        rounds[-1]["out"].append({"seat": seat, "why": WHY_OUT[a]})
    elif code == ev.TIED:
        found[-1]["reveals"][-1]["tied"] = {
            "seats": [i for i in range(game.seats) if a >> i & 1],
            "why": messages.NOTE_SAME_SYMBOL if b == ev.SAME_SYMBOL else messages.NOTE_TIED,
        }
    elif found and code in AFTERMATH:
        found[-1]["then"].append(build_aftermath(game, event))


LOST: Final = {
    ev.ALL_OUT: messages.NOTE_ALL_OUT,
    ev.NO_CLEAR_WINNER: messages.NOTE_NO_WINNER,
    ev.TIE_ENDED: messages.NOTE_TIE_ENDED,
}
"""The reasons why no player takes the card of a battle, in a few words."""
WHY_OUT: Final = {
    ev.LOWER: messages.NOTE_LOWER,
    ev.SYMBOL: messages.NOTE_SYMBOL,
    ev.NO_CARD: messages.NOTE_NO_CARD,
    ev.HARMLESS: messages.NOTE_BYSTANDER,
}
"""The reasons why a fighter is out, in a few words."""
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


def build_scene(game: FactionWords, place: int, card: Card, seats: list[Seat]) -> Scene:
    """Return a scene without its result."""
    return {
        "place": place + 1,
        "card": build_face(game, card),
        "seats": seats,
        "battle": len(seats) > 1,
        "reveals": [],
        "lanes": [],
        "winner": None,
        "lost": None,
        "then": [],
    }


def build_aftermath(game: FactionWords, event: Event) -> Aftermath:
    """Return the consequence of a claim that an event records."""
    code, _, seat, card, a, b = event
    shown: Aftermath = {
        "what": AFTERMATH[code],
        "seat": seat if seat >= 0 else None,
        "card": build_face(game, card) if card & KIND != HIDDEN else None,
        "other": a if code in AT_OTHERS else None,
        "of": b if code in (ev.STOLE, ev.REMOVED) else None,
    }
    if code == ev.NOTHING:
        shown["why"] = messages.WHY_NOTHING[a]
    return shown


# ---- who stands where in a battle ---------------------------------------------------------------------


def build_lanes(shown: Scene) -> list[Lane]:
    """Return for each fighter the cards revealed so far, and the result so far."""
    found: list[Lane] = []
    for seat in shown["seats"]:
        cards: list[Turned] = []
        verdict, out = "", False
        for number, reveal in enumerate(shown["reveals"], start=1):
            order = [one["seat"] for one in reveal["shown"]]
            if seat in order:
                one = reveal["shown"][order.index(seat)]
                cards.append({**one, "reveal": number, "order": order.index(seat) + 1})
            for gone in reveal["out"]:
                if gone["seat"] == seat:
                    verdict, out = describe_out(gone["why"], cards), True
            tied = reveal["tied"]
            if tied is not None and seat in tied["seats"]:
                same = tied["why"] == messages.NOTE_SAME_SYMBOL
                verdict = tied["why"] if same else messages.NOTE_TIED_AT.format(value=cards[-1]["value"])
            elif not out:
                verdict = ""
        won = shown["winner"] == seat
        found.append({"seat": seat, "cards": cards, "verdict": verdict, "out": out, "won": won})
    return found


def describe_out(why: str, cards: list[Turned]) -> str:
    """Return in a few words why a fighter is out."""
    return messages.NOTE_OUT.format(value=cards[-1]["value"]) if why == messages.NOTE_LOWER and cards else why
