"""Sentences for what happens, what is asked and what may be done. All are made from masked data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gonfalon.core.cards import HIDDEN, KIND
from gonfalon.core.english import inside, many, of, own, several, verb, verdict, whose
from gonfalon.core.state import CHANCE, Action, Card, Event
from gonfalon.games.generals.face import preview
from gonfalon.games.generals.rules import events as ev
from gonfalon.games.generals.rules.actions import (
    ACTIVE,
    ACTIVES,
    CARD,
    DONE,
    END,
    NO,
    ORDER,
    ORDERS,
    PASS,
    SIEGE,
    UNIT,
    YES,
    ZONE,
)
from gonfalon.games.generals.rules.cards import (
    BY_ACTIVE,
    BY_COUNTER,
    BY_EQUIP,
    BY_MELEE,
    BY_SIEGE,
    BY_STRIKE,
    CHARACTER,
    PLOT,
    RULES,
)
from gonfalon.games.generals.rules.cards import (
    SIEGE as SIEGE_STAT,
)
from gonfalon.games.generals.rules.counters import Answer
from gonfalon.games.generals.rules.declarations import Act
from gonfalon.games.generals.rules.questions import Pay, Pick
from gonfalon.games.generals.rules.state import OPPONENT, GeneralsState
from gonfalon.games.generals.rules.triggers import InOrder
from gonfalon.games.generals.rules.turn import ChooseAct
from gonfalon.games.generals.rules.zones import ENEMY_FORTRESS, HOME, NEAR, PLACES, ZONE_OF

if TYPE_CHECKING:
    from gonfalon.games.generals.game import Generals

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


def kind_name(game: Generals, kind: int) -> str:
    """A card's name; `a card` for one that is not known, or no longer."""
    return game.kinds[kind].name if 0 <= kind < len(game.kinds) else "a card"


def card_name(game: Generals, card: Card) -> str:
    """A card's name as far as it is known."""
    return "a card" if card & KIND == HIDDEN else game.kinds[card & KIND].name


def unit_name(game: Generals, u: int) -> str:
    """The name of a unit."""
    return game.kinds[game.setup.kind[u]].name


def at(viewer: int, zone: int, names: list[str]) -> str:
    """A zone as the viewer calls it; for whoever only watches it is that of the seat on whose half it lies."""
    if viewer >= 0:
        return PLACES[ZONE_OF[viewer][zone]]
    owner = 0 if zone in (HOME[0], NEAR[0]) else 1
    return f"{whose(names[owner])} {PLACES[ZONE_OF[owner][zone]]}"


