"""Decks of Generals: what is wrong with one, what it amounts to, its file and its share code."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from math import comb
from typing import Final, NamedTuple

from gonfalon.core.basics.decks import Deck, DeckCard, DeckError, Decks, Figures
from gonfalon.core.basics.rng import Rng
from gonfalon.core.text.english import many
from gonfalon.core.text.untrusted import one_line, without_isolates
from gonfalon.games.generals.cards import sharecode
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
"""The curve's last bar is this and more."""
LINE: Final = re.compile(r"(?:(\d{1,4})\s*[x×]?\s+)?(\S.*)")
HEADING: Final = re.compile(r"\[?\s*([a-z ]*[a-z])\s*\]?\s*(?:\(\d+\)|\d+)?\s*:?(?:\s*\d+)?")
MAIN_HEADINGS: Final = {"about", "deck", "main", "main deck", "mainboard", "commander"}
"""Headings of deck files of other games, and of ours below: they say nothing about the cards under them."""
UNUSED_HEADINGS: Final = {"sideboard", "maybeboard", "companion"}
"""The cards under these are not part of a deck."""
NAME: Final = re.compile(r"\s*name\s*(?:(:)|(?=\s))(.*)", re.IGNORECASE)
"""`Name: ...`, and under the heading About `Name ...`."""
REMARK: Final = re.compile(r"(?:^|\s)#(?!\d).*|^\s*#.*|//.*")
"""The rest of a line from `#` or `//` on. A name may have a number with its sign in it: `The #1 Road`."""
PRINTING: Final = re.compile(r"\s+\([A-Za-z0-9]{2,6}\)(?:\s+\S+)?$")
"""Set and number behind a card, as other games' deck files have them."""
MAX_TEXT_LENGTH: Final = 50_000
MAX_NAME_LENGTH: Final = 60
PAID: Final = {"hand": "cards from hand", "resource": "RESOURCE", "sacrifice": "general"}


# ---- rules -------------------------------------------------------------------------------------------------------


def list_factions(pool: Pool, deck: Deck) -> list[str]:
    """The faction marks of the deck's RESOURCE cards, in the pool's order; the Commandment's is none of them
    (ruling 58)."""
    marks = {card.faction for card in pool.cards if card.type != "commandment" and deck.counts.get(card.id)}
    return [faction.code for faction in pool.factions if faction.code in marks]


def list_counted_factions(pool: Pool, deck: Deck, qun_counts: bool = True) -> list[str]:
    """The factions that are announced and count for the hand limit: the neutral mark does not (rulings 57 and 61)."""
    return [code for code in list_factions(pool, deck) if pool.faction(code).counts and (qun_counts or code != "QUN")]


def find_hand_limit(pool: Pool, deck: Deck, qun_counts: bool = True) -> int:
    """10, 8 or 6 cards with 1, 2, 3 or more factions; without any it is as with one (ruling 56)."""
    return limit_for(pool, len(list_counted_factions(pool, deck, qun_counts)))


def limit_for(pool: Pool, factions: int) -> int:
    """The hand limit with so many factions that count."""
    return pool.hands[min(max(factions, 1), len(pool.hands)) - 1]


# ---- what everybody knows of a deck --------------------------------------------------------------------------------


class Announcement(NamedTuple):
    """Before a card is seen: the factions that are announced (ruling 61), how many cards lie in RESOURCE, which can be
    counted, and the Commandment, which is face up (ruling 60)."""

    factions: tuple[str, ...]
    """Codes, in the pool's order; the neutral mark is none of them."""
    cards: int
    commandment: int
    """Its kind."""


def announce_deck(pool: Pool, deck: Deck) -> Announcement:
    """What everybody knows of a deck."""
    marks = tuple(code for code in list_factions(pool, deck) if pool.faction(code).counts)
    return Announcement(marks, len(pool.resource(deck)), pool.commandment(deck))


def read_announcement(pool: Pool, told: Table) -> Announcement:
    """The same from the form in which the game's option `announced` has it. Raises DeckError."""
    try:
        marks, cards, commandment = tuple(told["factions"]), told["cards"], pool.by_slug[told["commandment"]]
    except (TypeError, KeyError):
        raise DeckError("This does not tell the factions, the number of cards and the Commandment of a deck.") from None
    known = [faction.code for faction in pool.factions if faction.counts]
    if not set(marks) <= set(known) or type(cards) is not int or commandment.type != "commandment":
        raise DeckError("This tells of factions, cards or a Commandment that there are not.")
    return Announcement(marks, cards, commandment.kind)


def write_announcement(pool: Pool, known: Announcement) -> Table:
    """That form."""
    return {
        "factions": list(known.factions),
        "cards": known.cards,
        "commandment": pool.cards[known.commandment].slug,
    }


