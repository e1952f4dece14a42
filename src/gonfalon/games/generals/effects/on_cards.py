"""The operations of the effect language on hands, RESOURCE and DISCARD. on_generals.py has the others."""

from __future__ import annotations

from typing import ClassVar, Final

from gonfalon.core.basics.cards import HIDDEN, KIND, SEEN, take
from gonfalon.core.rules.shuffles import push_shuffle
from gonfalon.core.rules.state import NO_ACTIONS, Action, Seat, Step
from gonfalon.games.generals.cards.checks import Entry
from gonfalon.games.generals.effects import forms
from gonfalon.games.generals.effects.filters import Amount, Cards
from gonfalon.games.generals.effects.frame import ARMAMENT, GENERAL, OTHER, PARTS, Frame
from gonfalon.games.generals.effects.language import Operation
from gonfalon.games.generals.effects.reading import PLACES, Read
from gonfalon.games.generals.effects.run import DecisionBounds, Op
from gonfalon.games.generals.rules import events
from gonfalon.games.generals.rules.actions import CARD, DONE
from gonfalon.games.generals.rules.acts.questions import Discarding, DiscardOwn, Host, MayDraw, list_hand_kinds
from gonfalon.games.generals.rules.cards import RECRUITED, Script
from gonfalon.games.generals.rules.chance import RandomDiscard, Recover
from gonfalon.games.generals.rules.state import BOTH, OPPONENT, GeneralsState
from gonfalon.games.generals.rules.triggers import Happening, emit_event
from gonfalon.games.generals.rules.zones import ZONE_OF


class ForPlayer(Op):
    """An operation on a player, `who`: you or the enemy."""

    def __init__(self, r: Read) -> None:
        super().__init__()
        self.you: bool = r.table["who"] == "you"

    def seat(self, f: Frame) -> Seat:
        """Return the player that the operation affects."""
        return f.seat if self.you else OPPONENT[f.seat]


class Draw(ForPlayer):
    """`n` cards from RESOURCE to hand; `who` is `you` or `enemy`; with `optional = true` that player may decline. `n`
    may be a number that a `discard` has stored. A player who has to draw from an empty RESOURCE loses."""

    def __init__(self, r: Read) -> None:
        super().__init__(r)
        self.amount: Amount = r.amount("n")
        self.optional: bool = r.flag("optional")

    def idle(self, s: GeneralsState, f: Frame) -> bool:
        # The number was stored by a discard, which decides whether this draws.
        return self.amount.variable >= 0 or (self.optional and not s.deck[self.seat(f)])

    def count_decisions(self, bounds: DecisionBounds, script: Script) -> int:
        return bounds.bound_cards(self.amount) if self.optional else 0

    def run(self, s: GeneralsState, f: Frame, host: Host) -> None:
        count = self.amount.of(f)
        if self.optional:
            s.stack.append(MayDraw(self.seat(f), count))
        elif count > 0:
            s.draw(self.seat(f), count)


Operation("draw", Draw, {"n": forms.amount, "who": forms.player, "optional?": forms.flag})

BY_OWNER: Final = 0
BY_YOU: Final = 1
BY_CHANCE: Final = 2
CHOOSERS: Final = ["owner", "you", "random"]


class Discard(ForPlayer):
    """`n` cards from the hand of `who` to DISCARD, face down. `choose` names the player who picks them: their `owner`,
    `you` (only from a hand you have revealed; a card filter, `filter`, may restrict them), or `random`. With `upto =
    true` it may be fewer; `store` keeps the number."""

    def __init__(self, r: Read) -> None:
        super().__init__(r)
        self.amount: Amount = r.amount("n")
        self.chooser: int = CHOOSERS.index(r.table["choose"])
        self.cards: Cards | None = r.cards("filter") if "filter" in r.table else None
        self.upto: bool = r.flag("upto")
        self.variable: int = r.variables.add(r.table["store"]) if "store" in r.table else -1
        self.stores = self.variable >= 0

    def idle(self, s: GeneralsState, f: Frame) -> bool:
        return not s.hand[self.seat(f)]

    def count_decisions(self, bounds: DecisionBounds, script: Script) -> int:
        return bounds.bound_cards(self.amount) + 1

    def run(self, s: GeneralsState, f: Frame, host: Host) -> None:
        seat = self.seat(f)
        count = self.amount.of(f)
        if self.chooser == BY_OWNER:
            s.stack.append(DiscardOwn(seat, count, 0, self.upto, self.variable, host if self.stores else None))
            return
        if self.chooser == BY_YOU:
            after = host if self.stores else None
            s.stack.append(DiscardSeen(f.seat, seat, count, 0, self.cards, self.upto, self.variable, after))
            return
        if self.stores:
            # Chance discards a known number, so the rest of the script can be pushed with it first.
            s.stack.append(host.with_frame(f.with_variable(self.variable, [min(count, len(s.hand[seat]))])))
        s.stack.append(RandomDiscard(seat, count))


