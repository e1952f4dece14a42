"""What is wrong with what an ability says, by the tables of language.py. Nothing here knows how an effect is carried
out."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from gonfalon.games.generals.cards.pool import SUBTYPES, TYPES, Card
from gonfalon.games.generals.effects.vocabulary import (
    ANSWERED,
    CARD_FILTER,
    CARD_STATS,
    CAUSES,
    CHOICE,
    COMPARE,
    CONDITIONS,
    COSTS,
    DURATIONS,
    EVENTS,
    FILTER,
    FLAG_FIELDS,
    GENERAL_STATS,
    KINDS,
    LIMIT,
    NAME,
    NEEDED,
    NUMBER_FIELDS,
    OF_TYPE,
    OPERATIONS,
    PERMITTED,
    PLAYER_STATS,
    PLAYERS,
    PREVENTED,
    PRINTED,
    RESERVED,
    ROLES,
    STATIC,
    STATS,
    WIDE,
    ZONES,
)

REPEATS: Final = ("ready", "duel")
"""What lets generals act once more, or win once more, with nothing gone for it."""
MANY: Final = 24
"""So many words are not listed in a sentence."""


@dataclass(frozen=True)
class Fault:
    """What is wrong, where in the card, and the word that is, to find its line by."""

    place: str
    what: str
    word: str = ""

    def __str__(self) -> str:
        return f"{self.place}: {self.what}"


def check(card: Card, names: Collection[str], factions: Collection[str]) -> list[Fault]:
    """All faults of a card's abilities, conditions and host. `names` are those of all Characters."""
    checker = _Checker(card, names, factions)
    if card.requires:
        for number, condition in enumerate(card.requires, 1):
            checker.condition(condition, f"requires {number}", checker.scope("tactic" if card.tactics else "play"))
    if card.tactics and ["executor"] not in card.requires:
        checker.fault("requires", 'Tactics need a general who executes them: [["executor"]] (ruling 18)')
    if card.host:
        checker.card_filter(card.host, "host", ("faction", "name", "where"))
    for number, ability in enumerate(card.abilities, 1):
        checker.ability(ability, f"abilities {number}")
    if card.type in ("strategy", "counter") and len(card.abilities) != 1:
        checker.fault("abilities", f"a {card.type} has exactly one ability, not {len(card.abilities)}")
    return checker.faults


@dataclass
class _Scope:
    """What an operation may refer to where it stands."""

    kind: str
    refs: set[str]
    near: bool
    """Whether there is a general whose zone "same" means."""
    stored: dict[str, str] = field(default_factory=dict)
    """Names that were stored so far: "number", or whose generals they are, "friend" or "enemy"."""
    revealed: bool = False
    targeted: bool = False
    """Whether "choose:targeted" has a meaning."""