def make_prior(pool: Pool, known: Announcement) -> Prior:
    """What is thought of a list of which only this is known. Raises DeckError when there is no such list."""
    marks_there = {faction.code for faction in pool.factions if not faction.counts} | set(known.factions)
    kinds = [card.kind for card in pool.cards if card.type != "commandment" and card.faction in marks_there]
    marks = [[kind for kind in kinds if pool.cards[kind].faction == code] for code in known.factions]
    ready = [pool.resource(deck) for deck in pool.decks if announce_deck(pool, deck) == known]
    found = Prior(kinds, pool.copies, known.cards, known.commandment, marks, ready)
    if found.covered <= 0.0 or not max(1, len(marks)) <= known.cards <= len(kinds) * pool.copies:
        raise DeckError("No deck has so many cards of just these factions.")
    return found


def check_deck(pool: Pool, deck: Deck, least: int | None = None, most: int | None = None) -> list[str]:
    """All that forbids to play with a deck, as sentences; none when it is legal (ruling 59).

    `least` and `most` are other bounds of its size, for tests.
    """
    low = pool.deck_least if least is None else least
    high = pool.deck_most if most is None else most
    faults = [f"There is no card {id}." for id in sorted(deck.counts) if id not in pool.by_id]
    cards = [(card, deck.counts[card.id]) for card in pool.cards if deck.counts.get(card.id, 0) > 0]
    size = sum(count for card, count in cards if card.type != "commandment")
    if not low <= size <= high:
        what = "too few" if size < low else "too many"
        bounds = f"{low} to {high}" if low < high else str(low)
        faults.append(f"{many(size, 'card')} in RESOURCE are {what}: it takes {bounds} (ruling 59).")
    faults += [
        f"{count} copies of {card.name} are too many: at most {pool.copies} may have one name (ruling 59)."
        for card, count in cards
        if count > pool.copies and card.type != "commandment"
    ]
    commandments = [card.name for card, count in cards if card.type == "commandment" for _ in range(count)]
    if not commandments:
        faults.append("There is no Commandment: it takes exactly one (ruling 59).")
    elif len(commandments) > 1:
        faults.append(f"{' and '.join(commandments)} are too many Commandments: it takes exactly one (ruling 59).")
    return faults


def count_costs(pool: Pool, deck: Deck) -> list[int]:
    """How many RESOURCE cards cost 0, 1, 2 ... cards from hand; the last number is for that cost and all above."""
    bars = [0] * (TOP_COST + 1)
    for kind in pool.resource(deck):
        bars[min(pool.cards[kind].cost, TOP_COST)] += 1
    return bars


def count_drawn(pool: Pool, turn: int, first: bool) -> int:
    """How many cards a player has drawn in their turn of this number, counted from 1, without what effects draw; the
    first player skips their first draw (ruling 50)."""
    return pool.opening + max(turn, 0) - int(first and turn > 0)


def chance_to_draw(pool: Pool, deck: Deck, id: str, turn: int, first: bool = False) -> float:
    """How likely at least one copy of a card is among the cards drawn by then."""
    size = len(pool.resource(deck))
    copies = deck.counts.get(id, 0)
    if not copies or pool.by_id[id].type == "commandment":
        return 0.0
    cards = min(count_drawn(pool, turn, first), size)
    return 1 - comb(size - copies, cards) / comb(size, cards)


def heading_of(line: str) -> str:
    """Return the heading of a section that a line of a deck file is, in small letters; empty if it is none."""
    found = HEADING.fullmatch(line.lower())
    known = MAIN_HEADINGS | UNUSED_HEADINGS | set(GROUPS) | {group.lower() for group in GROUPS.values()}
    return found[1] if found and found[1] in known else ""


def random_deck(pool: Pool, rng: Rng, size: int = 0) -> Deck:
    """A legal deck of any cards; its size is drawn too where none is given. For tests and tools."""
    size = size or pool.deck_least + int(rng.below(pool.deck_most - pool.deck_least + 1))
    piles = [card.kind for card in pool.cards if card.type != "commandment" for _ in range(pool.copies)]
    rng.shuffle(piles)
    commandments = [card.id for card in pool.cards if card.type == "commandment"]
    counts = Counter(pool.cards[kind].id for kind in piles[:size])
    return Deck("Drawn by lot", {**counts, commandments[int(rng.below(len(commandments)))]: 1})


# ---- for tools -----------------------------------------------------------------------------------------------------


