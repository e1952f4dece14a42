"""Reasons for the moves of the bots of Jinkei: facts that set an action apart from the next best one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from gonfalon.bots.players.choice import Choice, Fact
from gonfalon.bots.players.reasons import ALIKE, Reason, is_alike, tell
from gonfalon.core.basics.cards import HIDDEN, KIND, SEEN
from gonfalon.core.rules.state import Action, Seat
from gonfalon.core.text.english import several
from gonfalon.games.jinkei.bots.duel import Duel, Play, fight, is_bound
from gonfalon.games.jinkei.face import messages
from gonfalon.games.jinkei.face.words import JinkeiWords
from gonfalon.games.jinkei.rules.actions import ADVANCE, FORMATION, KINDS, PLAY, PUT
from gonfalon.games.jinkei.rules.setup import REARGUARD, REINFORCEMENTS, Formation
from gonfalon.games.jinkei.rules.state import HIGHEST, LOWEST, OPPONENT, JinkeiState

WORSE: Final = 0.25
"""The difference in log-odds from which an action looks worse than another one."""
CLEARLY: Final = 2
"""The least difference between counts of cards out of sight that is worth a reason."""
STRONG: Final = 7
"""The least rank of a card whose place is worth a reason."""


@dataclass(frozen=True)
class Reasons:
    """The reasons for a choice of the viewer: facts that set it apart from the next best action, if there are any.

    `scores` are the log-odds of the actions. `duel` has the battles that are left, if the viewer leads or answers, and
    `margins` their margins by action for each card that may be face down; it is empty if several are.
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
        return self.explain_lead(self.duel, other, self.find_next(rest or others))

    def find_next(self, others: list[Action]) -> Action:
        """Return the best of other actions: by the chances of the choice, or else by the scores."""
        tried = [one.action for one in self.choice.alternatives if one.value is not None and one.action in others]
        return tried[0] if tried else max(others, key=lambda one: self.scores[one])

    def is_outdone(self, other: Action) -> bool:
        """Return whether another action looks better than the choice."""
        mine, chance = self.choice.value, self.choice.chance(other)
        if mine is None:
            return self.scores[other] > self.scores[self.choice.action] + WORSE
        return chance is not None and chance.value > mine.value + ALIKE

    def is_even(self, other: Action) -> bool:
        """Return whether an action is about as good as the choice, in the shown percentages too."""
        found = [one.value for one in (self.choice.value, self.choice.chance(other)) if one is not None]
        return is_alike(self.choice, other) and abs(round(100 * found[0]) - round(100 * found[1])) < 2

    def list_even(self, other: Action, name: Callable[[Action], str]) -> list[Reason]:
        """Return the statement that actions are about as good as the choice, if the next best one is."""
        even = [one.action for one in self.choice.alternatives if self.is_even(one.action)]
        named = [name(one) for one in [self.choice.action, *even]]
        return [tell(messages.WHY_ALIKE, actions=several(named))] if other in even else []

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
        """Return what a card does on a space, or once it steps forward, and the next best card does not."""
        view, prompt, points, rank = self.view, self.view.stack[-1].prompt, self.game.setup.points, self.game.setup.rank
        seat, form, first = view.viewer, view.form(view.viewer), ADVANCE if prompt == "advance" else PUT
        kind, than = (self.choice.action - first) % KINDS, (other - first) % KINDS
        space = find_goal(view) if prompt == "advance" else (self.choice.action - PUT) // KINDS
        goal = space if space < REINFORCEMENTS else space - 6 if form.blank[space - 3] else space - 3
        front, faced = goal < REARGUARD, list_open(view, OPPONENT[seat])
        group = [*faced, *[(one, rank[one], False) for one in list_unseen(view, OPPONENT[seat], seat)]]
        own, its = (list_fights(self.game, form, goal, one, group) for one in (kind, than))
        card, rival = self.game.kind_name(kind), self.game.kind_name(than)
        more, cost = len(its) - len(own) if front else len(own) - len(its), points[kind] - points[than]
        if self.is_even(other):
            if cost == 0 and abs(more) < 2:
                return [tell(messages.WHY_EQUAL, card=card, other=rival)]
            if more * cost > 0:
                strong, cheap = (card, rival) if more > 0 else (rival, card)
                return [tell(messages.WHY_TRADE, card=strong, other=cheap)]
            return self.list_even(other, lambda one: self.game.kind_name((one - first) % KINDS))
        if prompt == "back" and form.two[space] and all((one - PUT) // KINDS != space for one in view.answers[seat]):
            return []  # the other card may follow on the same space
        caught = [one for one, _, _ in faced if rank[one] == HIGHEST and rank[kind] == LOWEST]
        if caught:
            return [tell(messages.WHY_CATCHES, card=card, cards=self.name_kinds(caught))]
        if cost < -1 and more < 0:
            fact = Fact(card, messages.WHY_POINTS, points[kind], rival, points[than], True)
            return [tell(messages.WHY_CHEAPER, fact)]
        shown = [one for one, _, _ in faced]
        own, its = ([one for one in found if (one in shown) != (prompt == "front")] for found in (own, its))
        if prompt != "front":
            return self.compare_open(own, its, front, card, rival)
        fact = Fact(card, messages.WHY_COUNTED[front], len(own), rival, len(its), True)
        if form.wild[goal] and not front and rank[kind] >= STRONG:
            plain = [one for one in own if self.game.setup.colour[one] == self.game.setup.colour[kind]]
            return [tell(messages.WHY_WILD_HERE, replace(fact, other="", than=len(plain)))] if plain != own else []
        is_clear = abs(len(own) - len(its)) >= CLEARLY and more > 0
        return [tell(messages.WHY_AHEAD[front], fact, here=messages.WHY_HERE[form.bonus[goal] > 0])] if is_clear else []

    def compare_open(self, own: list[int], its: list[int], front: bool, card: str, other: str) -> list[Reason]:
        """Return the open cards that only the first of two cards can beat, or only it is safe from."""
        better, worse = (its, own) if front else (own, its)
        only = [one for one in better if one not in worse]
        is_clear = all(one in better for one in worse) and sum([self.game.setup.points[one] for one in only]) > 1
        return [tell(messages.WHY_MORE[front], card=card, other=other, cards=self.name_kinds(only))] if is_clear else []

    def name_kinds(self, kinds: list[int]) -> str:
        """Return the names of kinds, the highest rank first: `Red 8 and Blue 3`."""
        return several([self.game.kind_name(one) for one in sorted(kinds, key=lambda one: -self.game.setup.rank[one])])

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

    def explain_lead(self, duel: Duel, twin: Action, other: Action) -> list[Reason]:
        """Return what the legal answers do to a lead, and to `twin`, the next best, or `other`, with another card."""
        (lost, every, gain), cost = rate_lead(self.view, self.choice.action, duel), self.find_cost(self.choice.action)
        its, its_every, its_gain = rate_lead(self.view, twin, duel)
        if lost:
            pattern = messages.WHY_LOST if len(lost) == every else messages.WHY_LEAD
            found = [tell(pattern, cost, cards=self.name_kinds(lost))]
        else:
            found = [tell(messages.WHY_SAFE if gain > 0 else messages.WHY_TIED, replace(cost, value=gain))]
        is_worse = len(its) == its_every if lost else bool(its)
        if self.find_kind(twin) == self.find_kind(self.choice.action) and is_worse and len(lost) < every:
            colour = self.game.colour_name((twin - PLAY) % 2)
            return [*found, tell(messages.WHY_COLOUR[len(lost) > 0], colour=colour)]
        its, its_every, its_gain = rate_lead(self.view, other, duel)
        risk, exposed = self.find_cost(other), len(its) * every - len(lost) * its_every
        if its and risk.value and (not lost or (exposed > 0 and cost.value <= risk.value)):
            return [*found, tell(messages.WHY_AT_RISK, risk, cards=self.name_kinds(its))]
        if lost and its and exposed >= 0 and cost.value < risk.value:
            return [*found, tell(messages.WHY_COSTLIER, risk)]
        if not lost and 0 < its_gain < gain:
            return [*found, tell(messages.WHY_LESS, replace(risk, value=its_gain))]
        more = self.compare_rest(other)
        return found + more if more else []

    def compare_rest(self, other: Action) -> list[Reason]:
        """Return that plays are about equally good, or what one is better for: the card that stays behind it, or the
        points of the battles that are left, whatever card is face down."""
        spaces, alike = self.view.spaces[self.view.viewer], self.list_even(other, self.name_play)
        here, there = (self.choice.action - PLAY) // 2, (other - PLAY) // 2
        if alike or here == there:
            return alike
        if self.view.stack[-1].prompt == "lead" and max(here, there) < REARGUARD:
            backs = [[card & KIND for card in spaces[space + 3]] for space in (here, there)]
            ranks = [self.game.setup.rank[kinds[0]] if kinds else 0 for kinds in backs]
            if ranks[1] >= STRONG and ranks[1] > ranks[0]:
                return [tell(messages.WHY_BEHIND, card=self.name_kinds(backs[1]), other=self.name_play(other))]
        # Each margin is a number of points, and a part of less than half a point that separates equal ones.
        points = min([round(one[self.choice.action]) - round(one[other]) for one in self.margins], default=0)
        after = next((cards for cards in (spaces[here + 3], *spaces[here + 6 : here + 7]) if cards), [])
        steps = messages.WHY_OR.join([self.game.kind_name(card & KIND) for card in after])
        names = {"steps": steps, "hidden": messages.WHY_HIDDEN[len(self.margins) > 1]}
        card = self.name_play(self.choice.action)
        fact = Fact(card, messages.WHY_POINTS, points, self.name_play(other), is_counted=True)
        return [tell(messages.WHY_STEPS if after else messages.WHY_PLAYED_OUT, fact, **names)] if points > 0 else []

    def explain_answer(self, duel: Duel, rest: list[Action], other: Action) -> list[Reason]:
        """Return the points that an answer wins or gives up, and what other answers do: `rest`, of which `other` is the
        best, or else the same card in the other color."""
        foe, results = OPPONENT[self.view.viewer], rate_answers(self.view, duel)
        led, result, cost = (
            self.view.duel[foe][0] & KIND,
            results[self.choice.action],
            self.find_cost(self.choice.action),
        )
        lead = self.game.kind_name(led)
        winners = sorted([one for one in rest if results[one] > 0], key=lambda one: one != other)
        if result > 0:
            both = replace(cost, subject=lead, value=cost.value + self.game.setup.points[led])
            found = [tell(messages.WHY_WINS, both, card=cost.subject)]
            if winners:
                return [*found, tell(messages.WHY_ALSO_WINS, card=self.name_play(winners[0]))]
            called = self.game.colour_name((other - PLAY) % 2)
            return [*found, tell(messages.WHY_ONLY if rest else messages.WHY_LOSES, colour=called)]
        if result == 0 and all(results[one] < 0 for one in rest):
            return [tell(messages.WHY_TIES, card=cost.subject, lead=lead), tell(messages.WHY_REST_LOSE)]
        if not rest:
            loser = self.name_kinds([self.find_kind(self.choice.action)])
            return [tell(messages.WHY_EITHER, card=loser)] if self.choice.value is None or self.is_even(other) else []
        if all(results[one] < 0 for one in [self.choice.action, *rest]):
            return self.explain_loss(rest, other, tell(messages.WHY_GIVE_UP, cost, lead=lead))
        saved = [tell(messages.WHY_SAVE, cost, card=self.name_play(one)) for one in winners]
        found = saved[:1] if result < 0 else [tell(messages.WHY_TIES, card=cost.subject, lead=lead)]
        more = self.compare_rest(other)
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


def rate_lead(view: JinkeiState, action: Action, duel: Duel) -> tuple[list[int], int, int]:
    """Return the cards that beat a lead as legal answers, the number of all legal answers, and the fewest points that
    the lead brings if none beats it; 0 if one ties."""
    space, colour = divmod(action - PLAY, 2)
    foe, play = OPPONENT[view.viewer], duel.led_from(view.viewer, space)
    replies = duel.places[foe].replies
    legal = [(reply, reply.wild or reply.card.colour == colour) for reply in replies]
    legal = [(reply, same) for reply, same in legal if same or not is_bound(replies, colour)]
    results = [compare_ranks(play, reply, same) for reply, same in legal]
    lost = [view.spaces[foe][legal[i][0].space][0] & KIND for i in range(len(legal)) if results[i] > 0]
    gain = 0 if 0 in results else min([int(fight(play, reply, same)) for reply, same in legal], default=0)
    return lost, len(legal), gain


def list_fights(game: JinkeiWords, form: Formation, at: int, kind: int, foes: list[tuple[int, int, bool]]) -> list[int]:
    """Return the cards of the other seat that a card beats on a space, or in the Vanguard those that beat it."""
    rank = game.setup.rank[kind] + form.bonus[at]
    if at < REARGUARD:
        return [one for one, its, wild in foes if can_beat(game, one, its, kind, rank, wild)]
    return [one for one, its, _ in foes if can_beat(game, kind, rank, one, its, form.wild[at])]


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


def find_goal(view: JinkeiState) -> int:
    """Return the space that the viewer's advancing card steps to."""
    seat, pair, goal = view.viewer, view.pair(view.viewer), view.origin[view.viewer]
    return max([goal, *[space for space in view.form(seat).behind[goal] if space < pair and view.spaces[seat][space]]])


def list_open(view: JinkeiState, owner: Seat) -> list[tuple[int, int, bool]]:
    """Return the open cards on an owner's spaces, each with its rank there, and whether it can be either color."""
    form, spaces = view.form(owner), view.spaces[owner]
    found = [(card & KIND, space) for space, cards in enumerate(spaces) for card in cards if card & KIND != HIDDEN]
    return [(kind, view.setup.rank[kind] + form.bonus[space], form.wild[space]) for kind, space in found]


def list_unseen(s: JinkeiState, owner: Seat, seat: Seat) -> list[int]:
    """Return the kinds of an owner's deck that a seat has not seen or has to forget."""
    deck, zones = s.pools()[owner]
    known = {card & KIND for zone in zones for card in zone if card & SEEN[seat]}
    return [kind for kind in deck if kind not in known]