class _Checker:
    def __init__(self, card: Card, names: Collection[str], factions: Collection[str]) -> None:
        self.card = card
        self.names = names
        self.factions = factions
        self.faults: list[Fault] = []

    def fault(self, place: str, what: str, word: object = "") -> None:
        self.faults.append(Fault(place, what, str(word) if isinstance(word, str | int) else ""))

    # ---- small forms -------------------------------------------------------------------------------------------

    def word(self, value: Any, known: Iterable[str], place: str, what: str) -> bool:
        """Whether the value is one of the known words; says so where it is not."""
        known = list(known)
        if isinstance(value, str) and value in known:
            return True
        near = difflib.get_close_matches(value, sorted(known), 1) if isinstance(value, str) else []
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        if len(known) > MANY:
            self.fault(place, f"there is no {what} {value!r}{hint}", value)
        else:
            self.fault(place, f"{what} is one of {', '.join(known)}, not {value!r}{hint}", value)
        return False

    def entries(self, table: Any, known: Iterable[str], needed: Iterable[str], place: str) -> bool:
        """Whether it is a table; says what is unknown or missing in it."""
        if not isinstance(table, dict):
            self.fault(place, f"must be a table {{ ... }}, not {table!r}", table)
            return False
        known = list(known)
        for key in table:
            if key not in known:
                near = difflib.get_close_matches(str(key), known, 1)
                hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known) or 'none'}"
                self.fault(place, f"unknown entry {key!r} ({hint})", key)
        for key in needed:
            if key not in table:
                self.fault(place, f"{key} is missing")
        return True

    def whole(self, value: Any, place: str, what: str, least: int = 0, most: int = 99) -> None:
        if type(value) is not int or not least <= value <= most:
            self.fault(place, f"{what} must be a whole number from {least} to {most}, not {value!r}", value)

    def words(self, value: Any, known: Iterable[str], place: str, what: str) -> None:
        """A word, or several in a list."""
        for word in value if isinstance(value, list) and value else [value]:
            self.word(word, known, place, what)

    def zones(self, value: Any, place: str, what: str, known: Iterable[str]) -> None:
        """A zone, or several joined by `|`."""
        known = list(known)
        for word in value.split("|") if isinstance(value, str) else [value]:
            self.word(word, known, place, what)

    # ---- abilities ---------------------------------------------------------------------------------------------

    def scope(self, kind: str, to: Collection[str] = ()) -> _Scope:
        """What an ability of this kind on this card may refer to."""
        refs = {"this"}
        near = False
        if not kind or not self.card.type:  # what is not known may be anything
            return _Scope(kind, refs | {"self", "host", "executor", "attacked"}, True, targeted=True)
        if self.card.type == "character":
            refs.add("self")
            near = True
        elif self.card.type == "equipment":
            refs.add("host")
            near = True
        elif kind == "tactic":
            refs.add("executor")
            near = True
        strike = kind == "response" and set(to) == {"tactical_strike"}
        if strike:
            refs.add("executor")
        if kind == "response" and set(to) == {"melee"}:
            refs.add("attacked")
        return _Scope(kind, refs, near, targeted=strike)

    def ability(
        self, ability: Any, place: str, kinds: Collection[str] | None = None, scope: _Scope | None = None
    ) -> None:
        """An ability of the card, or a delayed one, which stands in the scope of another."""
        if not isinstance(ability, dict):
            self.fault(place, f"must be a table {{ ... }}, not {ability!r}", ability)
            return
        kind = ability.get("kind", "")
        if self.word(kind, KINDS, place, "kind"):
            place = f"{place} ({kind})"
            self.fitting(ability, kind, place, kinds)
        else:
            kind = ""
        to = self.answered(ability["to"], place) if "to" in ability and kind in ("response", "") else ()
        inner = self.scope(kind, to) if scope is None or not kind else scope
        if "when" in ability and kind in ("trigger", "replace", ""):
            self.event(ability["when"], f"{place}, when", inner, kind)
        if "if" in ability:
            self.conditions(ability["if"], f"{place}, if", inner)
        if "cost" in ability and kind in ("active", "replace", ""):
            self.cost(ability["cost"], f"{place}, cost", COSTS[:2] if kind == "replace" else COSTS)
        if "limit" in ability and (not isinstance(ability["limit"], str) or not LIMIT.fullmatch(ability["limit"])):
            self.fault(place, f'limit is written "1/turn", not {ability["limit"]!r}', ability["limit"])
        if "counts_as" in ability:
            self.word(ability["counts_as"], ("attack",), place, "counts_as")
        if "optional" in ability and not isinstance(ability["optional"], bool):
            self.fault(place, f"optional is true or false, not {ability['optional']!r}", ability["optional"])
        if kind == "replace" and ability.get("cost") and ability.get("optional") is not True:
            self.fault(place, "who may have to pay must be free not to: optional = true", "cost")
        if "do" in ability:
            self.operations(ability["do"], f"{place}, do", inner)
            if kind == "response" and (not isinstance(ability["do"], list) or {"op": "negate"} not in ability["do"]):
                self.fault(place, 'a Counter negates what it answers: { op = "negate" } is missing')
            self.refill(ability["do"], place)
            if kind in ("trigger", "replace") and "limit" not in ability:
                self.unlimited(ability, place)

    def fitting(self, ability: dict[str, Any], kind: str, place: str, kinds: Collection[str] | None) -> None:
        """Whether the card may have an ability of this kind, with these entries."""
        allowed = OF_TYPE.get(self.card.type, tuple(KINDS)) if kinds is None else kinds
        if kind not in allowed:
            owner = f"a {self.card.type}" if kinds is None else "a delayed ability"
            self.fault(place, f"{owner} has no {kind} ability; it may have {', '.join(allowed)}", kind)
        if kind == "tactic" and not self.card.tactics:
            self.fault(place, 'only a card with the subtype "tactics" has a tactic ability (ruling 18)', kind)
        if kind == "play" and self.card.tactics:
            self.fault(place, "Tactics are executed, so their ability is a tactic (ruling 18)", kind)
        self.entries(ability, ("kind", *KINDS[kind]), NEEDED[kind], place)

    def answered(self, to: Any, place: str) -> tuple[str, ...]:
        if not isinstance(to, list) or not to:
            self.fault(place, f"to must be a list of what it answers ({', '.join(ANSWERED)}), not {to!r}", to)
            return ()
        return tuple(word for word in to if self.word(word, ANSWERED, place, "to"))

    def cost(self, cost: Any, place: str, known: tuple[str, ...]) -> None:
        if self.entries(cost, known, (), place):
            if not cost:
                self.fault(place, "must name what is paid, were it { hand = 0 }")
            for what, n in cost.items():
                self.whole(n, place, str(what), 0, 20)

    def refill(self, do: Any, place: str) -> None:
        """What fills RESOURCE again must leave the game, or the game need not end (ruling 68)."""
        for operations in _lists(do):
            for i, operation in enumerate(operations):
                after = operations[i + 1] if i + 1 < len(operations) else {}
                if operation.get("op") != "recover":
                    continue
                if self.card.type == "commandment":
                    self.fault(place, "a Commandment never leaves, so it cannot fill RESOURCE again (rulings 60, 68)")
                elif after.get("op") != "exile" or after.get("target") not in ({"ref": "this"}, {"ref": "self"}):
                    gone = '{ op = "exile", ... } of itself must follow at once'
                    what = f"a card that fills RESOURCE again goes Out of game for it: {gone} (ruling 68)"
                    self.fault(place, what, "recover")

    def unlimited(self, ability: dict[str, Any], place: str) -> None:
        """What happens by itself must not set itself off again for nothing, or a turn need not end (ruling 68)."""
        found = [str(op.get("op")) for op in _flat(ability["do"])]
        again = REPEATS if ability["kind"] == "trigger" else (*REPEATS, "kill")
        cost = ability.get("cost")
        paid = isinstance(cost, dict) and any(isinstance(n, int) and n > 0 for n in cost.values())
        if paid or "substitute" in found:
            return
        for op in again:
            if op in found:
                why = "or a turn need not end (ruling 68)"
                self.fault(place, f'{op} by itself needs a limit, limit = "1/turn", {why}', op)

    def event(self, when: Any, place: str, scope: _Scope, kind: str) -> None:
        if not isinstance(when, dict):
            self.fault(place, f"must be a table {{ ... }}, not {when!r}", when)
            return
        event = when.get("event", "")
        if self.word(event, EVENTS, place, "event"):
            if kind == "replace" and event != "to_casualty":
                self.fault(place, f"only to_casualty can be replaced, not {event}", event)
            self.entries(when, ("event", *EVENTS[event]), ("event", EVENTS[event][0]), place)
        if "subject" in when:
            self.generals(when["subject"], f"{place}, subject", scope, False)
        if "whose" in when:
            self.word(when["whose"], PLAYERS, place, "whose")
        if "role" in when:
            self.word(when["role"], ROLES, place, "role")
        if "cause" in when:
            self.word(when["cause"], CAUSES, place, "cause")
        if "to" in when:
            self.word(when["to"], ZONES, place, "to")
        for key in ("min_depleted", "min_defeated"):
            if key in when:
                self.whole(when[key], place, key, 1)

    # ---- conditions --------------------------------------------------------------------------------------------

    def conditions(self, conditions: Any, place: str, scope: _Scope) -> None:
        """A list of conditions, all of which must hold."""
        if not isinstance(conditions, list) or not conditions:
            self.fault(place, f"must be a list of conditions [[...], [...]], not {conditions!r}", conditions)
            return
        for number, condition in enumerate(conditions, 1):
            self.condition(condition, f"{place} {number}", scope)

    def condition(self, condition: Any, place: str, scope: _Scope) -> None:
        if not isinstance(condition, list) or not condition:
            self.fault(place, f"a condition is a list that begins with its name, not {condition!r}", condition)
            return
        name, *rest = condition
        if not self.word(name, CONDITIONS, place, "a condition"):
            return
        place = f"{place} ({name})"
        forms = CONDITIONS[name]
        if len(rest) != len(forms):
            self.fault(place, f"takes {', '.join(forms) or 'nothing'}; there are {len(rest)} entries", name)
            return
        if name == "executor" and "executor" not in scope.refs:
            self.fault(place, "only Tactics have an executor (ruling 18)", name)
        for form, value in zip(forms, rest, strict=True):
            if form == "generals":
                self.generals(value, place, scope, False)
            elif form == "general":
                self.reference(value, place, scope, scope.refs - {"this"} | _stored(scope))
            elif form == "a card":
                self.reference(value, place, scope, scope.refs & {"this", "self", "host"})
            elif form == "compare":
                self.word(value, COMPARE, place, "a comparison")
            elif form == "number":
                self.whole(value, place, "the number compared with")
            elif form == "player":
                self.word(value, PLAYERS, place, "a player")
            elif form == "zones":
                self.zones(value, place, "a zone", ZONES)
            elif form == "a name":
                self.word(value, self.names, place, "general called")
            elif isinstance(value, list) and value:
                self.words(value, self.names, place, "general called")
            else:
                self.fault(place, f"needs a list of names, not {value!r}", value)

    # ---- generals and cards ------------------------------------------------------------------------------------

    def reference(self, value: Any, place: str, scope: _Scope, allowed: Collection[str]) -> None:
        """A table that holds a reference and nothing else."""
        if not isinstance(value, dict) or "ref" not in value:
            self.fault(
                place, f'must be a reference like {{ ref = "{min(allowed, default="this")}" }}, not {value!r}', "ref"
            )
        elif self.entries(value, ("ref",), (), place):
            self.ref(value["ref"], place, scope, allowed)

    def ref(self, ref: Any, place: str, scope: _Scope, allowed: Collection[str]) -> None:
        if ref in ("self", "host", "executor", "attacked", "hit") and ref not in scope.refs and isinstance(ref, str):
            why = {
                "self": "only a Character's ability has a self",
                "host": "only an Equipment's ability has a host",
                "executor": "an executor is there in a tactic and in a response to tactical_strike alone",
                "attacked": "an attacked general is there in a response to melee alone",
                "hit": "hit is there in the success of a plot alone",
            }
            self.fault(place, why[ref], ref)
        else:
            self.word(ref, sorted(allowed), place, "ref")

    def generals(self, value: Any, place: str, scope: _Scope, choice: bool) -> None:
        """Generals: a reference or a filter; with `choice`, how many of them are chosen."""
        if isinstance(value, dict) and "ref" in value:
            self.reference(value, place, scope, scope.refs - {"this"} | _stored(scope))
            return
        known = (*FILTER, *CHOICE) if choice else FILTER
        if not self.entries(value, known, ("side", "count") if choice else ("side",), place):
            return
        if "side" in value:
            self.word(value["side"], ("friend", "enemy"), place, "side")
        self.filter_zone(value.get("zone", "any"), place, scope, choice)
        if "faction" in value:
            self.words(value["faction"], self.factions, place, "faction")
        if "name" in value:
            self.words(value["name"], self.names, place, "general called")
        if "other" in value and (value["other"] is not True or not scope.near):
            self.fault(place, "other = true means another than the general himself, so there must be one", "other")
        if "where" in value:
            self.where(value["where"], place, (*NUMBER_FIELDS, *FLAG_FIELDS))
        if not choice:
            return
        if value.get("count", "all") != "all":
            self.whole(value["count"], place, "count", 1, 9)
        if "upto" in value:
            self.flag(value["upto"], place, "upto")
            if value.get("count") == "all":
                self.fault(place, 'upto needs a number; count is "all"', "upto")
        if "other_than" in value and value["other_than"] not in sorted(_stored(scope)):
            self.fault(
                place, f"other_than names {value['other_than']!r}, which is not stored before", value["other_than"]
            )
        if "plot_only" in value:
            self.word(value["plot_only"], ("lowest_wits",), place, "plot_only")
        if "store" in value:
            self.store(value["store"], place, scope, str(value.get("side")))

    def filter_zone(self, zone: Any, place: str, scope: _Scope, choice: bool) -> None:
        """A zone, several joined by `|`, CASUALTY, or where a choice is made `one_of:` them."""
        known = (*ZONES, *WIDE)
        if not isinstance(zone, str):
            self.word(zone, (*known, "CASUALTY"), place, "zone")
            return
        head, colon, tail = zone.partition(":")
        if head == "same_as" and colon:
            if tail not in _stored(scope):
                self.fault(place, f"same_as names {tail!r}, which is not stored before", zone)
            return
        if head == "one_of" and colon:
            if not choice:
                self.fault(place, "one_of is for a choice; say the zones without it", zone)
            zone = tail
        elif not choice and zone == "CASUALTY":
            return
        self.zones(zone, place, "zone", known)
        if not scope.near and ("same" in zone.split("|") or "same_or_adjacent" in zone.split("|")):
            self.fault(place, f"there is no general whose zone {zone!r} could mean", zone)

    def where(self, where: Any, place: str, fields: tuple[str, ...]) -> None:
        """A list of comparisons, all of which must hold."""
        if not isinstance(where, list) or not where or not all(isinstance(t, list) and len(t) == 3 for t in where):
            self.fault(place, f'where is a list like [["might", "<=", 3]], not {where!r}', "where")
            return
        for name, compare, value in where:
            if not self.word(name, fields, place, "where"):
                continue
            if name in FLAG_FIELDS:
                if compare != "==" or not isinstance(value, bool):
                    self.fault(place, f"{name} is compared like == true, not {compare} {value!r}", name)
            else:
                self.word(compare, COMPARE, place, "a comparison")
                self.whole(value, place, name)

    def card_filter(self, value: Any, place: str, known: tuple[str, ...] = CARD_FILTER) -> None:
        """Which cards, wherever they are."""
        if not self.entries(value, known, (), place):
            return
        if "type" in value:
            self.words(value["type"], TYPES, place, "type")
        if "subtype" in value:
            self.words(value["subtype"], [word for words in SUBTYPES.values() for word in words], place, "subtype")
        if "faction" in value:
            self.words(value["faction"], self.factions, place, "faction")
        if "name" in value and not (
            isinstance(value["name"], str) or (isinstance(value["name"], list) and value["name"])
        ):
            self.fault(place, f"name is a name or a list of names, not {value['name']!r}")
        if "where" in value:
            self.where(value["where"], place, PRINTED)

    # ---- operations --------------------------------------------------------------------------------------------

    def operations(self, do: Any, place: str, scope: _Scope) -> None:
        if not isinstance(do, list) or not do:
            self.fault(place, f"must be a list of operations, not {do!r}", do)
            return
        for number, operation in enumerate(do, 1):
            self.operation(operation, f"{place} {number}", scope)

    def operation(self, operation: Any, place: str, scope: _Scope) -> None:
        if not isinstance(operation, dict):
            self.fault(place, f"must be a table {{ op = ... }}, not {operation!r}", operation)
            return
        op = operation.get("op", "")
        if not self.word(op, OPERATIONS, place, "op"):
            return
        place = f"{place} ({op})"
        forms = OPERATIONS[op]
        self.entries(operation, ("op", *forms), [key for key, form in forms.items() if not form.endswith("?")], place)
        if scope.kind == "static" and op not in STATIC:
            self.fault(place, f"a static ability can only {', '.join(STATIC)}", op)
        for key, form in forms.items():
            if key in operation:
                self.form(form.rstrip("?"), key, operation[key], operation, place, scope)
        self.sense(op, operation, place, scope)

    def form(self, form: str, key: str, value: Any, operation: dict[str, Any], place: str, scope: _Scope) -> None:
        """One entry of an operation."""
        static = scope.kind == "static"
        generals = scope.refs - {"this"} | _stored(scope)
        if form == "amount":
            if isinstance(value, str):
                if scope.stored.get(value) != "number":
                    self.fault(place, f"{key} names {value!r}, which no discard before has stored", value)
            else:
                self.whole(value, place, key, 1)
        elif form == "count":
            self.whole(value, place, key, 1)
        elif form == "number":
            if type(value) is not int or not -20 <= value <= 20:
                self.fault(place, f"{key} must be a whole number from -20 to 20, not {value!r}", value)
        elif form == "flag":
            self.flag(value, place, key)
        elif form == "player":
            self.word(value, PLAYERS, place, key)
        elif form == "chooser":
            self.word(value, ("owner", "you", "random"), place, key)
        elif form == "damage":
            self.word(value, ("general", "card"), place, key)
        elif form == "readiness":
            self.word(value, ("any", "attack"), place, key)
        elif form == "place":
            self.word(value, ZONES, place, key)
        elif form == "stat":
            self.word(value, STATS, place, key)
        elif form == "prevented":
            self.word(value, PREVENTED, place, key)
        elif form == "permitted":
            self.word(value, PERMITTED, place, key)
        elif form == "context":
            self.word(value, ("melee_attacker", "melee_defender"), place, key)
        elif form == "until":
            if static:
                self.word(value, ("while",), place, "until, in a static ability,")
            else:
                self.word(value, DURATIONS, place, key)
        elif form == "text":
            if not isinstance(value, str) or not value.strip():
                self.fault(place, f"{key} must be a text, not {value!r}", value)
        elif form == "name":
            target = operation.get("target")
            side = target.get("side") if isinstance(target, dict) else ""
            self.store(value, place, scope, "number" if operation.get("op") == "discard" else str(side))
        elif form == "where":
            self.where(value, place, NUMBER_FIELDS)
        elif form == "change":
            self.change(value, place, scope)
        elif form == "cards":
            self.card_filter(value, f"{place}, {key}")
        elif form == "generals":
            self.generals(value, f"{place}, {key}", scope, not static)
        elif form == "generals or this":
            if value != {"ref": "this"}:
                self.generals(value, f"{place}, {key}", scope, True)
        elif form == "this":
            self.reference(value, f"{place}, {key}", scope, scope.refs & {"this", "self", "host"})
        elif form == "plotter":
            if not (value == {"ref": "choose:targeted"} and scope.targeted):
                self.reference(value, f"{place}, {key}", scope, generals & {"executor", "self"})
        elif form == "stat target":
            stat = operation.get("stat")
            self.target(value, f"{place}, {key}", scope, stat in CARD_STATS, stat in PLAYER_STATS)
        elif form == "prevent target":
            self.target(value, f"{place}, {key}", scope, operation.get("what") == "countered", False)
        elif form == "permit target":
            self.target(value, f"{place}, {key}", scope, False, operation.get("what") == "recruit_to_border")
        elif form == "success":
            if isinstance(value, list):
                inner = _Scope(scope.kind, scope.refs | {"hit"}, scope.near, dict(scope.stored), scope.revealed)
                self.operations(value, f"{place}, success", inner)
            else:
                self.word(value, ("casualty", "duel_targets"), place, "success, unless a list of operations,")
        elif form == "conditions":
            self.conditions(value, f"{place}, {key}", scope)
        elif form == "operations":
            if value != [] or key != "else":
                inner = _Scope(scope.kind, scope.refs, scope.near, dict(scope.stored), scope.revealed, scope.targeted)
                self.operations(value, f"{place}, {key}", inner)
        elif form == "trigger":
            inner = _Scope("trigger", scope.refs & {"this", "self", "host"}, scope.near)
            self.ability(value, f"{place}, {key}", ("trigger",), inner)
        else:  # only one word will do
            self.word(value, (form,), place, key)

    def flag(self, value: Any, place: str, key: str) -> None:
        if not isinstance(value, bool):
            self.fault(place, f"{key} is true or false, not {value!r}", value)

    def store(self, name: Any, place: str, scope: _Scope, what: str) -> None:
        if not isinstance(name, str) or not NAME.fullmatch(name) or name in RESERVED:
            self.fault(place, f"store takes a name of small letters that is no reference, not {name!r}", name)
        elif name in scope.stored:
            self.fault(place, f"{name!r} is stored twice", name)
        else:
            scope.stored[name] = what

    def change(self, value: Any, place: str, scope: _Scope) -> None:
        """By how much: a number, { set = n }, or { count = generals }."""
        if not isinstance(value, dict):
            if type(value) is not int or not -20 <= value <= 20 or value == 0:
                self.fault(place, f"by must be a whole number from -20 to 20 and not 0, not {value!r}", value)
        elif self.entries(value, ("set", "count"), (), place):
            if len(value) != 1:
                self.fault(place, "by takes either set or count")
            if "set" in value:
                self.whole(value["set"], place, "set")
            if "count" in value:
                self.generals(value["count"], f"{place}, by", scope, False)

    def target(self, value: Any, place: str, scope: _Scope, cards: bool, players: bool) -> None:
        """The target of modify, prevent and permit: generals, cards yet to be played, or a player."""
        if players:
            self.reference(value, place, scope, PLAYERS)
        elif cards:
            if not isinstance(value, dict) or "ref" not in value:
                self.fault(place, f'must be a reference like {{ ref = "your_cards" }}, not {value!r}', "ref")
            elif self.entries(value, ("ref", *CARD_FILTER), (), place):
                self.word(value["ref"], ("your_cards", "next_card"), place, "ref")
                rest = {key: entry for key, entry in value.items() if key in CARD_FILTER}
                self.card_filter(rest, place)
                if scope.kind == "static" and value["ref"] == "next_card":
                    self.fault(place, "a static ability is for all your_cards; next_card is for once", "next_card")
        else:
            self.generals(value, place, scope, scope.kind != "static")

    def sense(self, op: str, operation: dict[str, Any], place: str, scope: _Scope) -> None:
        """What each entry alone does not show."""
        if op == "reveal" and operation.get("who") == "enemy":
            scope.revealed = True
        elif op == "discard":
            if operation.get("who") == "enemy" and operation.get("choose") == "you" and not scope.revealed:
                self.fault(place, "you choose from a hand that you see: reveal it first", "you")
            if operation.get("who") == "you" and operation.get("choose") == "you":
                self.fault(place, 'your own cards are chosen by their owner: choose = "owner"', "you")
            if operation.get("upto") and operation.get("choose") == "random":
                self.fault(place, "upto is for somebody who chooses, not for chance", "upto")
            if "filter" in operation and operation.get("choose") != "you":
                self.fault(place, "a filter is for cards that you see and choose", "filter")
        elif op == "deplete":
            general = self.card.type in ("character", "equipment") or self.card.tactics
            if (
                self.card.type
                and operation.get("by") in ("general", "card")
                and (operation["by"] == "general") != general
            ):
                right = "general" if general else "card"
                self.fault(place, f'what a {self.card.type} depletes is by = "{right}" (ruling 62)', operation["by"])
        elif op == "modify":
            if "context" in operation and operation.get("stat") != "might":
                self.fault(place, "context is a melee's, so stat must be might", "context")
            if "opponent" in operation and "context" not in operation:
                self.fault(place, "opponent needs a context, melee_attacker or melee_defender", "opponent")
            by = operation.get("by")
            if isinstance(by, dict) and "set" in by and operation.get("stat") not in GENERAL_STATS:
                self.fault(place, "only a number of a general can be set; change this one by so much", "set")
            if "nth" in operation and operation.get("stat") != "siege":
                self.fault(place, "nth counts the Sieges of a turn, so stat must be siege", "nth")
        elif op == "move" and operation.get("to") == "ENEMY_FORTRESS":
            target = operation.get("target")
            ref = str(target.get("ref")) if isinstance(target, dict) else ""
            theirs = isinstance(target, dict) and target.get("side") == "enemy"
            if not theirs and ref != "hit" and scope.stored.get(ref) != "enemy":
                self.fault(place, "your generals never enter the ENEMY_FORTRESS (ruling 3)", "ENEMY_FORTRESS")
        elif op == "negate" and scope.kind not in ("response", ""):
            self.fault(place, "only a response negates", op)
        elif op == "substitute" and scope.kind not in ("replace", ""):
            self.fault(place, "only a replace ability puts another general in the place of one", op)
        elif op == "plot" and scope.kind not in ("tactic", "response", ""):
            self.fault(place, "only Tactics plot, and responses to them (ruling 18)", op)


def _stored(scope: _Scope) -> set[str]:
    """The names of stored generals."""
    return {name for name, kind in scope.stored.items() if kind != "number"}


def _flat(do: Any) -> Iterable[dict[str, Any]]:
    """All operations, those within others too."""
    for operations in _lists(do, delayed=True):
        yield from operations


def _lists(do: Any, delayed: bool = False) -> Iterable[list[dict[str, Any]]]:
    """The list of operations and all those within it, with `delayed` those of delayed abilities too."""
    if isinstance(do, list):
        operations = [operation for operation in do if isinstance(operation, dict)]
        yield operations
        for operation in operations:
            for key in ("then", "else", "success"):
                yield from _lists(operation.get(key), delayed)
            ability = operation.get("ability")
            if delayed and isinstance(ability, dict):
                yield from _lists(ability.get("do"), delayed)
