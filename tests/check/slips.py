"""Further mistakes of game authors, in the third-party Duel and two of its variants."""

from __future__ import annotations

from typing import Any

from gonfalon.core.basics.cards import HIDDEN, KIND, SEEN
from gonfalon.core.basics.outcome import Outcome
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Option, Part
from gonfalon.core.rules.state import NO_ACTIONS, SPECTATOR, Action, Seat, State
from gonfalon.table.check_requests import send_actions
from gonfalon.table.game.position import Position
from tests.check import kin
from tests.check.kin import LongDuel, LongState, SecretDuel, SecretState
from tests.check.mutants import Mutant, Patch, Sampler, real_board, real_clone, real_options
from tests.stranger import gonfalon_duel as duel
from tests.stranger.gonfalon_duel import CARD, KEEP, NAMES, OTHER, Duel, DuelState

SLIPS: list[Mutant] = []
real_parse = Duel.parse
SWAP_OPTIONS, REFILL, DESCRIBE, PUBLIC, OUTCOME = (
    duel.Swap.options,
    kin.Refill.choose,
    Duel.describe,
    Duel.public,
    DuelState.outcome,
)


def slip(name: str, *patches: Patch, **rest: Any) -> None:
    SLIPS.append(Mutant(name, list(patches), **rest))


# ---- asking is not for nothing ------------------------------------------------------------------------------


def sorting_options(self: duel.Swap, s: DuelState) -> list[Action]:
    s.deck.sort(key=lambda card: card & KIND)
    return SWAP_OPTIONS(self, s)


def sorting_answers(self: duel.Choose, s: DuelState, seat: Seat) -> list[Action]:
    s.deck.sort(key=lambda card: card & KIND)
    return real_options(self, s, seat)


def spoiling(self: duel.Choose, s: DuelState, seat: Seat) -> list[Action]:
    actions = NO_ACTIONS
    if not s.answers[seat]:
        actions += [CARD + kind for kind in sorted({card & KIND for card in s.hand[seat]})]
    found = actions[:]
    if len(s.discard) < 2:
        actions.clear()
    return found


slip("a hidden deck is sorted while a seat's options are worked out", (duel.Swap, "options", sorting_options))
slip("a hidden deck is sorted while the options of several are", (duel.Choose, "options_of", sorting_answers))
slip("the rules write into the core's empty list", (duel.Choose, "options_of", spoiling))


# ---- what is shown to whom ------------------------------------------------------------------------------------


def text_for_seats(self: Duel, view: State, names: list[str]) -> str:
    return f"{names[view.viewer]} at the table"


def controls_for_seats(self: Duel, view: State) -> dict[str, Any]:
    return {"first": view.legal(view.viewer)[0] if view.viewer < 0 and view.stack else None}


def wide_text(self: Duel, view: State, names: list[str]) -> str:
    assert isinstance(view, DuelState)
    return "Won: " + ", ".join("a round against a strong card of the other seat" for _ in range(max(view.score)))


def last_drawn(self: Duel, view: State, action: Action) -> str:
    assert isinstance(view, DuelState)
    top = NAMES[view.deck[-1] & KIND] if view.deck else "nothing"
    return DESCRIBE(self, view, action) if action == KEEP else f"Put it under the deck and draw a {top}."


slip("the text breaks for whoever sees all", (Duel, "text", text_for_seats))
slip("the controls break for a spectator", (Duel, "controls", controls_for_seats))
slip("the prompt has two lines", (Duel, "prompt", lambda self, view, names: "Choose.\nBoth are shown at once."))
slip("a text is too wide once somebody leads", (Duel, "text", wide_text))
slip("a text holds what steers a terminal", (Duel, "text", lambda self, view, names: "\x1b[1mDuel\x1b[0m"))
slip("a description reads the top of the deck", (Duel, "describe", last_drawn))
slip(
    "the board has numbers as keys",
    (Duel, "board", lambda self, view: {**real_board(self, view), "score": dict(enumerate(view.score))}),
)
slip("there are names for three seats", (Duel, "seat_names", lambda self: ["May", "David", "Nobody"]))


# ---- the log ----------------------------------------------------------------------------------------------------


def without(code: int, seat: Seat | None = None) -> Patch:
    """Suppress the events of this kind (of this seat)."""

    def tell(self: DuelState, told: int, of: Seat, card: int, a: int = 0, b: int = 0) -> None:
        if told != code or seat not in (None, of):
            State.tell(self, told, of, card, a, b)

    return (DuelState, "tell", tell)


def in_order_of_drawing(self: duel.Look, s: DuelState) -> None:
    seat = self.player
    s.tell(duel.LOOKED, seat, HIDDEN)
    for i in range(len(s.hand[OTHER[seat]])):
        s.hand[OTHER[seat]][i] |= SEEN[seat]
        s.tell_only(1 << seat, duel.SAW, seat, s.hand[OTHER[seat]][i])
    s.stack.append(duel.SWAP[seat])


slip("that a deck was shuffled is not told", without(kin.REFILLED), game=LongDuel)
slip("a look at a hand shows in which order it was drawn", (duel.Look, "auto", in_order_of_drawing))


# ---- what is seen of an action ------------------------------------------------------------------------------------


def strong_ones_show(self: Duel, state: State, seat: Seat, action: Action, viewer: int) -> Action:
    assert isinstance(state, DuelState)
    if viewer != seat and action > KEEP and max(card & KIND for card in state.hand[seat]) == action - CARD:
        return action
    return PUBLIC(self, state, seat, action, viewer)


def spectators_see(self: Duel, state: State, seat: Seat, action: Action, viewer: int) -> Action:
    return action if viewer == SPECTATOR else PUBLIC(self, state, seat, action, viewer)


