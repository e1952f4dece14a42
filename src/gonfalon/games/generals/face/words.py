"""Sentences for what happens, what is asked and what may be done. All are made from masked data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar, Final

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.rules.state import CHANCE, Action, Card, Event, Seat, State
from gonfalon.core.rules.words import Words
from gonfalon.core.text.english import inside, many, of, own, several, verb, verdict, whose
from gonfalon.games.generals.face import preview
from gonfalon.games.generals.face.refusals import reason
from gonfalon.games.generals.rules import actions, cards
from gonfalon.games.generals.rules import events as ev
from gonfalon.games.generals.rules.acts.acts import ForCard, Placement
from gonfalon.games.generals.rules.acts.counters import Answer
from gonfalon.games.generals.rules.acts.declarations import Act
from gonfalon.games.generals.rules.acts.questions import Pay, Pick
from gonfalon.games.generals.rules.casualties import Fall
from gonfalon.games.generals.rules.state import OPPONENT, GeneralsState
from gonfalon.games.generals.rules.triggers import InOrder
from gonfalon.games.generals.rules.turn import ChooseAct
from gonfalon.games.generals.rules.zones import ENEMY_FORTRESS, HOME, NEAR, PLACES, ZONE_OF
from gonfalon.games.generals.ruleset import GeneralsRules, as_generals_state

STAT_WORDS: Final = [
    "Might",
    "Wits",
    "the cards a Siege depletes",
    "Wits in the next plot",
    "Upkeep",
    "the number of targets",
    "the cost of the next card",
    "the cost of the next general",
    "the whole Upkeep",
]
BARS: Final[dict[str, str]] = {
    "tactical_strike": "cannot make Tactical Strikes",
    "move_or_attack": "cannot move or attack",
    "targeted_by_tactics": "cannot be a target of Tactics",
    "targeted_by_active": "cannot be a target of active effects",
    "countered": "cannot be countered",
    "melee_after_move": "may attack in melee after moving",
    "ignore_block": "may pass without blockers",
    "recruit_to_border": "may recruit to BORDER",
}
IDLE: Final = "would do nothing now"
NEGATED_WORDS: Final = [
    "The Strategy",
    "The Tactical Strike",
    "The active effect",
    "The Equipment",
    "The attack",
    "The Siege",
    "The Counter",
]


def kind_name(game: GeneralsRules, kind: int) -> str:
    """A card's name; `a card` for one that is not known, or no longer."""
    return game.kinds[kind].name if 0 <= kind < len(game.kinds) else "a card"


def card_name(game: GeneralsRules, card: Card) -> str:
    """A card's name as far as it is known."""
    return "a card" if card & KIND == HIDDEN else game.kinds[card & KIND].name


def unit_name(game: GeneralsRules, u: int) -> str:
    """The name of a unit."""
    return game.kinds[game.setup.kind[u]].name


def at(viewer: int, zone: int, names: list[str]) -> str:
    """A zone as the viewer calls it; for whoever only watches it is that of the seat on whose half it lies."""
    if viewer >= 0:
        return PLACES[ZONE_OF[viewer][zone]]
    owner = 0 if zone in (HOME[0], NEAR[0]) else 1
    return f"{whose(names[owner])} {PLACES[ZONE_OF[owner][zone]]}"


class _Told:
    """An event as it is told to a viewer."""

    def __init__(self, game: GeneralsRules, event: Event, viewer: int, names: list[str]) -> None:
        self.game = game
        self.code, _, self.seat, self.card, self.a, self.b = event
        self.viewer = viewer
        self.names = names
        self.name = names[self.seat] if self.seat >= 0 else ""
        self.other = names[OPPONENT[self.seat]] if self.seat >= 0 else ""
        self.what = card_name(game, self.card)

    @property
    def known(self) -> bool:
        """Whether the viewer knows the card."""
        return self.card & KIND != HIDDEN

    @property
    def theirs(self) -> str:
        """The card and whose it is."""
        return f"{of(self.name)} {self.what}"

    def kind(self, number: int) -> str:
        return kind_name(self.game, number)

    def unit(self, number: int) -> str:
        return unit_name(self.game, number)

    def at(self, zone: int) -> str:
        return at(self.viewer, zone, self.names)

    def does(self, word: str, rest: str) -> str:
        """A sentence whose subject is the seat."""
        return f"{verb(self.name, word)} {rest}."