def sentence(game: Generals, event: Event, viewer: int, names: list[str]) -> str:
    """One sentence for a viewer, actor first. Empty for an event that needs none."""
    code, _, seat, card, a, b = event
    name = names[seat] if seat >= 0 else ""
    other = names[OPPONENT[seat]] if seat >= 0 else ""
    what = card_name(game, card)
    if code == ev.COMMANDMENT:
        return f"{of(name)} Commandment is {what}."
    if code == ev.FACTIONS:
        factions = [game.pool.faction(code).name for code in game.announced[seat].factions]
        return f"{verb(name, 'announce')} {several(factions or ['no faction'])}: a hand limit of {b}."
    if code == ev.TURN:
        return f"Turn {a}. {of(name)} turn."
    if code == ev.DREW:
        return f"{verb(name, 'draw')} {many(a, 'card')}."
    if code == ev.DREW_CARD:
        return f"{verb(name, 'draw')} {what}." if card & KIND != HIDDEN else ""
    if code == ev.SKIPPED_DRAW:
        return f"The first player's first turn has no draw: {verb(inside(name), 'keep')} {own(name)} first hand."
    if code == ev.DECLARED:
        return f"{verb(name, 'play')} {kind_name(game, a)}."
    if code == ev.PAID:
        return f"{verb(name, 'pay')} {many(a, 'card')} from {own(name)} hand."
    if code == ev.PAID_RESOURCE:
        return f"{verb(name, 'pay')} {a} of {own(name)} RESOURCE."
    if code == ev.SACRIFICED:
        return f"{verb(name, 'send')} {what} to CASUALTY as the cost."
    if code == ev.RECRUITED:
        return f"{of(name)} {what} takes the field at {at(viewer, a, names)}."
    if code == ev.MOVED:
        return f"{of(name)} {what} moves from {at(viewer, a, names)} to {at(viewer, b, names)}."
    if code == ev.SHIFTED:
        return f"{of(name)} {what} is put from {at(viewer, a, names)} to {at(viewer, b, names)}."
    if code == ev.ATTACKED:
        return f"{of(name)} {what} attacks {whose(other)} {unit_name(game, a)}."
    if code == ev.BESIEGED:
        return f"{of(name)} {what} lays siege."
    if code == ev.STRUCK:
        return f"{of(name)} {unit_name(game, b)} executes {kind_name(game, a)}."
    if code == ev.ACTIVATED:
        return f"{verb(name, 'use')} the active effect of {what}."
    if code == ev.EQUIPPED:
        return f"{of(name)} {unit_name(game, a)} bears {what}."
    if code == ev.NEGATED:
        return f"{NEGATED_WORDS[a]} is negated."
    if code == ev.FOUGHT:
        if card & KIND == HIDDEN:
            return f"Melee {a} against {b}: a tie, both fall."
        return f"Melee {a} against {b}: {whose(name)} {what} wins."
    if code == ev.PLOTTED:
        result = "succeeds" if a > b else "fails"
        return f"The plot against {whose(name)} {what}: Wits {a} against {b}, it {result}."
    if code == ev.FELL:
        return f"{of(name)} {what} falls."
    if code == ev.DEPLETED:
        return f"{of(name)} RESOURCE loses {many(a, 'card')}."
    if code == ev.DISCARDED:
        how = {ev.BY_CHANCE: " at random", ev.BY_ENEMY: f", chosen by {inside(other)}"}.get(b, "")
        return f"{verb(name, 'discard')} {many(a, 'card')}{how}."
    if code == ev.LOST_CARD:
        return f"It is {kind_name(game, a)}."
    if code == ev.FULL:
        return f"{verb(name, 'put')} away {many(a, 'card')} over {own(name)} hand limit."
    if code == ev.UPKEEP:
        return f"{of(name)} Upkeep is {a}."
    if code == ev.CHANGED:
        who = whose(name) + (f" {what}" if card & KIND != HIDDEN else " side")
        return (
            f"{_cap(STAT_WORDS[a])} of {who}: {b:+d}."
            if a != PLOT and a != SIEGE_STAT
            else f"{_cap(who)}: {b:+d} to {STAT_WORDS[a]}."
        )
    if code == ev.BARRED:
        who = f"{of(name)} {what}" if card & KIND != HIDDEN else f"{of(name)} next card"
        return f"{who} {BARS[RULES[a.bit_length() - 1]]}."
    if code == ev.READIED:
        return f"{of(name)} {what} may {'attack' if a else 'move or attack'} again."
    if code == ev.RETURNED:
        return f"{what} returns to {whose(name)} hand."
    if code == ev.EXILED:
        return f"{of(name)} {what} goes Out of game."
    if code == ev.MARKED:
        return f"{of(name)} {what} bears {many(a, 'mark')}."
    if code == ev.SOUGHT:
        return f"{verb(name, 'look')} through {own(name)} RESOURCE."
    if code == ev.FOUND:
        return f"{verb(name, 'take')} {what} from RESOURCE." if a else f"{verb(name, 'take')} nothing."
    if code == ev.SHUFFLED:
        return f"{verb(name, 'shuffle')} {own(name)} RESOURCE."
    if code == ev.LOOKED:
        return f"{verb(other, 'look')} at {whose(name)} hand of {many(a, 'card')}."
    if code == ev.LOOKED_CARD:
        return f"In {whose(name)} hand: {what}." if card & KIND != HIDDEN else ""
    if code == ev.RECOVERED:
        return f"{verb(name, 'put')} {many(a, 'random card')} of DISCARD under {own(name)} RESOURCE."
    if code == ev.SPARED:
        return _spared(game, name, what, a)
    if code == ev.DECLINED:
        return f"{verb(name, 'leave')} it at that."
    if code == ev.LASTING:
        return f"{kind_name(game, a)} is in force." if a >= 0 else ""
    if code == ev.EXPIRED:
        return "Effects of the turn end."
    if code == ev.MULLIGAN:
        return f"{verb(name, 'draw')} a new hand." if a else f"{verb(name, 'keep')} {own(name)} hand."
    if code == ev.LOST_GEAR:
        return f"{of(name)} {kind_name(game, a)} is lost with {unit_name(game, b)}."
    if code == ev.FIZZLED:
        return "That finds nothing to do."
    if code == ev.OVER:
        why = {
            ev.BY_DRAW: f"{verb(inside(other), 'have')} no card left to draw",
            ev.BY_UPKEEP: f"{verb(inside(other), 'do')} not have enough RESOURCE for the Upkeep",
            ev.BY_DAMAGE: f"{verb(inside(other), 'do')} not have enough RESOURCE for the damage",
            ev.BY_CARD: f"by {kind_name(game, b)}",
        }[a]
        return f"{verb(name, 'win')} the game: {why}."
    return ""


