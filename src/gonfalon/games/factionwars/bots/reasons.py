"""Reasons for the moves of the bots of Faction Wars, made of points alone."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import comb, floor
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
BIG_LEAD: Final = 7  # times the most points that a card brings
Armies = list[list[int]]


def list_reasons(game: FactionWords, view: FactionState, choice: Choice) -> list[Reason]:
    """Return the reasons for a choice, made of points; none if they do not speak for it."""
    prompt, survey = view.stack[-1].prompt, Survey(game, view)
    others = [one.value.value for one in choice.alternatives if one.value]
    if choice.value and round(100 * max(others, default=0.0)) > round(100 * choice.value.value):
        return []
    if prompt == "select" or (choice.action >= CARD and prompt not in ("gift", "desert")):
        return [] if survey.is_about_to_change() else compare_cards(survey, choice)
    return compare_losses(survey, choice) if choice.action >= CARD else compare_players(survey, choice)


@dataclass(frozen=True)
class Gain:
    """The points of a card: now, by a goal, by its ability with the loss of one rival, and in all.

    `value` counts this loss less if there are other rivals. `whom` is the card meant, and `its` notes an ability.
    """

    points: int
    goal: int
    deed: int
    total: int
    value: float
    whom: str
    its: str


def move(armies: Armies, kind: int, giver: Seat, taker: Seat) -> Armies:
    """Return the armies after a card has moved from one to another; -1 stands for no army."""
    after = [army[:] for army in armies]
    after[giver][kind] -= int(giver >= 0)
    after[taker][kind] += int(taker >= 0)
    return after


class Survey:
    """The gains of cards and the points of armies, as far as a viewer knows them."""

    def __init__(self, game: FactionWords, view: FactionState) -> None:
        self.game: FactionWords = game
        self.view: FactionState = view
        self.me: Seat = view.viewer
        self.recruits: int = game.setup.recruits
        self.names: list[str] = game.seat_names()
        self.labels: dict[Action, str] = {action: name_action(game, view, action) for action in view.actions}
        self.armies: Armies = [view.count_owned(seat) for seat in range(game.seats)]
        self.others: list[Seat] = [seat for seat in range(game.seats) if seat != view.viewer]
        self.scores: list[int] = [self.count(seat, self.armies) for seat in range(game.seats)]
        self.deck: list[int] = self.list_deck()
        self.gains: dict[int, Gain] = {}

    def count(self, seat: Seat, armies: Armies) -> int:
        """Return the points of a seat."""
        return sum(score_parts(self.game, self.view, seat, armies))

    def count_change(self, seat: Seat, kind: int, giver: Seat, taker: Seat) -> int:
        """Return the points that a seat gains if a card moves from an army to another; -1 stands for no army."""
        return self.count(seat, move(self.armies, kind, giver, taker)) - self.scores[seat]

    def is_about_to_change(self) -> bool:
        """Return whether a card that another player is about to collect changes the viewer's points."""
        view, armies = self.view, self.armies
        for taker, index, done, _ in view.claims[view.done :]:
            kind = view.lineup[index + done - 1 - view.done] & KIND
            if taker >= 0 and taker != self.me and kind < self.game.setup.owned:
                armies = move(armies, kind, -1, taker)
        return self.count(self.me, armies) != self.scores[self.me]

    def list_deck(self) -> list[int]:
        """Return the kinds of the cards of the recruit deck."""
        view, left = self.view, Counter(self.game.setup.deck)
        left -= Counter([card & KIND for card in view.discard + view.lineup + view.table + view.aside])
        left -= Counter(dict(enumerate(map(sum, zip(*self.armies, strict=True)))))
        return list(left.elements()) if view.deck else []

    def find_gain(self, kind: int) -> Gain:
        """Return the gain of a card. A Bystander gains on a single rival what this one would gain with it."""
        if kind not in self.gains:
            worth = build_worth(self.game, self.view, self.me, kind, self.armies)
            (own, harm, whom), goal = self.weigh(kind, self.armies), worth["parts"]["goal"]
            points, is_swing = worth["points"], self.game.setup.kinds[kind].bystander and len(self.others) == 1
            own += -self.count_change(self.me, kind, -1, self.me) if is_swing else 0
            value, deed = own + harm / len(self.others), floor(own + harm - points + 0.5)
            its = (messages.WHY_SWING if is_swing else messages.WHY_INCLUDED) if deed else ""
            self.gains[kind] = Gain(points, goal, deed, points + deed, value, self.game.kind_name(whom), its)
        return self.gains[kind]

    def value(self, kind: int, armies: Armies, depth: int) -> float:
        """Return the points that the viewer gains with a card; a rival's loss counts less if there are others."""
        own, harm, _ = self.weigh(kind, armies, depth)
        return own + harm / len(self.others)

    def weigh(self, kind: int, armies: Armies, depth: int = 1) -> tuple[float, float, int]:
        """Return the viewer's gain with a card and its abilities to depth 0, a rival's loss, and the card meant."""
        ability, whom, harm = self.game.setup.kinds[kind].ability, kind, 0.0
        taken = move(armies, kind, -1, self.me) if self.game.setup.kinds[kind].faction >= 0 else armies
        own = float(self.count(self.me, taken) - self.count(self.me, armies))
        if ability == "bystander":
            harm = -float(self.game.setup.points[kind])
        elif depth >= 0 and ability in ("gambler", "call"):
            values = {one: self.value(one, taken, depth - 1) for one in set(self.deck)}
            worths = sorted([values[one] for one in self.deck])
            size, drawn = len(worths), min(1 if ability == "gambler" else 3, len(worths))
            own += sum([comb(i, drawn - 1) * worth for i, worth in enumerate(worths)]) / comb(size, drawn)
        elif depth >= 0 and ability == "exchange":
            recruits = {card & KIND for card in self.view.discard if card & KIND < self.recruits}
            own, whom = max([(self.value(one, taken, depth - 1), one) for one in recruits], default=(0.0, kind))
        elif depth >= 0 and ability == "desertion":
            for seat in self.others:
                score, left = self.count(seat, armies), self.list_without(seat, armies)
                own += (score - max([self.count(seat, one) for _, one in left], default=score)) / len(self.others)
        elif depth >= 0 and ability in ("kunoichi", "buccaneer", "parley"):
            loot = [self.weigh_loot(kind, seat, taken, depth) for seat in self.others]
            more, harm, whom = max(loot, key=lambda one: one[0] + one[1] / len(loot))
            own += more
        return own, harm, whom

    def weigh_loot(self, kind: int, seat: Seat, armies: Armies, depth: int) -> tuple[float, float, int]:
        """Return the viewer's gain and a rival's loss of a random recruit, and the card that is given for it."""
        ability, me, own, harm = self.game.setup.kinds[kind].ability, self.me, 0.0, 0.0
        gifts = self.list_without(me, armies, seat) if ability == "parley" else []
        sums = [(self.count(me, left) - self.count(seat, left) / len(self.others), one) for one, left in gifts]
        kind = max(sums, default=(0.0, -1))[1] if ability == "parley" else kind
        for one, left in self.list_without(seat, armies) if kind >= 0 else []:
            share = armies[seat][one] / sum(armies[seat][: self.recruits])
            left = move(left, kind, me, seat) if ability == "parley" else left
            more, hurt, _ = (0.0, 0.0, 0) if ability == "kunoichi" else self.weigh(one, left, depth - 1)
            own += share * (self.count(me, left) - self.count(me, armies) + more)
            harm += share * (self.count(seat, armies) - self.count(seat, left) + hurt)
        return own, harm, max(0, kind)

    def list_without(self, seat: Seat, armies: Armies, taker: Seat = -1) -> list[tuple[int, Armies]]:
        """Return each kind of recruit of a seat, and the armies after one of it has gone to a seat, or to none."""
        return [(kind, move(armies, kind, seat, taker)) for kind, n in enumerate(armies[seat][: self.recruits]) if n]


