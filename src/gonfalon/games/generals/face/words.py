"""Sentences for events, prompts, actions and endings, all made from masked data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Final

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.rules.state import CHANCE, OPEN, Action, Card, Event, Seat, State
from gonfalon.core.rules.words import Words
from gonfalon.core.text.english import YOU, inside, many, several, whose
from gonfalon.games.generals.face import messages, preview
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

IDLE_NOTE: Final = messages.IDLE_NOTE
"""The note on a card or effect without effect in the present position."""


def kind_name(game: GeneralsRules, kind: int) -> str:
    """Return the name of a kind; `a card` for a number that is not known or has been forgotten."""
    return game.kinds[kind].name if 0 <= kind < len(game.kinds) else messages.A_CARD


def card_name(game: GeneralsRules, card: Card) -> str:
    """Return the name of a card, or `a card` if it is hidden."""
    return messages.A_CARD if card & KIND == HIDDEN else game.kinds[card & KIND].name


def unit_name(game: GeneralsRules, u: int) -> str:
    """Return the name of a general."""
    return game.kinds[game.setup.kind[u]].name


def zone_name(viewer: int, zone: int, names: list[str]) -> str:
    """Return a zone's name from the side of the viewer or the reader, or of its owner for a spectator."""
    if viewer < 0 and YOU in names:
        viewer = names.index(YOU)
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
    def cards(self) -> str:
        """The number of cards of the event."""
        return many(self.a, "card")

    def kind(self, number: int) -> str:
        return kind_name(self.game, number)

    def unit(self, number: int) -> str:
        return unit_name(self.game, number)

    def at(self, zone: int) -> str:
        return zone_name(self.viewer, zone, self.names)


def _say_factions(t: _EventText) -> str:
    factions = [t.game.pool.faction(code).name for code in t.game.announced[t.seat].factions]
    return messages.FACTIONS.format(name=t.name, factions=several(factions or [messages.NO_FACTION]), limit=t.b)


def _say_draw(t: _EventText) -> str:
    # Viewers who see the cards read an event for each of them.
    return "" if t.viewer in (t.seat, OPEN) else messages.DREW.format(name=t.name, cards=t.cards)


def _say_declared(t: _EventText) -> str:
    if t.a >= 0 and t.game.kinds[t.a].type == cards.CHARACTER:
        return messages.RECRUITS.format(name=t.name, general=t.kind(t.a))
    return messages.PLAYS.format(name=t.name, card=t.kind(t.a))


def _say_recruited(t: _EventText) -> str:
    # The usual recruiting has its sentence when it is declared.
    if t.b >= 0 and t.a == HOME[t.seat]:
        return ""
    return messages.TAKES_FIELD.format(name=t.name, general=t.what, zone=t.at(t.a))


def _say_melee(t: _EventText) -> str:
    # The event of a tie has no winner and so no card.
    if not t.known:
        return messages.MELEE_TIED.format(attacker=t.a, defender=t.b)
    return messages.MELEE_WON.format(name=t.name, general=t.what, attacker=t.a, defender=t.b)


def _say_plot(t: _EventText) -> str:
    if t.a > t.b:
        return messages.PLOT_SUCCEEDS.format(name=t.name, general=t.what, attacker=t.a, defender=t.b)
    return messages.PLOT_FAILS.format(name=t.name, general=t.what, attacker=t.a, defender=t.b)


def _say_discard(t: _EventText) -> str:
    if t.b == ev.BY_CHANCE:
        return messages.DISCARDED_AT_RANDOM.format(name=t.name, cards=t.cards)
    if t.b == ev.BY_ENEMY:
        return messages.DISCARDED_BY_ENEMY.format(name=t.name, cards=t.cards, enemy=inside(t.other))
    return messages.DISCARDED.format(name=t.name, cards=t.cards)


def _say_change(t: _EventText) -> str:
    change = f"{t.b:+d}"
    if t.known:
        return messages.CHANGED.format(name=t.name, general=t.what, stat=messages.STAT_WORDS[t.a], change=change)
    return messages.CHANGED_SIDE.format(name=t.name, stat=messages.STAT_WORDS[t.a], change=change)


def _say_barred(t: _EventText) -> str:
    rule = messages.BARS[cards.RULES[t.a.bit_length() - 1]]
    return messages.RULED.format(name=t.name, card=t.what if t.known else messages.NEXT_CARD, rule=rule)