def _cap(text: str) -> str:
    return text[:1].upper() + text[1:]


def _spared(game: Generals, name: str, what: str, by: int) -> str:
    saver = unit_name(game, by)
    if saver == what:
        return f"{of(name)} {what} escapes."
    return f"{of(name)} {saver} stands in for {what}."


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


def prompt(game: Generals, view: GeneralsState, names: list[str]) -> str:
    """Who must do what. `view.viewer` is addressed as You."""
    outcome = view.outcome()
    if outcome is not None:
        return f"{verb(names[outcome.winners[0]], 'win')} the game."
    step = view.stack[-1]
    if step.seat == CHANCE:
        return "Chance decides."
    mine, theirs = PROMPTS.get(step.prompt, ("choose", "choose"))
    given = subject(game, view, names)
    if view.turn >= 0 and view.turn == view.viewer:
        lead = "Your turn" if step.prompt == "main" else "Your choice"
        return f"{lead}: {mine.format(**given)}."
    return f"{verb(names[step.seat], 'are')} to {theirs.format(**given)}."


def ending(game: Generals, view: GeneralsState, names: list[str]) -> str:
    """Who won, and by which rule."""
    outcome = view.outcome()
    if outcome is None:
        return ""
    loser = names[OPPONENT[view.winner]]
    why = {
        ev.BY_CARD: f"{kind_name(game, view.by_kind)} (special victory, ruling 64)" if view.by_kind >= 0 else "",
        ev.BY_DRAW: f"{verb(inside(loser), 'have')} no card left to draw (rulings 52, 53)",
        ev.BY_UPKEEP: f"{inside(loser)} cannot pay {own(loser)} Upkeep (ruling 54)",
        ev.BY_DAMAGE: f"{inside(loser)} cannot pay the damage out of RESOURCE (rulings 24, 62)",
    }[view.how]
    return f"{verdict(outcome.winners, names)}: {why}."


def subject(game: Generals, view: GeneralsState, names: list[str]) -> dict[str, str]:
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
    kind = getattr(step, "kind", None)
    if isinstance(kind, int) and kind >= 0:
        given["card"] = kind_name(game, kind)
    victims, place = getattr(step, "victims", None), getattr(step, "at", 0)
    if victims:
        given["victim"] = unit_name(game, victims[min(place, len(victims) - 1)])
    return given


def act_words(game: Generals, act: Act) -> str:
    """An act that may be answered, as the object of a sentence."""
    who = unit_name(game, act.unit) if act.unit >= 0 else ""
    if act.code == BY_MELEE:
        return f"the attack of {who} on {unit_name(game, act.other)}"
    if act.code == BY_SIEGE:
        return f"the Siege of {who}"
    if act.code == BY_ACTIVE:
        return f"the active effect of {who}"
    if act.code == BY_STRIKE:
        return f"{kind_name(game, act.kind)}, executed by {who}"
    if act.code == BY_EQUIP:
        return f"{kind_name(game, act.kind)} for {who}"
    if act.code == BY_COUNTER:
        return f"the Counter {kind_name(game, act.kind)}"
    return kind_name(game, act.kind)