def _factions(t: _Told) -> str:
    factions = [t.game.pool.faction(code).name for code in t.game.announced[t.seat].factions]
    return t.does("announce", f"{several(factions or ['no faction'])}: a hand limit of {t.b}")


def _fought(t: _Told) -> str:
    if not t.known:
        return f"Melee {t.a} against {t.b}: a tie, both fall."
    return f"Melee {t.a} against {t.b}: {whose(t.name)} {t.what} wins."


def _plotted(t: _Told) -> str:
    result = "succeeds" if t.a > t.b else "fails"
    return f"The plot against {whose(t.name)} {t.what}: Wits {t.a} against {t.b}, it {result}."


def _discarded(t: _Told) -> str:
    how = {ev.BY_CHANCE: " at random", ev.BY_ENEMY: f", chosen by {inside(t.other)}"}.get(t.b, "")
    return t.does("discard", f"{many(t.a, 'card')}{how}")


def _changed(t: _Told) -> str:
    who = whose(t.name) + (f" {t.what}" if t.known else " side")
    if t.a in (cards.PLOT, cards.SIEGE):
        return f"{_cap(who)}: {t.b:+d} to {STAT_WORDS[t.a]}."
    return f"{_cap(STAT_WORDS[t.a])} of {who}: {t.b:+d}."


def _spared(t: _Told) -> str:
    saver = t.unit(t.a)
    return f"{t.theirs} escapes." if saver == t.what else f"{of(t.name)} {saver} stands in for {t.what}."


def _over(t: _Told) -> str:
    loser = inside(t.other)
    why = {
        ev.BY_DRAW: f"{verb(loser, 'have')} no card left to draw",
        ev.BY_UPKEEP: f"{verb(loser, 'do')} not have enough RESOURCE for the Upkeep",
        ev.BY_DAMAGE: f"{verb(loser, 'do')} not have enough RESOURCE for the damage",
        ev.BY_CARD: f"by {t.kind(t.b)}",
    }[t.a]
    return t.does("win", f"the game: {why}")


def _cap(text: str) -> str:
    return text[:1].upper() + text[1:]


