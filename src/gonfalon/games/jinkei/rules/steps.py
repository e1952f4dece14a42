"""The steps of Jinkei: setup, formation, combat, scoring."""

from __future__ import annotations

from typing import ClassVar, Final

from gonfalon.core.basics.cards import HIDDEN, KIND, kinds
from gonfalon.core.rules.shuffles import EVERY_ZONE, push_shuffle
from gonfalon.core.rules.state import CHANCE, EVERYBODY, NO_ACTIONS, NOBODY, Action, AnyStep, Card, Seat, Step, Together
from gonfalon.games.jinkei.rules import events
from gonfalon.games.jinkei.rules.actions import ADVANCE, FIRST, FORMATION, TYPE
from gonfalon.games.jinkei.rules.setup import CALLS, LAID, MAX_HAND, PUTS, SPACE_OF
from gonfalon.games.jinkei.rules.state import KNOWN, NO_CARDS, OPEN_CARD, OPPONENT, ORDER, OWN_CARD, TIE, JinkeiState

# ---- setup ------------------------------------------------------------------------------------------


class Toss(Step[JinkeiState]):
    """Chance draws the first player, unless the option `starts` names one (section 4, ruling 35)."""

    prompt: ClassVar[str] = "toss"

    def options(self, s: JinkeiState) -> list[Action]:
        return [FIRST, FIRST + 1] if s.setup.starter < 0 else NO_ACTIONS

    def choose(self, s: JinkeiState, action: Action) -> None:
        s.starter = action - FIRST

    def auto(self, s: JinkeiState) -> None:
        s.starter = s.setup.starter


class StartGame(Step[JinkeiState]):
    """Start a game: shuffle, choose the types, play the rounds (section 4).

    In the second game of a match the shuffle comes after the types, so that the last battle of the first game stays
    on the table until then.
    """

    def auto(self, s: JinkeiState) -> None:
        s.game += 1
        if s.game > 1:
            s.starter = OPPONENT[s.starter]
        s.first = s.starter
        s.round = 0
        s.type = s.setup.given[:]
        s.scored = [NO_CARDS, NO_CARDS]
        s.tell(events.GAME, s.starter, HIDDEN, s.game)
        # The second player chooses first (ruling 1), so that step is on top.
        types: list[AnyStep] = [CHOOSE_TYPE[s.starter], CHOOSE_TYPE[OPPONENT[s.starter]]]
        if s.type[0] >= 0:
            types = []
            for seat in ORDER[OPPONENT[s.starter]]:
                s.tell(events.TYPE, seat, HIDDEN, s.type[seat])
        s.stack += [START_ROUND, *types, NEW_DECKS] if s.game == 1 else [START_ROUND, NEW_DECKS, *types]


class ChooseType(Step[JinkeiState]):
    """The choice of a type for the whole game, different from the opponent's (ruling 1)."""

    prompt: ClassVar[str] = "type"

    def options(self, s: JinkeiState) -> list[Action]:
        return [TYPE + type for type in range(s.setup.types) if type != s.type[OPPONENT[self.seat]]]

    def choose(self, s: JinkeiState, action: Action) -> None:
        types = s.type[:]
        types[self.seat] = action - TYPE
        s.type = types
        s.tell(events.TYPE, self.seat, HIDDEN, action - TYPE)


class NewDecks(Step[JinkeiState]):
    """Return all cards to the decks, and shuffle these."""

    def auto(self, s: JinkeiState) -> None:
        clear_round(s)
        s.formation = [-1, -1]
        s.spent = [NO_CARDS, NO_CARDS]
        for seat in range(2):
            s.hand[seat] = NO_CARDS
            s.deck[seat] = list(range(s.setup.kinds))
        push_shuffle(s, EVERY_ZONE, exact=s.setup.exact, quick=True)


# ---- formation --------------------------------------------------------------------------------------


class StartRound(Step[JinkeiState]):
    """Start a round: draw up to seven cards, then push the Formation Phase, the battles and the score (section 5)."""

    def auto(self, s: JinkeiState) -> None:
        s.round += 1
        first = s.first
        if s.log is not None:
            s.tell(events.ROUND, first, HIDDEN, s.round)
        for seat in ORDER[first]:
            s.draw(seat, s.setup.hand - len(s.hand[seat]))
        s.stack += ROUND[first][s.setup.hand]


