"""Reasons for the moves of the bots of Faction Wars, made of points and of the chances to get the cards."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
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

SMALL_DIFFERENCE: Final = 2
"""The greatest difference of points that chances, estimates or cards to come may make up for."""


def list_reasons(
    game: FactionWords, view: FactionState, choice: Choice, picks: list[list[float]], odds: list[float]
) -> list[Reason]:
    """Return the reasons for a choice: points, and the chances to get the cards.

    Args:
        game: The game.
        view: The view.
        choice: The choice.
        picks: How likely each seat picks each card; empty if no line-up is picked from.
        odds: The viewer's chance to win a battle, by opponent.
    """
    action, prompt, survey = choice.action, view.stack[-1].prompt, Survey(game, view)
    if TO <= action < CARD and prompt != "select":
        return [compare_players(survey, choice)]
    if prompt in ("gift", "desert"):
        return compare_losses(survey, choice)
    rest = [one for one in view.actions if find_kind(view, one) != find_kind(view, action)] or [*view.actions]
    gains = {one: survey.weigh(find_kind(view, one)) for one in view.actions}
    best = max(rest, key=lambda one: (gains[one].total, gains[one].own))
    found = [compare_cards(survey, action, best)]
    if gains[action].total <= gains[best].total:
        found += compare_chances(survey, choice, best, picks, odds) or compare_otherwise(survey, choice, best)
    return found


@dataclass(frozen=True)
class Gain:
    """The points of a card: now, with its ability, taken from one rival, and in all; and the card that it concerns."""

    points: int
    own: int
    harm: int
    total: int
    whom: str


class Survey:
    """The gains of cards and the points of armies, as far as a viewer knows them."""

    def __init__(self, game: FactionWords, view: FactionState) -> None:
        self.game: FactionWords = game
        self.view: FactionState = view
        self.names: list[str] = game.seat_names()
        self.armies: list[list[int]] = [view.count_owned(seat) for seat in range(game.seats)]
        self.others: list[Seat] = [seat for seat in range(game.seats) if seat != view.viewer]
        self.deck: list[int] = self.list_deck()
        self.worths: list[int] = sorted([self.count_points(kind) for kind in self.deck]) or [0]

    def name(self, action: Action) -> str:
        """Return the name of an action."""
        return name_action(self.game, self.view, action)

    def count_score(self, seat: Seat) -> int:
        """Return a seat's points now."""
        return sum(score_parts(self.game, self.view, seat, self.armies))

    def count_points(self, kind: int) -> int:
        """Return the points that a card adds to the score of the viewer now."""
        return build_worth(self.game, self.view, self.view.viewer, kind, self.armies)["points"]

    def count_loss(self, seat: Seat, kind: int) -> int:
        """Return the points that a seat loses without one of its cards."""
        armies = [army[:] for army in self.armies]
        armies[seat][kind] -= 1
        return self.count_score(seat) - sum(score_parts(self.game, self.view, seat, armies))

    def find_cheapest(self, seat: Seat) -> tuple[int, str]:
        """Return the points of the recruit that a seat loses most easily, and its name; 0 if it has none."""
        kinds = [kind for kind in range(self.game.setup.recruits) if self.armies[seat][kind]]
        return min([(self.count_loss(seat, kind), self.game.kind_name(kind)) for kind in kinds], default=(0, ""))

    def list_deck(self) -> list[int]:
        """Return the kinds of the cards of the recruit deck."""
        view, left = self.view, Counter(self.game.setup.deck)
        left -= Counter([card & KIND for card in view.discard + view.lineup + view.table + view.aside])
        left -= Counter(dict(enumerate(map(sum, zip(*self.armies, strict=True)))))
        return list(left.elements()) if view.deck else []

    def count_loot(self, seat: Seat) -> int:
        """Return the mean points of an army's recruits, rounded."""
        points = score_parts(self.game, self.view, seat, self.armies)[:BYSTANDERS]
        return round(sum(points) / max(1, self.view.count_recruits(seat)))

    def weigh(self, kind: int) -> Gain:
        """Return the gain of a card, its ability included."""
        view, setup, ability = self.view, self.game.setup, self.game.setup.kinds[kind].ability
        loot, (cost, given) = max(map(self.count_loot, self.others)), self.find_cheapest(view.viewer)
        recruits = [card & KIND for card in view.discard if card & KIND < setup.recruits]
        found, trade = max(recruits, key=self.count_points, default=kind), max(0, loot - cost)
        least = round(fmean([self.find_cheapest(seat)[0] for seat in self.others]))
        # Of three random cards the best one lies three quarters up.
        deck = {"gambler": round(fmean(self.worths)), "call": self.worths[len(self.worths) * 3 // 4]}
        more = deck | {"exchange": self.count_points(found), "buccaneer": loot, "desertion": least, "parley": trade}
        harm = {"bystander": -setup.points[kind], "buccaneer": loot, "kunoichi": loot, "parley": trade}.get(ability, 0)
        points, whom = self.count_points(kind), given if ability == "parley" else self.game.kind_name(found)
        own = points + more.get(ability, 0)
        return Gain(points, own, harm, own + harm, whom)

    def value(self, gain: Gain) -> float:
        """Return the worth of a gain against all rivals, of whom only one has the harm."""
        return gain.own + gain.harm / len(self.others)

    def is_growing(self, kind: int) -> bool:
        """Return whether a card brings more with further ones, and the recruit deck still has such cards."""
        setup, ability = self.game.setup, self.game.setup.kinds[kind].ability
        same = [setup.faction_of[one] == setup.faction_of[kind] for one in self.deck]
        return (ability == "berserker" and kind in self.deck) or (ability == "bonus" and any(same))


def find_kind(view: FactionState, action: Action) -> int:
    """Return the kind of a card of the line-up, or of another one that an action names."""
    return view.lineup[action - TAKE] & KIND if action < CARD else action - CARD


def compare_cards(survey: Survey, action: Action, best: Action) -> Reason:
    """Return the points of a card with its goal and its ability, and the gain of the best other one."""
    game, view, is_counted = survey.game, survey.view, survey.view.stack[-1].prompt != "select"
    gain, than = (survey.weigh(find_kind(view, one)) for one in (action, best))
    name, other, is_plain = survey.name(action), survey.name(best), than.total == than.points
    # Only the line-up shows what its cards add.
    facts = [
        Fact(name, messages.WHY_POINTS_NOW, gain.points, is_counted=is_counted),
        Fact(other, messages.WHY_POINTS, than.total, is_counted=is_counted or not is_plain),
        Fact(other, messages.WHY_POINTS, than.harm, is_counted=True),
    ]
    its = messages.WHY_LOST_BY_RIVAL if than.harm and len(survey.others) > 1 else messages.WHY_INCLUDED
    goal, deed = tell_goal(survey, action), tell_deed(survey, action, gain)
    words = {"other": other, "its": "" if is_plain else its.format(*facts), "part": goal.sentence}
    words, facts = words | {"deed": deed.sentence}, [*facts, *goal.facts, *deed.facts]
    ability = game.setup.kinds[find_kind(view, action)].ability
    grows = messages.WHY_GROWTH[ability] if survey.is_growing(find_kind(view, action)) else ""
    pattern = messages.WHY_MOST if gain.total > than.total else messages.WHY_LESS
    return tell(messages.WHY_LEVEL if gain.total == than.total else pattern, *facts, **words, grows=grows)


def tell_goal(survey: Survey, action: Action) -> Reason:
    """Return the clause about the goal that a card meets; empty if it does not."""
    view = survey.view
    worth = build_worth(survey.game, view, view.viewer, find_kind(view, action), survey.armies)
    if not worth["parts"]["goal"]:
        return tell("")
    fact = Fact(survey.name(action), messages.WHY_POINTS, worth["parts"]["goal"], is_counted=True)
    return tell(messages.WHY_BY_GOAL, fact, goal=survey.game.card_name(view.goal[view.viewer][0]))


def tell_deed(survey: Survey, action: Action, gain: Gain) -> Reason:
    """Return the clause about the ability of a card; empty if it brings nothing."""
    ability = survey.game.setup.kinds[find_kind(survey.view, action)].ability
    if gain.total == gain.points:
        return tell("")
    values, name = (gain.own - gain.points, gain.harm, gain.total), survey.name(action)
    pattern = messages.WHY_LINK[gain.points != 0] + messages.WHY_DEEDS[ability]
    pattern += "" if gain.total in values[:2] else messages.WHY_IN_ALL
    return tell(pattern, *[Fact(name, messages.WHY_POINTS, one, is_counted=True) for one in values], whom=gain.whom)


def compare_chances(
    survey: Survey, choice: Choice, best: Action, picks: list[list[float]], odds: list[float]
) -> list[Reason]:
    """Return the chances to get the chosen card and another one, if they make up for the points of the other one."""
    if not picks:
        return []
    believed = {one.about: dict(one.likely) for one in choice.beliefs}
    facts, values = [], []
    for card in (choice.action, best):
        chance, losses = 1.0, [0.0] * len(survey.names)
        for seat in survey.others:
            likely = believed.get(messages.WHY_CHOICE_OF.format(player=survey.names[seat]), {})
            pick = likely.get(survey.name(card), 0.0) if likely else picks[seat][card - TAKE]
            losses[seat] = pick * (1 - odds[seat])
            chance *= 1 - losses[seat]
        facts.append(Fact(survey.name(card), messages.WHY_CASES, round(10 * chance), is_counted=True))
        values.append(survey.value(survey.weigh(find_kind(survey.view, card))))
    lag = values[1] * facts[1].value - values[0] * facts[0].value
    if facts[0].value <= facts[1].value or lag > min(10.0, 10 * (values[1] - values[0]) / 3):
        return []
    player = survey.names[max(survey.others, key=lambda seat: losses[seat])]
    return [tell(messages.WHY_CONTESTED, *facts, player=player, so=messages.WHY_MOSTLY if lag > 0 else "")]


def compare_otherwise(survey: Survey, choice: Choice, best: Action) -> list[Reason]:
    """Return another ground for a card that brings no more points than another one."""
    kind, other = find_kind(survey.view, choice.action), survey.name(best)
    gain, than = survey.weigh(kind), survey.weigh(find_kind(survey.view, best))
    is_plain = gain.total == gain.points and than.total == than.points
    if len(survey.others) > 1 and (gain.own > than.own or survey.value(gain) > survey.value(than)):
        return [tell(messages.WHY_SHARED)]
    gap, is_same = than.total - gain.total, is_alike(choice, best)
    if survey.is_growing(kind) and gap <= SMALL_DIFFERENCE:
        return []
    if gap == 0 or (gap <= SMALL_DIFFERENCE and (is_same or (gap == 1 and not is_plain))):
        return [tell(messages.WHY_ALIKE, card=survey.name(choice.action), other=other)]
    return [] if choice.value else [tell(messages.WHY_BETTER, card=other)]


def compare_players(survey: Survey, choice: Choice) -> Reason:
    """Return the recruits of the chosen player, or their points, and those of the next one among the choices."""
    view, action, names = survey.view, choice.action, survey.names
    rest = [one for one in view.actions if one != action]
    if view.stack[-1].prompt != "bystander":
        loot = {one: survey.count_loot(one - TO) for one in view.actions}
        other = max(rest, key=lambda one: loot[one])
        if loot[action] > loot[other]:
            fact = Fact(names[action - TO], messages.WHY_A_RECRUIT, loot[action], names[other - TO], loot[other], True)
            return tell(messages.WHY_LOOT, fact)
    scores = {one: survey.count_score(one - TO) for one in view.actions}
    second = max(rest, key=lambda one: scores[one])
    fact = Fact(names[action - TO], messages.WHY_POINTS, scores[action])
    if scores[second] == scores[action]:
        return tell(messages.WHY_NO_LEADER, fact)
    pattern = messages.WHY_LEADER if scores[second] < scores[action] else messages.WHY_BEHIND
    return tell(pattern, replace(fact, other=names[second - TO], than=scores[second]))


def compare_losses(survey: Survey, choice: Choice) -> list[Reason]:
    """Return the points that the viewer loses with a card of its army, and with the cheapest other one."""
    action, view = choice.action, survey.view
    losses = {one: survey.count_loss(view.viewer, one - CARD) for one in view.actions}
    other = min([one for one in view.actions if one != action], key=lambda one: losses[one])
    fact = Fact(survey.name(action), messages.WHY_POINTS, losses[action], is_counted=True)
    if losses[other] == losses[action]:
        return [tell(messages.WHY_COSTS_LEAST, fact)]
    return [tell(messages.WHY_COSTS, replace(fact, other=survey.name(other), than=losses[other]))]