def _say_readied(t: _EventText) -> str:
    if t.a:
        return messages.READIED_TO_ATTACK.format(name=t.name, general=t.what)
    return messages.READIED.format(name=t.name, general=t.what)


def _say_found(t: _EventText) -> str:
    return messages.FOUND.format(name=t.name, card=t.what) if t.a else messages.FOUND_NOTHING.format(name=t.name)


def _say_rescue(t: _EventText) -> str:
    saver = t.unit(t.a)
    # A general can save itself by its own effect.
    if saver == t.what:
        return messages.ESCAPES.format(name=t.name, general=t.what)
    return messages.SAVES.format(name=t.name, saver=saver, general=t.what)


def _say_mulligan(t: _EventText) -> str:
    return messages.NEW_HAND.format(name=t.name) if t.a else messages.KEEPS_HAND.format(name=t.name)


def explain_end(how: int, loser: str, winner: str, card: str) -> str:
    """Return why the game ended, as a sentence. `card` is the card of a special victory."""
    if how == ev.BY_CARD:
        return messages.SPECIAL_VICTORY.format(name=winner, card=card)
    return messages.DEFEATS[how].format(name=loser)


SENTENCES: Final[dict[int, Callable[[_EventText], str]]] = {
    ev.COMMANDMENT: lambda t: messages.COMMANDMENT.format(name=t.name, card=t.what),
    ev.FACTIONS: _say_factions,
    ev.TURN: lambda t: messages.TURN.format(name=t.name, number=t.a),
    ev.DREW: _say_draw,
    ev.DREW_CARD: lambda t: messages.DREW.format(name=t.name, cards=t.what),
    ev.SKIPPED_DRAW: lambda t: messages.NO_FIRST_DRAW,
    ev.DECLARED: _say_declared,
    ev.PAID: lambda t: messages.PAID.format(name=t.name, cards=t.cards),
    ev.PAID_RESOURCE: lambda t: messages.PAID_RESOURCE.format(name=t.name, cards=t.cards),
    ev.SACRIFICED: lambda t: messages.SACRIFICED.format(name=t.name, general=t.what),
    ev.RECRUITED: _say_recruited,
    ev.MOVED: lambda t: messages.MOVES.format(name=t.name, general=t.what, zone=t.at(t.b)),
    ev.SHIFTED: lambda t: messages.SHIFTED.format(name=t.name, general=t.what, zone=t.at(t.b)),
    ev.ATTACKED: lambda t: messages.ATTACKS.format(
        name=t.name, general=t.what, owner=whose(t.other), enemy=t.unit(t.a)
    ),
    ev.BESIEGED: lambda t: messages.LAYS_SIEGE.format(name=t.name, general=t.what),
    ev.STRUCK: lambda t: messages.EXECUTES.format(name=t.name, general=t.unit(t.b), card=t.kind(t.a)),
    ev.ACTIVATED: lambda t: messages.USES_EFFECT.format(name=t.name, general=t.what),
    ev.EQUIPPED: lambda t: messages.BEARS.format(name=t.name, general=t.unit(t.a), card=t.what),
    ev.NEGATED: lambda t: messages.NEGATED_WORDS[t.a],
    ev.FOUGHT: _say_melee,
    ev.PLOTTED: _say_plot,
    ev.FELL: lambda t: messages.FALLS.format(name=t.name, general=t.what),
    ev.DEPLETED: lambda t: messages.DEPLETED.format(name=t.name, cards=t.cards),
    ev.DISCARDED: _say_discard,
    ev.LOST_CARD: lambda t: messages.LOST_CARD.format(name=t.name, card=t.kind(t.a)),
    ev.FULL: lambda t: messages.OVER_LIMIT.format(name=t.name, cards=t.cards, limit=t.game.setup.limits[t.seat]),
    ev.UPKEEP: lambda t: messages.UPKEEP.format(name=t.name, number=t.a) if t.a else "",
    ev.CHANGED: _say_change,
    ev.BARRED: _say_barred,
    ev.READIED: _say_readied,
    ev.RETURNED: lambda t: messages.RETURNED.format(name=t.name, card=capitalize_first(t.what)),
    ev.EXILED: lambda t: messages.EXILED.format(name=t.name, card=t.what),
    ev.MARKED: lambda t: messages.MARKED.format(name=t.name, card=t.what, marks=many(t.a, "mark")),
    ev.FOUND: _say_found,
    ev.SHUFFLED: lambda t: messages.SHUFFLED.format(name=t.name),
    ev.LOOKED: lambda t: messages.LOOKED.format(name=t.other, owner=whose(t.name), cards=t.cards),
    ev.LOOKED_CARD: lambda t: messages.LOOKED_CARD.format(name=t.name, card=t.what) if t.known else "",
    ev.RECOVERED: lambda t: messages.RECOVERED.format(name=t.name, cards=t.cards),
    ev.SPARED: _say_rescue,
    ev.DECLINED: lambda t: messages.PASSES.format(name=t.name),
    ev.LASTING: lambda t: messages.IN_FORCE.format(card=t.kind(t.a)) if t.a >= 0 else "",
    ev.MULLIGAN: _say_mulligan,
    ev.LOST_GEAR: lambda t: messages.LOST_GEAR.format(name=t.name, card=t.kind(t.a), general=t.unit(t.b)),
    ev.FIZZLED: lambda t: messages.NO_EFFECT,
    ev.OVER: lambda t: messages.WINS_BECAUSE.format(name=t.name, reason=explain_end(t.a, t.other, t.name, t.kind(t.b))),
}
"""The sentence of each event. Events without a sentence are not in the log."""


