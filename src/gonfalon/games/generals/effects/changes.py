"""The operations of the effect language that last for a time or as long as a card is in play.

They change numbers, forbid or allow acts, and delay abilities.
"""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.cards import HIDDEN
from gonfalon.games.generals.cards.checks import Entry, Scope
from gonfalon.games.generals.effects import forms, vocabulary
from gonfalon.games.generals.effects.filters import Cards, Cond, Filter
from gonfalon.games.generals.effects.frame import Frame
from gonfalon.games.generals.effects.language import Operation
from gonfalon.games.generals.effects.reading import Read
from gonfalon.games.generals.effects.run import Op
from gonfalon.games.generals.effects.targets import Target
from gonfalon.games.generals.rules import cards, events
from gonfalon.games.generals.rules.acts.questions import Host
from gonfalon.games.generals.rules.cards import Kind, Mod, Rule, Trigger
from gonfalon.games.generals.rules.lasting import LAST_MOD, LAST_RULE, LAST_TRIGGER, begin_effect
from gonfalon.games.generals.rules.state import OPPONENT, GeneralsState

# Above every turn number, for changes that end with their card.
FOREVER: Final = 1 << 30
CONTEXTS: Final = {"melee_attacker": cards.ATTACKER, "melee_defender": cards.DEFENDER}
NO_GENERALS: Final = ("your_cards", "next_card", "you", "enemy")
"""References that mean no general."""


def find_last_turn(s: GeneralsState, f: Frame, until: int) -> int:
    """Return the number of the last turn in which a temporary effect counts (ruling 45)."""
    if until == cards.FOR_TURN:
        return s.number
    return s.number + (1 if s.active == f.seat else 2) if until == cards.FOR_ENEMY_TURN else FOREVER


# ---- what a change is about ------------------------------------------------------------------------------------------


def _check_change_target(e: Entry, cards: bool, players: bool) -> None:
    """Check the target of a change: generals, cards yet to be played, or a player."""
    value, checks, place = e.value, e.checks, e.inside
    if players:
        checks.reference(value, place, e.scope, vocabulary.PLAYERS)
    elif not cards:
        checks.generals(value, place, e.scope, not e.scope.static)
    elif not isinstance(value, dict) or "ref" not in value:
        checks.fault(place, f'must be a reference like {{ ref = "your_cards" }}, not {value!r}', "ref")
    elif checks.entries(value, ("ref", *vocabulary.CARD_FILTER), (), place):
        checks.word(value["ref"], ("your_cards", "next_card"), place, "ref")
        checks.card_filter({key: entry for key, entry in value.items() if key in vocabulary.CARD_FILTER}, place)
        if e.scope.static and value["ref"] == "next_card":
            checks.fault(place, "a static ability cannot change next_card; use your_cards", "next_card")


def _read_change_target(r: Read) -> tuple[int, Filter | None, Cards | None]:
    """Return the target of a change as one of the `ON_` codes, with its filter of generals or of cards."""
    ref = r.table["target"].get("ref")
    if ref is None:
        return cards.ON_UNITS, r.filter("target"), None
    if ref in ("your_cards", "next_card"):
        return cards.ON_CARDS if ref == "your_cards" else cards.ON_NEXT, None, r.cards("target")
    return {"you": cards.ON_YOU, "enemy": cards.ON_ENEMY}.get(ref, cards.ON_OWN), None, None


class Change(Op):
    """A temporary change of generals, or (without a target) of cards or of a player."""

    def __init__(self, r: Read) -> None:
        super().__init__()
        general = r.table["target"].get("ref") not in NO_GENERALS
        self.target: Target | None = r.target("target") if general else None

    def idle(self, s: GeneralsState, f: Frame) -> bool:
        return self.target is not None and self.target.is_empty(s, f)


# ---- numbers ---------------------------------------------------------------------------------------------------------


