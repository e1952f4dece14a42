"""Decks of Generals: legality, statistics, deck files and share codes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from gonfalon.core.basics.decks import Deck, DeckCard, DeckError, Decks, Figures
from gonfalon.core.basics.rng import Rng
from gonfalon.core.text.english import many, several
from gonfalon.games.generals.cards.pool import TYPES, Card, Pool, Table
from gonfalon.games.generals.rules.beliefs import Prior

GROUPS: Final = {
    "character": "Characters",
    "strategy": "Strategies",
    "equipment": "Equipment",
    "counter": "Counters",
    "commandment": "Commandments",
}
TOP_COST: Final = 5
"""The cost of the last bar of the curve, which also counts all higher costs."""
PAID: Final = {"hand": "cards from hand", "resource": "RESOURCE", "sacrifice": "general"}


# ---- rules -------------------------------------------------------------------------------------------------------


def list_factions(pool: Pool, deck: Deck) -> list[str]:
    """Return the codes of the faction marks of a deck's RESOURCE cards, in the pool's order. The Commandment's mark is
    not among them (ruling 58)."""
    marks = {card.faction for card in pool.cards if card.type != "commandment" and deck.counts.get(card.id)}
    return [faction.code for faction in pool.factions if faction.code in marks]


def list_counted_factions(pool: Pool, deck: Deck, qun_counts: bool = True) -> list[str]:
    """Return the announced factions that count for the hand limit; the neutral mark does not (rulings 57 and 61)."""
    return [code for code in list_factions(pool, deck) if pool.faction(code).counts and (qun_counts or code != "QUN")]


def find_hand_limit(pool: Pool, deck: Deck, qun_counts: bool = True) -> int:
    """Return the hand limit of a deck: 10, 8 or 6 cards with 1, 2, 3 or more factions. Without any it is that of one
    faction (ruling 56)."""
    return limit_for(pool, len(list_counted_factions(pool, deck, qun_counts)))


def limit_for(pool: Pool, factions: int) -> int:
    """Return the hand limit for a number of factions that count."""
    return pool.hands[min(max(factions, 1), len(pool.hands)) - 1]


# ---- what everybody knows of a deck --------------------------------------------------------------------------------


class Announcement(NamedTuple):
    """The public facts about a deck before a card is seen.

    They are the announced factions (ruling 61), the number of cards in RESOURCE, which can be counted, and the
    Commandment, which is face up (ruling 60).
    """

    factions: tuple[str, ...]
    """Codes in the pool's order, without the neutral mark."""
    cards: int
    commandment: int
    """The kind of the Commandment."""


def announce_deck(pool: Pool, deck: Deck) -> Announcement:
    """Return the public facts about a deck."""
    marks = tuple(code for code in list_factions(pool, deck) if pool.faction(code).counts)
    return Announcement(marks, len(pool.resource(deck)), pool.commandment(deck))


def read_announcement(pool: Pool, table: Table) -> Announcement:
    """Return the announcement that the game's option `announced` holds as a table.

    Raises:
        DeckError: The table has another form, or names unknown factions or cards.
    """
    try:
        marks, cards, commandment = tuple(table["factions"]), table["cards"], pool.by_slug[table["commandment"]]
    except (TypeError, KeyError):
        raise DeckError("The announcement lacks the factions, the number of cards or the Commandment.") from None
    known = [faction.code for faction in pool.factions if faction.counts]
    if not set(marks) <= set(known) or type(cards) is not int or commandment.type != "commandment":
        raise DeckError("The announcement has unknown factions, no number of cards or no Commandment.")
    return Announcement(marks, cards, commandment.kind)


def write_announcement(pool: Pool, known: Announcement) -> Table:
    """Return an announcement as the table that the game's option `announced` holds."""
    return {"factions": list(known.factions), "cards": known.cards, "commandment": pool.cards[known.commandment].slug}


