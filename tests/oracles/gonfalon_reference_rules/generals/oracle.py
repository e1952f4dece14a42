"""The judge of Generals for the conformance kit: the required results of a decision, and the legal acts of generals.

Computed from the position before, the log and the card file (oracle_numbers.py), slowly and simply and without the
code of the rules, so that an error in either shows. Results that cannot be computed (Unsure) are not checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.rules.state import Action, Event
from gonfalon.games.generals.cards.pool import Table
from gonfalon.games.generals.rules import events as ev
from gonfalon.games.generals.rules.acts.counters import Answer
from gonfalon.games.generals.rules.acts.declarations import Act
from gonfalon.games.generals.rules.state import GeneralsState
from gonfalon.games.generals.ruleset import GeneralsRules
from gonfalon_reference_rules.generals.oracle_numbers import (
    ATTACKING,
    DEFENDING,
    FALLEN,
    FAR,
    HOME,
    NEAR,
    PLACES,
    Reckoning,
    Source,
    Unsure,
)

NEW, MOVED, ATTACKED, USED, AGAIN = 1, 2, 4, 16, 32
"""Flags of a general for this turn."""
STRIKE, MELEE, SIEGE = 1, 4, 5
"""Acts that can be answered."""


def judge(game: GeneralsRules, before: GeneralsState, action: Action, after: GeneralsState) -> list[str]:
    """Return the faults in the position after a decision, as sentences."""
    if before.log is None or after.log is None:
        return []
    case = _Decision(game, before, action, after, after.log[len(before.log) :])
    found: list[str] = []
    for check in (case.recruited, case.moved, case.besieged, case.fought, case.plotted, case.paid, case.began):
        with suppress(Unsure):
            found.extend(check())  # what was found before it becomes unsure stays
    return found


class _Decision:
    """One decision with its log events."""

    def __init__(
        self, game: GeneralsRules, before: GeneralsState, action: Action, after: GeneralsState, told: list[Event]
    ) -> None:
        self.game = game
        self.before = before
        self.after = after
        self.told = told
        self.text = game.notation(action)

    @cached_property
    def then(self) -> Reckoning:
        """The numbers of the position before."""
        return Reckoning(self.game.pool, self.before)

    def unit(self, seat: int, card: int) -> int:
        setup = self.before.setup
        return next(u for u in range(setup.units) if setup.owner[u] == seat and setup.kind[u] == card & KIND)

    def name(self, u: int) -> str:
        return self.then.card(u).name

    def resolved(self, code: int) -> tuple[Act | _Plain, list[Event]] | None:
        """The act of this kind that this decision resolves, because it was passed or had no possible answer, and the
        events from there on. None if there is none, or if other events come first."""
        asked = self.before.stack[-1] if self.before.stack else None
        if isinstance(asked, Answer) and self.text == "pass":
            passed = asked.act.code == code and asked.act not in self.after.stack
            return (asked.act, self.told) if passed else None
        begun = {SIEGE: ev.BESIEGED, MELEE: ev.ATTACKED, STRIKE: ev.STRUCK}[code]
        at = [i for i, event in enumerate(self.told) if event[0] == begun]
        waits = any(step.prompt == "answer" for step in self.after.stack)
        if len(at) != 1 or waits:
            return None
        _, _, seat, card, a, b = self.told[at[0]]
        told = self.told[at[0] + 1 :]
        if code == STRIKE:
            steps = [getattr(step, "host", step) for step in self.before.stack]
            declared = [act for step in steps if (act := getattr(step, "act", None)) is not None]
            return (declared[-1] if declared else _Plain(seat, b, -1, a), told)
        return _Plain(seat, self.unit(seat, card), a), told

    # ---- recruiting (rulings 10, 27 to 32, 68) ---------------------------------------------------

    def recruited(self) -> Iterator[str]:
        """Check the payment for a general and the zone where it comes into play."""
        log = self.after.log or []
        for i, (code, _, seat, shown, zone, declared) in enumerate(self.told):
            if code != ev.RECRUITED or declared < 0:
                continue
            card = self.game.pool.cards[shown & KIND]
            paid = 0
            for earlier, _, who, _, a, _ in reversed(log[: len(log) - len(self.told) + i]):
                if earlier == ev.DECLARED and who == seat and a == card.kind:
                    break
                paid += a if earlier == ev.PAID and who == seat else 0
            due = self.then.cost(seat, card)
            if paid != due:
                friends = self.then.affiliation(seat, card)
                yield (
                    f"{card.name} is recruited for {paid} cards; with {friends} generals of its faction in play it "
                    f"costs {due} (rulings 30, 31)"
                )
            border = zone == NEAR[seat] and self.then.granted("recruit_to_border", seat)
            if zone != HOME[seat] and not border:
                yield f"{card.name} comes into play at {PLACES[seat][zone]}"

    # ---- moving (rulings 2 to 11) ----------------------------------------------------------------

    def moved(self) -> Iterator[str]:
        """Check a general's move of the turn."""
        for code, _, seat, card, here, there in self.told:
            if code != ev.MOVED:
                continue
            u = self.unit(seat, card)
            if self.before.zone[u] != here or there == here:
                yield f"{self.name(u)} moves from {PLACES[seat][here]}, and was not there"
            if there == HOME[1 - seat]:
                yield f"{self.name(u)} moves to ENEMY'S FORTRESS (ruling 3)"
            if self.before.flags[u] & (NEW | MOVED | ATTACKED) or self.then.may("move_or_attack", u):
                yield f"{self.name(u)} has no move left, and moves (rulings 9, 10)"
            if there == FAR[seat] and self.then.blocked(u):
                near = NEAR[seat]
                foes, friends = self.then.army(1 - seat, near), [v for v in self.then.army(seat, near) if v != u]
                yield (
                    f"{self.name(u)} passes {len(foes)} enemies at BORDER, and {len(friends)} stay to block (ruling 4)"
                )

    # ---- Sieges (rulings 22 to 25) ---------------------------------------------------------------

    def besieged(self) -> Iterator[str]:
        """Check a Siege's legality and its depletion."""
        for code, _, seat, card, *_ in self.told:
            if code == ev.BESIEGED:
                u = self.unit(seat, card)
                if self.then.stopped(u) or not self.then.number("might", u):
                    yield f"{self.name(u)} lays siege, and cannot (rulings 22, 23)"
        found = self.resolved(SIEGE)
        if found is None:
            return
        act, told = found
        enemy = 1 - act.doer
        declared_now = any(code == ev.BESIEGED for code, *_ in self.told)
        amount = self.then.siege(act.unit, self.before.sieges + declared_now)
        pile = len(self.before.deck[enemy])
        first = told[0] if told else None
        lost = first[4] if first is not None and first[0] == ev.DEPLETED and first[2] == enemy else 0
        if lost != min(amount, pile):
            yield (
                f"the Siege of {self.name(act.unit)} depletes {lost} of {pile} cards, and should {min(amount, pile)} "
                "(rulings 22, 23)"
            )
        over = next((event for event in told[:2] if event[0] == ev.OVER), None)
        if (amount > pile) != (over is not None and over[4] == ev.BY_DAMAGE):
            yield f"a Siege of {amount} meets a RESOURCE of {pile}, and the end is wrong (ruling 24)"

    # ---- melees (rulings 12 to 16) ---------------------------------------------------------------

    def fought(self) -> Iterator[str]:
        """Check a melee's fighters, their Might, and the fallen."""
        found = self.resolved(MELEE)
        if found is None or not found[1]:
            return
        act, told = found
        u, v = act.unit, act.other
        code, _, seat, card, x, y = told[0]
        zone = self.before.zone
        if zone[u] < 0 or zone[v] < 0 or zone[u] != zone[v]:
            if code == ev.FOUGHT:
                yield f"{self.name(u)} fights {self.name(v)}, who is not there"
            return
        mine = self.then.number("might", u, ATTACKING, v)
        theirs = self.then.number("might", v, DEFENDING, u)
        if code != ev.FOUGHT or (x, y) != (mine, theirs):
            yield f"{self.name(u)} fights with {x} against {y}, and has {mine} against {theirs} (ruling 16)"
            return
        winner = -1 if card & KIND == HIDDEN else self.unit(seat, card)
        if winner != (-1 if mine == theirs else u if mine > theirs else v):
            yield f"the wrong side wins a melee of {mine} against {theirs} (ruling 14)"
        for loser in (u, v):
            if loser != winner and not self.went_down(loser):
                yield f"{self.name(loser)} has lost a melee and stands (ruling 14)"

    def went_down(self, u: int) -> bool:
        """Return whether a general has fallen, or a replacement effect can happen or has happened."""
        if self.after.over or self.after.zone[u] == FALLEN:
            return True
        asked = any(u in getattr(step, "victims", []) for step in self.after.stack)
        kind = self.before.setup.kind[u]
        return asked or any(event[0] == ev.SPARED and event[3] & KIND == kind for event in self.told)

    # ---- plots (rulings 17 to 21) ----------------------------------------------------------------

    def struck(self) -> Iterator[str]:
        """Check the executor of Tactics and the bonus of its plot."""
        for code, _, seat, _, kind, u in self.told:
            if code == ev.STRUCK:
                if not _attacks(self.then, u, False) or self.then.may("tactical_strike", u):
                    yield f"{self.name(u)} executes Tactics, and cannot (rulings 10, 17)"
                waiting = self.after.stack[-1] if self.after.stack else None
                gain = self.then.on_card("plot", seat, self.game.pool.cards[kind])
                if isinstance(waiting, Answer) and waiting.act.frame.bonus != gain:
                    yield f"a plot gains {waiting.act.frame.bonus} from cards, and should {gain}"

    def plotted(self) -> Iterator[str]:
        """Check a Tactical Strike: its executor, its targets, their Wits, and the fallen."""
        yield from self.struck()
        found = self.resolved(STRIKE)
        if found is None:
            return
        act, told = found
        card = self.game.pool.cards[act.kind]
        [op, *more] = card.abilities[0]["do"]
        if more or op["op"] != "plot":
            raise Unsure(card.name)
        zone, then = self.before.zone, self.then
        chosen = self.aimed(act, op["target"])
        if zone[act.unit] < 0:
            return
        passed = self.text == "pass"
        gain = act.frame.bonus if passed and isinstance(act, Act) else then.on_card("plot", act.doer, card)
        mine = then.number("wits", act.unit) + op["bonus"] + gain
        wits = {u: then.number("wits", u) for u in chosen if zone[u] >= 0}
        seen = {self.unit(event[2], event[3]): event[4:] for event in told if event[0] == ev.PLOTTED}
        if "plot_only" in op["target"] and wits:
            least = min(wits.values())
            if len(seen) != 1 or wits.get(next(iter(seen))) != least:
                yield f"{card.name} is not plotted against who has the lowest Wits"
        elif set(seen) != set(wits):
            spared = sorted(self.name(u) for u in set(wits) ^ set(seen))
            yield f"of {len(wits)} targets of {card.name} not all are plotted against: {', '.join(spared)} (ruling 20)"
        for u, (by, against) in seen.items():
            if u in wits and (by, against) != (mine, wits[u]):
                yield f"a plot of {by} against {against} should be one of {mine} against {wits[u]} (ruling 20)"
            if op["success"] == "casualty" and u in wits:
                if wits[u] < mine and not self.went_down(u):
                    yield f"{self.name(u)} is plotted against with {mine} to {wits[u]}, and stands (ruling 20)"
                if wits[u] >= mine and self.after.zone[u] == FALLEN and not any(e[0] == ev.FOUGHT for e in told):
                    yield f"a plot of {mine} fails against {self.name(u)}'s {wits[u]}, who falls (ruling 21)"

    def aimed(self, act: Act | _Plain, target: Table) -> list[int]:
        """Return the targets of a Tactical Strike: chosen before, by this decision, or without a choice."""
        by = Source(act.doer, act.unit, 0, self.then.card(act.unit))
        asked = self.before.stack[-1]
        one_zone = str(target.get("zone")).startswith("one_of:")
        if target.get("count") == "all" and not one_zone:
            return self.then.check_kind(target, by, static=False)
        if asked.prompt in ("answer", "pay"):
            assert isinstance(act, Act)
            return [u for value in act.frame.vars for u in value if u >= 0]
        found = [u for u in self.then.check_kind(target, by, False) if not self.then.may(UNTOUCHED, u)]
        if asked.prompt != "target":
            if len(found) != 1 and not (one_zone and target.get("count") == "all"):
                raise Unsure("targets that nobody was asked for")
            return found
        picked: list[int] = asked.picked  # type: ignore[attr-defined]
        if "#" in self.text:
            slug, _, owner = self.text.partition("#")
            return [*picked, next(u for u in self.then.army(int(owner) - 1) if self.then.card(u).slug == slug)]
        if not self.text.startswith("@"):
            return picked
        place = self.text[1:].replace("-", "_").upper()
        return [u for u in found if PLACES[act.doer][self.before.zone[u]] == place]

    # ---- the end of a turn (rulings 54 to 56) ----------------------------------------------------

    def paid(self) -> Iterator[str]:
        """Check that Upkeep is paid before hand cards go, and no more than that."""
        at = next((i for i, event in enumerate(self.told) if event[0] == ev.UPKEEP), -1)
        if at < 0:
            return
        _, _, seat, _, due, _ = self.told[at]
        sooner = self.told[:at]
        if any(code == ev.FULL for code, *_ in sooner):
            yield "cards over the hand limit go before Upkeep is paid (ruling 55)"
        if any(code not in HARMLESS for code, *_ in sooner):
            raise Unsure("what happened at the end of the turn")
        wanted = self.then.upkeep(seat)
        if due != wanted:
            yield f"an Upkeep of {due} is asked for, and it is {wanted} (ruling 54)"
        gone = sum(a for code, _, who, _, a, _ in sooner if code in (ev.DEPLETED, ev.DREW) and who == seat)
        pile = len(self.before.deck[seat]) - gone
        told = self.told[at + 1 :]
        first = told[0] if told else None
        if wanted > pile:
            if first is None or first[0] != ev.OVER or first[2] != 1 - seat or first[4] != ev.BY_UPKEEP:
                yield f"an Upkeep of {wanted} cannot be paid out of {pile}, and the game goes on (ruling 54)"
        elif wanted and (first is None or first[0] != ev.DEPLETED or first[2] != seat or first[4] != wanted):
            yield f"an Upkeep of {wanted} is not paid at once (rulings 54, 55)"

    def began(self) -> Iterator[str]:
        """Check that a turn begins with one more card after the previous turn's Upkeep."""
        at = next((i for i, event in enumerate(self.told) if event[0] == ev.TURN), -1)
        if at < 0:
            return
        _, _, seat, _, number, _ = self.told[at]
        after, log = self.after, self.after.log or []
        if number > 1:
            whole = len(log) - len(self.told) + at
            last = next((code for code, *_ in reversed(log[:whole]) if code in (ev.UPKEEP, ev.TURN)), ev.TURN)
            if last != ev.UPKEEP:
                yield f"turn {number} begins, and the one before was not paid for (ruling 54)"
            tired = [u for u in range(after.setup.units) if after.flags[u] & ~NEW]
            if tired and after.stack and after.stack[-1].prompt == "main":
                yield f"{self.name(tired[0])} is not ready in turn {number} (rulings 9, 44)"
            over = len(after.hand[1 - seat]) - after.setup.limits[1 - seat]
            since = [code for code, _, who, *_ in self.told[at:] if who == 1 - seat]
            if over > 0 and not set(since) & {ev.DREW, ev.FOUND, ev.RETURNED}:
                yield f"seat {1 - seat} keeps {over} cards over its hand limit (ruling 56)"
        drawn = [a for code, _, who, _, a, _ in self.told[at:] if code == ev.DREW and who == seat]
        begun = after.over or after.stack[-1].prompt == "main"
        lost = after.over and after.how != ev.BY_DRAW
        paid = sum(a for code, _, who, _, a, _ in self.told if code == ev.DEPLETED and who == seat)
        if begun and not lost and (not drawn or 1 not in drawn) and number > 1 and len(self.before.deck[seat]) > paid:
            yield f"seat {seat} does not draw in turn {number} (rulings 50, 52)"
        if number == 1 and drawn:
            yield "the first player draws in the first turn (ruling 50)"


