"""The battle on the table as data."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.state import Card, Seat
from gonfalon.games.jinkei.face import messages
from gonfalon.games.jinkei.face.cards import Face, build_card
from gonfalon.games.jinkei.face.words import JinkeiWords, format_sum
from gonfalon.games.jinkei.rules import events as ev
from gonfalon.games.jinkei.rules.setup import SPACES
from gonfalon.games.jinkei.rules.state import OPPONENT, ORDER, TIE, JinkeiState


class Fighter(Face):
    """A card in a battle: its space, its called color, its rank there and the bonus in it."""

    seat: Seat
    space: str
    called: str
    effective: int
    bonus: int
    sum: str
    sentence: str


class Explanation(TypedDict):
    """The explanation of a decided battle, as a sentence and in parts with the better card first."""

    sentence: str
    order: list[Seat]
    beats: str
    because: str


class Duel(TypedDict):
    """The attack, its answer and the winner: a seat or `tie`. `told` is present once the battle is decided."""

    number: int
    lead: Fighter | None
    answer: Fighter | None
    winner: Seat | str | None
    told: NotRequired[Explanation]


def build_duel(game: JinkeiWords, view: JinkeiState) -> Duel | None:
    """Return the battle on the table, or None."""
    if not view.duel[0] and not view.duel[1]:
        return None
    decided = bool(view.duel[0] and view.duel[1])
    duel: Duel = {
        "number": len(view.battles) + (not decided),
        "lead": build_fighter(game, view, view.attacker),
        "answer": build_fighter(game, view, OPPONENT[view.attacker]),
        "winner": None,
    }
    if decided:
        winner, _ = view.judge()
        duel["winner"] = "tie" if winner == TIE else winner
        duel["told"] = explain_battle(game, view)
    return duel


def find_taken_cards(view: JinkeiState, seat: Seat) -> list[Card]:
    """Return the cards that a seat took this round, those of a decided battle that is still on the table included."""
    cards = view.taken[2 * seat] + view.taken[2 * seat + 1]
    if view.duel[0] and view.duel[1]:
        winner, _ = view.judge()
        cards += [view.duel[owner][0] for owner in (0, 1) if (owner if winner == TIE else winner) == seat]
    return cards


def build_fighter(game: JinkeiWords, view: JinkeiState, seat: Seat) -> Fighter | None:
    """Return a seat's card of the battle; None before it is chosen."""
    if not view.duel[seat]:
        return None
    card, space, colour = view.duel[seat][0], view.origin[seat], view.called[seat]
    rank, printed = view.effective(seat, space, card & KIND), view.setup.rank[card & KIND]
    return {
        **build_card(game, seat, card, "duel"),
        "seat": seat,
        "space": SPACES[space],
        "called": game.box.colours[colour],
        "effective": rank,
        "bonus": rank - printed,
        "sum": format_sum(printed, rank),
        "sentence": game.played(card, space, colour * ev.CALLED + rank),
    }


def explain_battle(game: JinkeiWords, view: JinkeiState) -> Explanation:
    """Return the explanation of the decided battle on the table."""
    winner, why = view.judge()
    order = ORDER[view.attacker if winner == TIE else winner]
    ranks = [view.setup.rank[view.duel[seat][0] & KIND] for seat in order]
    sums = [
        format_sum(rank, view.effective(seat, view.origin[seat], view.duel[seat][0] & KIND))
        for seat, rank in zip(order, ranks, strict=True)
    ]
    led = game.colour_name(view.called[view.attacker])
    tie = winner == TIE
    because = messages.A_TIE if tie else messages.BECAUSE[why].format(colour=led)
    if why == ev.BY_COLOUR:
        named = [name_called_card(game, view, seat) for seat in order]
    else:
        named = [str(rank) for rank in ranks] if why == ev.BY_ZERO else sums
    sentence = (messages.BATTLE_TIE if tie else messages.BATTLE).format(one=named[0], two=named[1], why=because)
    return {
        "sentence": sentence,
        "order": order,
        "beats": messages.MEETS if tie else messages.BEATS,
        "because": because,
    }


def name_called_card(game: JinkeiWords, view: JinkeiState, seat: Seat) -> str:
    """Return the name of a seat's card in the battle: `Red 5`, or `Red 5 as Blue`."""
    kind, called = view.duel[seat][0] & KIND, view.called[seat]
    if called == view.setup.colour[kind]:
        return game.kind_name(kind)
    return messages.CARD_CALLED.format(card=game.kind_name(kind), colour=game.colour_name(called))
