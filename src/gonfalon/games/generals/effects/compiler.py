"""From card data to cards that work: reads the effect language (effects.md) into typed objects.

Everything is worked out once for each game; play reads flat lists and calls methods. The data were
checked before (faults.py), so what does not fit is a slip of the language and raises DataError.
"""

from __future__ import annotations

from typing import Any, Final

from gonfalon.core.errors import DataError
from gonfalon.games.generals.cards.pool import NEUTRAL, Card, Pool
from gonfalon.games.generals.effects import filters, on_cards, on_generals
from gonfalon.games.generals.effects.filters import Cards, Cond, Filter, Ref, Where
from gonfalon.games.generals.effects.on_cards import Amount
from gonfalon.games.generals.effects.run import Op
from gonfalon.games.generals.effects.targets import ALL, Choice, Target
from gonfalon.games.generals.rules import cards as kinds
from gonfalon.games.generals.rules.cards import Active, Kind, Mod, Replace, Rule, Script, Trigger
from gonfalon.games.generals.rules.zones import ANYWHERE

PLACES: Final = {"FORTRESS": 0, "BORDER": 1, "ENEMY_BORDER": 2, "ENEMY_FORTRESS": 3}
SIDES: Final = {"friend": filters.FRIEND, "enemy": filters.ENEMY}
CONTEXTS: Final = {"melee_attacker": kinds.ATTACKER, "melee_defender": kinds.DEFENDER}
ROLES: Final = {"attacker": kinds.ATTACKER, "defender": kinds.DEFENDER}
CHOOSERS: Final = {"owner": on_cards.BY_OWNER, "you": on_cards.BY_YOU, "random": on_cards.BY_CHANCE}
WHOSE: Final = {"you": kinds.YOURS, "enemy": kinds.THEIRS}
ROLE_OF: Final = {
    "self": filters.ME,
    "host": filters.ME,
    "executor": filters.SUBJECT,
    "attacked": filters.VICTIM,
}


def words(value: Any) -> list[str]:
    """A word, several in a list, or several joined by `|`."""
    if value is None:
        return []
    return str(value).split("|") if isinstance(value, str) else [str(word) for word in value]


def places(text: str) -> int:
    """Zones joined by `|` as a bitmask of places."""
    mask = 0
    for word in text.split("|"):
        mask |= ANYWHERE if word == "any" else 1 << PLACES[word] if word in PLACES else 0
    return mask


class Scope:
    """What an ability has stored so far: names to variables."""

    def __init__(self, tactic: bool = False, static: bool = False) -> None:
        self.names: dict[str, int] = {}
        self.size = 0
        self.tactic = tactic
        self.static = static
        self.by_variable: dict[int, Choice] = {}

    def add(self, name: str | None = None) -> int:
        self.size += 1
        if name:
            self.names[name] = self.size - 1
        return self.size - 1