MARKS: Final = {
    ev.COMMANDMENT: "crown",
    ev.FACTIONS: "knight-banner",
    ev.TURN: "turn",
    ev.DREW: "deck",
    ev.DREW_CARD: "deck",
    ev.DECLARED: "card-play",
    ev.RECRUITED: "knight-banner",
    ev.MOVED: "sprint",
    ev.SHIFTED: "sprint",
    ev.ATTACKED: "crossed-swords",
    ev.BESIEGED: "siege-ram",
    ev.STRUCK: "archery-target",
    ev.ACTIVATED: "magic-swirl",
    ev.EQUIPPED: "shield",
    ev.FOUGHT: "crossed-swords",
    ev.PLOTTED: "scroll-unfurled",
    ev.FELL: "tombstone",
    ev.DEPLETED: "stone-tower",
    ev.DISCARDED: "card-discard",
    ev.UPKEEP: "hourglass",
    ev.OVER: "laurels",
}
"""The icon of each event in the log, and the heading of a turn."""


def fill_prompt(game: GeneralsRules, view: GeneralsState, names: list[str]) -> dict[str, object]:
    """Return the values of the placeholders that a prompt can have. All of them come from the public step."""
    step = view.stack[-1]
    words: dict[str, object] = {
        "name": names[step.seat],
        "general": messages.THE_GENERAL,
        "card": messages.THE_CARD,
        "act": "",
        "cards": "",
        "target": messages.TARGET,
        "limit": view.setup.limits[step.seat],
    }
    if isinstance(step, ChooseAct):
        words["general"] = unit_name(game, step.unit)
    elif isinstance(step, Answer):
        words["act"] = describe_declared(game, step.act, names)
    elif isinstance(step, Pay):
        words["cards"] = many(step.left, "card")
    elif isinstance(step, Pick):
        zones = step.choice.count == 0
        words["target"] = messages.TARGET_ZONE if zones else messages.NEXT_TARGET if step.picked else messages.TARGET
    elif isinstance(step, (Placement, ForCard)):
        words["card"] = kind_name(game, step.kind)
    elif isinstance(step, Fall) and step.victims:
        words["general"] = unit_name(game, step.victims[min(step.at, len(step.victims) - 1)])
    return words


def capitalize_first(text: str) -> str:
    """Return a text with a capital first letter."""
    return text[:1].upper() + text[1:]


def describe_declared(game: GeneralsRules, act: Act, names: list[str]) -> str:
    """Return a sentence on an act that can be answered: `May's Ash attacks your Reed.`"""
    name = names[act.doer]
    general = unit_name(game, act.unit) if act.unit >= 0 else ""
    if act.code == cards.BY_MELEE:
        owner, enemy = whose(names[OPPONENT[act.doer]]), unit_name(game, act.other)
        return messages.ATTACKS.format(name=name, general=general, owner=owner, enemy=enemy)
    if act.code == cards.BY_SIEGE:
        return messages.LAYS_SIEGE.format(name=name, general=general)
    if act.code == cards.BY_ACTIVE:
        return messages.USES_EFFECT.format(name=name, general=general)
    card = kind_name(game, act.kind)
    if act.code == cards.BY_STRIKE:
        return messages.EXECUTES.format(name=name, general=general, card=card)
    if act.code == cards.BY_EQUIP:
        return messages.EQUIPS.format(name=name, general=general, card=card)
    return messages.PLAYS.format(name=name, card=card)