def _check_store(e: Entry) -> None:
    """Check the name under which the number of discarded cards is stored."""
    e.checks.store(e.value, e.place, e.scope, "number")


def _check_chooser(e: Entry) -> None:
    """Check that the player who chooses can see the cards."""
    who, choose = e.table.get("who"), e.table.get("choose")
    if who == "enemy" and choose == "you" and not e.scope.revealed:
        e.fault("you choose from a hand that you see: reveal it first", "you")
    if who == "you" and choose == "you":
        e.fault('your own cards are chosen by their owner: choose = "owner"', "you")
    if e.table.get("upto") and choose == "random":
        e.fault("upto needs a player who chooses, not chance", "upto")
    if "filter" in e.table and choose != "you":
        e.fault('a filter needs choose = "you"', "filter")


Operation(
    "discard",
    Discard,
    {
        "n": forms.amount,
        "who": forms.player,
        "choose": forms.one_of(*CHOOSERS),
        "filter?": forms.cards,
        "upto?": forms.flag,
        "store?": _check_store,
    },
    check=_check_chooser,
)


class DiscardSeen(Discarding):
    """The choice of cards from a revealed hand, which are discarded."""

    __slots__ = ("owner", "cards")
    prompt: ClassVar[str] = "take-away"

    def __init__(
        self,
        seat: Seat,
        owner: Seat,
        left: int,
        done: int,
        cards: Cards | None,
        upto: bool,
        variable: int,
        host: Host | None,
    ) -> None:
        super().__init__(seat, left, done, upto, variable, host)
        self.owner: Seat = owner
        self.cards: Cards | None = cards

    def options(self, s: GeneralsState) -> list[Action]:
        if self.left <= 0:
            return NO_ACTIONS
        kinds = s.setup.kinds
        seen = SEEN[self.seat]
        found = list_hand_kinds([card for card in s.hand[self.owner] if card & seen])
        out = [CARD + kind for kind in found if self.cards is None or self.cards.admits(kinds[kind])]
        return [DONE, *out] if out and self.upto else out

    def choose(self, s: GeneralsState, action: Action) -> None:
        if action == DONE:
            self.settle(s, self.done)
            return
        # Both seats know which card goes, so the knowledge of the remaining hand stays.
        s.bury_openly(self.owner, take(s.hand[self.owner], action - CARD))
        s.tell(events.DISCARDED, self.owner, HIDDEN, 1, events.BY_ENEMY)
        s.tell_only(1 << self.seat | 1 << self.owner, events.LOST_CARD, self.owner, HIDDEN, action - CARD)
        done = self.done + 1
        if self.left > 1:
            left = self.left - 1
            s.stack.append(
                DiscardSeen(self.seat, self.owner, left, done, self.cards, self.upto, self.variable, self.host)
            )
        else:
            self.settle(s, done)

    def auto(self, s: GeneralsState) -> None:
        self.settle(s, self.done)

    def key(self) -> list[int]:
        which = [] if self.cards is None else self.cards.key()
        tail = [] if self.host is None else self.host.key()
        return [self.seat, self.owner, self.left, self.done, int(self.upto), self.variable, *which, -8, *tail]


class Deplete(ForPlayer):
    """`n` cards from the RESOURCE of `who` to DISCARD, unseen. `by` is `general` for Characters, Equipment and Tactics,
    and `card` for all other cards. A player whose RESOURCE is too small for a general's damage loses; damage by a card
    stops at the last card (ruling 62)."""

    def __init__(self, r: Read) -> None:
        super().__init__(r)
        self.amount: Amount = r.amount("n")
        self.general: bool = r.table["by"] == "general"

    def idle(self, s: GeneralsState, f: Frame) -> bool:
        return self.amount.variable >= 0 or not (self.general or s.deck[self.seat(f)])

    def run(self, s: GeneralsState, f: Frame, host: Host) -> None:
        count = self.amount.of(f)
        if count > 0:
            s.damage(self.seat(f), count, self.general)


def _check_damage(e: Entry) -> None:
    """Check that the damage of Characters, Equipment and Tactics counts as a general's (ruling 62)."""
    card, by = e.checks.card, e.table.get("by")
    right = "general" if card.type in ("character", "equipment") or card.tactics else "card"
    if card.type and by in ("general", "card") and by != right:
        e.fault(f'damage by a {card.type} must have by = "{right}" (ruling 62)', by)