class _Plain:
    """An attack that no seat could answer."""

    def __init__(self, doer: int, unit: int, other: int, kind: int = -1) -> None:
        self.doer = doer
        self.unit = unit
        self.other = other
        self.kind = kind


UNTOUCHED = "targeted_by_tactics"
HARMLESS = (ev.DEPLETED, ev.DREW, ev.DREW_CARD, ev.DECLINED, ev.DISCARDED, ev.MARKED)
"""Events at the end of a turn that do not change the Upkeep."""


# ---- what may be done ----------------------------------------------------------------------------


def acts(game: GeneralsRules, s: GeneralsState, seat: int) -> list[Action] | None:
    """Return the legal acts of the chosen general, or None if they cannot be computed."""
    u: int = s.stack[-1].unit  # type: ignore[attr-defined]
    now = Reckoning(game.pool, s)
    try:
        return sorted(game.parse(text) for text in _acts(game, now, s, seat, u))
    except Unsure:
        return None


def _acts(game: GeneralsRules, now: Reckoning, s: GeneralsState, seat: int, u: int) -> list[str]:
    flags, here = s.flags[u], s.zone[u]
    held = now.may("move_or_attack", u)
    words = {HOME[seat]: "@fortress", NEAR[seat]: "@border", FAR[seat]: "@enemy-border"}
    found = []
    if not flags & (NEW | MOVED | ATTACKED) and not held:
        found += [word for zone, word in words.items() if zone != here and (zone != FAR[seat] or not now.blocked(u))]
    if _attacks(now, u, True):
        foes = now.army(1 - seat, here) if here in (NEAR[seat], FAR[seat]) else []
        found += [f"{now.card(v).slug}#{2 - seat}" for v in foes]
    if _attacks(now, u, False) and not now.stopped(u) and now.number("might", u):
        found.append("siege")
    actives = [one for one in now.card(u).abilities if one["kind"] == "active"]
    if not flags & USED:
        found += [f"active:{i}" for i, one in enumerate(actives, 1) if _usable(now, s, u, one)]
    return found


