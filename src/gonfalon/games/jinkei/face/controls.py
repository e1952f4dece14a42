"""The controls of a decision on a page of Jinkei."""

from __future__ import annotations

from typing import TYPE_CHECKING, NotRequired, TypedDict

from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.page import Choice
from gonfalon.core.rules.state import Action, Seat
from gonfalon.games.jinkei.face.refusals import explain_play
from gonfalon.games.jinkei.rules.actions import FORMATION, PLAY, TYPE
from gonfalon.games.jinkei.rules.setup import REINFORCEMENTS, SPACES, Formation
from gonfalon.games.jinkei.rules.state import JinkeiState

if TYPE_CHECKING:
    from gonfalon.games.jinkei.face.page import JinkeiPage


class Play(TypedDict):
    """A card of a space as one color, and its number among the choices."""

    id: str
    called: str
    n: int


class Controls(TypedDict):
    """The choices of a decision, the `plays` of a battle by space, and the `open` spaces while cards are laid.

    `why` gives, for each space, the reason why its card cannot be played. `easy` is the choice that a beginner plays
    most easily, of types and of formations.
    """

    mode: str | None
    choices: list[Choice]
    plays: dict[str, list[Play]]
    open: list[str]
    why: dict[str, str]
    easy: NotRequired[str]


def build_controls(game: JinkeiPage, s: JinkeiState) -> Controls:
    """Return the controls of the viewer's decision."""
    shown: Controls = {"mode": None, "choices": [], "plays": {}, "open": [], "why": {}}
    seat = s.turn
    if seat < 0 or seat != s.viewer:
        return shown
    asked = s.stack[-1].prompt
    if asked in ("front", "back"):
        spaces = s.form(seat).front if asked == "front" else s.form(seat).back
        return {**shown, "mode": "place", "open": [SPACES[space] for space in spaces[len(s.answers[seat]) :]]}
    if asked in ("lead", "answer"):
        choices = game.buttons(s, sort_plays(s, s.actions))
        why = explain_spaces(game, s, seat, asked == "lead", {choice["id"].partition(":")[0] for choice in choices})
        return {**shown, "mode": "fight", "choices": choices, "plays": group_plays(choices), "why": why}
    choices = game.buttons(s, s.actions)
    if asked not in ("type", "formation"):
        return {**shown, "mode": "choice", "choices": choices}
    easy = min(s.actions, key=lambda action: count_marks(list_formations(s, action)))
    return {**shown, "mode": asked, "choices": choices, "easy": game.notation(easy)}


def list_formations(view: JinkeiState, action: Action) -> list[Formation]:
    """Return the formations of the coming round behind a choice: both of a type, or one."""
    setup, seat = view.setup, view.turn
    if action < FORMATION:
        return [setup.formations[n] for n in setup.choices(action - TYPE, max(view.round, 1))]
    return [setup.formations[setup.choices(view.type[seat], view.round)[action - FORMATION]]]


def count_marks(formations: list[Formation]) -> int:
    """Return how much there is to learn about formations: a bonus on a chosen card counts least."""
    return sum(
        3 * sum(form.wild) + 3 * sum(form.two) + 2 * (form.bonus[form.reveal] > 0) + sum(map(bool, form.bonus))
        for form in formations
    )


def sort_plays(view: JinkeiState, actions: list[Action]) -> list[Action]:
    """Return the plays by space. Of a Wild card's two colors the printed one comes first (ruling 9)."""

    def order(action: Action) -> tuple[int, bool]:
        space, colour = divmod(action - PLAY, 2)
        return space, find_printed_colour(view, view.turn, space) != colour

    return sorted(actions, key=order)


def group_plays(choices: list[Choice]) -> dict[str, list[Play]]:
    """Return the cards that may be played, by space."""
    plays: dict[str, list[Play]] = {}
    for n, choice in enumerate(choices, 1):
        space, _, called = choice["id"].partition(":")
        plays.setdefault(space, []).append({"id": choice["id"], "called": called, "n": n})
    return plays


def explain_spaces(game: JinkeiPage, view: JinkeiState, seat: Seat, leads: bool, legal: set[str]) -> dict[str, str]:
    """Return, for each space of the formation, the rule that forbids playing its card now."""
    return {
        SPACES[space]: explain_play(game, view, seat, space, find_printed_colour(view, seat, space), leads)
        for space in range(REINFORCEMENTS)
        if view.spaces[seat][space] and SPACES[space] not in legal
    }


def find_printed_colour(view: JinkeiState, seat: Seat, space: int) -> int:
    """Return the printed color of the top card of a space."""
    return view.setup.colour[view.spaces[seat][space][0] & KIND]
