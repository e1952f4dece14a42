"""The defaults for small games: copies, dumps, notation, sentences, board and text."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import pytest

from gonfalon import CHANCE, SPECTATOR, GonfalonError, NotationError, Rng
from gonfalon.check import LAWS, run
from gonfalon.check.laws.rules.numbers import check_tensors_distinct
from gonfalon.check.laws.secrecy.log import check_event_words
from gonfalon.core.basics.cards import HIDDEN, KIND, SEEN, kinds
from gonfalon.core.basics.options import Option
from gonfalon.core.rules.learning import Zone
from gonfalon.core.rules.shuffles import DealCard, Shuffle
from gonfalon.core.rules.simple import EXACT, SimpleGame, SimpleState
from gonfalon.core.rules.state import Action, Card, Event, Seat, State, Step

DREW, ENDED, LOOKED = range(3)
FOLD = 3


class DraftState(SimpleState):
    ordered: ClassVar[tuple[str, ...]] = ("deck", "row")
    hands: ClassVar[tuple[str, ...]] = ("hand",)

    def __init__(self, seats: int) -> None:
        super().__init__(seats)
        self.deck: list[Card] = []
        self.row: list[Card] = []
        self.hand: list[list[Card]] = [[] for _ in range(seats)]
        self.score: list[int] = [0] * seats
        self.round: int = 1

    def points(self) -> list[int]:
        return self.score


class Keep(Step[DraftState]):
    """Show a card, or fold."""

    prompt: ClassVar[str] = "keep"

    def options(self, s: DraftState) -> list[Action]:
        return [*kinds(s.hand[self.seat]), FOLD]

    def choose(self, s: DraftState, action: Action) -> None:
        if action != FOLD:
            s.row.append(s.reveal(s.hand[self.seat], action))
            s.score[self.seat] += action
        if self.seat + 1 < s.seats:
            s.stack.append(Keep(self.seat + 1))
        s.tell(ENDED, self.seat, HIDDEN, s.score[self.seat])


class Deal(Step[DraftState]):
    """A card each."""

    def auto(self, s: DraftState) -> None:
        for seat in range(s.seats):
            s.tell(DREW, seat, s.draw(s.deck, s.hand[seat], seat))
        s.stack.append(Keep(0))


class Draft(SimpleGame[DraftState]):
    name: ClassVar[str] = "draft"
    title: ClassVar[str] = "Draft"
    version: ClassVar[str] = "1"
    seat_counts: ClassVar[tuple[int, ...]] = (3,)
    options_spec: ClassVar[tuple[Option, ...]] = (EXACT,)
    state_class = DraftState
    steps: ClassVar[tuple[type[Step[Any]], ...]] = (Deal, Keep)
    card_names = ("Page", "Old Knight", "Baron")
    card_texts = ("", "Slow.", "")
    other_actions: ClassVar[Mapping[str, str]] = {"fold": "Fold."}
    asks: ClassVar[Mapping[str, tuple[str, str]]] = {"keep": ("Keep which card?", "Keep the {card}.")}
    sentences: ClassVar[Mapping[int, str]] = {DREW: "{who} drew {card}.", ENDED: "That makes {a} on {whose} side."}
    secret: ClassVar[tuple[str, ...]] = ("keep",)

    def deck(self) -> list[int]:
        return [0, 1, 1, 2]

    def set_up(self, s: DraftState) -> None:
        s.deck = list(s.full)
        s.stack = [Deal(-2)]
        s.push_shuffle(s.deck, self.options["exact"])


def deal_draft(seed: str = "seed:1") -> DraftState:
    game = Draft()
    state = game.start(log=True)
    state.apply(CHANCE, game.parse(seed))
    return state


def lay(first: Seat, card: int, second: int, third: int) -> DraftState:
    """Return a position with seat 0 to decide and these cards in the hands."""
    state = deal_draft()
    state.hand = [[card | SEEN[0]], [second | SEEN[1]], [third | SEEN[2]]]
    state.stack = [Keep(first)]
    state.settle()
    return state


def test_the_other_seats_forget_a_hand_from_which_an_unseen_card_leaves() -> None:
    """Seat 1 has looked at both cards of seat 0; then one of them leaves unseen."""
    state = deal_draft()
    state.hand = [[0 | SEEN[0] | SEEN[1], 2 | SEEN[0] | SEEN[1]], [], []]
    state.deck.append(state.hand[0].pop())
    state.forget(state.hand[0], 0)
    assert state.hand[0] == [0 | SEEN[0]]
    assert [state.mask(seat).hand[0] for seat in (0, 1)] == [[0 | SEEN[0]], [HIDDEN | SEEN[0]]]


NAMES = ["You", "May", "David"]


def test_a_clone_shares_nothing_that_changes() -> None:
    state = deal_draft()
    twin = state.clone()
    assert twin.dump() == state.dump()
    twin.hand[0].clear()
    twin.score[1] = 7
    assert state.hand[0] != []
    assert state.score == [0, 0, 0]
    assert twin.full is state.full


def test_actions_are_kinds_and_then_the_others() -> None:
    game = Draft()
    assert [game.notation(action) for action in game.all_actions()] == ["page", "old-knight", "baron", "fold"]
    assert [game.parse(game.notation(action)) for action in range(4)] == [0, 1, 2, 3]
    assert game.parse(game.notation(-1 - 4711)) == -1 - 4711
    for text in ("seed:", "seed:x", "seed:²", "knight", ""):
        with pytest.raises(NotationError):
            game.parse(text)
    with pytest.raises(NotationError):
        game.notation(4)


def test_the_highest_score_wins_and_ties_are_shared() -> None:
    state = lay(0, 0, 2, 2)
    assert state.outcome() is None
    assert state.returns() == [0.0, 0.0, 0.0]
    for seat in range(3):
        state.play(seat, state.actions[0])
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.winners, outcome.how) == ([1, 2], "points")
    assert state.returns() == [-1.0, 0.0, 0.0]


def test_sentences_are_made_for_their_reader() -> None:
    game, state = Draft(), lay(0, 1, 2, 0)
    drew = (DREW, -1, 1, HIDDEN, 0, 0)
    assert game.words(drew, state.mask(0), NAMES) == "May drew a card."
    assert game.words((DREW, -1, 0, 1, 0, 0), state.mask(0), NAMES) == "You drew an Old Knight."
    assert game.words((ENDED, -1, 2, HIDDEN, 5, 0), state.mask(0), NAMES) == "That makes 5 on David's side."
    assert game.words((99, -1, 0, HIDDEN, 0, 0), state.mask(0), NAMES) == ""
    assert game.prompt(state.mask(0), NAMES) == "Keep which card?"
    assert game.prompt(state.mask(1), ["May", "You", "David"]) == "Waiting for May."
    assert [game.describe(state.mask(0), action) for action in state.actions] == ["Keep the Old Knight.", "Fold."]


class Reread(Draft):
    """A game with cards from a file."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.card_names = ("Serf", "Earl", "Duke")
        self.card_texts = ("Slow.", "", "Proud.")


