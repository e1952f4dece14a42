"""A second opinion on Feint for the conformance kit: what the rules did, held against `oracle.py` and the log.

Slow and plain on purpose: nothing here or there is shared with the rules, so that a slip in either shows.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from gonfalon.core.cards import KIND, SEEN
from gonfalon.core.state import Action
from gonfalon.games.feint.oracle import KNOWN, Piece, Question, Story, TheEndError, Told
from gonfalon.games.feint.rules import events as ev
from gonfalon.games.feint.rules.state import DOWN, DUE, STAY, FeintState

if TYPE_CHECKING:
    from gonfalon.games.feint.game import Feint


def known(game: Feint) -> bool:
    """Whether the oracle tells all abilities of a game; one that came later from somewhere else it cannot judge."""
    return all(game.cards[kind].get("ability", "") in KNOWN for deck in game.setup.decks for kind in deck)


def judge(game: Feint, before: FeintState, seat: int, action: Action, after: FeintState) -> list[str]:
    """What is wrong in a full state that one decision has led to, as sentences.

    It follows a game from its first decision on, or from any turn. In the middle of a turn that it has not followed
    it cannot say what is still to come there, and says nothing.
    """
    return JUDGES.setdefault(game, Judge(game)).judge(before, seat, action, after)


class Judge:
    """Tells a game along with the rules."""

    def __init__(self, game: Feint) -> None:
        self.game = game
        self.known = known(game)
        self.last: list[Any] = []  # the position that has been told of
        self.story: Story | None = None
        self.told: Told | None = None
        self.asked: list[Question] = []

    def judge(self, before: FeintState, seat: int, action: Action, after: FeintState) -> list[str]:
        """See above."""
        if self.known and position(before) != self.last:
            self.begin(before)
        if self.story is None:
            return []
        found = self.goes_on(seat, self.game.notation(action)) or self.differences(self.story, after)
        self.last = [] if found else position(after)
        return found

    def begin(self, state: FeintState) -> None:
        """Take a position up, if it is one whose future shows in what lies on the table."""
        story = laid(self.game, state)
        asked = state.stack[-1].prompt if state.stack else ""
        if position(state) == position(self.game.start()):
            self.told = story.opening(mirror=self.game.setup.first < 0)
        elif asked == "reinforce":
            self.told = story.rounds([[self.game.notation(answer) for answer in said] for said in state.answers])
        elif asked == "deploy":
            self.told = story.under_way(state.turn)
        else:
            self.story = self.told = None
            return
        self.story = story
        self.asked = next(self.told)

    def goes_on(self, seat: int, word: str) -> list[str]:
        """Give the story a decision; what is wrong with the decision itself."""
        assert self.told is not None
        question = next((one for one in self.asked if one.seat == seat), None)
        if question is None or (word not in question.answers and question.prompt != "shuffle"):
            return [f"seat {seat} should not be able to answer {word!r}"]
        try:
            self.asked = self.told.send((seat, word))
        except TheEndError:
            self.asked = []
        return []

    def differences(self, story: Story, state: FeintState) -> list[str]:
        """Where a state is not what the story says."""
        pairs: list[tuple[str, Any, Any]] = [
            ("the Morale", story.morale, state.morale),
            ("the winners of the rounds", story.won, state.won),
            ("the round", story.round, state.round),
            ("the start player", story.first, state.first),
            ("the seats that have passed", sorted(story.passed), [seat for seat in (0, 1) if state.passed >> seat & 1]),
            ("the space of the end marker", story.end, state.end),
            ("the Strength at the Locations", [story.load(p) for p in range(state.places)], state.load),
        ]
        for seat in (0, 1):
            for name, wanted, zone in (
                ("hand", story.hand, state.hand),
                ("discard pile", story.discard, state.discard),
                ("Location discard pile", story.used, state.used),
            ):
                pairs.append(
                    (f"the {name} of seat {seat}", sorted(cards(story, wanted[seat])), sorted(ints(zone[seat])))
                )
            for name, wanted, zone in (
                ("draw pile", story.deck, state.deck),
                ("Location draw pile", story.pile, state.pile),
                ("Location Card", story.scout, state.scout),
            ):
                pairs.append((f"the {name} of seat {seat}", cards(story, wanted[seat]), ints(zone[seat])))
            for place, number in enumerate(story.numbers):
                here = cards(story, story.board[seat][place])
                pairs.append((f"the cards of seat {seat} at Location {number}", here, ints(state.at(seat, place))))
        outcome = state.outcome()
        ended = None if outcome is None else (outcome.winners, outcome.how)
        pairs.append(("the end", None if story.winner is None else ([story.winner], story.how), ended))
        wanted_questions = {one.seat: (one.prompt, sorted(one.answers)) for one in self.asked}
        questions = {
            one.seat: (one.prompt, sorted(self.game.notation(action) for action in one.actions))
            for one in state.decisions()
        }
        pairs.append(("what is asked", wanted_questions, questions))
        return [f"{what}: should be {wanted}, is {found}" for what, wanted, found in pairs if wanted != found]


JUDGES: WeakKeyDictionary[Feint, Judge] = WeakKeyDictionary()
"""Apart from the games, which can be copied and sent as they are."""


def position(state: FeintState) -> list[Any]:
    """All of a position but its log."""
    steps = [(type(step).__name__, step.key()) for step in state.stack]
    return [state.data(), steps, state.turn, [said[:] for said in state.answers]]


def laid(game: Feint, state: FeintState) -> Story:
    """The story of a position: what lies on the table, before anything is told."""
    story = Story(game)
    for wanted, zones in (
        (story.hand, state.hand),
        (story.deck, state.deck),
        (story.discard, state.discard),
        (story.pile, state.pile),
        (story.used, state.used),
        (story.scout, state.scout),
    ):
        for seat in (0, 1):
            wanted[seat] = [piece(card) for card in zones[seat]]
    for seat in (0, 1):
        story.board[seat] = [[piece(card) for card in state.at(seat, place)] for place in range(state.places)]
    story.morale, story.won = state.morale[:], state.won[:]
    story.round, story.end, story.first = state.round, state.end, state.first
    story.passed = {seat for seat in (0, 1) if state.passed >> seat & 1}
    return story


def piece(card: int) -> Piece:
    """A card of a state as an object."""
    return Piece(card & KIND, {seat for seat in (0, 1) if card & SEEN[seat]}, bool(card & DOWN), bool(card & STAY))


Card = tuple[int, tuple[int, ...], bool, bool, bool]
"""Kind, who has seen it, face down, under a Stay token, about to be moved."""


def cards(story: Story, pieces: list[Piece]) -> list[Card]:
    """Cards of the story, to be compared."""
    return [(one.kind, tuple(sorted(one.seen)), one.down, one.stay, story.due(one) is not None) for one in pieces]


def ints(zone: list[int]) -> list[Card]:
    """Cards of a state, to be compared."""
    return [
        (
            card & KIND,
            tuple(seat for seat in (0, 1) if card & SEEN[seat]),
            bool(card & DOWN),
            bool(card & STAY),
            bool(card & DUE),
        )
        for card in zone
    ]


def invariants(game: Feint, s: FeintState) -> list[str]:
    """What is wrong in a full state, as sentences."""
    if not known(game):
        return []
    story = laid(game, s)
    faults = []
    for place, number in enumerate(game.box.locations):
        held = story.load(place)
        if held != s.load[place]:
            faults.append(f"Location {number} counts {s.load[place]} of its Capacity, its cards say {held}")
    if s.log is not None:
        faults += _faults_of_log(game, s)
    return faults


def reference(game: Feint, s: FeintState, seat: int) -> list[Action] | None:
    """The legal plays of a seat on its turn, from the card data alone; None for other decisions."""
    asked = s.stack[-1].prompt if s.stack else ""
    if asked not in ("deploy", "play-one", "conjure") or seat != s.turn or not known(game):
        return None
    story = laid(game, s)
    plays = story.plays((story.discard if asked == "conjure" else story.hand)[seat])
    return sorted(game.parse(word) for word in (["pass", *plays] if asked == "deploy" else plays))


def _faults_of_log(game: Feint, s: FeintState) -> list[str]:
    """Follow every card over the board, and work every Resolution and all Morale out again."""
    faults = []
    board: Counter[tuple[int, int, int]] = Counter()  # (seat, place, kind)
    battles: set[int] = set()
    barred: set[int] = set()
    morale = [game.box.morale, game.box.morale]
    totals = [0, 0]
    assert s.log is not None
    for code, _, seat, card, a, b in s.log:
        kind = card & KIND
        if code == ev.ROUND:
            battles, barred = set(), set()
        elif code == ev.PLAYED:
            board[seat, a, kind] += 1
        elif code == ev.MOVED:
            board[seat, a, kind] -= 1
            board[seat, b, kind] += 1
        elif code in (ev.RETURNED, ev.BOMBED, ev.SPENT):
            board[seat, a, kind] -= 1
        elif code == ev.LOCATION:
            battles.add(kind)
        elif code == ev.ADDED:
            battles.add(a)
        elif code == ev.BARRED:
            barred.add(a)
        elif code == ev.TOTAL:
            totals[seat] = a
            fought = battles - barred
            due = sum(
                n * game.cards[k]["strength"] * game.box.locations[p]
                for (owner, p, k), n in board.items()
                if owner == seat and p in fought
            )
            if a != due:
                faults.append(f"seat {seat}'s Strategy Rating is {a}, its cards say {due}")
        elif code == ev.WON:
            higher = 0 if totals[0] > totals[1] else 1
            if totals[0] != totals[1] and seat != higher:
                faults.append(f"seat {seat} won the round with {totals}")
        elif code == ev.COST:
            due = sum(n * game.cards[k]["morale"] for (owner, _, k), n in board.items() if owner == seat)
            if a != due:
                faults.append(f"seat {seat}'s cards cost {a} Morale, they say {due}")
            board.clear()  # all is removed; what stays is told next
        elif code == ev.STAYED:
            board[seat, a, kind] += 1
        elif code == ev.MORALE:
            morale[seat] += a
            if morale[seat] != b:
                faults.append(f"seat {seat} is told {b} Morale, the changes say {morale[seat]}")
    if morale != s.morale:
        faults.append(f"Morale is {s.morale}, the changes say {morale}")
    return faults
