"""Reasons for the moves of the bots of Faction Wars, made of points and of the picks that are expected."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from gonfalon.bots.players.choice import Choice, Fact
from gonfalon.bots.players.reasons import Reason, tell
from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.state import Action, Seat
from gonfalon.games.factionwars.face import messages
from gonfalon.games.factionwars.face.armies import Worth, build_worth, score_parts
from gonfalon.games.factionwars.face.thoughts import name_action
from gonfalon.games.factionwars.face.words import FactionWords
from gonfalon.games.factionwars.rules.actions import CARD, TAKE, TO
from gonfalon.games.factionwars.rules.state import FactionState

CLEAR_DIFFERENCE: Final = 0.05
"""The smallest difference of two chances to be picked that a reason names."""


def list_reasons(game: FactionWords, view: FactionState, choice: Choice) -> list[Reason]:
    """Return the reasons for a choice: the points of cards or players, and the picks that are expected."""
    action, prompt = choice.action, view.stack[-1].prompt
    if TO <= action < CARD and prompt != "select":
        return [compare_players(game, view, action)]
    if prompt in ("gift", "desert"):
        return compare_losses(game, view, action)
    rest = [one for one in view.actions if find_kind(view, one) != find_kind(view, action)] or [*view.actions]
    worths = {one: find_worth(game, view, one, view.viewer) for one in view.actions}
    best = max(rest, key=lambda one: worths[one]["points"])
    mine, than = worths[action]["points"], worths[best]["points"]
    name, other = [name_action(game, view, one) for one in (action, best)]
    is_counted = prompt != "select"  # only the line-up shows what its cards add
    level = Fact(name, messages.WHY_POINTS_NOW, mine, is_counted=is_counted)
    fact = level if mine == than else replace(level, other=other, than=than)
    pattern = messages.WHY_LEVEL if mine == than else messages.WHY_MOST if mine > than else messages.WHY_LESS
    deed = messages.WHY_DEEDS.get(game.setup.kinds[find_kind(view, action)].ability, "")
    amount = level.amount if mine else messages.WHY_NO_POINTS
    kind_name = game.kind_name(find_kind(view, best))
    found = [tell(pattern, fact, amount=amount, deed=deed, other=kind_name)]
    if prompt != "select":
        return found
    return found + compare_picks(game, choice, name, other if mine <= than else "")


def find_kind(view: FactionState, action: Action) -> int:
    """Return the kind of a card of the line-up, or of another one that an action names."""
    return view.lineup[action - TAKE] & KIND if action < CARD else action - CARD


def find_worth(game: FactionWords, view: FactionState, action: Action, seat: Seat) -> Worth:
    """Return the worth of a card to a seat now, as far as the viewer knows it."""
    armies = [view.count_owned(one) for one in range(game.seats)]
    return build_worth(game, view, seat, find_kind(view, action), armies)


def compare_picks(game: FactionWords, choice: Choice, name: str, wanted: str) -> list[Reason]:
    """Return the expected pick of a player: of the one who most probably picks the card, or rather the wanted one.

    Args:
        game: The game.
        choice: The choice.
        name: The name of the chosen card.
        wanted: The name of a card with more points; empty if there is none.
    """
    rivals = {f"{player}'s choice": player for player in game.seat_names()}
    picks = {rivals[one.about]: dict(one.likely) for one in choice.beliefs if one.likely and one.about in rivals}
    if not picks:
        return []
    player, likely = max(picks.items(), key=lambda one: one[1].get(wanted or name, 0.0))
    # Any rival for the chosen card makes up for those of the wanted one.
    if wanted and likely.get(wanted, 0.0) <= max(one.get(name, 0.0) for one in picks.values()) + CLEAR_DIFFERENCE:
        return []
    top = wanted or max(likely, key=lambda one: likely[one])
    quantity, value, than = (
        messages.WHY_PICKED.format(player=player),
        *(round(100 * likely.get(one, 0.0)) for one in (name, top)),
    )
    if value == than:
        return [tell(messages.WHY_RIVAL, Fact(name, quantity, value), player=player)]
    return [tell(messages.WHY_RATHER, Fact(name, quantity, value, top, than), player=player)]


def compare_players(game: FactionWords, view: FactionState, action: Action) -> Reason:
    """Return the points of the chosen player, and of the next one among the choices."""
    armies = [view.count_owned(seat) for seat in range(game.seats)]
    points = {one: sum(score_parts(game, view, one - TO, armies)) for one in view.actions}
    names = game.seat_names()
    rest = [one for one in view.actions if one != action]
    second = max(rest, key=lambda one: points[one])
    fact = Fact(names[action - TO], messages.WHY_POINTS, points[action])
    if points[second] == points[action]:
        return tell(messages.WHY_NO_LEADER, fact)
    pattern = messages.WHY_LEADER if points[second] < points[action] else messages.WHY_HAS_POINTS
    return tell(pattern, replace(fact, other=names[second - TO], than=points[second]))


def compare_losses(game: FactionWords, view: FactionState, action: Action) -> list[Reason]:
    """Return the points that the viewer loses with a card of its army, and with the cheapest other one."""
    owned = [view.count_owned(seat) for seat in range(game.seats)]
    before = sum(score_parts(game, view, view.viewer, owned))
    losses = {}
    for one in view.actions:
        armies = [army[:] for army in owned]
        armies[view.viewer][one - CARD] -= 1
        losses[one] = before - sum(score_parts(game, view, view.viewer, armies))
    other = min([one for one in view.actions if one != action], key=lambda one: losses[one])
    fact = Fact(game.kind_name(action - CARD), messages.WHY_POINTS, losses[action], is_counted=True)
    if losses[other] == losses[action]:
        return [tell(messages.WHY_COSTS_LEAST, fact)]
    return [tell(messages.WHY_COSTS, replace(fact, other=game.kind_name(other - CARD), than=losses[other]))]