def test_names_and_texts_of_cards_may_be_read_when_a_game_is_made() -> None:
    game = Reread()
    assert [game.notation(action) for action in game.all_actions()] == ["serf", "earl", "duke", "fold"]
    assert game.card("duke") == {"slug": "duke", "name": "Duke", "text": "Proud."}
    assert Draft().parse("baron") == game.parse("duke") == 2


@pytest.mark.parametrize(
    ("sentences", "asks", "said"),
    [
        (
            {DREW: "{who} drew {cards}."},
            {},
            r"Wrong\.sentences: '{who} drew {cards}\.' has the unknown placeholder {cards}",
        ),
        ({DREW: "{who drew."}, {}, r"Wrong\.sentences: the placeholders of .{who drew\.. cannot be read"),
        ({DREW: "{} drew."}, {}, r"has the unknown placeholder {}; known are {who}, {whose}, {card}, {a}, {b}\."),
        (
            {},
            {"keep": ("Which?", "Keep {name}.")},
            r"Wrong\.asks: 'Keep {name}\.' has the unknown placeholder {name}; .* {card}, {seat}\.",
        ),
    ],
)
def test_a_missing_placeholder_is_reported_at_once(
    sentences: dict[int, str], asks: dict[str, tuple[str, str]], said: str
) -> None:
    with pytest.raises(GonfalonError, match=said):
        type("Wrong", (Draft,), {"sentences": sentences, "asks": asks})


