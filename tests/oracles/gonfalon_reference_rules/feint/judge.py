"""Reference rules of Feint for the conformance kit: the rules' results are compared with `oracle.py` and the log.

Slow and simple on purpose. It shares no code with the rules, so an error in either shows.
"""

from __future__ import annotations

from collections import Counter
from weakref import WeakKeyDictionary

from gonfalon.check.reference_rules import ReferenceRules
from gonfalon.core.basics.cards import KIND, SEEN
from gonfalon.core.rules.state import Action, Event, State
from gonfalon.games.feint import Feint
from gonfalon.games.feint.rules import events as ev
from gonfalon.games.feint.rules.state import DOWN, DUE, MORE_STAY, STAY, FeintState
from gonfalon.games.feint.setup import as_feint
from gonfalon_reference_rules.feint import sample_boxes
from gonfalon_reference_rules.feint.oracle import KNOWN, Piece, Question, Story, TheEndError, Told


class FeintReferenceRules(ReferenceRules[Feint]):
    """Reference rules of Feint."""

    def __init__(self) -> None:
        self.judges: WeakKeyDictionary[Feint, Judge] = WeakKeyDictionary()

    def build_samples(self, kind: type[Feint]) -> list[Feint]:
        return [
            kind(cards=raw, factions=("red", "blue"), scrambler=moves, gang=gang)
            for raw, moves, gang in sample_boxes.BUSY
        ]

    def judge_step(self, game: Feint, before: State, seat: int, action: Action, after: State) -> list[str]:
        """Return a sentence for each fault of the full state after a decision.

        It follows a game from its first decision on, or from any turn. In the middle of a turn that it has not
        followed it cannot know the pending effects, and returns no faults.
        """
        if game not in self.judges:
            self.judges[game] = Judge(game)
        return self.judges[game].judge(as_feint(before), seat, action, as_feint(after))

    def find_faults(self, game: Feint, state: State) -> list[str]:
        if not is_known(game):
            return []
        s = as_feint(state)
        story = laid(game, s)
        faults = []
        for place, number in enumerate(game.box.locations):
            held = story.load(place)
            if held != s.load[place]:
                faults.append(f"Location {number} counts {s.load[place]} of its Capacity, its cards say {held}")
        return faults if s.log is None else faults + faults_of_log(game, s.log, s.morale)

    def legal_actions(self, game: Feint, state: State, seat: int) -> list[Action] | None:
        """Return the legal plays of a seat on its turn, from the card data alone; None for other decisions."""
        s = as_feint(state)
        asked = s.stack[-1].prompt if s.stack else ""
        if asked not in ("deploy", "play-one", "conjure") or seat != s.turn or not is_known(game):
            return None
        story = laid(game, s)
        plays = story.plays((story.discard if asked == "conjure" else story.hand)[seat])
        return sorted(game.parse(word) for word in (["pass", *plays] if asked == "deploy" else plays))


def is_known(game: Feint) -> bool:
    """Return whether the oracle knows every ability in the decks. Games with others are not checked."""
    return all(game.setup.kinds[kind].ability in KNOWN for deck in game.setup.decks for kind in deck)


class Judge:
    """A check of a game, decision by decision."""

    def __init__(self, game: Feint) -> None:
        self.game = game
        self.known = is_known(game)
        self.last: list[object] = []  # the position that has been told of
        self.story: Story | None = None
        self.told: Told | None = None
        self.asked: list[Question] = []

    def judge(self, before: FeintState, seat: int, action: Action, after: FeintState) -> list[str]:
        """Return a sentence for each fault of the state after a decision."""
        if self.known and position(before) != self.last:
            self.begin(before)
        if self.story is None:
            return []
        found = self.goes_on(seat, self.game.notation(action)) or self.differences(self.story, after)
        self.last = [] if found else position(after)
        return found

    def begin(self, state: FeintState) -> None:
        """Start at a position whose future follows from the table."""
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
        """Add a decision to the story and return its faults."""
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
        """Return the differences between a state and the story."""
        pairs: list[tuple[str, object, object]] = [
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


def position(state: FeintState) -> list[object]:
    """Return a position without its log."""
    steps = [(type(step).__name__, step.key()) for step in state.stack]
    return [state.data(), steps, state.turn, [said[:] for said in state.answers]]


def laid(game: Feint, state: FeintState) -> Story:
    """Return the story of a position from the cards on the table."""
    story = Story(game.box, game.options)
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
    """Return a card of a state as an object."""
    return Piece(card & KIND, {seat for seat in (0, 1) if card & SEEN[seat]}, bool(card & DOWN), tokens(card))


def tokens(card: int) -> int:
    """Return the number of Stay tokens on a card."""
    return 1 + card // MORE_STAY if card & STAY else 0


Card = tuple[int, tuple[int, ...], bool, int, bool]
"""The kind, the seats that have seen it, face down, Stay tokens, about to be moved."""


def cards(story: Story, pieces: list[Piece]) -> list[Card]:
    """Return cards of the story in a comparable form."""
    return [(one.kind, tuple(sorted(one.seen)), one.down, one.stay, story.due(one) is not None) for one in pieces]


def ints(zone: list[int]) -> list[Card]:
    """Return cards of a state in a comparable form."""
    return [
        (
            card & KIND,
            tuple(seat for seat in (0, 1) if card & SEEN[seat]),
            bool(card & DOWN),
            tokens(card),
            bool(card & DUE),
        )
        for card in zone
    ]


Board = Counter[tuple[int, int, int]]
"""The number of cards of a kind at a Location: (seat, place, kind)."""


def faults_of_log(game: Feint, log: list[Event], left: list[int]) -> list[str]:
    """Follow every card over the board, and recompute every Resolution and all Morale."""
    faults = []
    board: Board = Counter()
    battles: set[int] = set()
    barred: set[int] = set()
    totals = [0, 0]
    for event in log:
        code, _, seat, card, a, _ = event
        follow(board, event)
        if code == ev.ROUND:
            battles, barred = set(), set()
        elif code == ev.LOCATION:
            battles.add(card & KIND)
        elif code == ev.ADDED:
            battles.add(a)
        elif code == ev.BARRED:
            barred.add(a)
        elif code == ev.TOTAL:
            totals[seat] = a
            due = rating(game, board, seat, battles - barred)
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
    return faults + faults_of_morale(game.box.morale, log, left)


def follow(board: Board, event: Event) -> None:
    """Apply an event to the board."""
    code, _, seat, card, a, b = event
    kind = card & KIND
    if code in (ev.PLAYED, ev.STAYED):
        board[seat, a, kind] += 1
    elif code in (ev.MOVED, ev.RETURNED, ev.BOMBED, ev.SPENT):
        board[seat, a, kind] -= 1
        if code == ev.MOVED:
            board[seat, b, kind] += 1


def rating(game: Feint, board: Board, seat: int, battles: set[int]) -> int:
    """Return a seat's Strategy Rating from its printed cards."""
    return sum(
        n * int(game.cards[kind]["strength"]) * game.box.locations[place]
        for (owner, place, kind), n in board.items()
        if owner == seat and place in battles
    )


def faults_of_morale(first: int, log: list[Event], left: list[int]) -> list[str]:
    """Check that the logged changes of Morale add up to the rest."""
    faults = []
    morale = [first, first]
    for code, _, seat, _, a, b in log:
        if code == ev.MORALE:
            morale[seat] += a
            if morale[seat] != b:
                faults.append(f"seat {seat} is told {b} Morale, the changes say {morale[seat]}")
    if morale != left:
        faults.append(f"Morale is {left}, the changes say {morale}")
    return faults
