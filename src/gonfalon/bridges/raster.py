"""Pictures as arrays of pixels, for recordings of environments."""

from __future__ import annotations

import re
from typing import Final

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from gonfalon.core.rules.picture import BANNER, COLUMNS, INK, PAPER, Picture

WORD_PATTERN: Final = re.compile(r"\||[^\s|]\S*(?: [^\s|]\S*)*")
"""Words separated by single spaces, or a bar."""
CELL_SIZE: Final = (8, 20)
"""Width of a character and height of a line, in pixels."""
MARGIN: Final = 8
"""Margin in pixels."""
FONT: Final = ImageFont.load_default(14)
SIGN_REPLACEMENTS: Final = str.maketrans("≡‖◇▚■▒█░⚑▲●┊│─†×−", "=|o%###.*^o||-+x-")
"""Replacements of characters that the font lacks."""


def draw_pixels(picture: Picture, lines: int) -> npt.NDArray[np.uint8]:
    """Return a picture as an array of shape (height, width, 3).

    Args:
        picture: The picture.
        lines: The number of lines. Further lines are cut off, so that all frames of a recording have the same size.
    """
    wide, high = CELL_SIZE
    image = Image.new("RGB", (COLUMNS * wide + 2 * MARGIN, (lines + 1) * high + 4 * MARGIN), PAPER)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, image.width, high + 2 * MARGIN), fill=BANNER)
    draw.text((MARGIN, MARGIN), picture.head, fill=PAPER, font=FONT)
    for number, line in enumerate(picture.lines[:lines]):
        y = (number + 1) * high + 3 * MARGIN
        for span in line:
            if span.fill:
                x = MARGIN + span.column * wide
                box = (x - 3, y, x + draw.textlength(span.text, FONT) + 3, y + high - 2)
                draw.rounded_rectangle(box, radius=4, fill=span.fill)
            # The font is narrower than the grid, so each word is placed at its column.
            for piece in WORD_PATTERN.finditer(span.text):
                draw.text(
                    (MARGIN + (span.column + piece.start()) * wide, y),
                    piece[0].translate(SIGN_REPLACEMENTS),
                    fill=INK,
                    font=FONT,
                )
    return np.asarray(image)