class Modify(Change):
    """Changes the number `stat` by `by`: a number, `{ set = 0 }` (only for numbers of generals; it overrides all
    additions), or `{ count = FILTER }`, 1 for each general that fits the filter.

    | `stat` | Of | |
    |---|---|---|
    | `might`, `wits`, `upkeep` | generals | |
    | `siege` | generals | the cards that their Sieges deplete in addition to their Might |
    | `tactic_targets` | generals | the number of additional targets of Tactics they execute |
    | `plot` | cards | added to the executor's Wits |
    | `recruit_cost`, `execution_cost` | cards | never below 0 |
    | `upkeep_total` | a player | never below 0 |

    `context` limits it to a melee in which the general is `melee_attacker` or `melee_defender`, `opponent` (comparisons
    like `where`) to certain opponents; `nth = 1` to your first Siege of the turn.
    """

    def __init__(self, r: Read) -> None:
        self.mod: Mod = _read_mod(r, [])
        # States refer to temporary effects by number, so copies and dumps hold plain numbers.
        self.mod.index = len(r.reader.mods)
        r.reader.mods.append(self.mod)
        super().__init__(r)

    def run(self, s: GeneralsState, f: Frame, host: Host) -> None:
        mod = self.mod
        amount = mod.amount(s, f)
        last = find_last_turn(s, f, mod.until)
        if self.target is None:
            seat = OPPONENT[f.seat] if mod.on == cards.ON_ENEMY else f.seat
            begin_effect(s, f, LAST_MOD, mod.index, seat, -1, amount, last)
            s.tell(events.CHANGED, seat, HIDDEN, mod.stat, amount)
            return
        for u in self.target.units(s, f):
            begin_effect(s, f, LAST_MOD, mod.index, f.seat, u, amount, last)
            s.tell(events.CHANGED, s.setup.owner[u], s.card_of(u), mod.stat, amount)


def _read_mod(r: Read, conds: list[Cond]) -> Mod:
    by = r.table["by"]
    counts = isinstance(by, dict) and "count" in by
    on, filter, which = _read_change_target(r)
    return Mod(
        stat=cards.STATS.index(r.table["stat"]),
        by=1 if counts else by["set"] if isinstance(by, dict) else by,
        sets=isinstance(by, dict) and "set" in by,
        count=r.reader.filter(by["count"], r.variables.static) if counts else None,
        on=on,
        filter=filter,
        cards=which,
        conds=conds,
        context=CONTEXTS.get(r.table.get("context", ""), cards.NO_CONTEXT),
        foes=r.reader.where(r.table.get("opponent"), True),
        nth=r.table.get("nth", 0),
        until=cards.UNTIL.index(r.table.get("until", "while")),
    )


def _lay_mod(r: Read, kind: Kind, conds: list[Cond]) -> None:
    mod = _read_mod(r, conds)
    # A constant on the own general is added up once, since `compute_stat` runs most often of all.
    if mod.on == cards.ON_OWN and mod.plain:
        kind.flat[mod.stat] += mod.by
    else:
        (kind.own, kind.auras, kind.cards, kind.cards, kind.seats, kind.seats)[mod.on][mod.stat].append(mod)


def _check_by(e: Entry) -> None:
    """Check the amount of a change: a number, { set = n }, or { count = generals }."""
    value = e.value
    if not isinstance(value, dict):
        if type(value) is not int or not -20 <= value <= 20 or value == 0:
            e.fault(f"by must be a whole number from -20 to 20 and not 0, not {value!r}", value)
    elif e.checks.entries(value, ("set", "count"), (), e.place):
        if len(value) != 1:
            e.fault("by takes either set or count")
        if "set" in value:
            e.checks.whole(value["set"], e.place, "set")
        if "count" in value:
            e.checks.generals(value["count"], e.inside, e.scope, False)


def _check_stat_target(e: Entry) -> None:
    stat = e.table.get("stat")
    _check_change_target(e, stat in vocabulary.CARD_STATS, stat in vocabulary.PLAYER_STATS)


def _check_opponent(e: Entry) -> None:
    e.checks.where(e.value, e.place, vocabulary.NUMBER_FIELDS)


def _check_moment(e: Entry) -> None:
    """Check that the limits of a change to certain moments suit its number."""
    stat, by = e.table.get("stat"), e.table.get("by")
    if "context" in e.table and stat != "might":
        e.fault("context limits a change to a melee, so stat must be might", "context")
    if "opponent" in e.table and "context" not in e.table:
        e.fault("opponent needs a context, melee_attacker or melee_defender", "opponent")
    if isinstance(by, dict) and "set" in by and stat not in vocabulary.GENERAL_STATS:
        e.fault("only a number of a general can be set; change this one by a number", "set")
    if "nth" in e.table and stat != "siege":
        e.fault("nth counts the Sieges of a turn, so stat must be siege", "nth")


