"""Drafts: a card or an active effect with all its choices, prepared on a page and sent at once."""

from __future__ import annotations

from typing import Final, NamedTuple, TypedDict

from gonfalon.core.basics.errors import Refusal
from gonfalon.core.rules.state import Action, Seat
from gonfalon.games.generals.effects.targets import ALL
from gonfalon.games.generals.face import messages
from gonfalon.games.generals.rules.actions import ACTIVE, CARD, DONE, UNIT, ZONE
from gonfalon.games.generals.rules.acts import acts, legal
from gonfalon.games.generals.rules.acts.counters import Answer, declare_counter
from gonfalon.games.generals.rules.acts.declarations import Launch
from gonfalon.games.generals.rules.acts.questions import Pay, PayResource, Pick
from gonfalon.games.generals.rules.state import GeneralsState
from gonfalon.games.generals.rules.turn import ChooseAct, Main
from gonfalon.games.generals.rules.zones import PLACES, ZONE_OF
from gonfalon.games.generals.ruleset import GeneralsRules


class Aim(TypedDict):
    """A general or a zone that can be chosen in a draft.

    `zone` is its zone from the side of the seat, `of` the ways (`Way.at`) in which it can be chosen, and `fixed` the
    ways in which it is the only choice.
    """

    id: str
    text: str
    zone: int
    of: list[str]
    fixed: list[str]


class Way(TypedDict):
    """A way to play a card or to use an effect.

    `at` is the notation of the bearer, executor, place or effect; "" if there is no such choice. The way needs `least`
    to `most` of the draft's aims, in one zone if `one_zone`.
    """

    at: str
    name: str
    text: str
    score: str
    least: int
    most: int
    one_zone: bool


class Draft(TypedDict):
    """The choices of a card or an effect before it is sent.

    `pays` is the number of cards of the hand to pay. `more` is true if a later question cannot be foreseen.
    """

    pays: int
    more: bool
    ways: list[Way]
    aims: list[Aim]


class Declaration:
    """The questions to a seat from selecting a card or effect until it is declared, tried on a copy of its view.

    All of them follow from the battlefield and the seat's own hand. Later questions may depend on hidden cards and are
    not tried.
    """

    def __init__(self, view: GeneralsState) -> None:
        s = self.s = view.clone()
        # The tried answers need no log.
        s.log = None
        self.seat: Seat = view.turn
        self.begun: Final = len(s.stack)
        self.evident: list[Action] = []
        """The choices that were made without a question, because there was a single option."""

    def begin(self, actions: list[Action]) -> int:
        """Select the card or effect that the first actions name. Return their number, 0 if they begin no draft."""
        s, step = self.s, self.s.stack[-1]
        kinds = s.setup.kinds
        first, then = actions[0], actions[1] if len(actions) > 1 else -1
        if isinstance(step, Main) and first >= CARD:
            acts.play_card(s, self.seat, kinds[first - CARD])
            return 1
        if isinstance(step, Main) and UNIT <= first < CARD and ACTIVE <= then < UNIT:
            acts.perform_act(s, first - UNIT, then)
            return 2
        if isinstance(step, ChooseAct) and ACTIVE <= first < UNIT:
            acts.perform_act(s, step.unit, first)
            return 1
        if isinstance(step, Answer) and first >= CARD:
            declare_counter(s, self.seat, kinds[first - CARD], step.act)
            return 1
        return 0

    def next_options(self) -> list[Action]:
        """Return the answers to the next question; none if there are no more questions."""
        s, stack = self.s, self.s.stack
        while len(stack) > self.begun and not isinstance(stack[-1], Launch):
            step = stack[-1]
            options = step.options(s)
            if options:
                return options
            stack.pop()
            # A single option is chosen by the rules, so the page shows it as fixed.
            if isinstance(step, Pick):
                self.evident += step.answers(s)
            # A payment from RESOURCE moves hidden cards, so it is not tried.
            if not isinstance(step, PayResource):
                step.auto(s)
        return []

    def answer(self, action: Action) -> None:
        """Answer the present question."""
        self.s.stack.pop().choose(self.s, action)


def arrange_actions(view: GeneralsState, actions: list[Action]) -> list[Action]:
    """Return the actions of a page's draft in the order of the rules' questions, with the word that ends a choice of
    targets where the rules ask for it.

    Raises:
        Refusal: Not all of the actions are possible.
    """
    # An illegal first action stays, so that the rules refuse it with their own reason.
    if not view.stack or view.turn != view.viewer or not actions or not view.is_legal(view.turn, actions[0]):
        return actions
    tried = Declaration(view)
    begun = tried.begin(actions) if _is_whole(view, actions) else 0
    if not begun:
        return actions
    out, left = actions[:begun], actions[begun:]
    while options := tried.next_options():
        # A page may send targets in any order. If none fits, the choice ends.
        action = next((action for action in left if action in options), DONE)
        if action in left:
            left.remove(action)
        elif DONE not in options:
            break
        out.append(action)
        tried.answer(action)
    if left:
        raise Refusal(messages.CHOICES_GONE)
    return out