def describe(game: Generals, view: GeneralsState, action: Action) -> str:
    """An action of the viewer's own decision, in the imperative."""
    step = view.stack[-1] if view.stack else None
    asked = step.prompt if step is not None else ""
    seat = view.viewer if view.viewer >= 0 else max(view.turn, 0)
    if action in PLAIN_WORDS:
        return (
            DONE_WORDS.get(asked, PLAIN_WORDS[action])
            if action == DONE
            else ANSWER_WORDS.get((asked, action), PLAIN_WORDS[action])
        )
    if ZONE <= action <= ZONE + ENEMY_FORTRESS:
        place = PLACES[action - ZONE]
        if isinstance(step, ChooseAct):
            return f"Move {unit_name(game, step.unit)} to {place}."
        return f"Choose {place}." if asked == "target" else f"Place the general at {place}."
    if ACTIVE <= action < ACTIVE + ACTIVES and isinstance(step, ChooseAct):
        kind = game.kinds[view.setup.kind[step.unit]]
        number = f" {action - ACTIVE + 1}" if len(kind.actives) > 1 else ""
        idle = f" It {IDLE}." if preview.idle_active(view, step.unit, kind.actives[action - ACTIVE]) else ""
        return f"Use active effect{number} of {kind.name}.{idle}"
    if ORDER <= action < ORDER + ORDERS and isinstance(step, InOrder):
        waiting = step.waiting
        if action - ORDER < len(waiting):
            return f"First the effect of {kind_name(game, waiting[action - ORDER].frame.kind)}."
    if UNIT <= action < UNIT + view.setup.units:
        return _describe_unit(game, view, action - UNIT, asked, seat)
    if CARD <= action < CARD + len(game.kinds):
        return _describe_card(game, view, action - CARD, asked)
    return game.notation(action)


PLAIN_WORDS: Final[dict[Action, str]] = {
    END: "End your turn.",
    PASS: "Pass.",
    DONE: "Done.",
    YES: "Yes.",
    NO: "No.",
    SIEGE: "Lay siege.",
}
DONE_WORDS: Final[dict[str, str]] = {
    "target": "No further target.",
    "discard": "No further card.",
    "search": "Take nothing more and shuffle.",
    "recruit": "Recruit nobody further.",
}
ANSWER_WORDS: Final[dict[tuple[str, Action], str]] = {
    ("answer", PASS): "Let it happen.",
    ("replace", PASS): "Let it happen.",
    ("may-draw", YES): "Draw a card.",
    ("may-draw", NO): "Draw nothing.",
    ("mulligan", YES): "Draw a new hand.",
    ("mulligan", NO): "Keep this hand.",
}


def _describe_unit(game: Generals, view: GeneralsState, u: int, asked: str, seat: int) -> str:
    step = view.stack[-1]
    name = unit_name(game, u)
    zone = f" at {PLACES[ZONE_OF[seat][view.zone[u]]]}" if view.zone[u] >= 0 else ""
    if isinstance(step, ChooseAct):
        return f"Attack {name} with {unit_name(game, step.unit)}."
    kind = getattr(step, "kind", None)
    card = kind_name(game, kind) if isinstance(kind, int) else "it"
    return {
        "main": f"Act with {name}{zone}.",
        "executor": f"Have {name}{zone} execute {card}.",
        "bearer": f"Equip {name} with {card}.",
        "sacrifice": f"Send {name} to CASUALTY as the cost.",
        "replace": f"Use the effect of {name}.",
    }.get(asked, f"Choose {name}{zone}.")


def _describe_card(game: Generals, view: GeneralsState, kind: int, asked: str) -> str:
    name = kind_name(game, kind)
    if asked == "main":
        idle = f" It {IDLE}." if preview.idle_card(view, view.turn, game.kinds[kind]) else ""
        return f"Recruit {name}." if game.kinds[kind].type == CHARACTER else f"Play {name}.{idle}"
    return {
        "answer": f"Answer with {name}.",
        "pay": f"Pay with {name}.",
        "excess": f"Put {name} away.",
        "discard": f"Discard {name}.",
        "take-away": f"Have {name} discarded.",
        "search": f"Take {name}.",
        "recruit": f"Recruit {name}.",
    }.get(asked, f"{name}.")