def find_kind(view: FactionState, action: Action) -> int:
    """Return the kind of a card of the line-up, or of another one that an action names."""
    return view.lineup[action - TAKE] & KIND if action < CARD else action - CARD


def count_points(*numbers: tuple[str, int]) -> list[Fact]:
    """Return facts about points."""
    return [Fact(name, messages.WHY_POINTS, number, is_counted=True) for name, number in numbers]


def compare_cards(survey: Survey, choice: Choice) -> list[Reason]:
    """Return what a card brings more than the others, and that the same card at another place is as good."""
    action, view = choice.action, survey.view
    gains = {one: survey.find_gain(find_kind(view, one)) for one in view.actions}
    kind, kinds = find_kind(view, action), survey.game.setup.kinds
    rest = [one for one in gains if find_kind(view, one) != kind]
    found: list[Reason] = []
    if rest:
        kept = [one for one in rest if not (choice.value and kinds[find_kind(view, one)].bystander)] or rest
        tried = [one.action for one in choice.alternatives if one.value and one.action in rest]
        best = max(kept, key=lambda one: (gains[one].value, one in tried[:1]))
        top = [*tried, best][0]
        gain, than = gains[action], [gains[one] for one in (top, best)]
        is_most = all(gain.total > one.total and gain.value > one.value + 0.5 for one in than)
        is_most &= len(survey.others) == 1 or not kinds[kind].bystander
        found = tell_gain(survey, action, top, best) if is_most else compare_otherwise(survey, choice, top, best)
    twins = [one for one in gains if one != action and find_kind(view, one) == kind and (found or not rest)]
    return [*found, *tell_alike(survey, choice, twins[0])] if twins else found


