"""Reasons for the moves of the bots of Faction Wars, made of points and of the picks that are expected."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from statistics import fmean
from typing import Final

from gonfalon.bots.players.choice import Choice, Fact
from gonfalon.bots.players.reasons import Reason, is_alike, tell
from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.state import Action, Seat
from gonfalon.games.factionwars.face import messages
from gonfalon.games.factionwars.face.armies import build_worth, score_parts
from gonfalon.games.factionwars.face.thoughts import name_action
from gonfalon.games.factionwars.face.words import FactionWords
from gonfalon.games.factionwars.rules.actions import CARD, TAKE, TO
from gonfalon.games.factionwars.rules.scoring.scoring import BYSTANDERS
from gonfalon.games.factionwars.rules.state import FactionState

FAVORED: Final = 0.55
"""The chance to win a battle from which a reason names it."""
CLEAR_DIFFERENCE: Final = 0.05
"""The smallest difference of two chances to be picked that a reason names."""


def list_reasons(
    game: FactionWords, view: FactionState, choice: Choice, picks: list[list[float]], odds: list[float]
) -> list[Reason]:
    """Return the reasons for a choice: points, and the picks that are expected.

    Args:
        game: The game.
        view: The view.
        choice: The choice.
        picks: How likely each seat picks each card; empty if no line-up is picked from.
        odds: The viewer's chance to win a battle, by opponent.
    """
    action, prompt = choice.action, view.stack[-1].prompt
    if TO <= action < CARD and prompt != "select":
        return [compare_players(game, view, action)]
    if prompt in ("gift", "desert"):
        return compare_losses(game, view, choice)
    survey = Survey(game, view)
    rest = [one for one in view.actions if find_kind(view, one) != find_kind(view, action)] or [*view.actions]
    points = {one: survey.count_points(find_kind(view, one)) for one in view.actions}
    best = max(rest, key=lambda one: points[one])
    found = [compare_cards(survey, choice, best)]
    name, other = [name_action(game, view, one) for one in (action, best)]
    if prompt == "select":
        found += compare_picks(game, choice, name, other if points[action] <= points[best] else "", odds)
    if len(found) == 1 and points[action] <= points[best]:
        crowds = [sum([picks[seat][one - TAKE] for seat in survey.others]) if picks else 0.0 for one in (action, best)]
        if crowds[1] > crowds[0] + CLEAR_DIFFERENCE and not any(one.about.endswith("choice") for one in choice.beliefs):
            return [*found, tell(messages.WHY_CROWD, card=name, other=other)]
        found += compare_otherwise(survey, choice, best, name, other)
    return found


class Survey:
    """The points of cards and the averages of decks and armies, as far as a viewer knows them."""

    def __init__(self, game: FactionWords, view: FactionState) -> None:
        self.game: FactionWords = game
        self.view: FactionState = view
        self.armies: list[list[int]] = [view.count_owned(seat) for seat in range(game.seats)]
        self.others: list[Seat] = [seat for seat in range(game.seats) if seat != view.viewer]
        self.leader: Seat = max(self.others, key=self.count_score)

    def count_score(self, seat: Seat) -> int:
        """Return a seat's points now."""
        return sum(score_parts(self.game, self.view, seat, self.armies))

    def count_points(self, kind: int) -> int:
        """Return the points that a card adds to the score of the viewer now."""
        return build_worth(self.game, self.view, self.view.viewer, kind, self.armies)["points"]

    def list_deck(self) -> list[int]:
        """Return the points that the cards of the recruit deck add, ascending."""
        view, left = self.view, Counter(self.game.setup.deck)
        left -= Counter([card & KIND for card in view.discard + view.lineup + view.table + view.aside])
        for army in self.armies:
            left -= Counter(dict(enumerate(army)))
        return sorted([self.count_points(kind) for kind in left.elements()]) if view.deck else [0]

    def count_loot(self, seat: Seat) -> tuple[int, int]:
        """Return the points of an army's recruits, and their number."""
        points = score_parts(self.game, self.view, seat, self.armies)[:BYSTANDERS]
        return sum(points), max(1, self.view.count_recruits(seat))

    def average_loot(self, seat: Seat) -> float:
        """Return the mean points of an army's recruits."""
        points, count = self.count_loot(seat)
        return points / count

    def weigh_ability(self, kind: int) -> tuple[int, str]:
        """Return the points that a card's ability brings or costs, about, and the card or player that it concerns."""
        view, setup, names = self.view, self.game.setup, self.game.seat_names()
        ability = setup.kinds[kind].ability
        if ability == "gambler":
            return round(fmean(self.list_deck())), ""
        if ability == "call":  # of three random cards the best one lies three quarters up
            return self.list_deck()[len(self.list_deck()) * 3 // 4], ""
        if ability == "exchange":
            recruits = [card & KIND for card in view.discard if card & KIND < setup.recruits]
            found = max(recruits, key=self.count_points, default=kind)
            return self.count_points(found), self.game.kind_name(found)
        if ability == "bonus":
            return 0, self.game.box.factions[setup.faction_of[kind]]["name"]
        if ability == "bystander":
            return -setup.points[kind], names[self.leader]
        victim = max(self.others, key=self.average_loot)
        return round(self.average_loot(victim)), names[victim]


def find_kind(view: FactionState, action: Action) -> int:
    """Return the kind of a card of the line-up, or of another one that an action names."""
    return view.lineup[action - TAKE] & KIND if action < CARD else action - CARD


def compare_cards(survey: Survey, choice: Choice, best: Action) -> Reason:
    """Return the points of a card with its goal and its ability, and those of the best other one."""
    game, view = survey.game, survey.view
    kind, rival = (find_kind(view, one) for one in (choice.action, best))
    worth, than = build_worth(game, view, view.viewer, kind, survey.armies), survey.count_points(rival)
    name, mine, goal = name_action(game, view, choice.action), worth["points"], worth["goal"]
    # Only the line-up shows what its cards add.
    fact = Fact(name, messages.WHY_POINTS_NOW, mine, is_counted=view.stack[-1].prompt != "select")
    words = {"amount": fact.amount if mine else messages.WHY_NO_POINTS, "other": game.kind_name(rival)}
    pattern = messages.WHY_LEVEL if mine == than else messages.WHY_MOST if mine > than else messages.WHY_LESS
    facts = [fact if mine == than else replace(fact, other=name_action(game, view, best), than=than)]
    words["goal"], part = game.card_name(view.goal[view.viewer][0]) if view.goal[view.viewer] else "", ""
    if worth["parts"]["goal"]:
        part = messages.WHY_BY_GOAL
        facts.append(Fact(name, messages.WHY_POINTS, worth["parts"]["goal"], is_counted=True))
    elif goal is not None and goal["have"] < goal["need"]:
        part = messages.WHY_FOR_GOAL
        facts.append(Fact(words["goal"], messages.WHY_CARDS, goal["have"], "", goal["need"], is_counted=True))
    words["part"], ability = part.format(*facts, **words), game.setup.kinds[kind].ability
    value, words["whom"] = survey.weigh_ability(kind)
    gain = Fact(name, messages.WHY_POINTS, value, is_counted=True)
    deed = messages.WHY_DEEDS.get(ability, "") if value or ability not in messages.WHY_AVERAGES else ""
    return tell(pattern, *facts, *([gain] if deed else []), deed=deed.format(gain, **words), **words)


def compare_picks(game: FactionWords, choice: Choice, name: str, wanted: str, odds: list[float]) -> list[Reason]:
    """Return the expected pick of a player: of the one who most probably picks the card, or rather the wanted one.

    Args:
        game: The game.
        choice: The choice.
        name: The name of the chosen card.
        wanted: The name of a card with more points; empty if there is none.
        odds: The viewer's chance to win a battle, by opponent.
    """
    rivals = {f"{player}'s choice": seat for seat, player in enumerate(game.seat_names())}
    picks = {rivals[one.about]: dict(one.likely) for one in choice.beliefs if one.likely and one.about in rivals}
    if not picks:
        return []
    seat, likely = max(picks.items(), key=lambda one: one[1].get(wanted or name, 0.0))
    # Any rival for the chosen card makes up for those of the wanted one.
    if wanted and likely.get(wanted, 0.0) <= max(one.get(name, 0.0) for one in picks.values()) + CLEAR_DIFFERENCE:
        return []
    player, top = game.seat_names()[seat], wanted or max(likely, key=lambda one: likely[one])
    value, than = (round(100 * likely.get(one, 0.0)) for one in (name, top))
    fact = Fact(name, messages.WHY_PICKED.format(player=player), value)
    if than - value > 100 * CLEAR_DIFFERENCE:
        return [tell(messages.WHY_RATHER, replace(fact, other=top, than=than), player=player)]
    lost = Fact(player, messages.WHY_FIGHTS, round(10 * odds[seat]), is_counted=True)
    is_won = top == name and odds[seat] >= FAVORED
    return [tell(messages.WHY_RIVAL, fact, lost, player=player)] if is_won else []


def compare_otherwise(survey: Survey, choice: Choice, best: Action, name: str, other: str) -> list[Reason]:
    """Return what else speaks for a card that adds no more points than another one."""
    game, view, setup = survey.game, survey.view, survey.game.setup
    kind, rival = (find_kind(view, one) for one in (choice.action, best))
    player, leader = game.seat_names()[survey.leader], survey.leader
    loss, its = (build_worth(game, view, leader, one, survey.armies)["points"] for one in (kind, rival))
    if loss > max(its, 0):
        fact = Fact(name, messages.WHY_FOR.format(player=player), loss, other, its, is_counted=True)
        return [tell(messages.WHY_DENIES, fact, player=player)]
    is_even = survey.count_points(kind) == survey.count_points(rival)
    is_plain = not setup.kinds[kind].ability and not setup.kinds[rival].ability
    is_equal = (is_even and is_plain) or (not is_even and is_alike(choice, best))
    return [tell(messages.WHY_ALIKE, card=name, other=other)] if is_equal else []


def compare_players(game: FactionWords, view: FactionState, action: Action) -> Reason:
    """Return the recruits of the chosen player, or their points, and those of the next one among the choices."""
    survey, names = Survey(game, view), game.seat_names()
    rest = [one for one in view.actions if one != action]
    if view.stack[-1].prompt != "bystander":
        other = max(rest, key=lambda one: survey.average_loot(one - TO))
        if survey.average_loot(action - TO) > survey.average_loot(other - TO):
            loot = [(names[one - TO], *survey.count_loot(one - TO)) for one in (action, other)]
            facts = [Fact(name, messages.WHY_POINTS, points, is_counted=True) for name, points, _ in loot]
            facts += [Fact(name, messages.WHY_RECRUITS, count, is_counted=True) for name, _, count in loot]
            return tell(messages.WHY_LOOT, *facts)
    scores = {one: survey.count_score(one - TO) for one in view.actions}
    second = max(rest, key=lambda one: scores[one])
    fact = Fact(names[action - TO], messages.WHY_POINTS, scores[action])
    if scores[second] == scores[action]:
        return tell(messages.WHY_NO_LEADER, fact)
    pattern = messages.WHY_LEADER if scores[second] < scores[action] else messages.WHY_HAS_POINTS
    return tell(pattern, replace(fact, other=names[second - TO], than=scores[second]))


def compare_losses(game: FactionWords, view: FactionState, choice: Choice) -> list[Reason]:
    """Return the points that the viewer loses with a card of its army, and with the cheapest other one."""
    action, owned = choice.action, [view.count_owned(seat) for seat in range(game.seats)]
    before = sum(score_parts(game, view, view.viewer, owned))
    losses = {}
    for one in view.actions:
        armies = [army[:] for army in owned]
        armies[view.viewer][one - CARD] -= 1
        losses[one] = before - sum(score_parts(game, view, view.viewer, armies))
    other = min([one for one in view.actions if one != action], key=lambda one: losses[one])
    name, than = game.kind_name(action - CARD), game.kind_name(other - CARD)
    fact = Fact(name, messages.WHY_POINTS, losses[action], is_counted=True)
    if losses[other] == losses[action]:
        return [tell(messages.WHY_COSTS_LEAST, fact)]
    found = [tell(messages.WHY_COSTS, replace(fact, other=than, than=losses[other]))]
    if losses[other] < losses[action] and game.setup.kinds[other - CARD].ability in messages.WHY_GROWING:
        return [*found, tell(messages.WHY_GROWS, card=than)]
    is_equal = losses[other] < losses[action] and is_alike(choice, other)
    return [*found, tell(messages.WHY_ALIKE, card=name, other=than)] if is_equal else found