SENTENCES: Final[dict[int, Callable[[_Told], str]]] = {
    ev.COMMANDMENT: lambda t: f"{of(t.name)} Commandment is {t.what}.",
    ev.FACTIONS: _factions,
    ev.TURN: lambda t: f"Turn {t.a}. {of(t.name)} turn.",
    ev.DREW: lambda t: t.does("draw", many(t.a, "card")),
    ev.DREW_CARD: lambda t: t.does("draw", t.what) if t.known else "",
    ev.SKIPPED_DRAW: lambda t: (
        f"The first player's first turn has no draw: {verb(inside(t.name), 'keep')} {own(t.name)} first hand."
    ),
    ev.DECLARED: lambda t: t.does("play", t.kind(t.a)),
    ev.PAID: lambda t: t.does("pay", f"{many(t.a, 'card')} from {own(t.name)} hand"),
    ev.PAID_RESOURCE: lambda t: t.does("pay", f"{t.a} of {own(t.name)} RESOURCE"),
    ev.SACRIFICED: lambda t: t.does("send", f"{t.what} to CASUALTY as the cost"),
    ev.RECRUITED: lambda t: f"{t.theirs} takes the field at {t.at(t.a)}.",
    ev.MOVED: lambda t: f"{t.theirs} moves from {t.at(t.a)} to {t.at(t.b)}.",
    ev.SHIFTED: lambda t: f"{t.theirs} is put from {t.at(t.a)} to {t.at(t.b)}.",
    ev.ATTACKED: lambda t: f"{t.theirs} attacks {whose(t.other)} {t.unit(t.a)}.",
    ev.BESIEGED: lambda t: f"{t.theirs} lays siege.",
    ev.STRUCK: lambda t: f"{of(t.name)} {t.unit(t.b)} executes {t.kind(t.a)}.",
    ev.ACTIVATED: lambda t: t.does("use", f"the active effect of {t.what}"),
    ev.EQUIPPED: lambda t: f"{of(t.name)} {t.unit(t.a)} bears {t.what}.",
    ev.NEGATED: lambda t: f"{NEGATED_WORDS[t.a]} is negated.",
    ev.FOUGHT: _fought,
    ev.PLOTTED: _plotted,
    ev.FELL: lambda t: f"{t.theirs} falls.",
    ev.DEPLETED: lambda t: f"{of(t.name)} RESOURCE loses {many(t.a, 'card')}.",
    ev.DISCARDED: _discarded,
    ev.LOST_CARD: lambda t: f"It is {t.kind(t.a)}.",
    ev.FULL: lambda t: t.does("put", f"away {many(t.a, 'card')} over {own(t.name)} hand limit"),
    ev.UPKEEP: lambda t: f"{of(t.name)} Upkeep is {t.a}.",
    ev.CHANGED: _changed,
    ev.BARRED: lambda t: (
        f"{of(t.name)} {t.what if t.known else 'next card'} {BARS[cards.RULES[t.a.bit_length() - 1]]}."
    ),
    ev.READIED: lambda t: f"{t.theirs} may {'attack' if t.a else 'move or attack'} again.",
    ev.RETURNED: lambda t: f"{t.what} returns to {whose(t.name)} hand.",
    ev.EXILED: lambda t: f"{t.theirs} goes Out of game.",
    ev.MARKED: lambda t: f"{t.theirs} bears {many(t.a, 'mark')}.",
    ev.SOUGHT: lambda t: t.does("look", f"through {own(t.name)} RESOURCE"),
    ev.FOUND: lambda t: t.does("take", f"{t.what} from RESOURCE" if t.a else "nothing"),
    ev.SHUFFLED: lambda t: t.does("shuffle", f"{own(t.name)} RESOURCE"),
    ev.LOOKED: lambda t: f"{verb(t.other, 'look')} at {whose(t.name)} hand of {many(t.a, 'card')}.",
    ev.LOOKED_CARD: lambda t: f"In {whose(t.name)} hand: {t.what}." if t.known else "",
    ev.RECOVERED: lambda t: t.does("put", f"{many(t.a, 'random card')} of DISCARD under {own(t.name)} RESOURCE"),
    ev.SPARED: _spared,
    ev.DECLINED: lambda t: t.does("leave", "it at that"),
    ev.LASTING: lambda t: f"{t.kind(t.a)} is in force." if t.a >= 0 else "",
    ev.EXPIRED: lambda t: "Effects of the turn end.",
    ev.MULLIGAN: lambda t: t.does("draw", "a new hand") if t.a else t.does("keep", f"{own(t.name)} hand"),
    ev.LOST_GEAR: lambda t: f"{of(t.name)} {t.kind(t.a)} is lost with {t.unit(t.b)}.",
    ev.FIZZLED: lambda t: "That has no effect.",
    ev.OVER: _over,
}
"""What is said of each event, actor first; nothing of those that are not here."""
PROMPTS: Final[dict[str, tuple[str, str]]] = {
    "main": ("play a card, act with a general, or end your turn", "play on"),
    "act": ("choose what {unit} does", "act with {unit}"),
    "answer": ("answer {act} with a Counter, or pass", "answer {act} or pass"),
    "pay": ("pay {left} from your hand", "pay {left}"),
    "excess": ("put {left} over your hand limit away", "put {left} away"),
    "discard": ("choose cards to discard", "discard"),
    "take-away": ("choose the card that is discarded", "choose a card to discard"),
    "target": ("choose {goal}", "choose a target"),
    "executor": ("choose who executes {card}", "choose who executes {card}"),
    "bearer": ("choose who bears {card}", "choose who bears {card}"),
    "place": ("choose where {card} takes the field", "place {card}"),
    "sacrifice": ("choose the general that is the cost", "choose a general as the cost"),
    "replace": ("choose what happens instead, or let {victim} fall", "save {victim} or not"),
    "order": ("choose which effect comes first", "order effects"),
    "may-draw": ("draw a card or not", "draw or not"),
    "search": ("take a card from RESOURCE, or nothing", "search RESOURCE"),
    "recruit": ("choose a general to recruit, or stop", "recruit"),
    "mulligan": ("keep your hand, or draw a new one", "keep the hand or not"),
}


TIPS: Final = {
    "main": "Each general costs Upkeep when your turn ends: two or three are enough.",
    "act": "A general moves or attacks, not both in one turn.",
    "answer": "A Counter stops what the enemy is about to do. Keep it for something that would hurt.",
    "pay": "What you pay with goes to your DISCARD: keep what you will need next turn.",
    "excess": "The fewer factions your deck has, the more cards you may hold.",
    "executor": "Tactics work with the Wits of the general who executes them.",
    "mulligan": "A good hand holds a general whom the other cards can pay for.",
}
"""What a newcomer is told about a decision, by its prompt."""


