"""Cards as ints."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gonfalon.core.basics.cards import FLAG, HIDDEN, KIND, SEEN, SEEN_BY_ANY, blank, by_card, counts, kinds, take

cards = st.builds(
    lambda kind, seen, flags: kind | seen << 10 | flags << 18,
    st.integers(0, 1022),
    st.integers(0, 255),
    st.integers(0, 3),
)
zones = st.lists(cards, max_size=12)


def test_parts_do_not_overlap() -> None:
    assert KIND & SEEN_BY_ANY == 0
    assert (KIND | SEEN_BY_ANY) & FLAG == 0
    assert sum(SEEN) == SEEN_BY_ANY
    assert HIDDEN == KIND


@given(zones, st.integers(0, 7))
def test_blank_hides_unseen_cards_and_keeps_the_rest(zone: list[int], seat: int) -> None:
    before = zone[:]
    blank(zone, SEEN[seat])
    for old, new in zip(before, zone, strict=True):
        assert new & ~KIND == old & ~KIND
        assert new & KIND == (old & KIND if old & SEEN[seat] else HIDDEN)
    again = zone[:]
    blank(again, SEEN[seat])
    assert again == zone


@given(st.integers(1, 4), st.integers(1, 1022), st.data())
def test_by_card_gives_a_card_the_values_of_its_kind(seats: int, count: int, data: st.DataObject) -> None:
    kind = data.draw(st.integers(0, count - 1))
    seen = data.draw(st.integers(0, 2**seats - 1)) << 10
    table = by_card([f"kind {i}" for i in range(count)], seats)
    assert table[kind | seen] == f"kind {kind}"
    assert (HIDDEN | seen) >= len(table) or table[HIDDEN | seen] is None


@given(zones.filter(bool), st.data())
def test_take_takes_one_of_the_kind(zone: list[int], data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(zone)) & KIND
    before = zone[:]
    card = take(zone, kind)
    assert card & KIND == kind
    assert card == max(c for c in before if c & KIND == kind)
    assert sorted([*zone, card]) == sorted(before)


@given(zones)
def test_kinds_are_sorted_and_unique(zone: list[int]) -> None:
    assert kinds(zone) == sorted({card & KIND for card in zone})


@given(zones)
def test_cards_are_counted_kind_by_kind(zone: list[int]) -> None:
    bare = [card & KIND for card in zone]
    assert counts(zone) == [bare.count(kind) for kind in sorted(set(bare))]
