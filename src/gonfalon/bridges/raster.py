"""Pictures as arrays of pixels, for environments that are filmed."""

from __future__ import annotations

import re
from typing import Final

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from gonfalon.core.rules.picture import BANNER, COLUMNS, INK, PAPER, Picture

PIECE: Final = re.compile(r"\||[^\s|]\S*(?: [^\s|]\S*)*")
"""Words with single spaces between them, or a bar."""
CELL: Final = (8, 20)
"""The room for a character, and for a line."""
PAD: Final = 8
FONT: Final = ImageFont.load_default(14)
SIGNS: Final = str.maketrans("≡‖◇▚■▒█░⚑▲●┊│─†×−", "=|o%###.*^o||-+x-")
"""Signs that the font lacks, and those drawn in their place."""


def pixels(picture: Picture, lines: int) -> npt.NDArray[np.uint8]:
    """A picture as rows of red, green, blue, so high that `lines` lines have room; what is more is cut
    off, so that all frames of a film have one size."""
    wide, high = CELL
    image = Image.new("RGB", (COLUMNS * wide + 2 * PAD, (lines + 1) * high + 4 * PAD), PAPER)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, image.width, high + 2 * PAD), fill=BANNER)
    draw.text((PAD, PAD), picture.head, fill=PAPER, font=FONT)
    for number, line in enumerate(picture.lines[:lines]):
        y = (number + 1) * high + 3 * PAD
        for span in line:
            if span.fill:
                x = PAD + span.column * wide
                box = (x - 3, y, x + draw.textlength(span.text, FONT) + 3, y + high - 2)
                draw.rounded_rectangle(box, radius=4, fill=span.fill)
            # The font is narrower than the grid, so what stands in columns is put there piece by piece.
            for piece in PIECE.finditer(span.text):
                draw.text(
                    (PAD + (span.column + piece.start()) * wide, y), piece[0].translate(SIGNS), fill=INK, font=FONT
                )
    return np.asarray(image)
