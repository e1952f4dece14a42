"""Reasons for the moves of the bots of Faction Wars, made of points and of the picks that are expected."""

from __future__ import annotations

from gonfalon.bots.players.choice import Choice, Fact
from gonfalon.bots.players.reasons import Reason, tell
from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.state import Action
from gonfalon.games.factionwars.face import messages
from gonfalon.games.factionwars.face.armies import Worth, build_worth, score_parts
from gonfalon.games.factionwars.face.thoughts import name_action
from gonfalon.games.factionwars.face.words import FactionWords
from gonfalon.games.factionwars.rules.actions import CARD, TAKE, TO
from gonfalon.games.factionwars.rules.state import FactionState


def list_reasons(game: FactionWords, view: FactionState, choice: Choice) -> list[Reason]:
    """Return the reasons for a choice: the points of cards or players, and the picks that are expected."""
    action, prompt = choice.action, view.stack[-1].prompt
    if TO <= action < CARD and prompt != "select":
        return [compare_players(game, view, action)]
    if prompt in ("gift", "desert"):
        return [explain_loss(game, view, action - CARD)]
    found_worths = {one: find_worth(game, view, one) for one in view.actions}
    worths = {one: worth["points"] for one, worth in found_worths.items()}
    best = min(view.actions, key=lambda one: (-worths[one], one == action))
    mine = worths[action]
    name, other = [name_action(game, view, one) for one in (action, best)]
    is_counted = prompt != "select"  # only the line-up shows what its cards add
    if best == action:  # all others add less
        rest = [one for one in view.actions if one != action]
        second = max(rest, key=lambda one: worths[one])
        fact = Fact(name, messages.WHY_POINTS_NOW, mine, name_action(game, view, second), worths[second], is_counted)
        found = [tell(messages.WHY_MOST, fact)]
    elif worths[best] == mine and mine:
        found = [tell(messages.WHY_LEVEL, Fact(name, messages.WHY_POINTS_NOW, mine, is_counted=is_counted))]
    elif worths[best] == mine:
        found = [tell(messages.WHY_NO_POINTS, Fact(name, messages.WHY_POINTS_NOW, mine, is_counted=is_counted))]
    else:
        pattern = messages.WHY_LESS_BUT_ACTS if found_worths[action]["ability"] else messages.WHY_LESS
        found = [tell(pattern, Fact(name, messages.WHY_POINTS_NOW, mine, other, worths[best], is_counted))]
    return found + compare_picks(game, choice, name, other)


def find_worth(game: FactionWords, view: FactionState, action: Action) -> Worth:
    """Return the worth of a card to the viewer now, as the board shows it."""
    kind = view.lineup[action - TAKE] & KIND if action < CARD else action - CARD
    armies = [view.count_owned(seat) for seat in range(game.seats)]
    return build_worth(game, view, view.viewer, kind, armies)


def compare_picks(game: FactionWords, choice: Choice, name: str, best: str) -> list[Reason]:
    """Return the expected pick of the player who most probably picks the card, or the one with more points."""
    found: list[tuple[float, str, Fact]] = []
    for belief in choice.beliefs:
        likely = dict(belief.likely)
        player = next((one for one in game.seat_names() if belief.about == f"{one}'s choice"), "")
        if not player or best not in likely:
            continue
        value, than = round(100 * likely.get(name, 0.0)), round(100 * likely[best])
        quantity = messages.WHY_PICKED.format(player=player)
        if name == best:
            found.append((likely[name], player, Fact(name, quantity, value)))
        elif than > value:
            found.append((likely[best], player, Fact(name, quantity, value, best, than)))
    if not found:
        return []
    _, player, fact = max(found, key=lambda one: one[0])
    pattern = messages.WHY_RIVAL if name == best else messages.WHY_RATHER
    return [tell(pattern, fact, player=player)]


def compare_players(game: FactionWords, view: FactionState, action: Action) -> Reason:
    """Return the points of the chosen player, and of the next one among the choices."""
    armies = [view.count_owned(seat) for seat in range(game.seats)]
    points = {one: sum(score_parts(game, view, one - TO, armies)) for one in view.actions}
    names = game.seat_names()
    rest = [one for one in view.actions if one != action]
    second = max(rest, key=lambda one: points[one])
    if points[second] < points[action]:
        fact = Fact(names[action - TO], messages.WHY_POINTS, points[action], names[second - TO], points[second])
        return tell(messages.WHY_LEADER, fact)
    return tell(messages.WHY_HAS_POINTS, Fact(names[action - TO], messages.WHY_POINTS, points[action]))


def explain_loss(game: FactionWords, view: FactionState, kind: int) -> Reason:
    """Return the points that the viewer loses with a card of its army."""
    armies = [view.count_owned(seat) for seat in range(game.seats)]
    before = sum(score_parts(game, view, view.viewer, armies))
    armies[view.viewer][kind] -= 1
    loss = before - sum(score_parts(game, view, view.viewer, armies))
    return tell(messages.WHY_COSTS, Fact(game.kind_name(kind), messages.WHY_POINTS, loss, is_counted=True))