def make_prior(pool: Pool, known: Announcement) -> Prior:
    """Return the distribution over deck lists that fit an announcement.

    Raises:
        DeckError: No legal list fits.
    """
    marks_there = {faction.code for faction in pool.factions if not faction.counts} | set(known.factions)
    kinds = [card.kind for card in pool.cards if card.type != "commandment" and card.faction in marks_there]
    marks = [[kind for kind in kinds if pool.cards[kind].faction == code] for code in known.factions]
    ready = [pool.resource(deck) for deck in pool.decks if announce_deck(pool, deck) == known]
    found = Prior(kinds, pool.copies, known.cards, known.commandment, marks, ready)
    if found.covered <= 0.0 or not max(1, len(marks)) <= known.cards <= len(kinds) * pool.copies:
        raise DeckError(f"No legal deck has {many(known.cards, 'card')} of just these factions.")
    return found


def check_deck(pool: Pool, deck: Deck, least: int | None = None, most: int | None = None) -> list[str]:
    """Return all reasons why a deck is not legal, as sentences; none if it is legal (ruling 59).

    Args:
        pool: The cards.
        deck: The deck to check.
        least: The smallest number of RESOURCE cards, in place of the pool's. For tests.
        most: The largest number of RESOURCE cards, in place of the pool's. For tests.
    """
    low = pool.deck_least if least is None else least
    high = pool.deck_most if most is None else most
    faults = [f"There is no card {id}." for id in sorted(deck.counts) if id not in pool.by_id]
    cards = [(card, deck.counts[card.id]) for card in pool.cards if deck.counts.get(card.id, 0) > 0]
    size = sum(count for card, count in cards if card.type != "commandment")
    bounds = f"{low} to {high}" if low < high else str(low)
    if size < low:
        faults.append(f"Add at least {many(low - size, 'card')}: RESOURCE needs {bounds}.")
    elif size > high:
        faults.append(f"Remove at least {many(size - high, 'card')}: RESOURCE needs {bounds}.")
    faults += [
        f"Remove {count - pool.copies} of the {count} copies of {card.name}: at most {pool.copies} are allowed."
        for card, count in cards
        if count > pool.copies and card.type != "commandment"
    ]
    commandments = [card.name for card, count in cards if card.type == "commandment" for _ in range(count)]
    if not commandments:
        faults.append("Add a Commandment: a deck has exactly one.")
    elif len(commandments) > 1:
        names = several(list(dict.fromkeys(commandments)))
        faults.append(f"Keep only one of the {len(commandments)} Commandments: {names}.")
    return faults


def count_costs(pool: Pool, deck: Deck) -> list[int]:
    """Return how many RESOURCE cards cost 0, 1, 2 ... cards from hand. The last number also counts all higher costs."""
    bars = [0] * (TOP_COST + 1)
    for kind in pool.resource(deck):
        bars[min(pool.cards[kind].cost, TOP_COST)] += 1
    return bars


def count_drawn(pool: Pool, turn: int, first: bool) -> int:
    """Return how many cards a player has drawn by their turn of this number, without draws by effects.

    Args:
        pool: The cards, which have the size of the opening hand.
        turn: The player's own turn, counted from 1; 0 for the opening hand.
        first: Whether the player goes first and so skips the first draw (ruling 50).
    """
    return pool.opening + max(turn, 0) - int(first and turn > 0)


def random_deck(pool: Pool, rng: Rng, size: int = 0) -> Deck:
    """Return a random legal deck. Its size is random too unless it is given. For tests and tools."""
    size = size or pool.deck_least + int(rng.below(pool.deck_most - pool.deck_least + 1))
    # Every legal copy is equally likely, as in the belief about any legal deck.
    piles = [card.kind for card in pool.cards if card.type != "commandment" for _ in range(pool.copies)]
    rng.shuffle(piles)
    commandments = [card.id for card in pool.cards if card.type == "commandment"]
    counts = Counter(pool.cards[kind].id for kind in piles[:size])
    return Deck("Random deck", {**counts, commandments[int(rng.below(len(commandments)))]: 1})