def _is_whole(view: GeneralsState, actions: list[Action]) -> bool:
    """Return whether the first actions are a possible act. A card needs no check, because its action is legal."""
    first, step = actions[0], view.stack[-1]
    if not isinstance(step, Main) or first >= CARD or len(actions) < 2 or first < UNIT:
        return True
    return actions[1] in legal.list_acts(view, first - UNIT)


class Plan:
    """The choices and payments that remain after some actions."""

    def __init__(self) -> None:
        self.aims: list[Action] = []
        self.fixed: list[Action] = []
        """Aims that are the only choice."""
        self.least: int = 0
        self.most: int = 0
        self.one_zone: bool = False
        self.pays: int = 0
        self.more: bool = False
        """Whether the rules ask another question that is not in the plan."""


def make_plan(view: GeneralsState, *actions: Action) -> Plan:
    """Return the choices and payments after these actions, which select a card or effect and name its executor.

    If one choice depends on another, the plan is empty: the draft ends there, and the rules ask for the rest.
    """
    tried, found = Declaration(view), Plan()
    begun = tried.begin(list(actions))
    for action in actions[begun:]:
        tried.next_options()
        tried.answer(action)
    options, step = tried.next_options(), tried.s.stack[-1]
    if options and isinstance(step, Pick):
        while options and isinstance(now := tried.s.stack[-1], Pick):
            # Another choice can depend on the first one, so nothing is planned.
            if now.choice is not step.choice:
                found.more = True
                return found
            # Any option will do, because only the number and kind of the questions matter here.
            tried.answer(options[0])
            options = tried.next_options()
        _plan_choice(view, step, found)
    else:
        found.fixed = [action for action in tried.evident if action != DONE]
    while options and isinstance(tried.s.stack[-1], Pay):
        found.pays += 1
        tried.answer(options[0])
        options = tried.next_options()
    found.more = bool(options)
    return found


def _plan_choice(view: GeneralsState, step: Pick, found: Plan) -> None:
    """Add the possible targets and their number to a plan."""
    choice = step.choice
    if choice.count == ALL:
        found.aims, found.least, found.most = step.answers(view), 1, 1
        return
    found.least, found.most = choice.least, choice.most(view, step.frame)
    found.one_zone = choice.one_zone or found.most > choice.count
    meant = choice.list_candidates(view, step.frame)
    zones = [view.zone[u] for u in meant]
    # A zone with too few possible targets is out if all targets must be in one zone.
    alone = choice.least if found.one_zone else 1
    found.aims = [UNIT + u for u in meant if zones.count(view.zone[u]) >= alone]


class Wanted(NamedTuple):
    """A way to continue with the selected card or general, in words."""

    action: Action = -1
    name: str = ""
    text: str = ""
    score: str = ""


def build_draft(game: GeneralsRules, view: GeneralsState, first: list[Action], ways: list[Wanted]) -> Draft:
    """Return the draft of the card or effect that these actions select. Without ways it has a single one."""
    out: Draft = {"pays": 0, "more": False, "ways": [], "aims": []}
    aims: dict[Action, Aim] = {}
    for way in ways or [Wanted()]:
        further = way.action >= 0
        found = make_plan(view, *first, *([way.action] if further else []))
        at = game.notation(way.action) if further else ""
        out["pays"] = max(out["pays"], found.pays)
        out["more"] |= found.more
        out["ways"].append(
            {
                "at": at,
                "name": way.name,
                "text": way.text,
                "score": way.score,
                "least": found.least,
                "most": found.most,
                "one_zone": found.one_zone,
            }
        )
        for action in (*found.aims, *found.fixed):
            # A target of several ways is listed once, with all of them.
            aim = aims.setdefault(action, _build_aim(game, view, action))
            aim["of"].append(at)
            if action in found.fixed:
                aim["fixed"].append(at)
    out["aims"] = [aims[action] for action in sorted(aims)]
    return out


def _build_aim(game: GeneralsRules, view: GeneralsState, action: Action) -> Aim:
    """Return the aim of an action that chooses a target."""
    if action < UNIT:
        zone, text = action - ZONE, PLACES[action - ZONE]
    else:
        u = action - UNIT
        zone, text = ZONE_OF[view.turn][view.zone[u]], game.kinds[view.setup.kind[u]].name
    return {"id": game.notation(action), "text": text, "zone": zone, "of": [], "fixed": []}