def tell_alike(survey: Survey, choice: Choice, other: Action) -> list[Reason]:
    """Return that another action is about as good, if its chance is."""
    found = tell(messages.WHY_ALIKE, card=survey.labels[choice.action], other=survey.labels[other])
    return [found] if is_alike(choice, other) else []


def tell_gain(survey: Survey, action: Action, top: Action, best: Action) -> list[Reason]:
    """Return the points of a card with its goal and its ability, and those of the likeliest and the best other one."""
    game, view, kind = survey.game, survey.view, find_kind(survey.view, action)
    gain, ability, me = survey.find_gain(kind), game.setup.kinds[kind].ability, survey.names[survey.me]
    facts = count_points(*[(survey.labels[action], n) for n in (gain.points, gain.goal, gain.deed, gain.total)])
    words = {"whom": gain.whom, "goal": game.card_name(view.goal[survey.me][0]) if gain.goal else "", "me": me}
    lead = messages.WHY_ADDS[gain.points != 0] + (messages.WHY_BY_GOAL if gain.goal else "")
    if ability == "bystander":
        loss = -survey.count_change(survey.me, kind, -1, survey.me)
        facts += count_points((survey.labels[action], gain.total - loss), (me, loss))
        lead, words = messages.WHY_BYSTANDER, {"rival": survey.names[survey.others[0]]}
    elif gain.deed:
        lead += messages.WHY_DEEDS[ability] + (messages.WHY_IN_ALL if gain.points else "")
    others = [(survey.labels[one], survey.find_gain(find_kind(view, one))) for one in dict.fromkeys((top, best))]
    facts += count_points(*[(label, than.total) for label, than in others])
    than = [messages.WHY_WITH.format(card=card, points=one.total, its=one.its) for card, one in others]
    return [tell(messages.WHY_MOST, *facts, lead=lead.format(*facts, **words), others=messages.WHY_AND.join(than))]


def compare_otherwise(survey: Survey, choice: Choice, top: Action, best: Action) -> list[Reason]:
    """Return that the likeliest other card is as good, if no card brings clearly more, or that the game is decided."""
    me, same = survey.me, tell_alike(survey, choice, top)
    gain, than, last = [survey.find_gain(find_kind(survey.view, one)) for one in (choice.action, top, best)]
    rival = max(survey.others, key=lambda seat: survey.scores[seat])
    lead, chance = survey.scores[me] - survey.scores[rival], choice.value.value if choice.value else 0.5
    most = max([one.total for one in survey.gains.values()])
    if same and abs(lead) >= BIG_LEAD * most and (1 - chance if lead > 0 else chance) < DECIDED:
        return [tell(messages.WHY_DECIDED, *count_points((survey.names[me if lead > 0 else rival], abs(lead))))]
    slack = int(gain.its + than.its != "")
    return same if max(than.value, last.value) - slack <= gain.value <= than.value + slack else []


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
    action, me, step = choice.action, survey.me, survey.view.stack[-1]
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