def test_the_kit_detects_an_event_without_a_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    laws = [law for law in LAWS if law.check is check_event_words]
    assert [result.ok for result in run(Draft(), 0, laws=laws)] == [True]
    monkeypatch.setattr(Draft, "sentences", {DREW: Draft.sentences[DREW]})
    [result] = run(Draft(), 0, laws=laws)
    assert f"an event (code {ENDED}, Seat 1 (seat 0), a hidden card, a=" in result.failure
    assert "has no sentence for Seat 1 (seat 0)" in result.failure
    monkeypatch.setattr(Draft, "sentences", {DREW: "", ENDED: "That makes {a}."})
    assert [result.ok for result in run(Draft(), 0, laws=laws)] == [True]


def test_the_board_omits_constants(monkeypatch: pytest.MonkeyPatch) -> None:
    state = deal_draft()
    assert Draft().board(state)["round"] == 1
    monkeypatch.setattr(DraftState, "unshown", ("round",))
    assert "round" not in Draft().board(state)
    assert "Round" not in Draft().text(state, NAMES)
    assert state.data()[-1] == 1


def test_board_and_text_show_the_viewers_information() -> None:
    game, state = Draft(), lay(0, 1, 2, 0)
    view = state.mask(0)
    board = game.board(view)
    assert board["hand"] == [["Old Knight"], [None], [None]]
    assert board["deck"] == [None]
    assert (board["round"], board["viewer"]) == (1, 0)
    lines = [" ".join(line.split()) for line in game.text(view, NAMES).splitlines()]
    assert [line for line in lines if line.startswith(("Hand", "Your hand"))] == [
        "Hand: ▒ 1 face down",
        "Hand: ▒ 1 face down",
        "Your hand: Old Knight",
    ]
    assert "Deck: ▒ 1 face down" in lines
    assert "Row: none" in lines
    crowded = state.clone()
    crowded.row = [1 | SEEN[0] | SEEN[1] | SEEN[2]] * 12
    assert max(map(len, game.text(crowded.mask(SPECTATOR), NAMES).splitlines())) <= 80


def test_of_a_secret_card_the_others_see_that_it_was_one() -> None:
    game, state = Draft(), lay(0, 1, 2, 0)
    assert game.public(state, 0, 1, 1) == 0
    assert game.public(state, 0, 1, 0) == 1
    assert game.public(state, 0, FOLD, 1) == FOLD


class Peek(Step[DraftState]):
    """Look at the hand of the seat to the left or to the right."""

    prompt: ClassVar[str] = "peek"

    def options(self, s: DraftState) -> list[Action]:
        return [0, 1]

    def choose(self, s: DraftState, action: Action) -> None:
        seat = (self.seat + 1 + action) % s.seats
        s.hand[seat] = [card | SEEN[self.seat] for card in s.hand[seat]]
        for card in s.hand[seat]:
            s.tell(LOOKED, self.seat, card, seat)


class PeekDeal(Deal):
    def auto(self, s: DraftState) -> None:
        super().auto(s)
        s.stack += [Peek(seat) for seat in range(s.seats)]


class PeekDraft(Draft):
    """A game in which each seat looks at another hand first."""

    steps: ClassVar[tuple[type[Step[Any]], ...]] = (PeekDeal, Keep, Peek)
    sentences: ClassVar[Mapping[int, str]] = {**Draft.sentences, LOOKED: "{who} looked at {card}."}

    def set_up(self, s: DraftState) -> None:
        super().set_up(s)
        s.stack[0] = PeekDeal(-2)


class UnnamedDraft(PeekDraft):
    """A game whose zones have no names."""

    def zones(self) -> list[Zone]:
        return []