def subject(game: GeneralsRules, view: GeneralsState) -> dict[str, str]:
    """What the question is about, in words; all of it stands in the public step."""
    step = view.stack[-1]
    given = {"unit": "the general", "act": "this", "left": "cards", "card": "the card", "victim": "the general"}
    given["goal"] = "a target"
    if isinstance(step, ChooseAct):
        given["unit"] = unit_name(game, step.unit)
    elif isinstance(step, Answer):
        given["act"] = act_words(game, step.act)
    elif isinstance(step, Pay):
        given["left"] = many(step.left, "card")
    elif isinstance(step, Pick):
        choice = step.choice
        given["goal"] = "a zone" if choice.count == 0 else "the next target" if step.picked else "a target"
    elif isinstance(step, (Placement, ForCard)):
        given["card"] = kind_name(game, step.kind)
    elif isinstance(step, Fall) and step.victims:
        given["victim"] = unit_name(game, step.victims[min(step.at, len(step.victims) - 1)])
    return given


def act_words(game: GeneralsRules, act: Act) -> str:
    """An act that may be answered, as the object of a sentence."""
    who = unit_name(game, act.unit) if act.unit >= 0 else ""
    if act.code == cards.BY_MELEE:
        return f"the attack of {who} on {unit_name(game, act.other)}"
    if act.code == cards.BY_SIEGE:
        return f"the Siege of {who}"
    if act.code == cards.BY_ACTIVE:
        return f"the active effect of {who}"
    if act.code == cards.BY_STRIKE:
        return f"{kind_name(game, act.kind)}, executed by {who}"
    if act.code == cards.BY_EQUIP:
        return f"{kind_name(game, act.kind)} for {who}"
    if act.code == cards.BY_COUNTER:
        return f"the Counter {kind_name(game, act.kind)}"
    return kind_name(game, act.kind)


PLAIN_WORDS: Final[dict[Action, str]] = {
    actions.END: "End your turn.",
    actions.PASS: "Pass.",
    actions.DONE: "Done.",
    actions.YES: "Yes.",
    actions.NO: "No.",
    actions.SIEGE: "Lay siege.",
}
DONE_WORDS: Final[dict[str, str]] = {
    "target": "No further target.",
    "discard": "No further card.",
    "search": "Take nothing more and shuffle.",
    "recruit": "Recruit nobody further.",
}
ANSWER_WORDS: Final[dict[tuple[str, Action], str]] = {
    ("answer", actions.PASS): "Let it happen.",
    ("replace", actions.PASS): "Let it happen.",
    ("may-draw", actions.YES): "Draw a card.",
    ("may-draw", actions.NO): "Draw nothing.",
    ("mulligan", actions.YES): "Draw a new hand.",
    ("mulligan", actions.NO): "Keep this hand.",
}


def _describe_unit(game: GeneralsRules, view: GeneralsState, u: int, asked: str, seat: int) -> str:
    step = view.stack[-1]
    name = unit_name(game, u)
    zone = f" at {PLACES[ZONE_OF[seat][view.zone[u]]]}" if view.zone[u] >= 0 else ""
    if isinstance(step, ChooseAct):
        return f"Attack {name} with {unit_name(game, step.unit)}."
    card = kind_name(game, step.kind) if isinstance(step, (Placement, ForCard)) else "it"
    return {
        "main": f"Act with {name}{zone}.",
        "executor": f"Have {name}{zone} execute {card}.",
        "bearer": f"Equip {name} with {card}.",
        "sacrifice": f"Send {name} to CASUALTY as the cost.",
        "replace": f"Use the effect of {name}.",
    }.get(asked, f"Choose {name}{zone}.")


def _describe_card(game: GeneralsRules, view: GeneralsState, kind: int, asked: str) -> str:
    name = kind_name(game, kind)
    if asked == "main":
        idle = f" It {IDLE}." if preview.idle_card(view, view.turn, game.kinds[kind]) else ""
        return f"Recruit {name}." if game.kinds[kind].type == cards.CHARACTER else f"Play {name}.{idle}"
    return {
        "answer": f"Answer with {name}.",
        "pay": f"Pay with {name}.",
        "excess": f"Put {name} away.",
        "discard": f"Discard {name}.",
        "take-away": f"Have {name} discarded.",
        "search": f"Take {name}.",
        "recruit": f"Recruit {name}.",
    }.get(asked, f"{name}.")


