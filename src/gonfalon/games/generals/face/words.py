"""Sentences for events, prompts, actions and endings, all made from masked data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Final

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.rules.state import CHANCE, Action, Card, Event, Seat, State
from gonfalon.core.rules.words import Words
from gonfalon.core.text.english import inside, many, of, own, several, verb, verdict, whose
from gonfalon.games.generals.face import preview
from gonfalon.games.generals.face.refusals import explain_refusal
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
"""The names of numbers that effects change, in the order of `STATS`."""
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
"""The rules that effects set, as predicates of a general or card."""
IDLE_NOTE: Final = "would do nothing now"
"""The note on a card or effect without effect in the present position."""
NEGATED_WORDS: Final = [
    "The Strategy",
    "The Tactical Strike",
    "The active effect",
    "The Equipment",
    "The attack",
    "The Siege",
    "The Counter",
]
"""The acts that can be negated, in the order of `ACTS`."""


def kind_name(game: GeneralsRules, kind: int) -> str:
    """Return the name of a kind; `a card` for a number that is not known or has been forgotten."""
    return game.kinds[kind].name if 0 <= kind < len(game.kinds) else "a card"


def card_name(game: GeneralsRules, card: Card) -> str:
    """Return the name of a card, or `a card` if it is hidden."""
    return "a card" if card & KIND == HIDDEN else game.kinds[card & KIND].name


def unit_name(game: GeneralsRules, u: int) -> str:
    """Return the name of a general."""
    return game.kinds[game.setup.kind[u]].name


def zone_name(viewer: int, zone: int, names: list[str]) -> str:
    """Return a zone's name from the side of the viewer, or from the side of its owner for a spectator."""
    if viewer >= 0:
        return PLACES[ZONE_OF[viewer][zone]]
    owner = 0 if zone in (HOME[0], NEAR[0]) else 1
    return f"{whose(names[owner])} {PLACES[ZONE_OF[owner][zone]]}"


class _EventText:
    """The words of an event for one viewer."""

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
        """The card with its owner, at the head of a sentence."""
        return f"{of(self.name)} {self.what}"

    def kind(self, number: int) -> str:
        return kind_name(self.game, number)

    def unit(self, number: int) -> str:
        return unit_name(self.game, number)

    def at(self, zone: int) -> str:
        return zone_name(self.viewer, zone, self.names)

    def does(self, word: str, rest: str) -> str:
        """Return a sentence whose subject is the seat."""
        return f"{verb(self.name, word)} {rest}."


def _say_factions(t: _EventText) -> str:
    factions = [t.game.pool.faction(code).name for code in t.game.announced[t.seat].factions]
    return t.does("announce", f"{several(factions or ['no faction'])}: a hand limit of {t.b}")


def _say_melee(t: _EventText) -> str:
    # The event of a tie has no winner and so no card.
    if not t.known:
        return f"Melee {t.a} against {t.b}: a tie, both fall."
    return f"Melee {t.a} against {t.b}: {whose(t.name)} {t.what} wins."


def _say_plot(t: _EventText) -> str:
    result = "succeeds" if t.a > t.b else "fails"
    return f"The plot against {whose(t.name)} {t.what}: Wits {t.a} against {t.b}, it {result}."


def _say_discard(t: _EventText) -> str:
    how = {ev.BY_CHANCE: " at random", ev.BY_ENEMY: f", chosen by {inside(t.other)}"}.get(t.b, "")
    return t.does("discard", f"{many(t.a, 'card')}{how}")


def _say_change(t: _EventText) -> str:
    who = whose(t.name) + (f" {t.what}" if t.known else " side")
    if t.a in (cards.PLOT, cards.SIEGE):
        return f"{_capitalize_first(who)}: {t.b:+d} to {STAT_WORDS[t.a]}."
    return f"{_capitalize_first(STAT_WORDS[t.a])} of {who}: {t.b:+d}."


def _say_rescue(t: _EventText) -> str:
    saver = t.unit(t.a)
    # A general can save itself by its own effect.
    return f"{t.theirs} escapes." if saver == t.what else f"{of(t.name)} {saver} saves {t.what}."


def _say_end(t: _EventText) -> str:
    loser = inside(t.other)
    why = {
        ev.BY_DRAW: f"{verb(loser, 'have')} no card left to draw",
        ev.BY_UPKEEP: f"{verb(loser, 'do')} not have enough RESOURCE for the Upkeep",
        ev.BY_DAMAGE: f"{verb(loser, 'do')} not have enough RESOURCE for the damage",
        ev.BY_CARD: f"special victory by {t.kind(t.b)}",
    }[t.a]
    return t.does("win", f"the game: {why}")


def _capitalize_first(text: str) -> str:
    return text[:1].upper() + text[1:]