class Compiler:
    """Makes the kinds of a pool."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.mods: list[Mod] = []
        self.rules: list[Rule] = []
        self.delayed: list[Trigger] = []
        self.faction = {faction.code: number for number, faction in enumerate(pool.factions, start=1)}
        self.faction[NEUTRAL] = 0
        self.names: dict[str, int] = {}
        for card in pool.cards:
            self.names.setdefault(card.name, len(self.names))
        self.kinds = [self.kind(card) for card in pool.cards]

    # ---- cards ------------------------------------------------------------------------------------

    def kind(self, card: Card) -> Kind:
        subtypes = 0
        for word in card.subtypes:
            subtypes |= 1 << kinds.SUBTYPES.index(word)
        kind = Kind(
            card.kind,
            card.slug,
            card.name,
            self.name(card.name),
            kinds.TYPES.index(card.type),
            subtypes,
            self.faction.get(card.faction, 0),
            card.cost,
            card.pay.get("hand", 0),
            card.pay.get("resource", 0),
            card.pay.get("sacrifice", 0),
            card.might,
            card.wits,
            card.upkeep,
        )
        kind.host_factions = self.factions(card.host.get("faction"))
        kind.host_names = [self.name(word) for word in self.several(card.host.get("name"))]
        scope = Scope(tactic=card.tactics)
        try:
            kind.requires = self.conds([cond for cond in card.requires if cond[0] != "executor"], scope)
            for number, ability in enumerate(card.abilities):
                self.ability(kind, number, ability)
        except (KeyError, ValueError, IndexError, TypeError, AttributeError) as error:
            raise DataError(f"Card {card.id} ({card.name}): its abilities cannot be read: {error!r}.") from None
        if card.type in ("strategy", "counter") and kind.script is None:
            kind.script = Script([], [], 0)
        return kind

    def name(self, name: str) -> int:
        return self.names.setdefault(name, len(self.names))

    def several(self, value: Any) -> list[str]:
        return [] if value is None else [value] if isinstance(value, str) else list(value)

    def factions(self, value: Any) -> int:
        mask = 0
        for code in words(value):
            mask |= 1 << self.faction.get(code, 0)
        return mask

    def ability(self, kind: Kind, number: int, ability: dict[str, Any]) -> None:
        sort = ability["kind"]
        if sort == "static":
            scope = Scope(static=True)
            conds = self.conds(ability.get("if", []), scope)
            for op in ability["do"]:
                self.static(kind, op, conds, scope)
        elif sort == "trigger":
            trigger = self.trigger(number, ability)
            kind.triggers[trigger.event].append(trigger)
        elif sort == "replace":
            kind.replaces.append(self.replace(number, ability))
        elif sort == "active":
            scope = Scope()
            conds = self.conds(ability.get("if", []), scope)
            cost = ability["cost"]
            script = self.script(ability["do"], scope)
            attack = ability.get("counts_as") == "attack"
            hand, resource, sacrifice = (cost.get(word, 0) for word in ("hand", "resource", "sacrifice"))
            kind.actives.append(Active(number, hand, resource, sacrifice, conds, attack, script))
        else:
            scope = Scope(tactic=sort == "tactic")
            kind.script = self.script(ability["do"], scope)
            for word in words(ability.get("to")):
                kind.answers |= 1 << kinds.ACTS.index(word)

    def trigger(self, number: int, ability: dict[str, Any]) -> Trigger:
        when = ability["when"]
        scope = Scope()
        own, subject = self.subject(when.get("subject"), scope)
        return Trigger(
            number,
            kinds.EVENTS.index(when["event"]),
            own,
            subject,
            ROLES.get(when.get("role", ""), 0),
            PLACES.get(when.get("to", ""), -1),
            self.cause(when),
            max(when.get("min_depleted", 0), when.get("min_defeated", 0)),
            WHOSE.get(when.get("whose", ""), kinds.ANYBODY),
            self.conds(ability.get("if", []), scope),
            self.limit(ability),
            self.script(ability["do"], scope),
        )

    def replace(self, number: int, ability: dict[str, Any]) -> Replace:
        when = ability["when"]
        scope = Scope()
        own, subject = self.subject(when.get("subject"), scope)
        cost = ability.get("cost", {})
        return Replace(
            number,
            own,
            subject,
            self.cause(when),
            self.conds(ability.get("if", []), scope),
            bool(ability.get("optional", False)),
            cost.get("hand", 0),
            cost.get("resource", 0),
            self.limit(ability),
            self.script(ability["do"], scope),
            any(op["op"] == "substitute" for op in ability["do"]),
        )

    def subject(self, subject: dict[str, Any] | None, scope: Scope) -> tuple[bool, Filter | None]:
        """Whether it is the general itself, or a filter of generals."""
        if subject is None:
            return False, None
        if "ref" in subject:
            return True, None
        return False, self.filter(subject, scope)

    def cause(self, when: dict[str, Any]) -> int:
        return kinds.CAUSES.index(when["cause"]) if "cause" in when else 0

    def limit(self, ability: dict[str, Any]) -> int:
        return int(str(ability["limit"]).partition("/")[0]) if "limit" in ability else 0

    # ---- conditions and filters -------------------------------------------------------------------

    def conds(self, conds: list[list[Any]], scope: Scope) -> list[Cond]:
        return [self.cond(cond, scope) for cond in conds]

    def cond(self, cond: list[Any], scope: Scope) -> Cond:
        what, *rest = cond
        filter, ref, sign, value, mask, names, mine = None, None, 0, 0, 0, [0][:0], True
        if what == "count":
            code = filters.IF_COUNT
            filter, sign, value = self.filter(rest[0], scope), filters.SIGNS.index(rest[1]), rest[2]
        elif what == "zone":
            code, ref, mask = filters.IF_PLACE, self.ref(rest[0], scope), places(rest[1])
        elif what == "name":
            code, ref, names = filters.IF_NAME, self.ref(rest[0], scope), [self.name(n) for n in self.several(rest[1])]
        elif what == "marks":
            code, sign, value = filters.IF_MARKS, filters.SIGNS.index(rest[1]), rest[2]
            ref = self.ref(rest[0], scope) if rest[0]["ref"] == "host" else None
        elif what == "hand":
            code, mine, sign, value = filters.IF_HAND, rest[0] == "you", filters.SIGNS.index(rest[1]), rest[2]
        elif what == "all_named_in":
            code, names, mask = filters.IF_ALL_NAMED, [self.name(n) for n in rest[0]], places(rest[1])
        elif what == "not_recruited_this_turn":
            code, ref = filters.IF_NOT_NEW, self.ref(rest[0], scope)
        else:
            raise ValueError(f"there is no condition {what!r}")
        return Cond(code, filter, ref, sign, value, mask, names, mine)

    def ref(self, ref: dict[str, Any], scope: Scope) -> Ref:
        word = ref["ref"]
        if word in ROLE_OF:
            return Ref(ROLE_OF[word])
        return Ref(filters.VARIABLE, scope.names[word])

    def where(self, where: list[list[Any]] | None, static: bool) -> list[Where]:
        """Comparisons. A static ability reads printed numbers: what it changes must not depend on
        itself."""
        out = []
        for name, sign, value in where or []:
            attribute = filters.ATTRIBUTES.index(name)
            if static and attribute in (filters.MIGHT, filters.WITS):
                attribute += filters.PRINTED_MIGHT
            out.append(Where(attribute, filters.SIGNS.index(sign), int(value)))
        return out

    def filter(self, data: dict[str, Any], scope: Scope) -> Filter:
        zone = data.get("zone", "any")
        head, colon, tail = zone.partition(":")
        if colon:
            zone = "any" if head == "same_as" else tail
        parts = zone.split("|")
        distance = filters.NEXT if "same_or_adjacent" in parts else filters.SAME if "same" in parts else 0
        return Filter(
            SIDES.get(data.get("side", ""), filters.EITHER),
            places(zone),
            distance,
            zone == "CASUALTY",
            self.factions(data.get("faction")),
            [self.name(word) for word in self.several(data.get("name"))],
            bool(data.get("other", False)),
            self.where(data.get("where"), scope.static),
        )

    def cards(self, data: dict[str, Any]) -> Cards:
        types = subtypes = 0
        for word in words(data.get("type")):
            types |= 1 << kinds.TYPES.index(word)
        for word in words(data.get("subtype")):
            subtypes |= 1 << kinds.SUBTYPES.index(word)
        names = [self.name(word) for word in self.several(data.get("name"))]
        return Cards(types, subtypes, self.factions(data.get("faction")), names, self.where(data.get("where"), True))

    # ---- static abilities -------------------------------------------------------------------------

    def aim(self, target: dict[str, Any], scope: Scope) -> tuple[int, Filter | None, Cards | None]:
        """What a change is about: its own general, generals, cards, a player."""
        ref = target.get("ref")
        if ref is None:
            return kinds.ON_UNITS, self.filter(target, scope), None
        if ref in ("your_cards", "next_card"):
            on = kinds.ON_CARDS if ref == "your_cards" else kinds.ON_NEXT
            return on, None, self.cards({key: value for key, value in target.items() if key != "ref"})
        if ref in ("you", "enemy"):
            return kinds.ON_YOU if ref == "you" else kinds.ON_ENEMY, None, None
        return kinds.ON_OWN, None, None

    def mod(self, op: dict[str, Any], conds: list[Cond], scope: Scope) -> Mod:
        by = op["by"]
        on, filter, cards = self.aim(op["target"], scope)
        sets = isinstance(by, dict) and "set" in by
        count = self.filter(by["count"], scope) if isinstance(by, dict) and "count" in by else None
        return Mod(
            kinds.STATS.index(op["stat"]),
            1 if count is not None else by["set"] if isinstance(by, dict) else by,
            sets,
            count,
            on,
            filter,
            cards,
            conds,
            CONTEXTS.get(op.get("context", ""), kinds.NO_CONTEXT),
            self.where(op.get("opponent"), True),
            op.get("nth", 0),
            kinds.UNTIL.index(op.get("until", "while")),
        )

    def rule(self, op: dict[str, Any], conds: list[Cond], scope: Scope) -> Rule:
        on, filter, cards = self.aim(op["target"], scope)
        bit = 1 << kinds.RULES.index(op["what"])
        return Rule(bit, on, filter, cards, conds, kinds.UNTIL.index(op.get("until", "while")))

    def static(self, kind: Kind, op: dict[str, Any], conds: list[Cond], scope: Scope) -> None:
        if op["op"] == "modify":
            mod = self.mod(op, conds, scope)
            if mod.on == kinds.ON_OWN and mod.plain:
                kind.flat[mod.stat] += mod.by
            else:
                lists = (kind.own, kind.auras, kind.cards, kind.cards, kind.seats, kind.seats)
                lists[mod.on][mod.stat].append(mod)
            return
        rule = self.rule(op, conds, scope)
        if rule.on == kinds.ON_OWN and not conds:
            kind.bits |= rule.bit
        else:
            rules = (
                kind.own_rules,
                kind.aura_rules,
                kind.card_rules,
                kind.card_rules,
                kind.seat_rules,
                kind.seat_rules,
            )
            rules[rule.on].append(rule)

    # ---- operations -------------------------------------------------------------------------------

    def script(self, do: list[dict[str, Any]], scope: Scope) -> Script:
        ops = self.ops(do, scope)
        choices = [choice for op in ops for choice in op.choices]
        for choice in choices:
            if choice.same_as >= 0:
                for other in choices:
                    if other.variable == choice.same_as:
                        other.paired = True
        return Script(ops, choices, scope.size)

    def ops(self, do: list[dict[str, Any]], scope: Scope) -> list[Op]:
        return [self.op(op, scope) for op in do]

    def target(self, data: dict[str, Any], scope: Scope, op: list[Choice], more: bool = False) -> Target:
        """Generals an operation is about; what has to be chosen is added to the operation's choices."""
        word = data.get("ref")
        if word == "choose:targeted":
            variable = scope.add()
            op.append(Choice(variable, None, 1, False, False, -1, -1, False, True))
            return Target(None, variable, None)
        if word is not None:
            if word in ROLE_OF:
                return Target(Ref(ROLE_OF[word]), -1, None)
            return Target(None, scope.names[word], None)
        filter = self.filter(data, scope)
        zone = str(data.get("zone", "any"))
        one_zone = zone.startswith("one_of:")
        count = data.get("count", "all")
        if count == "all" and not one_zone:
            return Target(None, -1, filter)
        same_as = scope.names[zone.partition(":")[2]] if zone.startswith("same_as:") else -1
        other_than = scope.names[data["other_than"]] if "other_than" in data else -1
        variable = scope.add(data.get("store"))
        upto = bool(data.get("upto", False))
        number = ALL if count == "all" else int(count)
        op.append(Choice(variable, filter, number, upto, one_zone, same_as, other_than, more, False))
        return Target(None, variable, None)

    def amount(self, value: Any, scope: Scope) -> Amount:
        return Amount(0, scope.names[value]) if isinstance(value, str) else Amount(int(value))

    def op(self, op: dict[str, Any], scope: Scope) -> Op:
        word = op["op"]
        chosen: list[Choice] = []
        mine = op.get("who", "you") == "you"
        made: Op
        if word == "draw":
            made = on_cards.Draw(self.amount(op["n"], scope), mine, bool(op.get("optional", False)))
        elif word == "discard":
            cards = self.cards(op["filter"]) if "filter" in op else None
            amount = self.amount(op["n"], scope)
            variable = scope.add(op["store"]) if "store" in op else -1
            made = on_cards.Discard(amount, mine, CHOOSERS[op["choose"]], cards, bool(op.get("upto", False)), variable)
        elif word == "deplete":
            made = on_cards.Deplete(self.amount(op["n"], scope), mine, op["by"] == "general")
        elif word == "modify":
            mod = self.mod(op, [], scope)
            mod.index = len(self.mods)
            self.mods.append(mod)
            made = on_generals.Modify(mod, self.units_of(op["target"], scope, chosen))
        elif word in ("prevent", "permit"):
            rule = self.rule(op, [], scope)
            rule.index = len(self.rules)
            self.rules.append(rule)
            made = on_generals.Forbid(rule, self.units_of(op["target"], scope, chosen))
        elif word == "move":
            ignore = bool(op.get("ignore_block", False))
            made = on_generals.Move(self.target(op["target"], scope, chosen), PLACES[op["to"]], ignore)
        elif word == "plot":
            made = self.plot(op, scope, chosen)
        elif word == "kill":
            made = on_generals.Kill(self.target(op["target"], scope, chosen))
        elif word == "duel":
            a = self.target(op["a"], scope, chosen)
            made = on_generals.Duel(a, self.target(op["b"], scope, chosen))
        elif word == "negate":
            made = on_generals.Negate()
        elif word == "search":
            made = on_cards.Search(self.cards(op["filter"]), int(op["n"]), bool(op["show"]))
        elif word == "reveal":
            made = on_cards.Reveal(mine)
        elif word == "recover":
            made = on_cards.RecoverCards(int(op["n"]))
        elif word == "bounce":
            made = on_generals.Bounce(self.target(op["target"], scope, chosen))
        elif word == "exile":
            this = op["target"] == {"ref": "this"}
            made = on_generals.Exile(None if this else self.target(op["target"], scope, chosen))
        elif word == "ready":
            made = on_generals.Ready(self.target(op["target"], scope, chosen), op["for"] == "attack")
        elif word == "substitute":
            made = on_generals.Substitute()
        elif word == "recruit":
            upto = bool(op.get("upto", False))
            made = on_cards.Recruit(self.cards(op["filter"]), int(op["n"]), upto, PLACES[op["to"]])
        elif word == "mark":
            made = on_generals.Mark(int(op["n"]), op["on"].get("ref") == "host")
        elif word == "choose":
            data = {**op["target"], "store": op["store"]}
            self.target(data, scope, chosen)
            made = on_generals.Choose()
        elif word == "if":
            conds = self.conds(op["cond"], scope)
            made = on_generals.If(conds, self.ops(op["then"], scope), self.ops(op.get("else", []), scope))
        elif word == "delayed":
            # What was stored before cannot be kept for later: a delayed trigger chooses anew.
            trigger = self.trigger(0, op["ability"])
            trigger.index = len(self.delayed)
            self.delayed.append(trigger)
            made = on_generals.Delayed(trigger, kinds.UNTIL.index(op["until"]))
        elif word == "win":
            made = on_generals.Win(mine)
        else:
            raise ValueError(f"there is no operation {word!r}")
        made.choices = chosen
        return made

    def units_of(self, target: dict[str, Any], scope: Scope, chosen: list[Choice]) -> Target | None:
        """The generals of a change for a time; None when it is about cards or a player."""
        if target.get("ref") in ("your_cards", "next_card", "you", "enemy"):
            return None
        return self.target(target, scope, chosen)

    def plot(self, op: dict[str, Any], scope: Scope, chosen: list[Choice]) -> Op:
        success = op["success"]
        by = self.target(op["by"], scope, chosen)
        ref = by.ref if by.ref is not None else Ref(filters.VARIABLE, by.variable)
        more = scope.tactic and success != "duel_targets"
        target = self.target(op["target"], scope, chosen, more)
        lowest = op["target"].get("plot_only") == "lowest_wits"
        how = {"casualty": on_generals.SUCCESS_CASUALTY, "duel_targets": on_generals.SUCCESS_DUEL}
        inner: list[Op] = []
        hit = -1
        if isinstance(success, list):
            outer = scope.names.get("hit")
            hit = scope.add("hit")
            inner = self.ops(success, scope)
            if outer is None:
                del scope.names["hit"]
            else:
                scope.names["hit"] = outer
        code = how[success] if isinstance(success, str) else on_generals.SUCCESS_SCRIPT
        return on_generals.Plot(ref, target, int(op["bonus"]), code, inner, hit, lowest)