def name_act(game: GeneralsRules, act: Act) -> str:
    """Return an act that can be answered, without its player: `Ash attacks Reed`."""
    general = unit_name(game, act.unit) if act.unit >= 0 else ""
    if act.code == cards.BY_MELEE:
        return messages.THE_ATTACK.format(general=general, enemy=unit_name(game, act.other))
    if act.code == cards.BY_SIEGE:
        return messages.THE_SIEGE.format(general=general)
    if act.code == cards.BY_ACTIVE:
        return messages.THE_EFFECT.format(general=general)
    card = kind_name(game, act.kind)
    if act.code == cards.BY_STRIKE:
        return messages.THE_TACTICS.format(general=general, card=card)
    return messages.THE_EQUIPMENT.format(general=general, card=card) if act.code == cards.BY_EQUIP else card


def _describe_unit(game: GeneralsRules, view: GeneralsState, u: int, asked: str, seat: int) -> str:
    step = view.stack[-1]
    name = unit_name(game, u)
    if isinstance(step, ChooseAct):
        return messages.ATTACK.format(enemy=name, general=unit_name(game, step.unit))
    if asked == "sacrifice":
        return messages.SACRIFICE_GENERAL.format(general=name)
    if asked == "replace":
        return messages.USE_EFFECT.format(general=name)
    if isinstance(step, (Placement, ForCard)) and asked in ("executor", "bearer"):
        card = kind_name(game, step.kind)
        if asked == "executor":
            return messages.EXECUTE.format(general=name, card=card)
        return messages.EQUIP.format(general=name, card=card)
    if view.zone[u] < 0:
        return messages.CHOOSE_GENERAL.format(general=name)
    zone = PLACES[ZONE_OF[seat][view.zone[u]]]
    if asked == "main":
        return messages.ACT_WITH.format(general=name, zone=zone)
    return messages.CHOOSE_GENERAL_AT.format(general=name, zone=zone)


def _describe_card(game: GeneralsRules, view: GeneralsState, kind: int, asked: str) -> str:
    name = kind_name(game, kind)
    if asked in messages.CARD_WORDS:
        return messages.CARD_WORDS[asked].format(card=name)
    if asked != "main":
        return messages.CHOOSE_CARD.format(card=name)
    if game.kinds[kind].type == cards.CHARACTER:
        return messages.RECRUIT_GENERAL.format(general=name)
    text = messages.PLAY_CARD.format(card=name)
    return messages.IDLE.format(text=text) if preview.is_idle_card(view, view.turn, game.kinds[kind]) else text


def _describe_effect(game: GeneralsRules, view: GeneralsState, u: int, number: int) -> str:
    kind = game.kinds[view.setup.kind[u]]
    if len(kind.actives) > 1:
        text = messages.USE_EFFECT_NUMBER.format(number=number + 1, general=kind.name)
    else:
        text = messages.USE_EFFECT.format(general=kind.name)
    return messages.IDLE.format(text=text) if preview.is_idle_active(view, u, kind.actives[number]) else text


SAME_LINE: Final = {
    (ev.DREW, ev.DREW_CARD),
    (ev.DREW_CARD, ev.DREW_CARD),
    (ev.UPKEEP, ev.DEPLETED),
    (ev.DISCARDED, ev.LOST_CARD),
    (ev.PAID, ev.PAID),
}
"""The pairs of events that share a line of the log if they are of the same seat."""


