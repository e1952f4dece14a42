"""What the abilities do, in our own words, with their icons and the rulings on them."""

from __future__ import annotations

from typing import Any, Final

ICONS: Final = {
    "restrict": "limits how it is played",
    "play": "happens when it is played",
    "trigger": "happens at a time of its own",
    "resolve": "happens in the Resolution phase",
    "protected": "Protected: other cards' effects pass it by",
}

ABILITIES: Final[dict[str, tuple[str, tuple[str, ...], tuple[int, ...]]]] = {
    "": ("", (), ()),
    "guardian-angel": ("Gets a Stay token: it remains on the board for the next round.", ("play",), (48, 52)),
    "explorer": ("You look at your next Location Card.", ("play",), (7, 53)),
    "dragoon": ("Location 2 becomes a Battle Location.", ("resolve",), (43, 44, 45)),
    "knight": ("Goes to Location {location} only.", ("restrict",), (54,)),
    "punisher": ("Its Location is not a Battle Location, whatever else says so.", ("resolve",), (34, 42, 43, 45)),
    "patriot": ("You turn up your Location Card for the rest of the round.", ("play",), (55,)),
    "master-of-fire": ("You lose 2 Morale.", ("play",), (49, 56)),
    "master-of-wind": ("Goes only to a Location without any card.", ("restrict",), (57,)),
    "master-of-earth": ("You gain 1 Morale for each point of Capacity still free here.", ("resolve",), (40, 58)),
    "conjurer": ("You play a card out of your discard pile.", ("play",), (12, 39, 59)),
    "storm-prodigy": ("Your opponent picks the Location it goes to.", ("restrict",), (11, 31, 60)),
    "good-for-something": ("You draw a card and then play one.", ("play",), (12, 39, 61)),
    "gangan": ("{gang}", ("play",), (22, 23, 62)),
    "medic": ("Up to 3 cards of your discard pile go under your draw pile.", ("play",), (63,)),
    "scrambler": ("{scrambler}", ("trigger",), (38, 64, 65, 66, 78, 79)),
    "trojan": ("One of your other cards in play goes under your draw pile: you draw a card.", ("play",), (67, 68)),
    "covert": ("Lies face down until the Resolution and counts 3 for Capacity.", ("restrict",), (19, 24, 26, 29, 69)),
    "saboteur": ("The top 2 cards of your opponent's draw pile are discarded.", ("play",), (30, 70)),
    "assassin": ("A random card of your opponent's hand is discarded.", ("play",), (35, 71)),
    "engineer": ("Goes only where all Strength then comes to 4 or less.", ("restrict",), (19, 72)),
    "tower": ("Needs more Engineers than Towers at its Location and may exceed its Capacity.", ("restrict",), (21, 73)),
    "support-tower": (
        "Needs more Engineers than Towers here, may exceed Capacity. You look at your top 3 cards and may put one of "
        "them under your draw pile.",
        ("restrict", "play"),
        (21, 36, 73, 74),
    ),
    "bomb-tower": (
        "Needs more Engineers than Towers here, may exceed Capacity. An enemy card here is discarded, then this card.",
        ("restrict", "play"),
        (21, 27, 73, 75, 76),
    ),
    "capacity": ("While it lies at a Location, the Capacity there is {by} {more}.", ("trigger",), (81,)),
    "rounds": ("The game lasts {by} {rounds} {longer}.", ("play",), (82,)),
}
"""ability -> (what it does, icons, rulings)"""
SCRAMBLER: Final = {
    "itself": "When your opponent plays a card here, this card moves to another Location, which you choose.",
    "played": "When your opponent plays a card here, that card moves to another Location, which you choose, unless it "
    "is Protected. This card stays.",
}
GANG: Final = {
    "tag": "Your Gang cards at other Locations come here.",
    "faction": "All your cards of this faction at other Locations come here.",
}
PROTECTED_RULINGS: Final = (30, 31, 32, 33)


def text(card: dict[str, Any], options: dict[str, Any]) -> str:
    """What a card's ability does, by the options of its game."""
    by = card.get("by", 0)
    return ABILITIES[card.get("ability", "")][0].format(
        location=card.get("location", ""),
        scrambler=SCRAMBLER[options["scrambler"]],
        gang=GANG[options["gang"]],
        by=abs(by),
        more="more" if by > 0 else "less",
        rounds="round" if abs(by) == 1 else "rounds",
        longer="longer" if by > 0 else "shorter",
    )