class GeneralsDecks(Decks):
    """The decks of a pool, with other bounds of their size for tests."""

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

    def chance(self, deck: Deck, id: str, turn: int, first: bool) -> float:
        return chance_to_draw(self.pool, deck, id, turn, first)

    # ---- files and codes ---------------------------------------------------------------------------------------------

    def parse(self, text: str) -> tuple[Deck, list[str]]:
        name, heading, counts, faults = "", "", Counter[str](), []
        for number, raw in enumerate(text[:MAX_TEXT_LENGTH].removeprefix("\N{BYTE ORDER MARK}").splitlines(), 1):
            plain = REMARK.sub("", raw)
            found = NAME.fullmatch(plain)
            if found and (found[1] or heading == "about"):
                name = one_line(without_isolates(found[2]))[:MAX_NAME_LENGTH].strip()
                continue
            line = " ".join(plain.split())
            match = LINE.fullmatch(line)
            if match is None:
                continue
            if self.pool.find(line) is None and (title := heading_of(line)):
                heading = title
                continue
            if heading in UNUSED_HEADINGS:
                faults.append(f"Line {number}: Generals has no {heading}; take {match.group(2)[:60]!r} out.")
                continue
            key, colon, value = line.partition(":")
            commandment = bool(colon) and key.lower() == "commandment"
            count = 1 if commandment else int(match.group(1) or 1)
            word = value.strip() if commandment else match.group(2)
            card = self.pool.find(word) or self.pool.find(PRINTING.sub("", word))
            if card is None:
                faults.append(f"Line {number}: {self._no_card(word, commandment)}")
            elif commandment and card.type != "commandment":
                faults.append(f"Line {number}: {card.name} is no Commandment.")
            elif not 1 <= count <= sharecode.MAX_COPIES:
                faults.append(f"Line {number}: {count} is no number of copies.")
            else:
                counts[card.id] = min(counts[card.id] + count, sharecode.MAX_COPIES)
        if len(text) > MAX_TEXT_LENGTH:
            faults.append(f"The file is longer than {MAX_TEXT_LENGTH} characters; the rest was not read.")
        return Deck(name, dict(counts)), faults

    def _no_card(self, word: str, commandment: bool) -> str:
        """That there is no such card, with the nearest one there is."""
        cards = [card for card in self.pool.cards if card.type == "commandment" or not commandment]
        names = {card.name.lower(): card.name for card in cards}
        near = difflib.get_close_matches(word.lower(), sorted(names), 1)
        hint = f"; did you mean {names[near[0]]}?" if near else "."
        return f"There is no {'Commandment' if commandment else 'card'} {word[:60]!r}{hint}"

    def text(self, deck: Deck) -> str:
        figures = self.figures(deck)
        facts = dict(figures.facts)
        lines = [f"# {figures.size} cards; factions: {facts['Factions']}; hand limit {facts['Hand limit']}"]
        lines += [f"# {fault}" for fault in self.check(deck)]
        if deck.name:
            lines.append(f"Name: {deck.name}")
        for card in self.pool.cards:
            if card.type == "commandment":
                lines += [f"Commandment: {card.name}"] * deck.counts.get(card.id, 0)
        for type, group in GROUPS.items():
            cards = [card for card in self.pool.cards if card.type == type and deck.counts.get(card.id, 0)]
            if cards and type != "commandment":
                lines += ["", f"# {group}: {sum(deck.counts[card.id] for card in cards)}"]
                lines += [f"{deck.counts[card.id]} {card.name}" for card in cards]
        return "\n".join(lines) + "\n"

    def code(self, deck: Deck) -> str:
        return sharecode.encode({_encode_id(id): count for id, count in deck.counts.items() if count > 0})

    def named(self, deck: Deck) -> str:
        return self.text(deck) if deck.name and not deck.slug else self.word(deck)

    def decode(self, code: str) -> Deck:
        cards = sharecode.decode(code)
        deck = Deck("", {_decode_id(number): count for number, count in cards.items()})
        unknown = [id for id in deck.counts if id not in self.pool.by_id]
        if unknown:
            raise DeckError(f"The share code names cards that are not in this pool: {', '.join(unknown)}.")
        return deck


def cost_text(card: Card) -> str:
    """What playing a card costs, in words: `2`, `1 general`, `1 and 2 RESOURCE`."""
    parts = [str(n) if what == "hand" else f"{n} {PAID[what]}" for what, n in card.pay.items()]
    return " and ".join(parts) or "0"


def _encode_id(id: str) -> int:
    """A card's number in share codes, from its id alone: it stays when the pool changes."""
    return (ord(id[0]) - ord("A")) * 100 + int(id[1:])


def _decode_id(number: int) -> str:
    return f"{chr(ord('A') + number // 100)}{number % 100:02}"
