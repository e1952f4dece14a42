"""The sentences of moments."""

from __future__ import annotations

from typing import Final

from gonfalon.core.rules.state import Seat
from gonfalon.core.text.english import YOU, inside, many, several
from gonfalon.games.factionwars.face import messages
from gonfalon.games.factionwars.face.scenes import (
    AFTERMATH,
    Lane,
    Pick,
    Reveal,
    Scene,
    build_scenes,
    find_revealed_picks,
)
from gonfalon.games.factionwars.face.words import FactionWords
from gonfalon.games.factionwars.rules import events as ev
from gonfalon.games.factionwars.rules import moments
from gonfalon.games.factionwars.rules.state import FactionState


def describe_moment(game: FactionWords, view: FactionState, names: list[str]) -> str:
    """Return one or two sentences about a moment."""
    moment = view.moment
    if moment == moments.FLAGS:
        return describe_flags(game, view, names)
    if moment == moments.ROUND:
        return "\n".join(
            [describe_round_end(view), *(describe_result(shown, names) for shown in build_scenes(game, view))]
        )
    if moment == moments.EFFECT:
        return describe_effect(game, view, names)
    shown = build_scenes(game, view)[-1]
    card = shown["card"].get("name", "")
    if moment == moments.BATTLE:
        return messages.BATTLE.format(names=list_you_first(names, shown["seats"]), card=card)
    if moment == moments.CARDS:
        return describe_reveal(shown["reveals"][-1], names)
    if shown["winner"] is None:
        return messages.NO_WINNER.format(card=card)
    if not shown["battle"]:
        return messages.ALONE.format(name=names[shown["winner"]], card=card, place=shown["place"])
    return describe_win(shown, names[shown["winner"]])


def describe_round_end(view: FactionState) -> str:
    """Return a sentence about the end of a round and its unclaimed cards."""
    if not view.lineup:
        return messages.ROUND_OVER.format(number=view.round)
    return messages.ROUND_OVER_LEFT.format(number=view.round, cards=many(len(view.lineup), "card"))


def describe_result(shown: Scene, names: list[str]) -> str:
    """Return a sentence about the winner of a place, and the cards that fought for it."""
    card, winner = shown["card"].get("name", ""), shown["winner"]
    if winner is not None and not shown["battle"]:
        return messages.TAKEN_ALONE.format(name=names[winner], card=card)
    fought = {lane["seat"]: several(list_revealed(lane)) for lane in shown["lanes"]}
    fighters = [
        messages.FIGHTER.format(name=inside(names[seat]), cards=cards)
        for seat, cards in fought.items()
        if seat != winner
    ]
    if winner is None:
        return messages.NO_WINNER_AMONG.format(card=card, fighters=several(fighters))
    return messages.WON_AGAINST.format(name=names[winner], card=card, cards=fought[winner], fighters=several(fighters))


def list_revealed(lane: Lane) -> list[str]:
    """Return the cards that a fighter revealed: a symbol by its name, other cards with their value."""
    found = [
        one["card"].get("name", "") + ("" if one["card"].get("symbol") else f" {one['value']}") for one in lane["cards"]
    ]
    return found or [messages.NO_CARD]


def list_you_first(names: list[str], seats: list[Seat]) -> str:
    """Return the names of some seats as a text, the viewer first."""
    return several(sorted([names[seat] for seat in seats], key=lambda name: name != YOU))


def describe_flags(game: FactionWords, view: FactionState, names: list[str]) -> str:
    """Return a sentence about the selections of all seats."""
    by_place: dict[int, list[Pick]] = {}
    for pick in find_revealed_picks(game, view):
        by_place.setdefault(pick["place"], []).append(pick)
    found = [
        messages.FLAG.format(
            card=picks[0]["card"].get("name", ""), names=several([inside(names[pick["seat"]]) for pick in picks])
        )
        for _, picks in sorted(by_place.items())
    ]
    return messages.FLAGS.format(picks="; ".join(found))


def describe_reveal(reveal: Reveal, names: list[str]) -> str:
    """Return a sentence about the cards of one reveal, and the seats that stay in."""
    symbols = all(one["card"].get("symbol") for one in reveal["shown"])
    cards = [one["card"].get("name", "") if symbols else str(one["value"]) for one in reveal["shown"]]
    said = several(cards) if cards else messages.NO_CARD_LEFT
    tied = reveal["tied"]
    if tied is None:
        return messages.REVEALED.format(cards=said)
    return messages.REVEALED_TIE.format(cards=said, names=list_you_first(names, tied["seats"]))


def describe_win(shown: Scene, name: str) -> str:
    """Return a sentence about the winner of a battle, with the values of its last reveal if they decided it."""
    card = shown["card"].get("name", "")
    last = shown["reveals"][-1]["shown"] if shown["reveals"] else []
    own = [one["value"] for one in last if one["seat"] == shown["winner"]]
    others = [one["value"] for one in last if one["seat"] != shown["winner"]]
    # A battle that symbols or an empty deck decided has no margin in values.
    if not own or not others or own[0] <= max(others):
        return messages.WON.format(name=name, card=card)
    if len(shown["reveals"]) > 1:
        return messages.WON_BY_AFTER_TIE.format(name=name, card=card, value=own[0], best=max(others))
    return messages.WON_BY.format(name=name, card=card, value=own[0], best=max(others))


def describe_effect(game: FactionWords, view: FactionState, names: list[str]) -> str:
    """Return sentences about the effect of the card that was claimed last."""
    found: list[str] = []
    for event in reversed(view.log or ()):
        if event[0] in (ev.CLAIMED, ev.CHOSE):
            break
        if event[0] in SEEN_OF_EFFECTS:
            found.append(game.words(event, view, names).strip())
    # The last three events, which were collected backwards.
    return " ".join(found[2::-1]) or messages.NOTHING_HAPPENS


SEEN_OF_EFFECTS: Final = set(AFTERMATH) - {ev.TARGET, ev.ACTION, ev.ACTION_DONE, ev.SHUFFLED, ev.RENEWED, ev.DISMISSED}
