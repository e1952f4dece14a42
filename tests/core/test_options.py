"""The values that an option accepts."""

from __future__ import annotations

import pytest

from gonfalon import OptionError
from gonfalon.core.basics.options import Option

COPIES = Option("copies", 3, "Copies", "How many.", least=2, most=20)


@pytest.mark.parametrize(("value", "taken"), [(2, 2), ("20", 20), (" 7 ", 7)])
def test_a_number_within_its_bounds_is_taken(value: object, taken: int) -> None:
    assert COPIES.read(value) == taken


@pytest.mark.parametrize("value", [1, -3, 21, "10000000", "9" * 4000])
def test_a_number_out_of_bounds_is_refused_in_one_sentence(value: object) -> None:
    with pytest.raises(OptionError, match=r"^Option copies must be a number from 2 to 20, not -?\d{1,40}\.$"):
        COPIES.read(value)


@pytest.mark.parametrize("value", ["many", "2.5", None, "9" * 5000])
def test_non_numbers_are_refused(value: object) -> None:
    with pytest.raises(OptionError, match="must be a whole number"):
        COPIES.read(value)
