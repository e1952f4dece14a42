"""The numbers of a table of Generals, computed a second time in the simplest way, word by word from the card
file. It shares only the names of the temporary effects' numbers with the rules.
oracle.py judges the rules by it."""

from __future__ import annotations

from collections.abc import Callable
from operator import eq, ge, gt, le, lt, ne
from typing import Final

from gonfalon.core.basics.cards import KIND
from gonfalon.games.generals.cards.pool import Card, Pool, Row, Table
from gonfalon.games.generals.rules.cards import RULES, STATS
from gonfalon.games.generals.rules.state import GeneralsState

COMPARE: Final[dict[str, Callable[[int, int], bool]]] = {"==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}
PLACES: Final = (
    ("FORTRESS", "BORDER", "ENEMY_BORDER", "ENEMY_FORTRESS"),
    ("ENEMY_FORTRESS", "ENEMY_BORDER", "BORDER", "FORTRESS"),
)
"""Each seat's names of the four zones, from the first seat's FORTRESS on."""
HOME, NEAR, FAR = ((0, 3), (1, 2), (2, 1))
"""By seat: FORTRESS, BORDER, ENEMY'S BORDER."""
FALLEN: Final = -2
ATTACKING, DEFENDING = ("melee_attacker", "melee_defender")
NEW, MOVED_UP = 1, 8


class Unsure(Exception):
    """A result that the oracle does not compute and thus does not check."""


class Source:
    """A card in play: its owner, its general (-1 for a Commandment), and the place of its marks."""

    def __init__(self, seat: int, unit: int, part: int, card: Card) -> None:
        self.seat = seat
        self.unit = unit
        self.part = part
        self.card = card


def several(words: str | list[str]) -> list[str]:
    """Return a word, or several in a list."""
    return [words] if isinstance(words, str) else list(words)


def printed(card: Card, name: str) -> int:
    """Return a number printed on a card."""
    return {"might": card.might, "wits": card.wits, "cost": card.cost}[name.removeprefix("printed_")]


class Reckoning:
    """A full state, read together with the card file."""

    def __init__(self, pool: Pool, s: GeneralsState) -> None:
        self.cards = pool.cards
        self.s = s
        self.owner = s.setup.owner
        self.kind = s.setup.kind
        self.units = [u for u in range(s.setup.units) if s.zone[u] >= 0]
        self.sources = [Source(self.owner[u], u, 0, self.card(u)) for u in self.units]
        for u in self.units:
            worn = ((1, s.armament[u]), (2, s.troop[u]))
            self.sources += [Source(self.owner[u], u, part, self.cards[kind]) for part, kind in worn if kind >= 0]
        for seat in (0, 1):
            self.sources += [Source(seat, -1, 3, self.cards[card & KIND]) for card in s.command[seat]]

    def card(self, u: int) -> Card:
        return self.cards[self.kind[u]]

    def army(self, seat: int, zone: int | None = None) -> list[int]:
        """A seat's generals on the battlefield, or in one zone."""
        return [u for u in self.units if self.owner[u] == seat and zone in (None, self.s.zone[u])]

    # ---- words of the language -------------------------------------------------------------------

    def holds(self, cond: Row, by: Source) -> bool:
        """Return whether a condition holds."""
        what, *rest = cond
        s = self.s
        if what == "count":
            return COMPARE[rest[1]](len(self.check_kind(rest[0], by)), rest[2])
        if what == "hand":
            return COMPARE[rest[1]](len(s.hand[by.seat if rest[0] == "you" else 1 - by.seat]), rest[2])
        if what == "marks":
            part = by.part if rest[0]["ref"] == "this" else 0
            return COMPARE[rest[1]](s.marks[by.unit * 4 + part], rest[2])
        if what == "all_named_in":
            there = [u for u in self.army(by.seat) if PLACES[by.seat][s.zone[u]] in rest[1].split("|")]
            return set(rest[0]) <= {self.card(u).name for u in there}
        if what == "executor":
            return True
        u = self.one(rest[0], by)
        if what == "zone":
            return PLACES[by.seat][s.zone[u]] in rest[1].split("|")
        if what == "name":
            return self.card(u).name in several(rest[1])
        if what == "not_recruited_this_turn":
            return not s.flags[u] & NEW
        raise Unsure(what)

    def one(self, ref: Table, by: Source) -> int:
        """Return a general known to an ability."""
        if ref["ref"] in ("self", "host", "executor") and by.unit >= 0:
            return by.unit
        raise Unsure(str(ref))

    def check_kind(self, wanted: Table, by: Source, static: bool = True) -> list[int]:
        """Return the generals of a filter. For a static ability, Might and Wits are the printed ones."""
        found = range(self.s.setup.units) if wanted.get("zone") == "CASUALTY" else self.units
        return [u for u in found if self.fits(u, wanted, by, static)]

    def fits(self, u: int, wanted: Table, by: Source, static: bool) -> bool:
        s, card = self.s, self.card(u)
        side = wanted.get("side")
        if side and (self.owner[u] == by.seat) != (side == "friend"):
            return False
        if not self.reaches(u, str(wanted.get("zone", "any")).removeprefix("one_of:"), by):
            return False
        for key, word in (("faction", card.faction), ("name", card.name)):
            if key in wanted and word not in several(wanted[key]):
                return False
        if wanted.get("other") and u == by.unit:
            return False
        for name, sign, value in wanted.get("where", []):
            if name == "moved_this_turn":
                have = int(bool(s.flags[u] & MOVED_UP))
            elif name == "foes_in_zone":
                have = len(self.army(1 - self.owner[u], s.zone[u]))
            elif name in ("might", "wits") and not static:
                have = self.number(name, u)
            else:
                have = printed(card, name)
            if not COMPARE[sign](have, int(value)):
                return False
        return True

    def reaches(self, u: int, words: str, by: Source) -> bool:
        """Return whether a general is in the zone of a filter."""
        zone = self.s.zone[u]
        for word in words.split("|"):
            if word == "CASUALTY":
                if zone == FALLEN:
                    return True
            elif zone < 0:
                continue
            elif word in ("same", "same_or_adjacent"):
                away = abs(zone - self.s.zone[by.unit]) if by.unit >= 0 else 9
                if away <= (word == "same_or_adjacent"):
                    return True
            elif word == "any" or word == PLACES[by.seat][zone]:
                return True
            elif word.startswith("same_as"):
                raise Unsure(word)
        return False

    # ---- numbers ---------------------------------------------------------------------------------

    def statics(self, op: str) -> list[tuple[Source, Table]]:
        """Return the operations of this kind of static abilities whose conditions hold, each with its card."""
        found = []
        for by in self.sources:
            for ability in by.card.abilities:
                if ability["kind"] == "static" and all(self.holds(cond, by) for cond in ability.get("if", [])):
                    found += [(by, one) for one in ability["do"] if one["op"] == op]
        return found

    def list_candidates(self, target: Table, by: Source, u: int) -> bool:
        """Return whether a static ability applies to a general."""
        ref = target.get("ref")
        if ref is None:
            return self.fits(u, target, by, True)
        return ref in ("self", "host") and u == by.unit

    def number(self, stat: str, u: int, context: str = "", foe: int = -1, sieges: int | None = None) -> int:
        """Return a current number of a general: the printed number with all additions, or a fixed number. It is never
        below 0, except for numbers that only add to others."""
        card = self.card(u)
        total = {"might": card.might, "wits": card.wits, "upkeep": card.upkeep}.get(stat, 0)
        fixed = None
        declared = self.s.sieges if sieges is None else sieges
        for by, op in self.statics("modify"):
            if op["stat"] != stat or not self.list_candidates(op["target"], by, u):
                continue
            if op.get("context", context) != context or op.get("nth", declared) != declared:
                continue
            if "opponent" in op and (foe < 0 or not self.fits(foe, {"where": op["opponent"]}, by, True)):
                continue
            change = op["by"]
            if isinstance(change, int):
                total += change
            elif "count" in change:
                total += len(self.check_kind(change["count"], by))
            else:
                fixed = change["set"]
        for what, index, _, unit, amount, *_ in self.s.lasting:
            if what == 0 and unit == u:
                mod = self.s.setup.mods[index]
                if STATS[mod.stat] != stat:
                    continue
                if mod.foes or mod.nth or ("", ATTACKING, DEFENDING)[mod.context] not in ("", context):
                    raise Unsure(stat)
                if mod.sets:
                    fixed = amount
                else:
                    total += amount
        now = total if fixed is None else fixed
        return now if stat == "siege" else max(0, now)

    def may(self, what: str, u: int) -> bool:
        """Return whether an act is forbidden (`prevent`) or allowed (`permit`) to a general now."""
        told = [*self.statics("prevent"), *self.statics("permit")]
        lasting = [
            self.s.setup.rules[index].bit for sort, index, _, unit, *_ in self.s.lasting if sort == 1 and unit == u
        ]
        return any(op["what"] == what and self.list_candidates(op["target"], by, u) for by, op in told) or any(
            bit == 1 << RULES.index(what) for bit in lasting
        )

    def granted(self, what: str, seat: int) -> bool:
        """Return whether an act is allowed to a player now."""
        if any(sort == 1 and unit < 0 and of == seat for sort, _, of, unit, *_ in self.s.lasting):
            raise Unsure(what)
        return any(
            op["what"] == what and (by.seat == seat) == (op["target"].get("ref") == "you")
            for by, op in self.statics("permit")
            if op["target"].get("ref") in ("you", "enemy")
        )

    def affiliation(self, seat: int, card: Card) -> int:
        """Count the generals of its faction that its owner has on the battlefield in any zone (ruling 30)."""
        return 0 if card.faction == "NONE" else sum(self.card(u).faction == card.faction for u in self.army(seat))

    def cost(self, seat: int, card: Card) -> int:
        """Return the number of hand cards that a card costs (rulings 27 to 31 and 68)."""
        general = card.type == "character"
        stat = "recruit_cost" if general else "execution_cost"
        total = card.pay.get("hand", 0) + self.on_card(stat, seat, card)
        if not general:
            return max(0, total)
        back = any(
            self.owner[u] == seat and self.card(u).name == card.name and self.s.flags[u] & 128
            for u in range(self.s.setup.units)
        )
        return max(int(back), total - self.affiliation(seat, card))

    def on_card(self, stat: str, seat: int, card: Card) -> int:
        """Return the change of a number of a card that a seat plays."""
        total = 0
        for by, op in self.statics("modify"):
            if op["stat"] == stat and by.seat == seat and self.is_card(op["target"], card):
                if not isinstance(op["by"], int):
                    raise Unsure(stat)
                total += op["by"]
        for what, index, of, unit, *_ in self.s.lasting:
            if what == 0 and unit < 0 and of == seat and STATS[self.s.setup.mods[index].stat] == stat:
                raise Unsure(stat)
        return total

    def is_card(self, wanted: Table, card: Card) -> bool:
        """Return whether a card matches a filter."""
        words = {"type": [card.type], "subtype": card.subtypes, "faction": [card.faction], "name": [card.name]}
        for key, have in words.items():
            if key in wanted and not set(have) & set(several(wanted[key])):
                return False
        return all(COMPARE[sign](printed(card, name), value) for name, sign, value in wanted.get("where", []))

    def upkeep(self, seat: int) -> int:
        """Return a seat's payment at the end of its turn (ruling 54)."""
        total = sum(self.number("upkeep", u) for u in self.army(seat))
        for by, op in self.statics("modify"):
            if op["stat"] == "upkeep_total" and (by.seat == seat) == (op["target"]["ref"] == "you"):
                total += op["by"] if isinstance(op["by"], int) else len(self.check_kind(op["by"]["count"], by))
        for what, index, of, unit, amount, *_ in self.s.lasting:
            if what == 0 and unit < 0 and of == seat and STATS[self.s.setup.mods[index].stat] == "upkeep_total":
                total += amount
        return max(0, total)

    # ---- what follows ----------------------------------------------------------------------------

    def siege(self, u: int, sieges: int) -> int:
        """Return the depletion of a Siege with this number in the turn, or 0 if an enemy blocks it (rulings
        22 and 23)."""
        if self.stopped(u):
            return 0
        return max(0, self.number("might", u) + self.number("siege", u, sieges=sieges))

    def stopped(self, u: int) -> bool:
        """Return whether a general is not at ENEMY'S BORDER, or an enemy is there too."""
        seat = self.owner[u]
        return self.s.zone[u] != FAR[seat] or bool(self.army(1 - seat, FAR[seat]))

    def blocked(self, u: int) -> bool:
        """Return whether enemies at its BORDER block a general from ENEMY'S BORDER. At least as many generals of its
        side as enemies must stay there (rulings 4 to 6)."""
        seat, near = self.owner[u], NEAR[self.owner[u]]
        staying = [v for v in self.army(seat, near) if v != u]
        if self.s.setup.strict_blocking:
            staying = [v for v in staying if self.s.flags[v] & 64]
        return len(staying) < len(self.army(1 - seat, near)) and not self.may("ignore_block", u)