def clear_round(s: JinkeiState) -> None:
    """Remove the cards taken in the last round from the game (section 9)."""
    s.sweep()
    s.battles.clear()
    spent, taken = s.spent, s.taken
    # New lists, because clones share those of `spent`.
    s.spent = [spent[0] + taken[0] + taken[2], spent[1] + taken[1] + taken[3]]
    for cards in taken:
        cards.clear()


CHOICES: Final[list[list[Action]]] = [[FORMATION + i for i in range(count)] for count in range(FIRST - FORMATION)]
"""The actions for each number of formations to choose from."""


class ChooseFormation(Together[JinkeiState]):
    """Both seats choose one of the round's two formations, and reveal them simultaneously (6-1)."""

    prompt: ClassVar[str] = "formation"

    def options_of(self, s: JinkeiState, seat: Seat) -> list[Action]:
        return NO_ACTIONS if s.answers[seat] else CHOICES[len(s.setup.choices(s.type[seat], s.round))]

    def finish(self, s: JinkeiState) -> None:
        # The last battle of the round before stayed on the table until now.
        clear_round(s)
        order = ORDER[s.first]
        chosen = [s.setup.choices(s.type[seat], s.round)[s.answers[seat][0] - FORMATION] for seat in (0, 1)]
        s.form_up(chosen[0], chosen[1])
        if s.log is not None:
            for seat in order:
                s.tell(events.FORMATION, seat, HIDDEN, chosen[seat])
        for seat in order:
            space = s.forms[seat].reveal
            deck = s.deck[seat]
            cards = OPEN_CARD[seat][deck[-1]]
            s.deck[seat] = deck[:-1]
            s.spaces[seat][space] = cards
            if s.log is not None:
                s.tell(events.REVEALED, seat, cards[0], space)


class PlaceFront(Together[JinkeiState]):
    """Both seats lay cards on Vanguard and Rearguard, in the order of the spaces (6-2).

    The cards are turned up when both have finished (6-3). A deck has one card of each kind.
    """

    __slots__ = ("back",)
    prompt: ClassVar[str] = "front"

    def __init__(self, back: bool = False) -> None:
        super().__init__([0, 1])
        self.back: bool = back

    def options_of(self, s: JinkeiState, seat: Seat) -> list[Action]:
        form = s.forms[seat]
        spaces = form.back if self.back else form.front
        answer = s.answers[seat]
        laid = len(answer)
        if laid == len(spaces):
            return NO_ACTIONS
        space = spaces[laid]
        puts = PUTS[space]
        out = [puts[card & KIND] for card in s.hand[seat]]
        # Legal actions ascend, but the hand is in the order of drawing.
        out.sort()
        for action in answer:
            out.remove(puts[action])
        if self.back and form.pairs:
            # Two cards on one space are a set: the lower one comes first, so that each set is one answer.
            if laid + 1 < len(spaces) and spaces[laid + 1] == space:
                # The highest card cannot be the lower one of a pair.
                return out[:-1]
            if laid and spaces[laid - 1] == space:
                return [action for action in out if action > answer[-1]]
        return out

    def options_after(self, s: JinkeiState, seat: Seat, action: Action) -> list[Action]:
        # The current options without this card; filtering them takes a third of the time of reading the hand.
        form = s.forms[seat]
        if self.back and form.pairs:
            return self.options_of(s, seat)
        spaces = form.back if self.back else form.front
        laid = len(s.answers[seat])
        if laid == len(spaces):
            return NO_ACTIONS
        puts = PUTS[spaces[laid]]
        return [puts[other] for other in s.actions if other != action]

    def finish(self, s: JinkeiState) -> None:
        log = s.log
        for seat in ORDER[s.first]:
            spaces = s.spaces[seat]
            known = KNOWN[seat]
            made = OWN_CARD[seat] if self.back else OPEN_CARD[seat]
            hand = s.hand[seat][:]
            for action in s.answers[seat]:
                kind = LAID[action]
                space = SPACE_OF[action]
                hand.remove(known[kind])
                cards = spaces[space]
                spaces[space] = cards + made[kind] if cards else made[kind]
                if log is not None:
                    # Only the owner learns a face-down card. The other seat learns the number of cards.
                    audience = 1 << seat if self.back else EVERYBODY
                    s.tell_only(audience, events.PLACED, seat, made[kind][0], space)
            s.hand[seat] = hand
            if log is not None and self.back and s.answers[seat]:
                s.tell(events.PLACED_DOWN, seat, HIDDEN, len(s.answers[seat]))