# ---- for tools -----------------------------------------------------------------------------------------------------


class GeneralsDecks(Decks):
    """The decks of a pool, optionally with other bounds of their size for tests."""

    curve_title = "RESOURCE cards by cost"

    def __init__(self, pool: Pool, qun_counts: bool = True, least: int | None = None, most: int | None = None) -> None:
        self.pool = pool
        self.qun_counts = qun_counts
        self.least = least
        self.most = most
        self.opening = pool.opening

    def cards(self) -> list[DeckCard]:
        order = sorted(self.pool.cards, key=lambda card: (TYPES.index(card.type), card.kind))
        return [self._shown(card) for card in order]

    def _shown(self, card: Card) -> DeckCard:
        faction = self.pool.faction(card.faction)
        commandment = card.type == "commandment"
        facts = [("Might", str(card.might)), ("Wits", str(card.wits))] if card.type == "character" else []
        if card.type == "character" and card.upkeep != 1:
            facts.append(("Upkeep", str(card.upkeep)))
        if card.subtypes:
            facts.append(("Kind", ", ".join(card.subtypes)))
        return DeckCard(
            card.id,
            card.slug,
            card.name,
            GROUPS[card.type],
            faction.slug,
            faction.name,
            faction.colour,
            faction.pattern,
            faction.glyph,
            None if commandment else card.cost,
            "" if commandment else cost_text(card),
            tuple(facts),
            card.text,
            1 if commandment else self.pool.copies,
        )

    def ready(self) -> list[Deck]:
        return self.pool.decks

    def lot(self, rng: Rng) -> Deck:
        return random_deck(self.pool, rng)

    def check(self, deck: Deck) -> list[str]:
        return check_deck(self.pool, deck, self.least, self.most)

    def announced(self, deck: Deck) -> Sequence[str]:
        return announce_deck(self.pool, deck).factions

    def figures(self, deck: Deck) -> Figures:
        kinds = self.pool.resource(deck)
        names = [self.pool.faction(code).name for code in list_counted_factions(self.pool, deck, self.qun_counts)]
        commandment = self.pool.commandment(deck)
        groups = Counter(self.pool.cards[kind].type for kind in kinds)
        bars = count_costs(self.pool, deck)
        return Figures(
            len(kinds),
            [
                ("Cards in RESOURCE", str(len(kinds))),
                ("Commandment", self.pool.cards[commandment].name if commandment >= 0 else "none"),
                ("Factions", ", ".join(names) or "none"),
                ("Hand limit", str(find_hand_limit(self.pool, deck, self.qun_counts))),
            ],
            [(GROUPS[type], groups[type]) for type in TYPES if type != "commandment"],
            [(f"{cost}{' or more' if cost == TOP_COST else ''}", count) for cost, count in enumerate(bars)],
        )

    def pile(self, deck: Deck) -> list[str]:
        return [self.pool.cards[kind].id for kind in self.pool.resource(deck)]

    def drawn(self, turn: int, first: bool) -> int:
        return count_drawn(self.pool, turn, first)

    # ---- files and codes ---------------------------------------------------------------------------------------------

    def number(self, id: str) -> int:
        # It follows from the id alone, so it stays when the pool changes.
        return (ord(id[0]) - ord("A")) * 100 + int(id[1:])

    def describe_number(self, number: int) -> str:
        return f"{chr(ord('A') + number // 100)}{number % 100:02}"

    def named(self, deck: Deck) -> str:
        return self.text(deck) if deck.name and not deck.slug else self.word(deck)


def cost_text(card: Card) -> str:
    """Return the price of a card in words: `2`, `1 general`, `1 and 2 RESOURCE`."""
    parts = [str(n) if what == "hand" else f"{n} {PAID[what]}" for what, n in card.pay.items()]
    return " and ".join(parts) or "0"