Operation(
    "deplete",
    Deplete,
    {"n": forms.amount, "who": forms.player, "by": forms.one_of("general", "card")},
    check=_check_damage,
)


class Search(Op):
    """You look through your RESOURCE for up to `n` cards that fit the `filter` and take them to hand; with `show =
    true` the enemy sees them. Then RESOURCE is shuffled."""

    def __init__(self, r: Read) -> None:
        super().__init__()
        self.cards: Cards = r.cards("filter")
        self.count: int = r.number("n")
        self.show: bool = r.flag("show")

    def idle(self, s: GeneralsState, f: Frame) -> bool:
        return not s.deck[f.seat]

    def count_decisions(self, bounds: DecisionBounds, script: Script) -> int:
        return min(self.count, bounds.flow) + 1 + bounds.shuffle

    def run(self, s: GeneralsState, f: Frame, host: Host) -> None:
        deck = s.deck[f.seat]
        s.tell(events.SOUGHT, f.seat, HIDDEN)
        if not deck:
            return
        # The order is meaningless now, because RESOURCE will be shuffled. Sorting keeps it out of the view.
        for i in range(len(deck)):
            deck[i] = deck[i] & KIND | SEEN[f.seat]
        deck.sort()
        if s.log is not None:
            for card in deck:
                s.tell_only(1 << f.seat, events.SOUGHT_CARD, f.seat, card)
        s.stack.append(SearchPick(f.seat, self.cards, self.count, self.show))


class SearchPick(Step[GeneralsState]):
    """The choice of a card that fits, or to stop. The enemy cannot see whether one fits."""

    __slots__ = ("cards", "left", "show")
    prompt: ClassVar[str] = "search"

    def __init__(self, seat: Seat, cards: Cards, left: int, show: bool) -> None:
        super().__init__(seat)
        self.cards: Cards = cards
        self.left: int = left
        self.show: bool = show

    def options(self, s: GeneralsState) -> list[Action]:
        kinds = s.setup.kinds
        # Stopping is always legal: a player who must take a card would show that one fits.
        out = [DONE]
        out += [CARD + kind for kind in list_hand_kinds(s.deck[self.seat]) if self.cards.admits(kinds[kind])]
        return out

    def choose(self, s: GeneralsState, action: Action) -> None:
        seat = self.seat
        if action == DONE:
            s.tell(events.FOUND, seat, HIDDEN)
        else:
            card = take(s.deck[seat], action - CARD)
            if self.show:
                card |= BOTH
            s.hand[seat].append(card)
            if self.show:
                s.learn(seat, card & KIND)
            s.tell(events.FOUND, seat, card, 1)
            if self.left > 1 and s.deck[seat]:
                s.stack.append(SearchPick(seat, self.cards, self.left - 1, self.show))
                return
        s.close_search(seat)
        s.tell(events.SHUFFLED, seat, HIDDEN)
        push_shuffle(s, 1 << seat, exact=s.setup.exact, quick=False)

    def key(self) -> list[int]:
        return [self.seat, self.left, int(self.show), *self.cards.key()]


Operation(
    "search",
    Search,
    {
        "zone": forms.one_of("RESOURCE"),
        "filter": forms.cards,
        "n": forms.count,
        "to": forms.one_of("hand"),
        "show": forms.flag,
    },
)


class Reveal(ForPlayer):
    """You look at a player's whole hand."""

    def idle(self, s: GeneralsState, f: Frame) -> bool:
        owner = self.seat(f)
        return owner == f.seat or not s.hand[owner]

    def run(self, s: GeneralsState, f: Frame, host: Host) -> None:
        owner = self.seat(f)
        hand = s.hand[owner]
        s.tell(events.LOOKED, owner, HIDDEN, len(hand))
        if owner == f.seat:
            return
        for i in range(len(hand)):
            # Looked-at cards stay known until one of them leaves the hand face down (ruling 65).
            hand[i] |= SEEN[f.seat]
            s.tell_only(1 << f.seat, events.LOOKED_CARD, owner, hand[i])
        for card in hand:
            s.learn(owner, card & KIND)


def _note_revealed(e: Entry) -> None:
    """Record that the enemy's hand is visible from this operation on."""
    if e.table.get("who") == "enemy":
        e.scope.revealed = True


Operation(
    "reveal",
    Reveal,
    {"zone": forms.one_of("hand"), "who": forms.player, "n": forms.one_of("all"), "to": forms.one_of("you")},
    check=_note_revealed,
)