class PlaceBack(PlaceFront):
    """Both seats lay their Reinforcements, which stay face down (6-4)."""

    prompt: ClassVar[str] = "back"


# ---- combat -----------------------------------------------------------------------------------------


class Fight(Step[JinkeiState]):
    """A seat plays a card into the battle, as the one that `leads` or as the answer."""

    __slots__ = ("leads",)

    def __init__(self, seat: Seat, leads: bool) -> None:
        super().__init__(seat)
        self.leads: bool = leads

    def options(self, s: JinkeiState) -> list[Action]:
        seat = self.seat
        spaces = s.spaces[seat]
        setup = s.setup
        marks = setup.marks
        form = s.forms[seat]
        for row in form.offense if self.leads else form.defense:
            code = 0  # the cards of the row, encoded as in Row; a call would take longer
            at = row.start
            cards = spaces[at]
            if cards:
                code = marks[0][cards[0]]
            cards = spaces[at + 1]
            if cards:
                code += marks[1][cards[0]]
            cards = spaces[at + 2]
            if cards:
                code += marks[2][cards[0]]
            if code:
                return row.leads[code] if self.leads else row.replies[setup.binds + s.called[s.attacker]][code]
        return NO_ACTIONS

    def play(self, s: JinkeiState, action: Action) -> list[Card]:
        """Move the card of an action from its space into the battle."""
        seat = self.seat
        space = SPACE_OF[action]
        spaces = s.spaces[seat]
        cards = spaces[space]
        spaces[space] = NO_CARDS
        s.duel[seat] = cards
        s.origin[seat] = space
        s.called[seat] = CALLS[action]
        return cards


class Lead(Fight):
    """Offense plays from its Vanguard, or from the Rearguard when that is empty (7-1)."""

    prompt: ClassVar[str] = "lead"

    def choose(self, s: JinkeiState, action: Action) -> None:
        s.sweep()  # the cards of the last battle stay on the table until the next one begins (ruling 30)
        cards = self.play(s, action)
        s.attacker = self.seat
        if s.log is not None:
            s.tell_play(events.LED, self.seat, cards[0])


class Answer(Fight):
    """Defense plays from its Rearguard, or from the Vanguard when that is empty, and follows the led color (7-2)."""

    prompt: ClassVar[str] = "answer"

    def choose(self, s: JinkeiState, action: Action) -> None:
        seat = self.seat
        foe = 1 - seat
        cards = self.play(s, action)
        winner, why = s.judge()
        s.battles.append(winner)
        if s.log is not None:
            s.tell_play(events.ANSWERED, seat, cards[0])
            if winner == TIE:
                s.tell(events.TIED, seat, HIDDEN)
            else:
                s.tell(events.TOOK, winner, HIDDEN, why)
        s.note_moment("duel")
        # A seat that chooses between two cards does so before the other seat's cards are turned up (ruling 27).
        forms = s.forms
        if forms[seat].pairs_behind[s.origin[seat]] and s.pair(seat) >= 0:
            s.stack += [CLOSE_UP[foe], CLOSE_UP[seat]]
        elif forms[foe].pairs_behind[s.origin[foe]] and s.pair(foe) >= 0:
            s.stack += [CLOSE_UP[seat], CLOSE_UP[foe]]
        else:
            s.close_up(foe, 0)
            s.close_up(seat, 0)