slip("replays name it to spectators", (Duel, "public", spectators_see))
slip("replays name the strongest card of a hand", (Duel, "public", strong_ones_show))
slip(
    "a note is hidden from one seat only",
    (SecretState, "hide", lambda self, viewer: self.noted.__setitem__(1, -1) if viewer == 0 else None),
    game=SecretDuel,
)
slip(
    "a note is not hidden from spectators",
    (SecretState, "hide", lambda self, viewer: self.noted.__setitem__(OTHER[viewer], -1) if viewer >= 0 else None),
    game=SecretDuel,
)


# ---- what a table answers to several actions at once ----------------------------------------------------------------

slip(
    "the second action is judged after the others' answers are in",
    (Position, "check_answer", lambda self, seat, actions: None),
    options={"requests": send_actions},
)


# ---- windows, turns, numbers -----------------------------------------------------------------------------------------


slip(
    "the turn counts the Scouts that one has seen",
    (Duel, "turn", lambda self, view: sum(card & KIND == 0 for hand in view.hand for card in hand)),
)
slip(
    "a window opens for who holds a Baron",
    (Duel, "window", lambda self, view: "Parry" if view.stack and 4 in [c & KIND for c in view.hand[0]] else None),
)
slip(
    "a learner's number is out of its bounds",
    (Duel, "parts", lambda self: [Part("score", (2,), "rounds won", high=2)]),
    (Duel, "measure", lambda self, s, me, row: (row.put(0, s.score[me]), row.put(1, s.score[OTHER[me]]))),
)


# ---- actions --------------------------------------------------------------------------------------------------------


def any_card(self: DuelState, seat: Seat, action: Action) -> bool:
    if self.stack and seat >= 0 and seat in self.asked() and CARD <= action < CARD + len(NAMES):
        return True
    return State.is_legal(self, seat, action)


def for_all(self: DuelState, seat: Seat) -> list[Action]:
    return State.legal(self, max(seat, 0))


slip("whatever card is named is called legal", (DuelState, "is_legal", any_card))
slip("spectators are asked", (DuelState, "legal", for_all))
slip(
    "what is offered after an answer is what was offered before",
    (duel.Choose, "options_after", lambda self, s, seat, action: s.actions if len(s.discard) > 6 else NO_ACTIONS),
)
slip(
    "a seed is read as a fraction",
    (Duel, "parse", lambda self, text: -1 - int(float(text[5:])) if text[:5] == "seed:" else real_parse(self, text)),
)


# ---- chance -----------------------------------------------------------------------------------------------------


def bottom_stays(self: kin.Refill, s: LongState, action: Action) -> None:
    REFILL(self, s, action)
    scout = next((i for i, card in enumerate(s.deck) if card == 0), 0)
    s.deck.insert(0, s.deck.pop(scout))


def still_known(self: kin.Refill, s: LongState, action: Action) -> None:
    s.deck, s.discard = s.deck + s.discard, []
    Rng(-1 - action).shuffle(s.deck)
    s.tell(kin.REFILLED, 0, HIDDEN)


def without_deck(self: Duel, log: bool = False) -> DuelState:
    chance = duel.Deal(0) if self.options["exact"] else duel.SHUFFLE
    s = self.state_class(self.deck, self.options["goal"], [duel.Hands(self.options["hand"]), chance])
    s.deck = self.deck
    if log:
        s.log = []
    s.settle()
    return s


slip("a later shuffle leaves a Scout at the bottom", (kin.Refill, "choose", bottom_stays), game=LongDuel)
slip("a shuffled pile stays known", (kin.Refill, "choose", still_known), game=LongDuel)
slip("all games share one deck", (Duel, "start", without_deck))


def hopeful(world: State, view: State, rng: Rng) -> State:
    """Assume in mid-game that the next card is not a Baron."""
    assert isinstance(world, DuelState)
    if world.discard and len(world.deck) > 3 and world.deck[-1] & KIND == 4 and view.viewer >= 0:
        world.deck[-1], world.deck[0] = world.deck[0], world.deck[-1]
    return world


def with_generator(self: duel.Shuffle, s: DuelState, action: Action) -> None:
    Rng(-1 - action).shuffle(s.deck)
    s.rng = Rng(5)  # type: ignore[attr-defined]


def rolling_clone(self: DuelState) -> DuelState:
    twin = real_clone(self)
    twin.rng = getattr(self, "rng", Rng(5)).clone()  # type: ignore[attr-defined]
    return twin


slip("a state carries a generator", (DuelState, "clone", rolling_clone), (duel.Shuffle, "choose", with_generator))
slip("later worlds hold no strong card on top", game=LongDuel, options={"sampler": Sampler(hopeful)})


# ---- copies, options, ends -----------------------------------------------------------------------------------------


def mute_tie(self: DuelState) -> Outcome | None:
    found = OUTCOME(self)
    return found and Outcome(found.winners, "" if len(found.winners) == 2 else found.how)


slip("a tie does not say how", (DuelState, "outcome", mute_tie))
slip(
    "an option that is offered cannot be chosen",
    (
        Duel,
        "options_spec",
        (*Duel.options_spec, Option("deck", "plain", "Deck", "Which cards.", (("plain", "Plain"), ("odd", "Odd")))),
    ),
    (Duel, "seats", property(lambda self: {"plain": 2}[self.options["deck"]], lambda self, value: None)),
)
slip(
    "the rules fail at the least that an option takes",
    (Duel, "options_spec", tuple(o._replace(least=0) if o.name == "hand" else o for o in Duel.options_spec)),
)
