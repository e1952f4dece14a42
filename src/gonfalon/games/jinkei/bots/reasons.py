"""Reasons for the moves of the bots of Jinkei: facts that set an action apart from the next best one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from gonfalon.bots.players.choice import Choice, Fact
from gonfalon.bots.players.reasons import Reason, is_alike, tell
from gonfalon.core.basics.cards import HIDDEN, KIND, SEEN
from gonfalon.core.rules.state import Action, Seat
from gonfalon.core.text.english import several
from gonfalon.games.jinkei.bots.duel import Duel, Play, fight, is_bound
from gonfalon.games.jinkei.face import messages
from gonfalon.games.jinkei.face.words import JinkeiWords
from gonfalon.games.jinkei.rules.actions import ADVANCE, FORMATION, KINDS, PLAY, PUT
from gonfalon.games.jinkei.rules.setup import REARGUARD, Formation
from gonfalon.games.jinkei.rules.state import HIGHEST, LOWEST, OPPONENT, JinkeiState

WORSE: Final = 0.25
"""The difference in log-odds from which an action looks worse than another one."""
CLOSE: Final = 0.03
"""The least difference between chances that are never called equal."""
CLEARLY: Final = 2
"""The least difference between counts of cards out of sight that is worth a reason."""
STRONG: Final = 7
"""The least rank of a card whose place is worth a reason."""


@dataclass(frozen=True)
class Reasons:
    """The reasons for a choice of the viewer: facts that set it apart from the next best action, if there are any.

    `scores` are the log-odds of the actions. `duel` has the battles that are left, if the viewer leads or answers, and
    `margins` the margins by action for each card that may be face down; it is empty if several are.
    """

    game: JinkeiWords
    view: JinkeiState
    choice: Choice
    scores: dict[Action, float]
    duel: Duel | None
    margins: list[dict[Action, float]]

    def list_all(self) -> list[Reason]:
        """Return the reasons, the weightiest first."""
        prompt, others = self.view.stack[-1].prompt, [one for one in self.view.actions if one != self.choice.action]
        other = self.find_next(others)
        if prompt == "type" or self.is_outdone(other):
            return []
        if self.duel is None:
            return self.compare_formations(other) if prompt == "formation" else self.compare_cards(other)
        rest = [one for one in others if (one - PLAY) // 2 != (self.choice.action - PLAY) // 2]
        if prompt == "answer":
            return self.explain_answer(self.duel, rest, self.find_next(rest or others))
        return self.explain_lead(self.duel, other, rest)

    def find_next(self, others: list[Action]) -> Action:
        """Return the best of other actions: by the chances of the choice, or else by the scores."""
        tried = sorted(self.choice.alternatives, key=lambda one: one.value is None)
        return next((one.action for one in tried if one.action in others), max(others, key=self.scores.__getitem__))

    def is_outdone(self, other: Action) -> bool:
        """Return whether another action looks better than the choice."""
        mine, chance = self.choice.value, self.choice.chance(other)
        if mine is None:
            return self.scores[other] > self.scores[self.choice.action] + WORSE
        return chance is not None and chance.value > mine.value and not is_alike(self.choice, other)

    def find_even(self, other: Action) -> str:
        """Return that an action is about as good, or not surely worse; else nothing."""
        mine, its = self.choice.value, self.choice.chance(other)
        if mine is None or its is None:
            return ""
        if is_alike(self.choice, other):
            return messages.WHY_EVEN[0]
        return messages.WHY_EVEN[1] if its.high >= mine.value > its.value > mine.value - CLOSE else ""

    def list_even(self, other: Action, name: Callable[[Action], str]) -> list[Reason]:
        """Return the statement that actions are about as good as the choice, if the next best one is."""
        even = self.find_even(other)
        same = [one.action for one in self.choice.alternatives if even and self.find_even(one.action) == even]
        named = several([name(one) for one in [self.choice.action, *same]])
        return [tell(messages.WHY_ALIKE, actions=named, even=even)] if even else []

    def compare_formations(self, other: Action) -> list[Reason]:
        """Return what a formation offers to a card in hand, or to the revealed one, and the other one does not."""
        setup, view = self.game.setup, self.view
        numbers = setup.choices(view.type[view.viewer], view.round)
        form, than = (setup.formations[numbers[one - FORMATION]] for one in (self.choice.action, other))
        best = max([card & KIND for card in view.hand[view.viewer]], key=setup.rank.__getitem__)
        rival = self.game.formation_name(numbers[other - FORMATION])
        even = self.list_even(other, lambda one: self.game.formation_name(numbers[one - FORMATION]))
        if any(form.wild) and not any(than.wild) and (form.wild[form.reveal] or setup.rank[best] >= STRONG):
            return [tell(messages.WHY_WILD[form.wild[form.reveal]], card=self.game.kind_name(best), other=rival), *even]
        if any(form.wild) == any(than.wild) and than.bonus[than.reveal] and not form.bonus[form.reveal]:
            return [tell(messages.WHY_BONUS, other=rival), *even]
        return even

    def compare_cards(self, other: Action) -> list[Reason]:
        """Return what sets a card that is laid or advanced apart from the next best one."""
        view, prompt, points, rank = self.view, self.view.stack[-1].prompt, self.game.setup.points, self.game.setup.rank
        kind, than = self.find_laid(self.choice.action), self.find_laid(other)
        card, rival, cost = self.game.kind_name(kind), self.game.kind_name(than), points[kind] - points[than]
        more, even = self.compare_margins(other, rival), self.find_even(other)
        shown = [one & KIND for cards in view.spaces[OPPONENT[view.viewer]] for one in cards if one & KIND != HIDDEN]
        caught = [one for one in shown if rank[one] == HIGHEST]
        if even and not more and cost and not (caught and LOWEST in (rank[kind], rank[than])):
            strong, cheap = (card, rival) if cost > 0 else (rival, card)
            return [tell(messages.WHY_TRADE, card=strong, other=cheap, even=even)]
        if more or even:
            return more or self.list_even(other, lambda one: self.game.kind_name(self.find_laid(one)))
        if caught and rank[kind] == LOWEST:
            return [tell(messages.WHY_CATCHES, card=card, cards=self.name_kinds(caught))]
        is_last = view.round == self.game.setup.rounds
        if prompt == "back" and len(view.hand[view.viewer]) == 2 and (rank[kind] > rank[than]) == is_last:
            return [tell(messages.WHY_KEPT[is_last], card=card, other=rival)]
        return self.count_cards(kind, than) if prompt == "front" else []

    def count_cards(self, kind: int, than: int) -> list[Reason]:
        """Return the numbers of cards out of sight that a card beats on its space, or in the Vanguard that beat it."""
        view, setup, space = self.view, self.game.setup, (self.choice.action - PUT) // KINDS
        form, front, cost = view.form(view.viewer), space < REARGUARD, setup.points[kind] - setup.points[than]
        card, rival, colour = self.game.kind_name(kind), self.game.kind_name(than), setup.colour[kind]
        if form.wild[space] and not front and setup.rank[kind] >= STRONG > setup.rank[than]:
            return [tell(messages.WHY_WILD_HERE, card=card, colour=self.game.colour_name(colour))]
        unseen = list_unseen(view, OPPONENT[view.viewer], view.viewer)
        own, its = (len(list_fights(self.game, form, space, one, unseen)) for one in (kind, than))
        laid = [one for one in map(self.find_laid, view.actions) if cost > 0 or setup.points[one] <= setup.points[kind]]
        is_best = cost >= 0 and [one for one in laid if setup.rank[one] >= setup.rank[kind]] == [kind]
        # A view that has to forget cards cannot tell those that were played from those out of sight.
        if not is_best or (its - own if front else own - its) < CLEARLY or (view.round > 1 and not setup.remember):
            return []
        fact = Fact(card, messages.WHY_COUNTED[front], own, rival, its, True)
        return [tell(messages.WHY_AHEAD[front], fact, cost=messages.WHY_SAME_COST[cost == 0])]

    def name_kinds(self, kinds: list[int]) -> str:
        """Return the names of kinds, the highest rank first: `Red 8 and Blue 3`."""
        return several([self.game.kind_name(one) for one in sorted(kinds, key=lambda one: -self.game.setup.rank[one])])

    def find_laid(self, action: Action) -> int:
        """Return the kind that an action lays or advances."""
        return (action - (ADVANCE if self.view.stack[-1].prompt == "advance" else PUT)) % KINDS

    def find_kind(self, action: Action) -> int:
        """Return the kind that an action plays."""
        return self.view.spaces[self.view.viewer][(action - PLAY) // 2][0] & KIND

    def name_play(self, action: Action) -> str:
        """Return the name of the card that an action plays, with its color if that is not the printed one."""
        kind, colour = self.find_kind(action), (action - PLAY) % 2
        name, called = self.game.kind_name(kind), self.game.colour_name(colour)
        return name if self.game.setup.colour[kind] == colour else messages.WHY_AS.format(card=name, colour=called)

    def find_cost(self, action: Action) -> Fact:
        """Return the points of the card that an action plays."""
        points = self.game.setup.points[self.find_kind(action)]
        return Fact(self.name_play(action), messages.WHY_POINTS, points, is_counted=True)

    def explain_lead(self, duel: Duel, twin: Action, rest: list[Action]) -> list[Reason]:
        """Return what the answers do to a lead, and to `twin`, the next best, or the best of `rest`, other cards."""
        (lost, every, gains), cost = rate_lead(self.view, self.choice.action, duel), self.find_cost(self.choice.action)
        its, its_every, its_gains = rate_lead(self.view, twin, duel)
        pattern = messages.WHY_SAFE if gains[0] > 0 else messages.WHY_LEAD if lost else messages.WHY_TIED
        pattern = messages.WHY_LOST if len(lost) == every else pattern
        names = {"more": messages.WHY_OR_MORE[len(gains) > 1], "cards": self.name_kinds(lost) if lost else ""}
        found = [tell(pattern, cost if lost else replace(cost, value=gains[0]), **names)]
        is_worse = len(its) == its_every if lost else bool(its)
        if self.find_kind(twin) == self.find_kind(self.choice.action) and is_worse and len(lost) < every:
            colour = self.game.colour_name((twin - PLAY) % 2)
            return [*found, tell(messages.WHY_COLOUR[len(its) == its_every], colour=colour)]
        safe = [one for one in rest if rate_lead(self.view, one, duel)[2][0] > gains[0]]
        other = self.find_next(safe or rest or [twin])
        its, its_every, its_gains = rate_lead(self.view, other, duel)
        risk, exposed = self.find_cost(other), len(its) * every - len(lost) * its_every
        can = messages.WHY_CAN[len(its) == its_every]
        if its and risk.value and not safe and (not lost or (exposed > 0 and cost.value <= risk.value)):
            return [*found, tell(messages.WHY_AT_RISK, risk, cards=self.name_kinds(its), can=can)]
        if lost and its and not safe and exposed >= 0 and cost.value < risk.value:
            return [*found, tell(messages.WHY_COSTLIER, risk, can=can)]
        if not lost and 0 < its_gains[0] < gains[0] and its_gains[-1] <= gains[-1]:
            less = messages.WHY_OR_MORE[len(its_gains) > 1]
            return [*found, tell(messages.WHY_LESS, replace(risk, value=its_gains[0]), more=less)]
        plain = self.compare_margins(other, risk.subject) or self.list_even(other, self.name_play)
        more = plain if lost and safe else self.compare_rest(other)
        return found + more if more else []

    def compare_rest(self, other: Action) -> list[Reason]:
        """Return that plays are about equally good, or the card that stays behind a lead, or the better margin."""
        spaces, alike = self.view.spaces[self.view.viewer], self.list_even(other, self.name_play)
        here, there = (self.choice.action - PLAY) // 2, (other - PLAY) // 2
        if here == there or self.find_even(other) == messages.WHY_EVEN[0]:
            return alike
        if self.view.stack[-1].prompt == "lead" and max(here, there) < REARGUARD:
            backs = [[card & KIND for card in spaces[space + 3]] for space in (here, there)]
            ranks = [self.game.setup.rank[kinds[0]] if kinds else 0 for kinds in backs]
            if ranks[1] >= STRONG and ranks[1] > ranks[0]:
                return [tell(messages.WHY_BEHIND, card=self.name_kinds(backs[1]), other=self.name_play(other))]
        return self.compare_margins(other, self.name_play(other)) or alike

    def compare_margins(self, other: Action, name: str) -> list[Reason]:
        """Return by how many points the margin is better than with another action, whatever card is face down."""
        # Each margin is a number of points, and a part of less than half a point that separates equal ones.
        gains = [round(one[self.choice.action]) - round(one[other]) for one in self.margins] or [0]
        hidden, least = messages.WHY_HIDDEN[len(gains) > 1], messages.WHY_LEAST[min(gains) < max(gains)]
        fact = Fact(name, messages.WHY_POINTS, min(gains), is_counted=True)
        return [tell(messages.WHY_MARGIN, fact, hidden=hidden, least=least)] if min(gains) > 0 else []

    def explain_answer(self, duel: Duel, rest: list[Action], other: Action) -> list[Reason]:
        """Return the points that an answer wins or gives up, and what `rest` does, of which `other` is best."""
        results, cost = rate_answers(self.view, duel), self.find_cost(self.choice.action)
        led, result = self.view.duel[OPPONENT[self.view.viewer]][0] & KIND, results[self.choice.action]
        lead = self.game.kind_name(led)
        winners = sorted([one for one in rest if results[one] > 0], key=lambda one: one != other)
        wins = [replace(one, value=one.value + self.game.setup.points[led]) for one in map(self.find_cost, winners)]
        if result > 0:
            both = replace(cost, subject=lead, value=cost.value + self.game.setup.points[led])
            found = [tell(messages.WHY_WINS, both, card=cost.subject)]
            if winners:
                return self.compare_wins(found, both.value, wins[0], winners[0])
            pattern = messages.WHY_ONLY if rest else messages.WHY_LOSES
            return [*found, tell(pattern, colour=self.game.colour_name((other - PLAY) % 2))]
        if result == 0 and all(results[one] < 0 for one in rest):
            return [tell(messages.WHY_TIES, card=cost.subject, lead=lead), tell(messages.WHY_REST_LOSE)]
        if not rest:
            loser = self.name_kinds([self.find_kind(self.choice.action)])
            return [tell(messages.WHY_EITHER, card=loser)] if self.choice.value is None or self.find_even(other) else []
        if all(results[one] < 0 for one in [self.choice.action, *rest]):
            return self.explain_loss(rest, other, tell(messages.WHY_GIVE_UP, cost, lead=lead))
        found = [tell(messages.WHY_TIES, card=cost.subject, lead=lead)] if result == 0 else []
        found = [tell(messages.WHY_SAVE, cost, wins[0])] if result < 0 and wins else found
        more = self.compare_rest([*winners, other][0])
        return found + more if more else []

    def compare_wins(self, found: list[Reason], points: int, rival: Fact, other: Action) -> list[Reason]:
        """Return why one card wins and not another one, which brings `rival.value` points."""
        kind, than, rank = self.find_kind(self.choice.action), self.find_kind(other), self.game.setup.rank
        if rival.value < points:
            return [*found, tell(messages.WHY_WINS_LESS, rival)]
        more = self.compare_rest(other) or ([tell(messages.WHY_ALSO_WINS, rival)] if rank[kind] < rank[than] else [])
        return found + more if more else []

    def explain_loss(self, rest: list[Action], other: Action, gives_up: Reason) -> list[Reason]:
        """Return why a card is given up to a lead that no answer beats."""
        points, rank, kind = self.game.setup.points, self.game.setup.rank, self.find_kind(self.choice.action)
        cheapest = min(rest, key=lambda one: (points[self.find_kind(one)], rank[self.find_kind(one)]))
        than, more = self.find_kind(cheapest), self.compare_rest(other)
        if points[kind] == points[than] and rank[kind] < rank[than]:
            return [gives_up, tell(messages.WHY_STRONGER, other=self.name_play(cheapest))]
        return [gives_up, *more] if points[kind] < points[than] or (more and points[kind] == points[than]) else more


def rate_answers(view: JinkeiState, duel: Duel) -> dict[Action, int]:
    """Return 1 for each legal answer that beats the lead, 0 if it ties, -1 if it loses."""
    foe, found = OPPONENT[view.viewer], {}
    play, replies = duel.led_from(foe, view.origin[foe]), duel.places[view.viewer].replies
    for one in view.actions:
        reply = next(reply for reply in replies if reply.space == (one - PLAY) // 2)
        found[one] = compare_ranks(play, reply, (one - PLAY) % 2 == view.called[foe])
    return found


def rate_lead(view: JinkeiState, action: Action, duel: Duel) -> tuple[list[int], int, list[int]]:
    """Return the cards that beat a lead as legal answers, the number of all legal answers, and the points that the
    lead can bring, the fewest first; 0 if one beats it or ties."""
    space, colour = divmod(action - PLAY, 2)
    foe, play = OPPONENT[view.viewer], duel.led_from(view.viewer, space)
    replies = duel.places[foe].replies
    legal = [(reply, reply.wild or reply.card.colour == colour) for reply in replies]
    legal = [(reply, same) for reply, same in legal if same or not is_bound(replies, colour)]
    results = [compare_ranks(play, reply, same) for reply, same in legal]
    lost = [view.spaces[foe][legal[i][0].space][0] & KIND for i in range(len(legal)) if results[i] > 0]
    gains = {int(fight(play, reply, same)) for reply, same in legal} if max(results, default=0) < 0 else {0}
    return lost, len(legal), sorted(gains)


def list_fights(game: JinkeiWords, form: Formation, at: int, kind: int, foes: list[int]) -> list[int]:
    """Return the cards of the other seat that a card beats on a space, or in the Vanguard those that beat it."""
    rank, printed = game.setup.rank[kind] + form.bonus[at], game.setup.rank
    if at < REARGUARD:
        return [one for one in foes if can_beat(game, one, printed[one], kind, rank, False)]
    return [one for one in foes if can_beat(game, kind, rank, one, printed[one], form.wild[at])]


def compare_ranks(play: Play, reply: Play, same: bool) -> int:
    """Return 1 if an answer beats a lead, 0 if it ties, -1 if it loses; `same`: whether it has the led color."""
    led, own = play.card.rank, reply.card.rank
    if led == HIGHEST and own == LOWEST:
        return 1
    if not same or (led == LOWEST and own == HIGHEST):
        return -1
    more = int(own + reply.bonus - led - play.bonus)
    return (more > 0) - (more < 0)


def can_beat(game: JinkeiWords, kind: int, rank: int, other: int, least: int, wild: bool) -> bool:
    """Return whether an answer beats a lead: `kind` fights as `rank`, and the led card `other` as `least`."""
    printed = game.setup.rank
    if printed[kind] == LOWEST and printed[other] == HIGHEST:
        return True
    same = wild or game.setup.colour[kind] == game.setup.colour[other]
    return same and rank > least and not (printed[kind] == HIGHEST and printed[other] == LOWEST)


def list_unseen(s: JinkeiState, owner: Seat, seat: Seat) -> list[int]:
    """Return the kinds of an owner's deck that a seat has not seen or has to forget."""
    deck, zones = s.pools()[owner]
    known = {card & KIND for zone in zones for card in zone if card & SEEN[seat]}
    return [kind for kind in deck if kind not in known]
