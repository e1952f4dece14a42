"""Decks of Generals: what is wrong with one, its factions and hand limit."""

from __future__ import annotations

from gonfalon.games.generals.pool import Deck, Pool


def factions(pool: Pool, deck: Deck) -> list[str]:
    """The faction marks of the deck's RESOURCE cards, in the pool's order; the Commandment's is none (ruling 58)."""
    marks = {card.faction for card in pool.cards if card.type != "commandment" and deck.counts.get(card.id)}
    return [faction.code for faction in pool.factions if faction.code in marks]


def hand_limit(pool: Pool, deck: Deck, qun_counts: bool = True) -> int:
    """10, 8 or 6 cards with 1, 2, 3 or more factions; without any it is as with one (rulings 56 to 58)."""
    counted = [code for code in factions(pool, deck) if pool.faction(code).counts and (qun_counts or code != "QUN")]
    return pool.hands[min(max(len(counted), 1), len(pool.hands)) - 1]


def check(pool: Pool, deck: Deck, least: int | None = None, most: int | None = None) -> list[str]:
    """All that is wrong with a deck, as sentences; none when it may be played (ruling 59)."""
    low = pool.deck_least if least is None else least
    high = pool.deck_most if most is None else most
    faults = [f"There is no card {id}." for id in deck.counts if id not in pool.by_id]
    cards = [(card, deck.counts[card.id]) for card in pool.cards if deck.counts.get(card.id, 0) > 0]
    size = sum(count for card, count in cards if card.type != "commandment")
    if not low <= size <= high:
        faults.append(f"The deck has {size} cards; {low} to {high} are allowed beside the Commandment (ruling 59).")
    faults += [
        f"{count} copies of {card.name}; at most {pool.copies} are allowed (ruling 59)."
        for card, count in cards
        if count > pool.copies and card.type != "commandment"
    ]
    commandments = [card.name for card, count in cards if card.type == "commandment" for _ in range(count)]
    if not commandments:
        faults.append("The Commandment is missing (ruling 59).")
    elif len(commandments) > 1:
        faults.append(f"Exactly one Commandment is allowed, not {', '.join(commandments)} (ruling 59).")
    return faults