Operation(
    "modify",
    Modify,
    {
        "stat": forms.one_of(*vocabulary.STATS),
        "by": _check_by,
        "target": _check_stat_target,
        "until": forms.until,
        "context?": forms.one_of(*CONTEXTS),
        "opponent?": _check_opponent,
        "nth?": forms.count,
    },
    check=_check_moment,
    lay=_lay_mod,
)


# ---- what is forbidden and allowed -----------------------------------------------------------------------------------


class Forbid(Change):
    """A temporary rule that forbids or allows something."""

    def __init__(self, r: Read) -> None:
        self.rule: Rule = _read_rule(r, [])
        self.rule.index = len(r.reader.rules)
        r.reader.rules.append(self.rule)
        super().__init__(r)

    def run(self, s: GeneralsState, f: Frame, host: Host) -> None:
        rule = self.rule
        last = find_last_turn(s, f, rule.until)
        if self.target is None:
            seat = OPPONENT[f.seat] if rule.on == cards.ON_ENEMY else f.seat
            begin_effect(s, f, LAST_RULE, rule.index, seat, -1, 0, last)
            s.tell(events.BARRED, seat, HIDDEN, rule.bit)
            return
        for u in self.target.units(s, f):
            begin_effect(s, f, LAST_RULE, rule.index, f.seat, u, 0, last)
            s.tell(events.BARRED, s.setup.owner[u], s.card_of(u), rule.bit)


def _read_rule(r: Read, conds: list[Cond]) -> Rule:
    on, filter, which = _read_change_target(r)
    until = cards.UNTIL.index(r.table.get("until", "while"))
    return Rule(1 << cards.RULES.index(r.table["what"]), on, filter, which, conds, until)


def _lay_rule(r: Read, kind: Kind, conds: list[Cond]) -> None:
    rule = _read_rule(r, conds)
    if rule.on == cards.ON_OWN and not conds:
        kind.bits |= rule.bit
    else:
        own, auras, ours, seats = kind.own_rules, kind.aura_rules, kind.card_rules, kind.seat_rules
        (own, auras, ours, ours, seats, seats)[rule.on].append(rule)


class Prevent(Forbid):
    """Forbids generals `what`: to make a `tactical_strike`, to `move_or_attack`, or to be chosen by the other player
    (`targeted_by_tactics`, `targeted_by_active`). `countered` forbids Counters against the cards."""


def _check_prevented(e: Entry) -> None:
    _check_change_target(e, e.table.get("what") == "countered", False)


Operation(
    "prevent",
    Prevent,
    {"what": forms.one_of(*vocabulary.PREVENTED), "target": _check_prevented, "until": forms.until},
    lay=_lay_rule,
)


class Permit(Forbid):
    """Allows generals `what` the rules forbid: `melee_after_move`, or to `ignore_block`. `recruit_to_border` allows a
    player to recruit to the BORDER."""


def _check_permitted(e: Entry) -> None:
    _check_change_target(e, False, e.table.get("what") == "recruit_to_border")


Operation(
    "permit",
    Permit,
    {"what": forms.one_of(*vocabulary.PERMITTED), "target": _check_permitted, "until": forms.until},
    lay=_lay_rule,
)


# ---- delayed abilities -----------------------------------------------------------------------------------------------


class Delayed(Op):
    """A temporary trigger. `ability` has the kind `trigger` and lasts for the time `until`. It may refer to itself and
    its bearer, but not to generals stored before."""

    def __init__(self, r: Read) -> None:
        super().__init__()
        # Stored generals cannot be kept for later, so a delayed trigger chooses its own.
        self.trigger: Trigger = r.reader.trigger(0, r.table["ability"])
        self.trigger.index = len(r.reader.delayed)
        r.reader.delayed.append(self.trigger)
        self.until: int = cards.UNTIL.index(r.table["until"])

    def list_inner(self, delayed: bool) -> list[Op]:
        return self.trigger.script.ops if delayed else []

    def run(self, s: GeneralsState, f: Frame, host: Host) -> None:
        last = find_last_turn(s, f, self.until)
        begin_effect(s, f, LAST_TRIGGER, self.trigger.index, f.seat, f.me, 0, last)
        s.tell(events.LASTING, f.seat, HIDDEN, f.kind)


def _check_delayed(e: Entry) -> None:
    e.checks.ability(e.value, e.inside, ("trigger",), Scope("trigger", e.scope.own, e.scope.near))


Operation("delayed", Delayed, {"until": forms.until, "ability": _check_delayed})
