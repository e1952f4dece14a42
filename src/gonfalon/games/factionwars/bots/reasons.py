"""Reasons for the moves of the bots of Faction Wars, made of points and of the chances to get the cards."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
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
from gonfalon.games.factionwars.rules.state import FactionState

DECIDED: Final = 0.03  # of the weaker side's chance
BIG_LEAD: Final = 10


def list_reasons(
    game: FactionWords, view: FactionState, choice: Choice, picks: list[list[float]], odds: list[float]
) -> list[Reason]:
    """Return the reasons for a choice: points, and the chances to get the cards; none if they do not speak for it.

    Args:
        game: The game.
        view: The view.
        choice: The choice.
        picks: How likely each seat picks each card; empty if no line-up is picked from.
        odds: The viewer's chance to win a battle, by opponent.
    """
    prompt, survey = view.stack[-1].prompt, Survey(game, view)
    others = [one.value.value for one in choice.alternatives if one.value]
    if choice.value and round(100 * max(others, default=0.0)) > round(100 * choice.value.value):
        return []
    if prompt in ("gift", "desert"):
        return compare_losses(survey, choice)
    is_aimed = TO <= choice.action < CARD and prompt != "select"
    return compare_players(survey, choice) if is_aimed else compare_cards(survey, choice, picks, odds)


@dataclass(frozen=True)
class Gain:
    """The points of a card: now, by a goal, with its ability, as a rival's loss, and in all.

    `value` counts the loss of one rival less if there are others. `whom` is the card that the ability concerns, and
    `its` tells that the points include an ability.
    """

    points: int
    goal: int
    own: int
    harm: int
    total: int
    value: float
    whom: str
    its: str


class Survey:
    """The gains of cards and the points of armies, as far as a viewer knows them."""

    def __init__(self, game: FactionWords, view: FactionState) -> None:
        self.game: FactionWords = game
        self.view: FactionState = view
        self.names: list[str] = game.seat_names()
        self.labels: dict[Action, str] = {action: name_action(game, view, action) for action in view.actions}
        self.armies: list[list[int]] = [view.count_owned(seat) for seat in range(game.seats)]
        self.others: list[Seat] = [seat for seat in range(game.seats) if seat != view.viewer]
        self.scores: list[int] = [sum(score_parts(game, view, seat, self.armies)) for seat in range(game.seats)]
        self.deck: list[int] = self.list_deck()
        self.gains: dict[int, Gain] = {}

    def count_change(self, seat: Seat, kind: int, giver: int, taker: int) -> int:
        """Return the points that a seat gains if a card moves from an army to another; -1 stands for no army."""
        armies = [army[:] for army in self.armies]
        armies[giver][kind] -= int(giver >= 0)
        armies[taker][kind] += int(taker >= 0)
        return sum(score_parts(self.game, self.view, seat, armies)) - self.scores[seat]

    def list_losses(self, seat: Seat) -> list[tuple[int, int]]:
        """Return the points that a seat loses with each of its recruits, and the kinds of these."""
        kinds = [kind for kind in range(self.game.setup.recruits) for _ in range(self.armies[seat][kind])]
        return [(-self.count_change(seat, kind, seat, -1), kind) for kind in kinds]

    def list_deck(self) -> list[int]:
        """Return the kinds of the cards of the recruit deck."""
        view, left = self.view, Counter(self.game.setup.deck)
        left -= Counter([card & KIND for card in view.discard + view.lineup + view.table + view.aside])
        left -= Counter(dict(enumerate(map(sum, zip(*self.armies, strict=True)))))
        return list(left.elements()) if view.deck else []

    def weigh(self, kind: int, depth: int = 1, is_met: bool = False) -> Gain:
        """Return the gain of a card and of the cards that it brings down to depth 0; without the goal if it is met."""
        view, setup, key = self.view, self.game.setup, (3 * kind + depth) * 2 + is_met
        if key in self.gains:
            return self.gains[key]
        ability, whom, own, harm = setup.kinds[kind].ability, kind, 0.0, 0.0
        worth = build_worth(self.game, view, view.viewer, kind, self.armies)
        goal = 0 if is_met else worth["parts"]["goal"]
        points = worth["points"] - worth["parts"]["goal"] + goal
        if ability == "bystander":
            harm = -float(setup.points[kind])
        elif depth >= 0 and ability in ("gambler", "call"):
            worths = sorted([self.weigh(one, depth - 1, is_met or goal > 0).value for one in self.deck]) or [0.0]
            own = fmean(worths) if ability == "gambler" else worths[len(worths) * 3 // 4]  # the best of three
        elif depth >= 0 and ability == "exchange":
            recruits = [card & KIND for card in view.discard if card & KIND < setup.recruits]
            own, whom = max([(self.weigh(one, depth - 1).value, one) for one in recruits], default=(0.0, kind))
        elif depth >= 0 and ability == "desertion":
            own = fmean([min(self.list_losses(seat), default=(0, 0))[0] for seat in self.others])
        elif depth >= 0 and ability in ("kunoichi", "buccaneer", "parley"):
            own, harm, whom = self.weigh_loot(kind, depth, is_met or goal > 0)
        mine, lost = points + round(own), round(harm)
        value, its = mine + lost / len(self.others), messages.WHY_INCLUDED if mine + lost != points else ""
        self.gains[key] = Gain(points, goal, mine, lost, mine + lost, value, self.game.kind_name(whom), its)
        return self.gains[key]

    def weigh_loot(self, kind: int, depth: int, is_met: bool) -> tuple[float, float, int]:
        """Return the gain and the harm with a random recruit of the most profitable rival, and the card to give."""
        ability, found = self.game.setup.kinds[kind].ability, [(0.0, 0.0)]
        cost, given = min(self.list_losses(self.view.viewer), default=(0, -1)) if ability == "parley" else (0, kind)
        for seat in self.others:
            losses = self.list_losses(seat) if given >= 0 else []
            if losses:
                brought = [self.weigh(one, depth - 1, is_met).value for _, one in losses]
                own = fmean(brought) if ability != "kunoichi" else 0.0
                back = self.count_change(seat, given, -1, seat) if ability == "parley" else 0
                found.append((own - cost, fmean([loss for loss, _ in losses]) - back))
        own, harm = max(found, key=lambda one: one[0] + one[1] / len(self.others))
        return own, harm, max(0, given)


def find_kind(view: FactionState, action: Action) -> int:
    """Return the kind of a card of the line-up, or of another one that an action names."""
    return view.lineup[action - TAKE] & KIND if action < CARD else action - CARD


def count_points(*numbers: tuple[str, int]) -> list[Fact]:
    """Return facts about points."""
    return [Fact(name, messages.WHY_POINTS, number, is_counted=True) for name, number in numbers]


def compare_cards(survey: Survey, choice: Choice, picks: list[list[float]], odds: list[float]) -> list[Reason]:
    """Return what a card brings more, or more surely, than the others, and than the same card at another place."""
    action, found = choice.action, []
    kinds = {one: find_kind(survey.view, one) for one in survey.view.actions}
    rest = [one for one in kinds if kinds[one] != kinds[action]]
    if rest:
        best = max(rest, key=lambda one: survey.weigh(kinds[one]).value)
        gain, than = survey.weigh(kinds[action]), survey.weigh(kinds[best])
        likely = compare_chances(survey, choice, best, picks, odds) if picks else []
        is_most = gain.value > than.value and gain.total > than.total
        if (is_most or likely) and not survey.game.setup.kinds[kinds[action]].bystander:
            found = [tell_gain(survey, action, best, is_most), *([] if is_most else likely)]
        else:
            top = next((one.action for one in choice.alternatives if one.action in rest), best)
            found = compare_otherwise(survey, choice, top)
    for twin in [one for one in kinds if one != action and kinds[one] == kinds[action]][:1]:
        found += tell_alike(survey, choice, twin)
    return found


def tell_alike(survey: Survey, choice: Choice, other: Action) -> list[Reason]:
    """Return that another action is about as good, if it is."""
    found = tell(messages.WHY_ALIKE, card=survey.labels[choice.action], other=survey.labels[other])
    return [found] if is_alike(choice, other) else []


def tell_gain(survey: Survey, action: Action, best: Action, is_most: bool) -> Reason:
    """Return the points of a card with its goal and its ability, and those of the next one if these are fewer."""
    game, view, kind = survey.game, survey.view, find_kind(survey.view, action)
    gain, than = survey.weigh(kind), survey.weigh(find_kind(view, best))
    name, deed = survey.labels[action], gain.own - gain.points
    facts = count_points((name, gain.points), (name, gain.goal), (name, deed), (name, gain.harm), (name, gain.total))
    facts += count_points((survey.labels[best], than.total))
    lead = messages.WHY_ADDS[gain.points != 0] + (messages.WHY_BY_GOAL if gain.goal else "")
    if gain.total != gain.points:
        lead += messages.WHY_DEEDS[game.setup.kinds[kind].ability]
        lead += "" if gain.total in (deed, gain.harm) else messages.WHY_IN_ALL
    words = {"whom": gain.whom, "goal": game.card_name(view.goal[view.viewer][0]) if gain.goal else ""}
    pattern = messages.WHY_MOST if is_most else messages.WHY_ONLY
    return tell(pattern, *facts, lead=lead.format(*facts, **words), its=than.its)


def compare_chances(
    survey: Survey, choice: Choice, best: Action, picks: list[list[float]], odds: list[float]
) -> list[Reason]:
    """Return the chances to get the chosen card and another one, if they make up for the points of the other one."""
    believed = {one.about: dict(one.likely) for one in choice.beliefs}
    facts, gains, losses = [], [], [0.0]
    for card in (choice.action, best):
        chance, losses = 1.0, [0.0] * len(survey.names)
        for seat in survey.others:
            likely = believed.get(messages.WHY_CHOICE_OF.format(player=survey.names[seat]), {})
            pick = likely.get(survey.labels[card], 0.0) if likely else picks[seat][card - TAKE]
            losses[seat] = pick * (1 - odds[seat])
            chance *= 1 - losses[seat]
        facts.append(Fact(survey.labels[card], messages.WHY_CASES, round(10 * chance), is_counted=True))
        gains.append(survey.weigh(find_kind(survey.view, card)))
    (mine, theirs), (gain, than) = [fact.value for fact in facts], gains
    if mine <= theirs or min(gain.value * mine - than.value * theirs, gain.total * mine - than.total * theirs) <= 0:
        return []
    facts += count_points((facts[0].subject, gain.total), (facts[1].subject, than.total))
    player = survey.names[max(survey.others, key=lambda seat: losses[seat])]
    return [tell(messages.WHY_CONTESTED, *facts, player=player, its=than.its)]


def compare_otherwise(survey: Survey, choice: Choice, top: Action) -> list[Reason]:
    """Return another ground for a card that brings fewer points than another one, but as good a chance to win."""
    me, kind, same = survey.view.viewer, find_kind(survey.view, choice.action), tell_alike(survey, choice, top)
    gain, than = survey.weigh(kind), survey.weigh(find_kind(survey.view, top))
    rival = max(survey.others, key=lambda seat: survey.scores[seat])
    lead, chance = survey.scores[me] - survey.scores[rival], choice.value.value if choice.value else 0.5
    if same and abs(lead) >= BIG_LEAD and (1 - chance if lead > 0 else chance) < DECIDED:
        return [tell(messages.WHY_DECIDED, *count_points((survey.names[me if lead > 0 else rival], abs(lead))))]
    if choice.value and survey.game.setup.kinds[kind].bystander:
        loss = -survey.count_change(me, kind, -1, me)
        facts = count_points((survey.labels[choice.action], gain.harm), (survey.names[me], loss))
        return [tell(messages.WHY_BYSTANDER, *facts, rival=survey.names[rival]), *same]
    return same if abs(gain.value - than.value) <= int(gain.its + than.its != "") else []


def compare_players(survey: Survey, choice: Choice) -> list[Reason]:
    """Return the points of the chosen player and of the next one among the choices, if these are fewer."""
    scores = {one: survey.scores[one - TO] for one in survey.view.actions}
    other = max([one for one in scores if one != choice.action], key=lambda one: scores[one])
    score, labels = scores[choice.action], survey.labels
    if score <= scores[other]:
        return tell_alike(survey, choice, other)
    fact = Fact(labels[choice.action], messages.WHY_POINTS, score, labels[other], scores[other])
    return [tell(messages.WHY_LEADER, fact)]


def compare_losses(survey: Survey, choice: Choice) -> list[Reason]:
    """Return the points that the viewer loses with a card of its army, and with the best other one, if it is worse."""
    action, me, step = choice.action, survey.view.viewer, survey.view.stack[-1]
    to = step.key()[1] if step.prompt == "gift" else -1
    losses = {one: -survey.count_change(me, one - CARD, me, to) for one in survey.view.actions}
    gains = {one: survey.count_change(to, one - CARD, me, to) if to >= 0 else 0 for one in losses}
    sums = {one: losses[one] + gains[one] / len(survey.others) for one in losses}
    other = min([one for one in losses if one != action], key=lambda one: (sums[one], losses[one]))
    name, than = survey.labels[action], survey.labels[other]
    facts = count_points((name, losses[action]), (than, losses[other]), (name, gains[action]), (than, gains[other]))
    also = messages.WHY_GAINS if gains[action] != gains[other] else ""
    is_less = sums[action] < sums[other] and losses[action] != losses[other]
    return [tell(messages.WHY_COSTS, *facts, also=also.format(*facts, player=survey.names[to]))] if is_less else []