class RecoverCards(Op):
    """`n` random cards of your DISCARD go under your RESOURCE. In return the card itself must go Out of game: `exile`
    follows at once, so that no game is endless (ruling 68)."""

    def __init__(self, r: Read) -> None:
        super().__init__()
        self.count: int = r.number("n")

    def idle(self, s: GeneralsState, f: Frame) -> bool:
        return not s.discard[f.seat]

    def count_decisions(self, bounds: DecisionBounds, script: Script) -> int:
        return min(self.count, bounds.flow)

    def run(self, s: GeneralsState, f: Frame, host: Host) -> None:
        # A card that has left already cannot go Out of game in return, so it recovers nothing (ruling 68).
        if can_go_out(s, f):
            s.stack.append(Recover(f.seat, self.count))
        else:
            s.tell(events.FIZZLED, f.seat, HIDDEN)


def can_go_out(s: GeneralsState, f: Frame) -> bool:
    """Return whether the card of an ability is in the air or in play, from where it can go Out of game."""
    if f.source < 0:
        return any(card & KIND == f.kind for card in s.flight[f.seat])
    u, part = f.source // PARTS, f.source % PARTS
    if part == GENERAL:
        return s.in_play(u)
    if part == OTHER:
        return False  # a Commandment never leaves
    return (s.armament[u] if part == ARMAMENT else s.troop[u]) == f.kind


Operation("recover", RecoverCards, {"n": forms.count, "choose": forms.one_of("random")})


class Recruit(Op):
    """Up to `n` Characters of your hand that fit the `filter` come into play in a zone, `to`, for free (`cost =
    "free"`)."""

    def __init__(self, r: Read) -> None:
        super().__init__()
        self.cards: Cards = r.cards("filter")
        self.count: int = r.number("n")
        self.upto: bool = r.flag("upto")
        self.place: int = PLACES[r.table["to"]]

    def idle(self, s: GeneralsState, f: Frame) -> bool:
        return not list_recruits(s, f.seat, self.cards)

    def count_decisions(self, bounds: DecisionBounds, script: Script) -> int:
        return min(self.count, bounds.flow) + 1

    def run(self, s: GeneralsState, f: Frame, host: Host) -> None:
        s.stack.append(RecruitPick(f.seat, self.cards, self.count, self.upto, self.place))


def list_recruits(s: GeneralsState, seat: Seat, cards: Cards) -> list[int]:
    """Return the kinds of the generals in a hand that fit and may come into play for free."""
    units = s.setup.unit_of[seat]
    found: list[int] = []
    for kind in list_hand_kinds(s.hand[seat]):
        u = units[kind] if kind < len(units) else -1
        if u >= 0 and cards.admits(s.setup.kinds[kind]) and not s.name_taken(u) and not s.has_returned(u):
            found.append(kind)
    return found


class RecruitPick(Step[GeneralsState]):
    """The choice of a general from the hand that comes into play.

    The question is always asked, because whether a general fits is the owner's secret.
    """

    __slots__ = ("cards", "left", "upto", "place")
    prompt: ClassVar[str] = "recruit"

    def __init__(self, seat: Seat, cards: Cards, left: int, upto: bool, place: int) -> None:
        super().__init__(seat)
        self.cards: Cards = cards
        self.left: int = left
        self.upto: bool = upto
        self.place: int = place

    def options(self, s: GeneralsState) -> list[Action]:
        if not s.hand[self.seat]:
            return NO_ACTIONS
        out = [CARD + kind for kind in list_recruits(s, self.seat, self.cards)]
        # DONE is offered if no general fits, so that the question itself reveals nothing.
        return [DONE, *out] if self.upto or not out else out

    def choose(self, s: GeneralsState, action: Action) -> None:
        if action == DONE:
            s.tell(events.DECLINED, self.seat, HIDDEN)
            return
        seat = self.seat
        u = s.setup.unit_of[seat][action - CARD]
        card = take(s.hand[seat], action - CARD)
        if self.left > 1:
            s.stack.append(RecruitPick(seat, self.cards, self.left - 1, self.upto, self.place))
        s.enter(u, card, ZONE_OF[seat][self.place], False)
        # Above the next pick on the stack: abilities of this arrival act before the next general arrives.
        emit_event(s, Happening(RECRUITED, seat, u))

    def key(self) -> list[int]:
        return [self.seat, self.left, int(self.upto), self.place, *self.cards.key()]


Operation(
    "recruit",
    Recruit,
    {
        "zone": forms.one_of("hand"),
        "filter": forms.cards,
        "n": forms.count,
        "upto?": forms.flag,
        "to": forms.place,
        "cost": forms.one_of("free"),
    },
)