class CloseUp(Step[JinkeiState]):
    """Cards advance into the gap (7-4). Of two on a space their owner chooses one (ruling 26)."""

    prompt: ClassVar[str] = "advance"

    def options(self, s: JinkeiState) -> list[Action]:
        pair = s.pair(self.seat)
        return [ADVANCE + kind for kind in kinds(s.spaces[self.seat][pair])] if pair >= 0 else NO_ACTIONS

    def choose(self, s: JinkeiState, action: Action) -> None:
        cards = s.spaces[self.seat][s.pair(self.seat)]
        s.close_up(self.seat, [card & KIND for card in cards].index(action - ADVANCE))

    def auto(self, s: JinkeiState) -> None:
        s.close_up(self.seat, 0)


class Score(Step[JinkeiState]):
    """Score the Achievements taken, change the first player, and start the next round or end (sections 8 to 10)."""

    def auto(self, s: JinkeiState) -> None:
        scored = s.scored[:]
        for seat in ORDER[s.first]:
            points = s.points_of(seat)
            scored[seat] = [*scored[seat], points]
            if s.log is not None:
                s.tell(events.SCORED, seat, HIDDEN, s.round, points)
        s.scored = scored
        s.note_moment("round")
        s.first = OPPONENT[s.first]
        if s.round < s.setup.rounds:
            # Called directly, because a step without a decision need not wait on the stack.
            START_ROUND.auto(s)
            return
        for seat in range(2):
            total = sum(s.scored[seat])
            # Clones share `totals`, so it is replaced.
            totals = s.totals[:]
            totals[seat] += total
            s.totals = totals
            s.tell(events.TOTAL, seat, HIDDEN, total)
        if s.game < s.setup.games:
            s.stack.append(START_GAME)
            return
        lead = s.totals[0] - s.totals[1]
        if lead:
            s.winner = 0 if lead > 0 else 1
            s.how = events.BY_POINTS
        elif s.setup.games > 1:
            s.winner = TIE
            s.how = events.SHARED
        else:  # the second player wins a tie
            s.winner = OPPONENT[s.starter]
            s.how = events.BY_SECOND
        s.stack.clear()
        s.tell(events.OVER, s.winner if s.winner != TIE else -1, HIDDEN, s.how)


TOSS: Final[Step[JinkeiState]] = Toss(CHANCE)
START_GAME: Final[Step[JinkeiState]] = StartGame(NOBODY)
CHOOSE_TYPE: Final[list[Step[JinkeiState]]] = [ChooseType(0), ChooseType(1)]
NEW_DECKS: Final[Step[JinkeiState]] = NewDecks(NOBODY)
START_ROUND: Final[Step[JinkeiState]] = StartRound(NOBODY)
CHOOSE_FORMATION: Final[Step[JinkeiState]] = ChooseFormation([0, 1])
PLACE_FRONT: Final[Step[JinkeiState]] = PlaceFront()
PLACE_BACK: Final[Step[JinkeiState]] = PlaceBack(back=True)
LEAD: Final[list[Step[JinkeiState]]] = [Lead(0, leads=True), Lead(1, leads=True)]
ANSWER: Final[list[Step[JinkeiState]]] = [Answer(0, leads=False), Answer(1, leads=False)]
CLOSE_UP: Final[list[Step[JinkeiState]]] = [CloseUp(0), CloseUp(1)]
SCORE: Final[Step[JinkeiState]] = Score(NOBODY)
FORM_UP: Final[list[Step[JinkeiState]]] = [PLACE_BACK, PLACE_FRONT, CHOOSE_FORMATION]
BATTLES: Final[list[list[Step[JinkeiState]]]] = [[ANSWER[1], LEAD[0]], [ANSWER[0], LEAD[1]]]
"""The steps of a battle, the last one first, by the leading seat."""


def stack_battles(lead: Seat, count: int) -> list[AnyStep]:
    """Return the steps of a number of battles, the last first, in which the seats lead in turns (7-4).

    All battles of a round are pushed together: a stack that shrinks to one step after each play would be reallocated
    each time.
    """
    last = lead if count % 2 else OPPONENT[lead]
    steps = (BATTLES[last] + BATTLES[1 - last]) * ((count + 1) // 2)
    return steps[: 2 * count]


ROUND: Final[list[list[list[AnyStep]]]] = [
    [[SCORE, *stack_battles(lead, count), *FORM_UP] for count in range(MAX_HAND + 1)] for lead in (0, 1)
]
"""The steps of a round, the last one first, by the leading seat and the number of battles."""