class GeneralsWords(GeneralsRules, Words):
    """The sentences of Generals for people."""

    quiet: ClassVar[frozenset[int]] = frozenset(
        {ev.DREW, ev.EXPIRED, ev.LASTING, ev.LOOKED_CARD, ev.RECRUITED, ev.SOUGHT, ev.SOUGHT_CARD, ev.UPKEEP, ev.USED}
    )
    tips: ClassVar[Mapping[str, str]] = messages.TIPS
    tagline: ClassVar[str] = "Your deck is your army and your life. March to the enemy’s gate."
    genre: ClassVar[str] = "a war card game for two"
    brief: ClassVar[Sequence[str]] = (
        "Your deck is your RESOURCE. If you must draw or pay from it and it is empty, you lose.",
        "Recruit generals, march them to the enemy’s border, and fight the enemies there.",
        "Besiege the enemy’s fortress: each Siege burns cards of their RESOURCE.",
    )
    invented: ClassVar[str] = "Most cards were made for this program; they are not the published ones."

    def kind_name(self, kind: int) -> str:
        return kind_name(self, kind)

    def mark(self, event: Event) -> str:
        code, kind = event[0], event[4]
        if code == ev.DECLARED and kind >= 0 and self.kinds[kind].type == cards.CHARACTER:
            return MARKS[ev.RECRUITED]
        return MARKS.get(code, "")

    def continues(self, event: Event, last: Event) -> bool:
        # What a general does where an effect moves it is told with the move: the news is the last line.
        if (last[0], event[0]) == (ev.SHIFTED, ev.DEPLETED):
            return last[2] != event[2]
        return (last[0], event[0]) in SAME_LINE and last[2] == event[2]

    def line(self, events: Sequence[Event], view: State, names: list[str]) -> str:
        codes = [event[0] for event in events]
        name = names[events[0][2]] if events[0][2] >= 0 else ""
        if codes[-1] == ev.DREW_CARD:
            cards = [event[3] for event in events if event[0] == ev.DREW_CARD]
            known = all(card & KIND != HIDDEN for card in cards)
            what = several([card_name(self, card) for card in cards]) if known else many(len(cards), "card")
            return messages.DREW.format(name=name, cards=what)
        if codes[-1] == ev.PAID:
            return messages.PAID.format(name=name, cards=many(sum(event[4] for event in events), "card"))
        if codes == [ev.UPKEEP, ev.DEPLETED]:
            return messages.PAYS_UPKEEP.format(name=name, cards=many(events[1][4], "card"))
        if codes == [ev.SHIFTED, ev.DEPLETED]:
            return " ".join(Words.line(self, [event], view, names) for event in events)
        # The name of a discarded card says more than the number of cards.
        return super().line(events[-1:] if codes[-1] == ev.LOST_CARD else events, view, names)

    def words(self, event: Event, view: State, names: list[str]) -> str:
        say = SENTENCES.get(event[0])
        return say(_EventText(self, event, view.viewer, names)) if say is not None else ""

    def prompt(self, view: State, names: list[str]) -> str:
        outcome = view.outcome()
        if outcome is not None:
            return messages.WINS.format(name=names[outcome.winners[0]])
        step = view.stack[-1]
        if step.seat == CHANCE:
            return messages.CHANCE
        mine = view.turn >= 0 and view.turn == view.viewer
        known = messages.PROMPTS if mine else messages.THEIR_PROMPTS
        other = messages.CHOOSE if mine else messages.THEY_CHOOSE
        return known.get(step.prompt, other).format(**fill_prompt(self, as_generals_state(view), names))

    def ending(self, view: State, names: list[str]) -> str:
        if view.outcome() is None:
            return ""
        s = as_generals_state(view)
        winner, loser = names[s.winner], names[OPPONENT[s.winner]]
        reason = explain_end(s.how, loser, inside(winner), kind_name(self, s.by_kind))
        if YOU not in names:
            return messages.WINS_BECAUSE.format(name=winner, reason=reason)
        return messages.VICTORY.format(reason=reason) if winner == YOU else messages.DEFEAT.format(reason=reason)

    def describe(self, view: State, action: Action) -> str:
        s = as_generals_state(view)
        step = s.stack[-1] if s.stack else None
        asked = step.prompt if step is not None else ""
        seat = s.viewer if s.viewer >= 0 else max(s.turn, 0)
        if action in messages.PLAIN_WORDS:
            return messages.ANSWER_WORDS.get((asked, action), messages.PLAIN_WORDS[action])
        if actions.ZONE <= action <= actions.ZONE + ENEMY_FORTRESS:
            zone = PLACES[action - actions.ZONE]
            if isinstance(step, ChooseAct):
                return messages.MOVE.format(general=unit_name(self, step.unit), zone=zone)
            return messages.CHOOSE_ZONE.format(zone=zone) if asked == "target" else messages.PLACE_AT.format(zone=zone)
        if actions.ACTIVE <= action < actions.ACTIVE + actions.ACTIVES and isinstance(step, ChooseAct):
            return _describe_effect(self, s, step.unit, action - actions.ACTIVE)
        if actions.ORDER <= action < actions.ORDER + actions.ORDERS and isinstance(step, InOrder):
            waiting = step.waiting
            if action - actions.ORDER < len(waiting):
                return messages.FIRST_EFFECT.format(card=kind_name(self, waiting[action - actions.ORDER].frame.kind))
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
