"""Sentences as templates: names, possessives, verbs and pronouns for each reader."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import pytest

from gonfalon.check.law import LawBrokenError
from gonfalon.check.laws.secrecy.displays import check_display
from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.rules.simple import aim_at, declare_fields, find_aim
from gonfalon.core.rules.state import Action, Seat, Step
from gonfalon.core.text.english import YOU, verb
from gonfalon.core.text.templates import ByPerson, fill, find_blank_fault
from tests.core.test_simple import NAMES, Draft, DraftState, deal_draft

SAFE = "{who} [are] safe until [your] next turn."
TAKES = "{who} [take] {card} from {target's} hand."
SWAPS = "Now {who} and the others [carry] {target's} banner. {target's} hand is empty, and {target} [pass]."


@pytest.mark.parametrize(
    ("sentence", "who", "target", "filled"),
    [
        (SAFE, "You", "", "You are safe until your next turn."),
        (SAFE, "Bo", "", "Bo is safe until their next turn."),
        (TAKES, "You", "Bo", "You take a Page from Bo's hand."),
        (TAKES, "Bo", "You", "Bo takes a Page from your hand."),
        (SWAPS, "You", "Bo", "Now you and the others carry Bo's banner. Bo's hand is empty, and Bo passes."),
        (SWAPS, "bo", "You", "Now bo and the others carries your banner. Your hand is empty, and you pass."),
        ("{who} [see] [yourself].", "Your opponent", "", "Your opponent sees themselves."),
        ("[Do] {who} hold {card}?", "You", "", "Do you hold a Page?"),
        ("[Do] {who} hold {card}?", "Bo", "", "Does Bo hold a Page?"),
        ("Then {who} [win].", "Your opponent", "", "Then your opponent wins."),
        ("[draw] {this} [1].", "", "", "[draw] {this} [1]."),
    ],
)
def test_a_sentence_agrees_with_its_people(sentence: str, who: str, target: str, filled: str) -> None:
    assert fill(sentence, {"who": [who], "target": [target], "card": "a Page"}) == filled


def test_several_people_take_the_plural() -> None:
    assert fill("{who} [win]: {who's} turn.", {"who": ["You", "Bo"]}) == "You and Bo win: you and Bo's turn."
    assert fill("{who} [show] [your] hands.", {"who": ["Ann", "Bo", "May"]}) == "Ann, Bo and May show their hands."
    assert fill("{who} [can] answer.", {"who": []}) == "No player can answer."


def test_a_name_with_braces_is_not_read_as_a_template() -> None:
    assert fill("{who} [ask] {target}.", {"who": ["{target}"], "target": ["[ask]"]}) == "{target} asks [ask]."


def test_a_message_by_person_has_both_forms() -> None:
    message = ByPerson("{name} [lose] {size} of [your] Morale.")
    assert message.format(YOU, size=2) == "You lose 2 of your Morale."
    assert message.format("May", size=2) == "May loses 2 of their Morale."


@pytest.mark.parametrize(
    ("word", "form"),
    [
        ("have", "has"),
        ("go", "goes"),
        ("pass", "passes"),
        ("carry", "carries"),
        ("play on", "plays on"),
        ("can", "can"),
    ],
)
def test_verbs_have_a_third_person(word: str, form: str) -> None:
    assert verb("May", word) == f"May {form}"
    assert verb("You", word) == f"You {word}"


def test_a_wrong_meaning_is_named_with_the_right_ones() -> None:
    assert find_blank_fault("{a:card} falls.", ("a",)) == (
        "{a:card} of '{a:card} falls.' has an unknown meaning; known are seat, seats, kind, a kind."
    )
    assert find_blank_fault("{a:seat} falls.", ("a",)) == ""


# ---- a game with targets and guesses ----------------------------------------------------------------

AIMED, GUESSED, BOTH = range(10, 13)


@declare_fields
class Aim(Step[DraftState]):
    """Choose another player."""

    prompt: ClassVar[str] = "aim"
    seat: Seat

    def options(self, s: DraftState) -> list[Action]:
        return [aim_at(seat) for seat in range(s.seats)]

    def choose(self, s: DraftState, action: Action) -> None:
        s.stack.append(Guess(self.seat, find_aim(action)))


@declare_fields
class Guess(Step[DraftState]):
    """Name a card of the target."""

    prompt: ClassVar[str] = "guess"
    seat: Seat
    target: Seat

    def options(self, s: DraftState) -> list[Action]:
        return [0, 1, 2]

    def choose(self, s: DraftState, action: Action) -> None:
        s.tell(GUESSED, self.seat, 1, self.target, action)


class Inquiry(Draft):
    steps = (*Draft.steps, Aim, Guess)
    asks: ClassVar[Mapping[str, tuple[str, str]]] = {
        "aim": ("Choose a player.", "Ask {seat} about {seat's} hand."),
        "guess": ("Which card is in {target:seat's} hand?", "Name the {card}."),
    }
    sentences: ClassVar[Mapping[int, str]] = {
        **Draft.sentences,
        GUESSED: "{who} [play] {card} and [guess] that {a:seat} [have] {b:a kind}.",
        BOTH: "{a:seats} [show] [your] {b:kind}.",
    }
    windows: ClassVar[Mapping[str, str]] = {"guess": "Guess"}


@pytest.fixture
def asked() -> DraftState:
    """A position in which seat 0 chooses a player."""
    state = deal_draft()
    state.stack = [Aim(0)]
    state.settle()
    return state


def test_aims_are_actions_with_names(asked: DraftState) -> None:
    game = Inquiry()
    assert [game.notation(action) for action in asked.actions] == ["seat-1", "seat-2", "seat-3"]
    assert [game.parse(game.notation(action)) for action in asked.actions] == asked.actions
    assert set(asked.actions) < set(game.all_actions())
    assert set(Draft().all_actions()).isdisjoint(asked.actions)
    assert game.describe(asked.mask(0), aim_at(1)) == "Ask Seat 2 about Seat 2's hand."
    assert game.describe(asked.mask(0), aim_at(0)) == "Ask yourself about your hand."


def test_the_kit_finds_a_question_that_has_no_sentence_for_players(asked: DraftState) -> None:
    class Wrong(Inquiry):
        asks: ClassVar[Mapping[str, tuple[str, str]]] = {
            "aim": ("Choose a player.", "Ask about the {card}."),
            "guess": ("Choose again.", "Choose {seat}."),
        }

    with pytest.raises(LawBrokenError, match=r"'seat-1' .* still has the placeholder \{card\}"):
        check_display(Wrong(), asked.mask(0))


def test_a_question_names_the_fields_of_its_step(asked: DraftState) -> None:
    game = Inquiry()
    asked.play(0, aim_at(1))
    view = asked.mask(0)
    assert game.prompt(view, NAMES) == "Which card is in May's hand?"
    assert game.describe(view, 1) == "Name the Old Knight."
    assert game.window(view) == "Guess"
    assert asked.stack[-1].key() == [0, 1]
    assert repr(asked.stack[-1]) == "Guess(0, 1)"


def test_a_step_declares_its_seat_first() -> None:
    with pytest.raises(ValueError, match="Late must declare the field seat before its other fields"):

        @declare_fields
        class Late(Step[DraftState]):
            target: Seat


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"asks": {"guess": ("In {whom:seat's} hand?", "")}}, r"asks\['guess'\] names {whom}, but Guess has no field"),
        ({"asks": {"aimm": ("Whom?", "Ask {seat}.")}}, r"asks names the question 'aimm', but no step .* are 'aim', "),
        ({"windows": {"gess": "Guess"}}, "windows names the question 'gess', but no step has this prompt"),
        ({"secret": ("gess",)}, "secret names the question 'gess', but no step has this prompt"),
    ],
)
def test_a_mistyped_question_is_reported_when_the_game_is_loaded(table: dict[str, object], said: str) -> None:
    with pytest.raises(GonfalonError, match=f"^Wrong: {said}"):
        type("Wrong", (Inquiry,), table)


def test_a_step_may_assign_the_fields_of_its_question_itself() -> None:
    def assign(self: Guess, seat: Seat, other: Seat) -> None:
        self.seat, self.target = seat, other

    own = type("Own", (Step,), {"prompt": "own", "__init__": assign})
    asks = {"own": ("In {target:seat's} hand?", "Name the {card}.")}
    type("Right", (Inquiry,), {"steps": (own,), "asks": asks, "windows": {}, "secret": ()})  # nothing is refused


def test_a_question_that_names_no_number_of_its_step_is_reported(asked: DraftState) -> None:
    wrong = type("Wrong", (Inquiry,), {"asks": {"aim": ("Ask {key:seat}?", "Ask {seat}.")}})
    with pytest.raises(GonfalonError, match=r"asks\['aim'\] names {key}, but Aim has no number key\."):
        wrong().prompt(asked.mask(0), NAMES)


def test_numbers_of_events_are_players_and_cards() -> None:
    game, view = Inquiry(), deal_draft().mask(0)
    told = "You play an Old Knight and guess that May has a Page."
    assert game.words((GUESSED, -1, 0, 1, 1, 0), view, NAMES) == told
    told = "May plays a Baron and guesses that you have an Old Knight."
    assert game.words((GUESSED, -1, 1, 2, 0, 1), view, NAMES) == told
    assert game.words((BOTH, -1, -2, 0, 0b110, 2), view, NAMES) == "May and David show their Baron."
    named = game.words((BOTH, -1, -2, 0, 0b011, 2), view, ["May", "You", "David"])
    assert named == "You and May show your Baron."


def test_collected_cards_are_shuffled_as_the_game_says() -> None:
    state = deal_draft()
    state.collect(state.deck)
    assert (len(state.deck), state.hand) == (4, [[], [], []])
    state.push_shuffle(state.deck)
    assert repr(state.stack[-1]).startswith("Shuffle(")
    exact = Draft(exact=True).start()
    assert repr(exact.stack[-1]).startswith("DealCard(")