def _attacks(now: Reckoning, u: int, melee: bool) -> bool:
    """Whether a general has its attack (rulings 9, 10)."""
    flags = now.s.flags[u]
    if flags & NEW or now.may("move_or_attack", u):
        return False
    if flags & AGAIN:
        return True
    return not flags & ATTACKED and (not flags & MOVED or (melee and now.may("melee_after_move", u)))


def _usable(now: Reckoning, s: GeneralsState, u: int, ability: Table) -> bool:
    """Return whether an active effect can be paid for and has targets (rulings 26, 28, 44)."""
    seat, cost = now.owner[u], ability["cost"]
    by = Source(seat, u, 0, now.card(u))
    if cost.get("hand", 0) > len(s.hand[seat]) or cost.get("resource", 0) > len(s.deck[seat]):
        return False
    if cost.get("sacrifice", 0) > len(now.army(seat)) - 1:
        return False
    if ability.get("counts_as") == "attack" and not _attacks(now, u, False):
        return False
    if not all(now.holds(cond, by) for cond in ability.get("if", [])):
        return False
    targets = [op[key] for op in ability["do"] for key in ("target", "a", "b") if isinstance(op.get(key), dict)]
    paired = any("same_as" in str(target.get("zone")) for target in targets)
    return all(_aimed(now, by, target, paired) for target in targets)


