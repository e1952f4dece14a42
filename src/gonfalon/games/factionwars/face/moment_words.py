"""The sentences of moments."""

from __future__ import annotations

from typing import Final

from gonfalon.core.rules.state import Seat
from gonfalon.core.text.english import YOU, inside, many, several, verb
from gonfalon.games.factionwars.face.scenes import (
    AFTERMATH,
    Lane,
    Pick,
    Reveal,
    Scene,
    build_scenes,
    revealed_picks,
)
from gonfalon.games.factionwars.face.words import FactionWords
from gonfalon.games.factionwars.rules import events as ev
from gonfalon.games.factionwars.rules import moments
from gonfalon.games.factionwars.rules.state import FactionState


def told(game: FactionWords, view: FactionState, names: list[str]) -> str:
    """What is to be seen at a moment, as one sentence or two."""
    moment = view.moment
    if moment == moments.FLAGS:
        return flags_told(game, view, names)
    if moment == moments.ROUND:
        return "\n".join([round_told(view), *(recap(shown, names) for shown in build_scenes(game, view))])
    if moment == moments.EFFECT:
        return effect_told(game, view, names)
    shown = build_scenes(game, view)[-1]
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


def recap(shown: Scene, names: list[str]) -> str:
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


def turned(lane: Lane) -> list[str]:
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
    by_place: dict[int, list[Pick]] = {}
    for pick in revealed_picks(game, view):
        by_place.setdefault(pick["place"], []).append(pick)
    found = []
    for _, picks in sorted(by_place.items()):
        who = several([inside(names[pick["seat"]]) for pick in picks])
        found.append(f"{picks[0]['card'].get('name', '')}: {who}")
    return f"The flags land. {'; '.join(found)}."


def reveal_told(reveal: Reveal, names: list[str]) -> str:
    """The cards of one reveal, and who goes on."""
    symbols = all(one["card"].get("symbol") for one in reveal["shown"])
    cards = [one["card"].get("name", "") if symbols else str(one["value"]) for one in reveal["shown"]]
    said = several(cards) if cards else "No card is left"
    tied = reveal["tied"]
    if tied is None:
        return f"{said}."
    return f"{said}: {first_you(names, tied['seats'])} go on with the next card."


def margin_told(shown: Scene) -> str:
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
