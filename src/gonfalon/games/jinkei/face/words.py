"""Sentences for what happens, what is asked and what may be done. All are made from masked data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gonfalon.core.cards import HIDDEN, KIND
from gonfalon.core.english import YOU, verb, verdict
from gonfalon.core.state import Action, Card, Event
from gonfalon.games.jinkei.rules import events as ev
from gonfalon.games.jinkei.rules.actions import ADVANCE, DEAL, FORMATION, KINDS, PLAY, PUT
from gonfalon.games.jinkei.rules.setup import ROWS
from gonfalon.games.jinkei.rules.state import JinkeiState

if TYPE_CHECKING:
    from gonfalon.games.jinkei.game import Jinkei

WHY: Final = ["the higher rank", "the led colour", "0 beats 12"]
"""Of a battle won: indexed by BY_RANK, BY_COLOUR, BY_ZERO."""
SHORT: Final = ["Vanguard", "Rearguard", "Reinforcement"]


def card_name(game: Jinkei, card: Card) -> str:
    """`Red 5`, or `a card` for one the viewer does not know."""
    return "a card" if card & KIND == HIDDEN else kind_name(game, card & KIND)


def kind_name(game: Jinkei, kind: int) -> str:
    """`Red 5`."""
    return f"{game.box.colours[game.setup.colour[kind]].title()} {game.setup.rank[kind]}"


def space_name(space: int) -> str:
    """`Vanguard 1`."""
    return f"{SHORT[space // 3]} {space % 3 + 1}"


def formation_name(game: Jinkei, formation: int) -> str:
    """`Sword 1 A`: type, round, which of the two."""
    form = game.setup.formations[formation]
    letter = "AB"[game.setup.choices(form.type, form.round).index(formation)]
    return f"{game.box.types[form.type].title()} {form.round} {letter}"


def played(game: Jinkei, card: Card, space: int, called: int) -> str:
    """`Red 9 (9+1 = 10) from Rearguard 2, as Blue`."""
    where = f"from {space_name(space)}"
    if card & KIND == HIDDEN or called < 0:
        return f"a card {where}"
    kind = card & KIND
    colour, rank = divmod(called, ev.CALLED)
    printed = game.setup.rank[kind]
    sum_ = f" ({printed}+{rank - printed} = {rank})" if rank != printed else ""
    as_colour = f", as {game.box.colours[colour].title()}" if colour != game.setup.colour[kind] else ""
    return f"{kind_name(game, kind)}{sum_} {where}{as_colour}"


def sentence(game: Jinkei, event: Event, names: list[str]) -> str:
    """One sentence, actor first. Empty for an event that needs none."""
    code, _, seat, card, a, b = event
    name = names[seat] if seat >= 0 else ""
    if code == ev.GAME:
        number = f"Game {a}. " if game.setup.games > 1 else ""
        return f"{number}{verb(name, 'are')} the first player."
    if code == ev.TYPE:
        return f"{verb(name, 'choose')} the {game.box.types[a].title()} formations."
    if code == ev.ROUND:
        return f"Round {a}. {verb(name, 'lead')}."
    if code == ev.DREW:
        return f"{verb(name, 'draw')} {a} card{'s' if a != 1 else ''}."
    if code == ev.DREW_CARD:
        return f"{verb(name, 'draw')} {card_name(game, card)}."
    if code == ev.FORMATION:
        return f"{verb(name, 'reveal')} formation {formation_name(game, a)}."
    if code == ev.REVEALED:
        return f"{verb(name, 'turn')} up {card_name(game, card)} on {space_name(a)}."
    if code == ev.PLACED:
        return f"{verb(name, 'have')} {card_name(game, card)} on {space_name(a)}."
    if code == ev.PLACED_DOWN:
        return f"{verb(name, 'lay')} {a} Reinforcement{'s' if a != 1 else ''} face down."
    if code == ev.LED:
        return f"{verb(name, 'attack')} with {played(game, card, a, b)}."
    if code == ev.ANSWERED:
        return f"{verb(name, 'defend')} with {played(game, card, a, b)}."
    if code == ev.TOOK:
        why = f": {WHY[a]}" if a != ev.FORGOTTEN else ""
        return f"{verb(name, 'take')} both cards{why}."
    if code == ev.TIED:
        return "A tie: each takes their own card."
    if code == ev.ADVANCED:
        return f"{verb(name, 'advance')} {card_name(game, card)} from {space_name(a)} to {space_name(b)}."
    if code == ev.SCORED:
        return f"{verb(name, 'score')} {b} in round {a}."
    if code == ev.TOTAL:
        return f"{verb(name, 'have')} {a} points in this game."
    if code == ev.OVER:
        if seat < 0:
            return "Equal scores over two games: both win."
        why = ": equal points, and the second player wins the tie" if a == ev.BY_SECOND else ""
        return f"{verb(name, 'win')}{why}."
    return ""


PROMPTS: Final = {
    "type": ("choose the type of your formations", "choose a type of formation"),
    "formation": ("choose one of this round's two formations", ""),
    "front": ("lay a card on each open space of Vanguard and Rearguard", ""),
    "back": ("lay your Reinforcements, face down", ""),
    "lead": ("you are OFFENSE: attack with a card of the {row}", "attack"),
    "answer": ("you are DEFENSE: answer with a card of the {row}", "defend"),
    "advance": ("choose which of the two cards advances", "choose which card advances"),
}


def ending(view: JinkeiState, names: list[str]) -> str:
    """Who won, by how much, and what decided a tie."""
    outcome = view.outcome()
    if outcome is None:
        return ""
    if len(outcome.winners) > 1:
        return f"Both win: {view.totals[0]} to {view.totals[1]} over two games (End of the game)."
    first = names.index(YOU) if YOU in names else outcome.winners[0]
    rule = "; a tie goes to the second player (End of the game)" if view.how == ev.BY_SECOND else ""
    return f"{verdict(outcome.winners, names)} {view.totals[first]} to {view.totals[1 - first]}{rule}."


def prompt(game: Jinkei, view: JinkeiState, names: list[str]) -> str:
    """Who must do what. `view.viewer` is addressed as You."""
    outcome = view.outcome()
    if outcome is not None:
        if len(outcome.winners) > 1:
            return "Both win."
        return f"{verb(names[outcome.winners[0]], 'win')} the game."
    step = view.stack[-1]
    mine, theirs = PROMPTS.get(step.prompt, ("", ""))
    if view.turn >= 0 and view.turn == view.viewer:
        row = view.row(view.turn, step.prompt == "lead") if step.prompt in ("lead", "answer") else []
        text = mine.format(row=ROWS[row[0] // 3] if row else "")
        return text[:1].upper() + text[1:] + "."
    if step.seat == -1:
        return "The cards are being shuffled."
    if len(view.asked()) > 1:
        return "Waiting for the other's choice." if view.viewer >= 0 else "Both players choose."
    return f"{verb(names[step.seat], 'are')} to {theirs}."


def describe(game: Jinkei, view: JinkeiState, action: Action) -> str:
    """An action of the viewer's own decision, in the imperative."""
    if action < FORMATION:
        return f"Take the {game.box.types[action].title()} formations."
    if action in (FORMATION, FORMATION + 1):
        choices = game.setup.choices(view.type[view.turn], view.round)
        return f"Use formation {formation_name(game, choices[action - FORMATION])}."
    if PUT <= action < PLAY:
        space, kind = divmod(action - PUT, KINDS)
        return f"Lay {kind_name(game, kind)} on {space_name(space)}."
    if PLAY <= action < ADVANCE:
        return _describe_play(game, view, (action - PLAY) // 2, (action - PLAY) % 2)
    if ADVANCE <= action < DEAL:
        return f"Advance {kind_name(game, action - ADVANCE)}."
    return game.notation(action)


def _describe_play(game: Jinkei, view: JinkeiState, space: int, colour: int) -> str:
    seat = view.turn
    cards = view.spaces[seat][space]
    if not cards or cards[0] & KIND == HIDDEN:
        return f"Play the card of {space_name(space)}."
    rank = view.effective(seat, space, cards[0] & KIND)
    return f"Play {played(game, cards[0], space, colour * ev.CALLED + rank)}."