def _aimed(now: Reckoning, by: Source, target: Table, paired: bool) -> bool:
    """Return whether there are enough generals to choose. Of a pair the first has checked for the second."""
    one_zone = str(target.get("zone")).startswith("one_of:")
    count = target.get("count", "all")
    if "ref" in target or "same_as" in str(target.get("zone")) or (count == "all" and not one_zone):
        return True
    if "other_than" in target:
        raise Unsure("a choice that depends on another")
    found = now.check_kind(target, by, static=False)
    found = [u for u in found if now.owner[u] == by.seat or not now.may("targeted_by_active", u)]
    least = 1 if target.get("upto") or count == "all" else int(count)
    if not one_zone and not paired:
        return len(found) >= least
    zones = [now.s.zone[u] for u in found]
    return any(zones.count(zone) >= (2 if paired else least) for zone in zones)


def recruits(game: GeneralsRules, s: GeneralsState) -> list[str]:
    """Return generals of the hand that can be recruited but are not offered, or the reverse (rulings 27 to 32)."""
    if not s.stack or s.stack[-1].prompt != "main":
        return []
    seat = s.stack[-1].seat
    now = Reckoning(game.pool, s)
    taken = {now.card(u).name for u in range(s.setup.units) if now.owner[u] == seat and s.zone[u] != -1}
    found = []
    for kind in sorted({card & KIND for card in s.hand[seat]}):
        card = game.pool.cards[kind]
        if card.type != "character":
            continue
        try:
            may = card.name not in taken and now.cost(seat, card) <= len(s.hand[seat]) - 1
        except Unsure:
            continue
        if may != (game.parse(card.slug) in s.actions):
            word = "may" if may else "may not"
            found.append(f"seat {seat} {word} recruit {card.name}, and is told otherwise (rulings 30 to 32)")
    return found