SENTENCES: Final[dict[int, Callable[[_EventText], str]]] = {
    ev.COMMANDMENT: lambda t: f"{of(t.name)} Commandment is {t.what}.",
    ev.FACTIONS: _say_factions,
    ev.TURN: lambda t: f"Turn {t.a}. {of(t.name)} turn.",
    ev.DREW: lambda t: t.does("draw", many(t.a, "card")),
    # The number of cards has its own event. A card is named only to viewers who know it.
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
    ev.SHIFTED: lambda t: f"{t.theirs} is moved from {t.at(t.a)} to {t.at(t.b)}.",
    ev.ATTACKED: lambda t: f"{t.theirs} attacks {whose(t.other)} {t.unit(t.a)}.",
    ev.BESIEGED: lambda t: f"{t.theirs} lays siege.",
    ev.STRUCK: lambda t: f"{of(t.name)} {t.unit(t.b)} executes {t.kind(t.a)}.",
    ev.ACTIVATED: lambda t: t.does("use", f"the active effect of {t.what}"),
    ev.EQUIPPED: lambda t: f"{of(t.name)} {t.unit(t.a)} bears {t.what}.",
    ev.NEGATED: lambda t: f"{NEGATED_WORDS[t.a]} is negated.",
    ev.FOUGHT: _say_melee,
    ev.PLOTTED: _say_plot,
    ev.FELL: lambda t: f"{t.theirs} falls.",
    ev.DEPLETED: lambda t: f"{of(t.name)} RESOURCE loses {many(t.a, 'card')}.",
    ev.DISCARDED: _say_discard,
    ev.LOST_CARD: lambda t: f"It is {t.kind(t.a)}.",
    ev.FULL: lambda t: t.does("discard", f"{many(t.a, 'card')} over {own(t.name)} hand limit"),
    ev.UPKEEP: lambda t: f"{of(t.name)} Upkeep is {t.a}.",
    ev.CHANGED: _say_change,
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
    ev.RECOVERED: lambda t: t.does("put", f"{many(t.a, 'random card')} from DISCARD under {own(t.name)} RESOURCE"),
    ev.SPARED: _say_rescue,
    ev.DECLINED: lambda t: t.does("decline", "the effect"),
    ev.LASTING: lambda t: f"{t.kind(t.a)} is in force." if t.a >= 0 else "",
    ev.EXPIRED: lambda t: "Effects of the turn end.",
    ev.MULLIGAN: lambda t: t.does("draw", "a new hand") if t.a else t.does("keep", f"{own(t.name)} hand"),
    ev.LOST_GEAR: lambda t: f"{of(t.name)} {t.kind(t.a)} is lost with {t.unit(t.b)}.",
    ev.FIZZLED: lambda t: "That has no effect.",
    ev.OVER: _say_end,
}
"""The sentence of each event. Events without a sentence are not in the log."""
PROMPTS: Final[dict[str, tuple[str, str]]] = {
    "main": ("Play a card, act with a general, or end your turn.", "{whose} turn."),
    "act": ("Choose what {unit} does.", "{who} chooses what {unit} does."),
    "answer": ("{act} Play a Counter or pass.", "{act} {who} can play a Counter."),
    "pay": ("Pay {left} from your hand.", "{who} pays {left}."),
    "excess": ("Discard {left} over your hand limit.", "{who} discards {left} over the hand limit."),
    "discard": ("Choose cards to discard.", "{who} chooses cards to discard."),
    "take-away": ("Choose the card that is discarded.", "{who} chooses a card to discard."),
    "target": ("Choose {goal}.", "{who} chooses {goal}."),
    "executor": ("Choose the general that executes {card}.", "{who} chooses the general that executes {card}."),
    "bearer": ("Choose the general that bears {card}.", "{who} chooses the general that bears {card}."),
    "place": ("Choose where to place {card}.", "{who} chooses where to place {card}."),
    "sacrifice": ("Choose a general as the cost.", "{who} chooses a general as the cost."),
    "replace": ("Choose what happens instead, or let {victim} fall.", "{who} can save {victim}."),
    "order": ("Choose the effect that comes first.", "{who} chooses the order of effects."),
    "may-draw": ("Choose whether to draw a card.", "{who} can draw a card."),
    "search": ("Take a card from RESOURCE, or nothing.", "{who} searches RESOURCE."),
    "recruit": ("Choose a general to recruit, or stop.", "{who} chooses a general to recruit."),
    "mulligan": ("Keep your hand, or draw a new one.", "{who} can draw a new hand."),
}
"""For each prompt the sentence for the deciding seat, and the sentence for all other viewers."""


TIPS: Final = {
    "main": "Each general costs Upkeep when your turn ends: two or three are enough.",
    "act": "A general moves or attacks, not both in one turn.",
    "answer": "A Counter stops an act of the enemy. Keep it for one that would hurt.",
    "pay": "Cards that you pay go to your DISCARD. Keep those that you need next turn.",
    "excess": "The fewer factions your deck has, the more cards you may hold.",
    "executor": "Tactics use the Wits of the general that executes them.",
    "mulligan": "A good hand has a general and the cards to pay for it.",
}
"""The tip for a newcomer, by prompt."""