@pytest.mark.parametrize("game", [PeekDraft, UnnamedDraft])
def test_a_tensor_says_which_seat_has_looked_at_a_third_hand(game: type[Draft]) -> None:
    laws = [law for law in LAWS if law.check is check_tensors_distinct]
    assert [result.failure for result in run(game, 0, rounds=6, laws=laws)] == [""]


def test_chance_shuffles_by_a_seed_or_card_by_card() -> None:
    game = Draft(exact=True)
    assert {Shuffle, DealCard, Deal, Keep} == set(game.steps)
    state = game.start()
    assert (state.actions, state.weights()) == ([0, 1, 2], [1, 2, 1])
    state.apply(CHANCE, 1)
    assert (state.actions, state.weights()) == ([0, 1, 2], [1, 1, 1])
    state.apply(CHANCE, 2)
    state.apply(CHANCE, 0)
    assert [card & 1023 for card in [*state.deck, *(hand[0] for hand in state.hand)]] == [1, 1, 0, 2]
    assert sorted(state.full) == [0, 1, 1, 2]
    assert state.mask(0).clone().sample(Rng(1)) in (1, FOLD)


def test_samples_have_each_value_of_each_option() -> None:
    class Wide(Draft):
        seat_counts: ClassVar[tuple[int, ...]] = (2, 3, 4)
        options_spec = (
            EXACT,
            Option("seats", 3, "Players", "Number of players."),
            Option("goal", 2, "Goal", "Points to win.", least=1, most=5),
            Option("deck", "old", "Deck", "The cards.", choices=(("old", "Old"), ("new", "New"))),
            Option("hand", 2, "Hand", "Any number."),
        )

    chosen = [{n: v for n, v in game.options.items() if v != Wide().options[n]} for game in Wide.samples()]
    assert chosen == [{}, {"exact": True}, {"seats": 2}, {"seats": 4}, {"goal": 1}, {"deck": "new"}]


def test_the_folder_is_that_of_the_module() -> None:
    assert Draft.folder == Path(__file__).parent


def test_a_card_is_laid_open() -> None:
    state = lay(0, 1, 0, 0)
    assert state.lay(state.hand[0], 1, state.row) == 1 | SEEN[0] | SEEN[1] | SEEN[2]
    assert (state.hand[0], len(state.row)) == ([], 1)


def test_cards_of_one_seat_are_one_line() -> None:
    game, view = Draft(), deal_draft().mask(0)
    page, knight, blank, other = ((DREW, -1, seat, card, 0, 0) for seat, card in ((0, 0), (0, 1), (0, HIDDEN), (1, 1)))
    assert game.continues(knight, page)
    assert not game.continues(other, page)
    assert not game.continues((ENDED, -1, 0, 0, 5, 0), (ENDED, -1, 0, 1, 5, 0))  # this sentence names no card
    assert not game.continues((DREW, -1, 0, 1, 1, 0), page)
    lines = [[page], [page, knight], [knight, knight, page], [blank, blank], [page, blank]]
    assert [game.line(events, view, NAMES) for events in lines] == [
        "You drew a Page.",
        "You drew a Page and an Old Knight.",
        "You drew Old Knight ×2 and a Page.",
        "You drew 2 cards.",
        "You drew a Page and a card.",
    ]

    class Loud(Draft):
        def words(self, event: Event, view: State, names: list[str]) -> str:
            return super().words(event, view, names).upper()

    assert Loud().line([page, knight], view, NAMES) == "YOU DREW A PAGE. YOU DREW AN OLD KNIGHT."


def test_a_shown_hand_hides_when_its_cards_were_drawn() -> None:
    state = lay(0, 1, 0, 0)
    state.hand[0] = [2 | SEEN[0], 0 | SEEN[0], 1 | SEEN[0] | SEEN[2]]
    assert [card & KIND for card in state.show(state.hand[0])] == [0, 1, 2]
    assert state.mask(SPECTATOR).hand[0] == state.hand[0]


def test_the_round_and_the_turn_are_fields() -> None:
    game, state = Draft(), deal_draft()
    assert (game.chapter(state), game.turn(state)) == ("Round 1", 0)
    state.round, state.turns = 0, 7  # type: ignore[attr-defined]
    assert (game.chapter(state), game.turn(state)) == ("", 7)
