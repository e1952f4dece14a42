"""A deck as a short text for links and messages.

A code uses the letters and digits of Crockford's base 32, so it may be read aloud, typed in capitals and split by
hyphens. It consists of the version, the cards, and six characters of the Bech32 checksum (BIP 173), which detects up to
four wrong characters and any swap of two neighbors.

The deck's name is not part of the code: equal cards have equal codes, and a code stays short enough to be read aloud.
Links and deck files carry names.

The cards are bits: the number of different cards, then for each card, ascending, its distance from the previous card
and its number of copies. Distances and large numbers are Exp-Golomb codes of order 1. Every deck has exactly one code.
"""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.errors import DeckError

VERSION: Final = 1
ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"
READ_AS: Final = str.maketrans("oil", "011", "- \t\r\n")
CHECKSUM_LENGTH: Final = 6
GENERATOR: Final = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)
MAX_COPIES: Final = 99
"""The maximum number of copies of a card that a code and a text can name. Such a deck may be illegal."""
COPIES_BITS: Final = 2
"""The bits of a number of copies: 1, 2 or 3; 0 announces a longer number."""
MAX_CARD: Final = 2600
MAX_CODE_LENGTH: Final = 2000


def encode(cards: dict[int, int]) -> str:
    """Return the share code of a deck.

    Args:
        cards: The number of copies (1 to 99) of each card number (0 to 2599).

    Raises:
        ValueError: A card or a number of copies is out of range.
    """
    bits = [*_encode_golomb(len(cards))]
    last = -1
    for card in sorted(cards):
        count = cards[card]
        if not (last < card < MAX_CARD and 1 <= count <= MAX_COPIES):
            raise ValueError(f"{count} of card {card} have no code")
        bits += _encode_golomb(card - last - 1)
        bits += (
            _encode_binary(count, COPIES_BITS)
            if count < 1 << COPIES_BITS
            else [0] * COPIES_BITS + _encode_golomb(count - (1 << COPIES_BITS))
        )
        last = card
    # A symbol has 5 bits; the rest of the last one is filled with zeros.
    bits += [0] * (-len(bits) % 5)
    symbols = [VERSION, *(int("".join(map(str, bits[i : i + 5])), 2) for i in range(0, len(bits), 5))]
    rest = _compute_remainder([*symbols, *[0] * CHECKSUM_LENGTH]) ^ 1
    symbols += [rest >> 5 * (CHECKSUM_LENGTH - 1 - i) & 31 for i in range(CHECKSUM_LENGTH)]
    return "".join(ALPHABET[symbol] for symbol in symbols)


def decode(code: str) -> dict[int, int]:
    """Return the number of copies of each card number in a share code.

    Raises:
        DeckError: The code has a typing error, an unknown version or no meaning.
    """
    text = code[:MAX_CODE_LENGTH].lower().translate(READ_AS)
    wrong = [letter for letter in text if letter not in ALPHABET]
    if wrong:
        raise DeckError(f"A share code cannot contain the character {wrong[0]!r}.")
    if len(text) < 2 + CHECKSUM_LENGTH:
        raise DeckError("The share code is too short; its end may be missing.")
    # READ_AS has replaced letters that look like digits, as Crockford defines.
    symbols = [ALPHABET.index(letter) for letter in text]
    if _compute_remainder(symbols) != 1:
        raise DeckError("The share code has a typing error: its checksum does not match.")
    if symbols[0] != VERSION:
        raise DeckError(f"The share code has version {symbols[0]}; this program reads version {VERSION}.")
    bits = _Bits([symbol >> 4 - i & 1 for symbol in symbols[1:-CHECKSUM_LENGTH] for i in range(5)])
    cards: dict[int, int] = {}
    card = -1
    for _ in range(bits.golomb()):
        card += bits.golomb() + 1
        count = bits.binary(COPIES_BITS)
        if not count:
            count = bits.golomb() + (1 << COPIES_BITS)
        if card >= MAX_CARD or count > MAX_COPIES:
            raise bits.nonsense()
        cards[card] = count
    # Other fillings would give one deck several codes.
    if len(bits.left()) >= 5 or any(bits.left()):
        raise bits.nonsense()
    return cards


class _Bits:
    """A reader of bits from front to back."""

    def __init__(self, bits: list[int]) -> None:
        self.bits = bits
        self.at = 0

    def nonsense(self) -> DeckError:
        return DeckError("The checksum of the share code is right, but its contents are not a deck.")

    def left(self) -> list[int]:
        return self.bits[self.at :]

    def binary(self, width: int) -> int:
        if width > len(self.bits) - self.at:
            raise self.nonsense()
        value = 0
        for bit in self.bits[self.at : self.at + width]:
            value = value << 1 | bit
        self.at += width
        return value

    def golomb(self) -> int:
        width = 1
        while not self.binary(1):
            width += 1
        return (1 << width | self.binary(width)) - 2


def _encode_binary(value: int, width: int) -> list[int]:
    return [value >> width - 1 - i & 1 for i in range(width)]


def _encode_golomb(value: int) -> list[int]:
    """Return the Exp-Golomb code of order 1: 0 and 1 take two bits, 2 to 5 four, 6 to 13 six."""
    width = (value + 2).bit_length() - 1
    return [0] * (width - 1) + [1] + _encode_binary(value + 2 - (1 << width), width)


def _compute_remainder(symbols: list[int]) -> int:
    """Return the remainder of the division by Bech32's generator polynomial."""
    rest = 1
    for symbol in symbols:
        top = rest >> 25
        rest = (rest & 0x1FFFFFF) << 5 ^ symbol
        for i in range(5):
            if top >> i & 1:
                rest ^= GENERATOR[i]
    return rest