def fill_prompt(game: GeneralsRules, view: GeneralsState, names: list[str]) -> dict[str, str]:
    """Return the words that complete a prompt. All of them come from the public step."""
    step = view.stack[-1]
    given = {"unit": "the general", "act": "", "left": "cards", "card": "the card", "victim": "the general"}
    given |= {"goal": "a target", "who": names[step.seat], "whose": of(names[step.seat])}
    if isinstance(step, ChooseAct):
        given["unit"] = unit_name(game, step.unit)
    elif isinstance(step, Answer):
        given["act"] = describe_declared(game, step.act, names)
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


def describe_declared(game: GeneralsRules, act: Act, names: list[str]) -> str:
    """Return a sentence on an act that can be answered: `May's Ash attacks your Reed.`"""
    doer = names[act.doer]
    unit = f"{of(doer)} {unit_name(game, act.unit)}" if act.unit >= 0 else of(doer)
    if act.code == cards.BY_MELEE:
        return f"{unit} attacks {whose(names[OPPONENT[act.doer]])} {unit_name(game, act.other)}."
    if act.code == cards.BY_SIEGE:
        return f"{unit} lays siege."
    if act.code == cards.BY_ACTIVE:
        return f"{verb(doer, 'use')} the active effect of {unit_name(game, act.unit)}."
    card = kind_name(game, act.kind)
    if act.code == cards.BY_STRIKE:
        return f"{unit} executes {card}."
    if act.code == cards.BY_EQUIP:
        return f"{verb(doer, 'equip')} {unit_name(game, act.unit)} with {card}."
    return f"{verb(doer, 'play')} {card}."


def name_act(game: GeneralsRules, act: Act) -> str:
    """Return an act that can be answered as the object of a sentence: `the attack of Ash on Reed`."""
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
    "recruit": "Recruit no other general.",
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
        idle = f" It {IDLE_NOTE}." if preview.is_idle_card(view, view.turn, game.kinds[kind]) else ""
        return f"Recruit {name}." if game.kinds[kind].type == cards.CHARACTER else f"Play {name}.{idle}"
    return {
        "answer": f"Answer with {name}.",
        "pay": f"Pay with {name}.",
        "excess": f"Discard {name}.",
        "discard": f"Discard {name}.",
        "take-away": f"Have {name} discarded.",
        "search": f"Take {name}.",
        "recruit": f"Recruit {name}.",
    }.get(asked, f"{name}.")


class GeneralsWords(GeneralsRules, Words):
    """The sentences of Generals for people."""

    quiet: ClassVar[frozenset[int]] = frozenset({ev.DREW_CARD, ev.SOUGHT_CARD, ev.LOOKED_CARD, ev.LASTING, ev.USED})
    tips: ClassVar[Mapping[str, str]] = TIPS
    tagline: ClassVar[str] = "Your deck is your army and your life. March to the enemy’s gate."
    genre: ClassVar[str] = "a war card game for two"
    brief: ClassVar[Sequence[str]] = (
        "Your deck is your RESOURCE. If you must draw or pay from it and it is empty, you lose.",
        "Recruit generals, march them to the enemy’s border, and fight whoever stands there.",
        "Besiege the enemy’s fortress: each Siege burns cards of their RESOURCE.",
    )
    invented: ClassVar[str] = "Most cards were made for this program; they are not the published ones."

    def kind_name(self, kind: int) -> str:
        return kind_name(self, kind)

    def words(self, event: Event, view: State, names: list[str]) -> str:
        say = SENTENCES.get(event[0])
        return say(_EventText(self, event, view.viewer, names)) if say is not None else ""

    def prompt(self, view: State, names: list[str]) -> str:
        outcome = view.outcome()
        if outcome is not None:
            return f"{verb(names[outcome.winners[0]], 'win')} the game."
        step = view.stack[-1]
        if step.seat == CHANCE:
            return "Chance decides."
        to_you, to_others = PROMPTS.get(step.prompt, ("Choose.", "{who} chooses."))
        is_asked = view.turn >= 0 and view.turn == view.viewer
        return (to_you if is_asked else to_others).format(**fill_prompt(self, as_generals_state(view), names))

    def ending(self, view: State, names: list[str]) -> str:
        outcome = view.outcome()
        if outcome is None:
            return ""
        s = as_generals_state(view)
        loser = names[OPPONENT[s.winner]]
        why = {
            ev.BY_CARD: f"special victory by {kind_name(self, s.by_kind)}" if s.by_kind >= 0 else "",
            ev.BY_DRAW: f"{verb(inside(loser), 'have')} no card left to draw",
            ev.BY_UPKEEP: f"{inside(loser)} cannot pay {own(loser)} Upkeep",
            ev.BY_DAMAGE: f"{inside(loser)} cannot pay the damage from RESOURCE",
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
            idle = (
                f" It {IDLE_NOTE}."
                if preview.is_idle_active(s, step.unit, kind.actives[action - actions.ACTIVE])
                else ""
            )
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
        return explain_refusal(as_generals_state(view), seat, action)

    def seat_names(self) -> list[str]:
        if self.closed:
            return ["Player 1", "Player 2"]
        names = [deck.name or "Own deck" for deck in self.lists]
        return names if names[0] != names[1] else [f"{names[0]} ({seat + 1})" for seat in (0, 1)]