class GeneralsWords(GeneralsRules, Words):
    """What the game says to people."""

    quiet: ClassVar[frozenset[int]] = frozenset({ev.DREW_CARD, ev.SOUGHT_CARD, ev.LOOKED_CARD, ev.LASTING, ev.USED})
    tips: ClassVar[Mapping[str, str]] = TIPS
    tagline: ClassVar[str] = "Raise an army of the Three Kingdoms; your deck is your realm, and every battle burns it."
    invented: ClassVar[str] = "Most cards were made for this program; they are not the published ones."

    def kind_name(self, kind: int) -> str:
        return kind_name(self, kind)

    def words(self, event: Event, view: State, names: list[str]) -> str:
        say = SENTENCES.get(event[0])
        return say(_Told(self, event, view.viewer, names)) if say is not None else ""

    def prompt(self, view: State, names: list[str]) -> str:
        outcome = view.outcome()
        if outcome is not None:
            return f"{verb(names[outcome.winners[0]], 'win')} the game."
        step = view.stack[-1]
        if step.seat == CHANCE:
            return "Chance decides."
        to_you, to_others = PROMPTS.get(step.prompt, ("choose", "choose"))
        given = subject(self, as_generals_state(view))
        if view.turn >= 0 and view.turn == view.viewer:
            lead = "Your turn" if step.prompt == "main" else "Your choice"
            return f"{lead}: {to_you.format(**given)}."
        return f"{verb(names[step.seat], 'are')} to {to_others.format(**given)}."

    def ending(self, view: State, names: list[str]) -> str:
        outcome = view.outcome()
        if outcome is None:
            return ""
        s = as_generals_state(view)
        loser = names[OPPONENT[s.winner]]
        why = {
            ev.BY_CARD: f"{kind_name(self, s.by_kind)} (special victory, ruling 64)" if s.by_kind >= 0 else "",
            ev.BY_DRAW: f"{verb(inside(loser), 'have')} no card left to draw (rulings 52, 53)",
            ev.BY_UPKEEP: f"{inside(loser)} cannot pay {own(loser)} Upkeep (ruling 54)",
            ev.BY_DAMAGE: f"{inside(loser)} cannot pay the damage out of RESOURCE (rulings 24, 62)",
        }[s.how]
        return f"{verdict(outcome.winners, names)}: {why}."

    def describe(self, view: State, action: Action) -> str:
        s = as_generals_state(view)
        step = s.stack[-1] if s.stack else None
        asked = step.prompt if step is not None else ""
        seat = s.viewer if s.viewer >= 0 else max(s.turn, 0)
        if action in PLAIN_WORDS:
            return (
                DONE_WORDS.get(asked, PLAIN_WORDS[action])
                if action == actions.DONE
                else ANSWER_WORDS.get((asked, action), PLAIN_WORDS[action])
            )
        if actions.ZONE <= action <= actions.ZONE + ENEMY_FORTRESS:
            place = PLACES[action - actions.ZONE]
            if isinstance(step, ChooseAct):
                return f"Move {unit_name(self, step.unit)} to {place}."
            return f"Choose {place}." if asked == "target" else f"Place the general at {place}."
        if actions.ACTIVE <= action < actions.ACTIVE + actions.ACTIVES and isinstance(step, ChooseAct):
            kind = self.kinds[s.setup.kind[step.unit]]
            number = f" {action - actions.ACTIVE + 1}" if len(kind.actives) > 1 else ""
            idle = f" It {IDLE}." if preview.idle_active(s, step.unit, kind.actives[action - actions.ACTIVE]) else ""
            return f"Use active effect{number} of {kind.name}.{idle}"
        if actions.ORDER <= action < actions.ORDER + actions.ORDERS and isinstance(step, InOrder):
            waiting = step.waiting
            if action - actions.ORDER < len(waiting):
                return f"First the effect of {kind_name(self, waiting[action - actions.ORDER].frame.kind)}."
        if actions.UNIT <= action < actions.UNIT + s.setup.units:
            return _describe_unit(self, s, action - actions.UNIT, asked, seat)
        if actions.CARD <= action < actions.CARD + len(self.kinds):
            return _describe_card(self, s, action - actions.CARD, asked)
        return self.notation(action)

    def refusal(self, view: State, seat: Seat, action: Action) -> str:
        return reason(as_generals_state(view), seat, action)

    def seat_names(self) -> list[str]:
        if self.closed:
            return ["Player 1", "Player 2"]
        names = [deck.name or "Own deck" for deck in self.lists]
        return names if names[0] != names[1] else [f"{names[0]} ({seat + 1})" for seat in (0, 1)]
