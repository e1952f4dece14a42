"""The compiler from card data to cards that work: it reads the effect language (effects.md) into typed objects.

It runs once for each game; play reads flat lists and calls methods. The data were checked before (checker.py), so data
that cannot be read are a fault of the language itself and raise DataError.
"""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.errors import DataError
from gonfalon.games.generals.cards.pool import NEUTRAL, Card, Pool, Row, Table
from gonfalon.games.generals.effects import changes, conditions, on_cards, on_generals
from gonfalon.games.generals.effects.filters import Cond, Filter
from gonfalon.games.generals.effects.language import CONDITIONS, OPERATIONS
from gonfalon.games.generals.effects.reading import PLACES, Read, Reader, Variables, make_bitmask
from gonfalon.games.generals.effects.run import Op
from gonfalon.games.generals.rules import cards as kinds
from gonfalon.games.generals.rules.cards import Active, Kind, Replace, Script, Trigger

WRITTEN: Final = (conditions, on_cards, on_generals, changes)
"""The modules that declare the words of the language. Importing them fills the register."""
ROLES: Final = {"attacker": kinds.ATTACKER, "defender": kinds.DEFENDER}
WHOSE: Final = {"you": kinds.YOURS, "enemy": kinds.THEIRS}


class Compiler(Reader):
    """The compiled kinds of a pool.

    Raises:
        DataError: A card cannot be read.
    """

    def __init__(self, pool: Pool) -> None:
        super().__init__()
        self.pool = pool
        self.faction = {faction.code: number for number, faction in enumerate(pool.factions, start=1)}
        self.faction[NEUTRAL] = 0
        for card in pool.cards:
            # All names first: abilities may refer to cards that come later in the list.
            self.names.setdefault(card.name, len(self.names))
        self.kinds = [self.kind(card) for card in pool.cards]

    # ---- cards ------------------------------------------------------------------------------------

    def kind(self, card: Card) -> Kind:
        """Return a card as the rules use it."""
        kind = Kind(
            id=card.kind,
            slug=card.slug,
            name=card.name,
            name_number=self.name(card.name),
            type=kinds.TYPES.index(card.type),
            subtypes=make_bitmask(card.subtypes, kinds.SUBTYPES),
            faction=self.faction.get(card.faction, 0),
            cost=card.cost,
            hand=card.pay.get("hand", 0),
            resource=card.pay.get("resource", 0),
            sacrifice=card.pay.get("sacrifice", 0),
            might=card.might,
            wits=card.wits,
            upkeep=card.upkeep,
        )
        kind.host_factions = self.factions(card.host.get("faction"))
        kind.host_names = self.names_of(card.host.get("name"))
        try:
            kind.requires = self.conds(card.requires, Variables(tactic=card.tactics))
            for number, ability in enumerate(card.abilities):
                self.ability(kind, number, ability)
        except (KeyError, ValueError, IndexError, TypeError, AttributeError) as error:
            raise DataError(f"Card {card.id} ({card.name}): its abilities cannot be read: {error!r}.") from None
        if card.type in ("strategy", "counter") and kind.script is None:
            kind.script = Script([], [], 0)
        return kind

    def ability(self, kind: Kind, number: int, ability: Table) -> None:
        """Add one ability to a kind."""
        sort = ability["kind"]
        if sort == "static":
            variables = Variables(static=True)
            conds = self.conds(ability.get("if", []), variables)
            for table in ability["do"]:
                lay = OPERATIONS[table["op"]].lay
                assert lay is not None
                lay(Read(self, table, variables), kind, conds)
        elif sort == "trigger":
            trigger = self.trigger(number, ability)
            kind.triggers[trigger.event].append(trigger)
        elif sort == "replace":
            kind.replaces.append(self.replace(number, ability))
        elif sort == "active":
            variables = Variables()
            conds = self.conds(ability.get("if", []), variables)
            hand, resource, sacrifice = (ability["cost"].get(word, 0) for word in ("hand", "resource", "sacrifice"))
            script = self.script(ability["do"], variables)
            attack = ability.get("counts_as") == "attack"
            kind.actives.append(Active(number, hand, resource, sacrifice, conds, attack, script))
        else:
            kind.script = self.script(ability["do"], Variables(tactic=sort == "tactic"))
            kind.answers |= make_bitmask(ability.get("to"), kinds.ACTS)

    def trigger(self, number: int, ability: Table) -> Trigger:
        when = ability["when"]
        variables = Variables()
        own, subject = self.subject(when.get("subject"))
        return Trigger(
            number=number,
            event=kinds.EVENTS.index(when["event"]),
            own=own,
            subject=subject,
            role=ROLES.get(when.get("role", ""), 0),
            place=PLACES.get(when.get("to", ""), -1),
            cause=self.cause(when),
            least=max(when.get("min_depleted", 0), when.get("min_defeated", 0)),
            whose=WHOSE.get(when.get("whose", ""), kinds.ANYBODY),
            conds=self.conds(ability.get("if", []), variables),
            limit=self.limit(ability),
            script=self.script(ability["do"], variables),
        )

    def replace(self, number: int, ability: Table) -> Replace:
        """Return an ability that may replace a general's fall."""
        when = ability["when"]
        variables = Variables()
        own, subject = self.subject(when.get("subject"))
        cost = ability.get("cost", {})
        return Replace(
            number=number,
            own=own,
            subject=subject,
            cause=self.cause(when),
            conds=self.conds(ability.get("if", []), variables),
            optional=bool(ability.get("optional", False)),
            hand=cost.get("hand", 0),
            resource=cost.get("resource", 0),
            limit=self.limit(ability),
            script=self.script(ability["do"], variables),
            dies=any(op["op"] == "substitute" for op in ability["do"]),
        )

    def subject(self, subject: Table | None) -> tuple[bool, Filter | None]:
        """Return whether the subject is the general itself, and otherwise the filter of generals."""
        if subject is None or "ref" in subject:
            return subject is not None, None
        return False, self.filter(subject, False)

    def cause(self, when: Table) -> int:
        """Return the cause by which a general must fall, 0 for any."""
        return kinds.CAUSES.index(when["cause"]) if "cause" in when else 0

    def limit(self, ability: Table) -> int:
        """Return the number of uses per turn, 0 for no limit."""
        return int(str(ability["limit"]).partition("/")[0]) if "limit" in ability else 0

    # ---- conditions and operations ----------------------------------------------------------------

    def conds(self, conds: list[Row], variables: Variables) -> list[Cond]:
        made = []
        for name, *rest in conds:
            condition = CONDITIONS[name]
            made.append(condition.made(Read(self, dict(zip(condition.fields, rest, strict=True)), variables)))
        return made

    def ops(self, do: list[Table], variables: Variables) -> list[Op]:
        made = []
        for table in do:
            read = Read(self, table, variables)
            op = OPERATIONS[table["op"]].made(read)
            op.choices = read.chosen
            made.append(op)
        return made

    def script(self, do: list[Table], variables: Variables) -> Script:
        ops = self.ops(do, variables)
        choices = [choice for op in ops for choice in op.choices]
        for choice in choices:
            # The earlier choice must leave a general in its zone for this one.
            if choice.same_as >= 0:
                for other in choices:
                    if other.variable == choice.same_as:
                        other.paired = True
        return Script(ops, choices, variables.size)
