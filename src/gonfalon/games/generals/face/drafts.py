"""Drafts: a card or an active effect with everything that is chosen for it, laid out on a page and sent at once."""

from __future__ import annotations

from typing import Final, NamedTuple, TypedDict

from gonfalon.core.basics.errors import Refusal
from gonfalon.core.rules.state import Action, Seat
from gonfalon.games.generals.effects.targets import ALL
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
    """A general or a zone that may be chosen for a draft: the zone it is in, as the seat calls it, the ways (`Way.at`)
    in which it may be chosen, and those in which it goes without saying."""

    id: str
    text: str
    zone: int
    of: list[str]
    fixed: list[str]


class Way(TypedDict):
    """A way to play a card or to use an effect: who executes or bears it, where it goes, or which effect it is (`at`,
    "" for none of these), and how many of the draft's aims are chosen then, all in `one_zone` perhaps."""

    at: str
    name: str
    text: str
    score: str
    least: int
    most: int
    one_zone: bool


class Draft(TypedDict):
    """What is laid out before a card or an effect is sent: `pays` cards of the hand are chosen to pay. `more` says that
    the rules ask on, for something that cannot be foreseen."""

    pays: int
    more: bool
    ways: list[Way]
    aims: list[Aim]


LEFT_OVER: Final = "Not all of this can be chosen now; look again, then choose."


class Declaration:
    """What the rules ask of a seat from taking something up until it is declared, tried on a copy of its view. All of
    it follows from the battlefield and the seat's own hand; what comes after, which may be hidden, is not tried."""

    def __init__(self, view: GeneralsState) -> None:
        s = self.s = view.clone()
        s.log = None
        self.seat: Seat = view.turn
        self.begun: Final = len(s.stack)
        self.evident: list[Action] = []
        """What was chosen unasked, because nothing else could be."""

    def opens(self, actions: list[Action]) -> int:
        """Take up what the first of these actions name; how many do that, 0 for what is no draft."""
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

    def asked(self) -> list[Action]:
        """The answers to the next question; none when there is no more."""
        s, stack = self.s, self.s.stack
        while len(stack) > self.begun and not isinstance(stack[-1], Launch):
            step = stack[-1]
            options = step.options(s)
            if options:
                return options
            stack.pop()
            if isinstance(step, Pick):
                self.evident += step.answers(s)
            if not isinstance(step, PayResource):
                step.auto(s)
        return []

    def answer(self, action: Action) -> None:
        """Answer the question that is asked."""
        self.s.stack.pop().choose(self.s, action)


def arranged(view: GeneralsState, actions: list[Action]) -> list[Action]:
    """The actions of a page's draft in the order in which the rules ask for them, with the word that no more targets
    are chosen where that is asked. What is no draft stays as it is. Raises Refusal."""
    if not view.stack or view.turn != view.viewer or not actions or not view.is_legal(view.turn, actions[0]):
        return actions
    tried = Declaration(view)
    begun = tried.opens(actions) if _whole(view, actions) else 0
    if not begun:
        return actions
    out, left = actions[:begun], actions[begun:]
    while options := tried.asked():
        action = next((action for action in left if action in options), DONE)
        if action in left:
            left.remove(action)
        elif DONE not in options:
            break
        out.append(action)
        tried.answer(action)
    if left:
        raise Refusal(LEFT_OVER)
    return out


def _whole(view: GeneralsState, actions: list[Action]) -> bool:
    """Whether a general's act is one that they have; of a card its being legal says it."""
    first, step = actions[0], view.stack[-1]
    if not isinstance(step, Main) or first >= CARD or len(actions) < 2 or first < UNIT:
        return True
    return actions[1] in legal.list_acts(view, first - UNIT)


class Plan:
    """What is still to be chosen and paid once some actions are done."""

    def __init__(self) -> None:
        self.aims: list[Action] = []
        self.fixed: list[Action] = []
        """Aims that go without saying."""
        self.least: int = 0
        self.most: int = 0
        self.one_zone: bool = False
        self.pays: int = 0
        self.more: bool = False
        """Whether the rules ask for something else as well."""


def plan(view: GeneralsState, *actions: Action) -> Plan:
    """What is chosen and paid after these actions, which take something up and say who does it. Where a choice depends
    on another nothing is: the draft ends there, and the rules ask on."""
    tried, found = Declaration(view), Plan()
    begun = tried.opens(list(actions))
    for action in actions[begun:]:
        tried.asked()
        tried.answer(action)
    options, step = tried.asked(), tried.s.stack[-1]
    if options and isinstance(step, Pick):
        while options and isinstance(now := tried.s.stack[-1], Pick):
            if now.choice is not step.choice:
                found.more = True
                return found
            tried.answer(options[0])
            options = tried.asked()
        _choose(view, step, found)
    else:
        found.fixed = [action for action in tried.evident if action != DONE]
    while options and isinstance(tried.s.stack[-1], Pay):
        found.pays += 1
        tried.answer(options[0])
        options = tried.asked()
    found.more = bool(options)
    return found


def _choose(view: GeneralsState, step: Pick, found: Plan) -> None:
    """Write down who may be chosen, and how many of them."""
    choice = step.choice
    if choice.count == ALL:
        found.aims, found.least, found.most = step.answers(view), 1, 1
        return
    found.least, found.most = choice.least, choice.most(view, step.frame)
    found.one_zone = choice.one_zone or found.most > choice.count
    meant = choice.list_candidates(view, step.frame)
    zones = [view.zone[u] for u in meant]
    alone = choice.least if found.one_zone else 1
    found.aims = [UNIT + u for u in meant if zones.count(view.zone[u]) >= alone]


class Wanted(NamedTuple):
    """A way to go on with what is taken up, in words."""

    action: Action = -1
    name: str = ""
    text: str = ""
    score: str = ""


def draft(game: GeneralsRules, view: GeneralsState, first: list[Action], ways: list[Wanted]) -> Draft:
    """What a page lays out for what these actions take up, in each of the ways; without any there is one."""
    out: Draft = {"pays": 0, "more": False, "ways": [], "aims": []}
    aims: dict[Action, Aim] = {}
    for way in ways or [Wanted()]:
        further = way.action >= 0
        found = plan(view, *first, *([way.action] if further else []))
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
            aim = aims.setdefault(action, _aim(game, view, action))
            aim["of"].append(at)
            if action in found.fixed:
                aim["fixed"].append(at)
    out["aims"] = [aims[action] for action in sorted(aims)]
    return out


def _aim(game: GeneralsRules, view: GeneralsState, action: Action) -> Aim:
    """A target as it is shown."""
    if action < UNIT:
        zone, text = action - ZONE, PLACES[action - ZONE]
    else:
        u = action - UNIT
        zone, text = ZONE_OF[view.turn][view.zone[u]], game.kinds[view.setup.kind[u]].name
    return {"id": game.notation(action), "text": text, "zone": zone, "of": [], "fixed": []}
