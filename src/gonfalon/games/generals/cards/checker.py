"""The checker of card abilities in the effect language.

Each word defines its own entries where it is declared. Nothing here knows how an effect is carried out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Final, cast

from gonfalon.games.generals.cards.checks import Checks, Entry, Fault, Scope
from gonfalon.games.generals.cards.pool import Card, Table
from gonfalon.games.generals.effects import changes, conditions, occasions, on_cards, on_generals
from gonfalon.games.generals.effects.language import CONDITIONS, EVENTS, OPERATIONS
from gonfalon.games.generals.effects.vocabulary import ANSWERED, COSTS, KINDS, NEEDED, OF_TYPE

WRITTEN: Final = (conditions, occasions, on_cards, on_generals, changes)
"""The modules that declare the words of the language. Importing them fills the register."""
LIMIT: Final = re.compile(r"[1-9]/turn")
STATIC: Final = [name for name, operation in OPERATIONS.items() if operation.lay is not None]
"""The operations that a static ability may use."""


def check_card(card: Card, names: Collection[str], factions: Collection[str]) -> list[Fault]:
    """Return all faults of a card's abilities, conditions and host.

    Args:
        card: The card to check.
        names: The names of all Characters.
        factions: The codes of all factions.
    """
    checker = Checker(card, names, factions)
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
        checker.fault("abilities", f"a {card.type} must have exactly one ability, not {len(card.abilities)}")
    return checker.faults


class Checker(Checks):
    """The checks of one card's abilities."""

    def scope(self, kind: str, to: Collection[str] = ()) -> Scope:
        """Return the references that an ability of this kind on this card may use."""
        refs = {"this"}
        # After a fault in the kind or the type every reference is accepted, so that one slip is reported once.
        if not kind or not self.card.type:
            return Scope(kind, refs | {"self", "host", "executor", "attacked"}, True, targeted=True)
        own = {"character": "self", "equipment": "host"}.get(self.card.type, "executor" if kind == "tactic" else "")
        if own:
            refs.add(own)
        strike = kind == "response" and set(to) == {"tactical_strike"}
        if strike:
            refs.add("executor")
        if kind == "response" and set(to) == {"melee"}:
            refs.add("attacked")
        return Scope(kind, refs, near=bool(own), targeted=strike)

    # ---- abilities ---------------------------------------------------------------------------------------------

    def ability(
        self, ability: object, place: str, kinds: Collection[str] | None = None, scope: Scope | None = None
    ) -> None:
        if not isinstance(ability, dict):
            self.fault(place, f"must be a table {{ ... }}, not {ability!r}", ability)
            return
        kind = ability.get("kind", "")
        if self.word(kind, KINDS, place, "kind"):
            place = f"{place} ({kind})"
            self.check_kind(ability, kind, place, kinds)
        else:
            kind = ""
        to = self.read_answers(ability["to"], place) if "to" in ability and kind in ("response", "") else ()
        inner = self.scope(kind, to) if scope is None or not kind else scope
        if "when" in ability and kind in ("trigger", "replace", ""):
            self.event(ability["when"], f"{place}, when", inner, kind)
        if "if" in ability:
            self.conditions(ability["if"], f"{place}, if", inner)
        self.check_terms(ability, kind, place)
        if "do" in ability:
            self.operations(ability["do"], f"{place}, do", inner)
            self.check_whole(ability, kind, place)

    def check_kind(self, ability: Table, kind: str, place: str, kinds: Collection[str] | None) -> None:
        """Report a fault if the card may not have an ability of this kind, or if its entries do not fit."""
        allowed = OF_TYPE.get(self.card.type, tuple(KINDS)) if kinds is None else kinds
        if kind not in allowed:
            owner = f"a {self.card.type}" if kinds is None else "a delayed ability"
            self.fault(place, f"{owner} has no {kind} ability; it may have {', '.join(allowed)}", kind)
        if kind == "tactic" and not self.card.tactics:
            self.fault(place, 'only a card with the subtype "tactics" has a tactic ability (ruling 18)', kind)
        if kind == "play" and self.card.tactics:
            self.fault(place, "Tactics are executed, so their ability is a tactic (ruling 18)", kind)
        self.entries(ability, ("kind", *KINDS[kind]), NEEDED[kind], place)

    def check_terms(self, ability: Table, kind: str, place: str) -> None:
        """Report faults in the cost, the limit and the flags of an ability."""
        if "cost" in ability and kind in ("active", "replace", ""):
            self.cost(ability["cost"], f"{place}, cost", COSTS[:2] if kind == "replace" else COSTS)
        if "limit" in ability and (not isinstance(ability["limit"], str) or not LIMIT.fullmatch(ability["limit"])):
            self.fault(place, f'limit must be like "1/turn", not {ability["limit"]!r}', ability["limit"])
        if "counts_as" in ability:
            self.word(ability["counts_as"], ("attack",), place, "counts_as")
        if "optional" in ability:
            self.flag(ability["optional"], place, "optional")
        if kind == "replace" and ability.get("cost") and ability.get("optional") is not True:
            self.fault(place, "a replacement with a cost must be optional: optional = true", "cost")

    def read_answers(self, to: object, place: str) -> tuple[str, ...]:
        """Return the acts that a Counter answers; report the unknown ones."""
        if not isinstance(to, list) or not to:
            self.fault(place, f"to must be a list of the answered acts ({', '.join(ANSWERED)}), not {to!r}", to)
            return ()
        return tuple(word for word in to if self.word(word, ANSWERED, place, "to"))

    def cost(self, cost: object, place: str, known: tuple[str, ...]) -> None:
        """Report faults in the cost of an ability."""
        if self.entries(cost, known, (), place):
            if not cost:
                self.fault(place, "must name a price, { hand = 0 } for none")
            for what, n in cast(Table, cost).items():
                self.whole(n, place, str(what), 0, 20)

    def event(self, when: object, place: str, scope: Scope, kind: str) -> None:
        """Report faults in the event that an ability waits for."""
        if not isinstance(when, dict):
            self.fault(place, f"must be a table {{ ... }}, not {when!r}", when)
            return
        event = when.get("event", "")
        if self.word(event, EVENTS, place, "event"):
            if kind == "replace" and event != "to_casualty":
                self.fault(place, f"only to_casualty can be replaced, not {event}", event)
            entries = list(EVENTS[event].entries)
            self.entries(when, ("event", *entries), ("event", entries[0]), place)
        for key, form in occasions.FIELDS.items():
            if key in when:
                form(Entry(self, scope, place, when, key))

    # ---- conditions and operations -----------------------------------------------------------------------------

    def conditions(self, conditions: object, place: str, scope: Scope) -> None:
        if not isinstance(conditions, list) or not conditions:
            self.fault(place, f"must be a list of conditions [[...], [...]], not {conditions!r}", conditions)
            return
        for number, condition in enumerate(conditions, 1):
            self.condition(condition, f"{place} {number}", scope)

    def condition(self, condition: object, place: str, scope: Scope) -> None:
        """Report faults in one condition."""
        if not isinstance(condition, list) or not condition:
            self.fault(place, f"a condition is a list that begins with its name, not {condition!r}", condition)
            return
        name, *rest = condition
        if not self.word(name, CONDITIONS, place, "a condition"):
            return
        place = f"{place} ({name})"
        fields = CONDITIONS[name].fields
        if len(rest) != len(fields):
            self.fault(place, f"takes {', '.join(fields) or 'nothing'}; it has {len(rest)}", name)
            return
        if name == "executor" and "executor" not in scope.refs:
            self.fault(place, "only Tactics have an executor (ruling 18)", name)
        table = dict(zip(fields, rest, strict=True))
        for key, form in fields.items():
            form(Entry(self, scope, place, table, key))

    def operations(self, do: object, place: str, scope: Scope) -> None:
        if not isinstance(do, list) or not do:
            self.fault(place, f"must be a list of operations, not {do!r}", do)
            return
        for number, operation in enumerate(do, 1):
            self.operation(operation, f"{place} {number}", scope)

    def operation(self, table: object, place: str, scope: Scope) -> None:
        """Report faults in one operation."""
        if not isinstance(table, dict):
            self.fault(place, f"must be a table {{ op = ... }}, not {table!r}", table)
            return
        name = table.get("op", "")
        if not self.word(name, OPERATIONS, place, "op"):
            return
        place = f"{place} ({name})"
        operation = OPERATIONS[name]
        self.entries(table, ("op", *operation.fields), operation.needed, place)
        if scope.static and operation.lay is None:
            self.fault(place, f"a static ability can only {', '.join(STATIC)}", name)
        for key, form in operation.fields.items():
            if key in table:
                form(Entry(self, scope, place, table, key))
        if operation.check is not None:
            operation.check(Entry(self, scope, place, table, "op"))

    # ---- why every turn ends (ruling 68) -----------------------------------------------------------------------

    def check_whole(self, ability: Table, kind: str, place: str) -> None:
        """Report faults that only all operations of an ability together show."""
        do = ability["do"]
        if kind == "response" and (not isinstance(do, list) or {"op": "negate"} not in do):
            self.fault(place, 'a Counter negates the answered act: { op = "negate" } is missing')
        self.check_refill(do, place)
        if kind in ("trigger", "replace") and "limit" not in ability:
            self.check_limit(ability, place)

    def check_refill(self, do: object, place: str) -> None:
        """Report each `recover` without an `exile` of the card itself: without it the game need not end."""
        for operations in iterate_lists(do):
            # Only the next operation of the same list counts: a condition between them could skip the exile.
            for i, operation in enumerate(operations):
                after = operations[i + 1] if i + 1 < len(operations) else {}
                if operation.get("op") != "recover":
                    continue
                if self.card.type == "commandment":
                    self.fault(place, "a Commandment never leaves, so it cannot recover cards (rulings 60, 68)")
                elif after.get("op") != "exile" or after.get("target") not in ({"ref": "this"}, {"ref": "self"}):
                    gone = '{ op = "exile", ... } of itself must follow at once'
                    what = f"a card that recovers cards goes Out of game in return: {gone} (ruling 68)"
                    self.fault(place, what, "recover")

    def check_limit(self, ability: Table, place: str) -> None:
        """Report operations without a limit that could trigger their own ability again for nothing: the turn need not
        end."""
        found = [str(op.get("op")) for operations in iterate_lists(ability["do"], delayed=True) for op in operations]
        cost = ability.get("cost")
        paid = isinstance(cost, dict) and any(isinstance(n, int) and n > 0 for n in cost.values())
        # A price runs out, and a substitute falls itself: neither can go on without end.
        if paid or "substitute" in found:
            return
        for name, operation in OPERATIONS.items():
            if name in found and ability["kind"] in operation.repeats:
                why = "or the turn might never end (ruling 68)"
                self.fault(place, f'an automatic {name} needs limit = "1/turn", {why}', name)


def iterate_lists(do: object, delayed: bool = False) -> Iterable[list[Table]]:
    """Yield a list of operations and all lists within it.

    Args:
        do: The list of operations, unchecked.
        delayed: Whether the lists of delayed abilities are included.
    """
    if isinstance(do, list):
        operations = [operation for operation in do if isinstance(operation, dict)]
        yield operations
        for operation in operations:
            for key in ("then", "else", "success"):
                yield from iterate_lists(operation.get(key), delayed)
            ability = operation.get("ability")
            if delayed and isinstance(ability, dict):
                yield from iterate_lists(ability.get("do"), delayed)
