"""Everything that the core sends to one viewer, and deep comparisons of states."""

from __future__ import annotations

import contextlib
import json
import types
from collections.abc import Sequence
from weakref import WeakKeyDictionary

from gonfalon.check.tensors import build_layout, build_tensor
from gonfalon.core.basics.cards import FLAG, HIDDEN, KIND, SEEN, SEEN_BY_ANY
from gonfalon.core.rules.game import Game, names_for
from gonfalon.core.rules.log import list_lines
from gonfalon.core.rules.state import EVERYBODY, OPEN, SPECTATOR, Action, Card, Event, Seat, State, Step

ATOMS = (int, float, str, bytes, bool, type(None))
"""Types that are compared by value."""
CODE = (type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType, types.MethodType)
"""Types whose objects are code, and never data of a game."""
OPAQUE = (Game, *CODE)
"""Types that `take_snapshot` never enters."""
PLAIN = (State, Step, list, tuple, dict, set, frozenset)
"""Types that a shallow `take_snapshot` enters."""
SLOTS = (types.MemberDescriptorType, types.GetSetDescriptorType)
"""Types of the descriptors behind attributes without a `__dict__`, those of compiled classes included."""


def list_viewers(game: Game) -> list[int]:
    """Return every seat, and the spectator."""
    return [*range(game.seats), SPECTATOR]


def list_all_viewers(game: Game) -> list[int]:
    """Return all viewers of a table: every seat, the spectator and the open viewer."""
    return [*list_viewers(game), OPEN]


def compute_needed_bits(game: Game, viewer: int) -> int:
    """Return the seen bits that a card needs for the viewer to know it, computed without the core's own function."""
    return 1 << (10 + viewer) if viewer >= 0 else sum(1 << (10 + seat) for seat in range(game.seats))


def name_viewer(viewer: int) -> str:
    """Return the name of a viewer for messages."""
    return {SPECTATOR: "the spectator", OPEN: "the open viewer"}.get(viewer, f"seat {viewer}")


def name_card(game: Game, card: Card) -> str:
    """Return the name of a card."""
    return "a hidden card" if card & KIND == HIDDEN else game.kind_name(card & KIND)


def describe_event(game: Game, event: Event) -> str:
    """Return a description of an event: its sentence, if the game has one, and its fields."""
    code, audience, seat, card, a, b = event
    names = game.seat_names()
    sentence = ""
    with contextlib.suppress(Exception):  # an event that breaks a law may break its sentence
        sentence = game.words(event, game.start(), names)
    said = f"the event {sentence!r}" if sentence else "an event"
    to = (
        ""
        if audience == EVERYBODY
        else f", for {' and '.join(name_viewer(s) for s in range(game.seats) if audience >> s & 1)}"
    )
    of = name_viewer(seat) if seat >= 0 else "no seat"
    return f"{said} (code {code}, {of}, {name_card(game, card)}, a={a}, b={b}{to})"


def describe_events(game: Game, one: Sequence[Event], other: Sequence[Event], at: int) -> str:
    """Return descriptions of the events at one place of two logs."""
    told = [describe_event(game, log[at]) if at < len(log) else "nothing" for log in (one, other)]
    return f"{told[0]} against {told[1]}"


def list_zones(state: State) -> list[list[Card]]:
    """Return all zones, ordered ones first."""
    return [*state.ordered_zones(), *state.unordered_zones()]


def make_deal_key(state: State) -> tuple[tuple[int, ...], ...]:
    """Return the kinds in each zone as a key. Zones without order are sorted, so that equal deals have equal keys."""
    ordered = [tuple(card & KIND for card in zone) for zone in state.ordered_zones()]
    sets = [tuple(sorted(card & KIND for card in zone)) for zone in state.unordered_zones()]
    return (*ordered, *sets)


def collect_texts(game: Game, view: State, others: list[tuple[Seat, Action]] | None = None) -> dict[str, str]:
    """Return everything that a viewer is sent, as text by topic.

    Args:
        game: The game of the view.
        view: A masked state.
        others: Actions that may be illegal, whose refusals are included.
    """
    viewer = view.viewer
    names = names_for(game, viewer)
    out: dict[str, str] = {"dump": json.dumps(view.dump()), "game": dump_public_data(game)}
    out["decisions"] = repr([(d.seat, d.prompt, d.actions) for d in view.decisions()])
    out["legal actions"] = repr([view.legal(seat) for seat in range(game.seats)])
    out["asked seats"] = repr(view.asked())
    out["tensor"] = repr(build_tensor(game, view))
    out["outcome"] = repr((view.over, view.outcome(), view.returns()))
    out["ending"] = game.ending(view, names)
    out["log"] = "\n".join(game.words(event, view, names) for event in view.log or [])
    out["log lines"] = repr(list(list_lines(game, view, names)))
    out["prompt"] = game.prompt(view, names)
    if viewer >= 0:
        out["described actions"] = "\n".join(game.describe(view, action) for action in view.legal(viewer))
    for what, make in (("board", game.board), ("controls", game.controls)):
        try:
            out[what] = json.dumps(make(view))
        except NotImplementedError:
            continue
    with contextlib.suppress(NotImplementedError):
        out["text"] = game.text(view, names)
    if others:
        out["refusals"] = "\n".join(repr(view.why_not(seat, action)) for seat, action in others)
    return out


_PUBLIC_DATA: WeakKeyDictionary[Game, str] = WeakKeyDictionary()
"""Cache of `dump_public_data`."""


def dump_public_data(game: Game) -> str:
    """Return everything that a game shows to all viewers in any position, such as options, cards and actions."""
    if game not in _PUBLIC_DATA:
        layout = build_layout(game)
        shown: list[object] = [game.without_secrets().shown_options(), game.seat_names(), game.bound, game.data_hash]
        shown += [game.all_cards(), game.all_actions(), game.all_chances(), layout.table(), layout.size]
        _PUBLIC_DATA[game] = json.dumps(shown)
    return _PUBLIC_DATA[game]


def find_text_difference(a: dict[str, str], b: dict[str, str]) -> str:
    """Return the first topic whose texts differ, with an excerpt of both; empty if all are equal."""
    for what in a:
        if a[what] != b.get(what):
            return f"{what}: {excerpt_difference(a[what], b.get(what, ''))}"
    return ""


def excerpt_difference(a: str, b: str) -> str:
    """Return excerpts of two texts around the place where they first differ."""
    at = 0
    while at < min(len(a), len(b)) and a[at] == b[at]:
        at += 1
    start = max(0, at - 30)
    return f"{a[start : at + 30]!r} against {b[start : at + 30]!r}"


def describe_difference(game: Game, a: State, b: State) -> str:
    """Return the first difference of two views: a card in words, or the path to another field."""
    for zone, other in zip(list_zones(a), list_zones(b), strict=True):
        for place, (one, two) in enumerate(zip(zone, other, strict=False), start=1):
            if one != two:
                said, instead = describe_card(game, one, two), describe_card(game, two, one)
                return f"card {place} of {name_zone(a, zone)} ({said} in one game, {instead} in the other)"
    return find_difference(a, b) or excerpt_difference(repr(a.dump()), repr(b.dump()))


def describe_card(game: Game, card: Card, other: Card) -> str:
    """Return what distinguishes a card from another one: its name, the seats that have seen it, or its flags."""
    if (card ^ other) & KIND:
        return name_card(game, card)
    if not (card ^ other) & SEEN_BY_ANY:
        return f"with the flags {card >> FLAG.bit_length() - 1:b}"
    seats = [name_viewer(seat) for seat in range(game.seats) if card & SEEN[seat]]
    return f"seen by {' and '.join(seats) or 'no seat'}{' only' if len(seats) == 1 else ''}"


def name_zone(state: State, zone: list[Card]) -> str:
    """Return the name of a zone for messages."""
    for name, value in read_attributes(state).items():
        if value is zone:
            return f"the zone {name}"
        if isinstance(value, list):
            for number, part in enumerate(value):
                if part is zone:
                    return f"seat {number}'s {name}" if len(value) == state.seats else f"{name}[{number}]"
    return "a zone"


def read_attributes(thing: object) -> dict[str, object]:
    """Return all attributes of an object, those in the slots of compiled classes included."""
    found: dict[str, object] = {}
    for cls in type(thing).__mro__:
        for name, slot in vars(cls).items():
            if isinstance(slot, SLOTS) and not name.startswith("__"):
                try:
                    found[name] = getattr(thing, name)
                except AttributeError:
                    continue
    found.update(getattr(thing, "__dict__", {}))
    return found


def find_difference(a: object, b: object, path: str = "", met: set[tuple[int, int]] | None = None) -> str:
    """Return the path to the first attribute or item in which two objects differ; empty if they are equal.

    The comparison enters fields that a dump may lack, and the games and tables behind a view. Shared objects are equal.

    Args:
        a: The first object.
        b: The second object.
        path: The path to both, for recursion.
        met: Pairs of ids that have been compared, for recursion.
    """
    if a is b:
        return ""
    if type(a) is not type(b):
        return path or "type"
    if isinstance(a, ATOMS):
        return "" if a == b else path or "value"
    if isinstance(a, CODE):
        return ""
    met = met if met is not None else set()
    # States refer to their game and back, so the comparison must not follow a cycle.
    if (id(a), id(b)) in met:
        return ""
    met.add((id(a), id(b)))
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        if len(a) != len(b):
            return path or "length"
        pairs = [(f"{path}[{i}]", x, y) for i, (x, y) in enumerate(zip(a, b, strict=True))]
    elif isinstance(a, dict) and isinstance(b, dict):
        if list(a) != list(b):
            return path or "keys"
        pairs = [(f"{path}[{key!r}]", a[key], b[key]) for key in a]
    elif isinstance(a, (set, frozenset, bytearray)):
        return "" if a == b else path or "value"
    else:
        left, right = read_attributes(a), read_attributes(b)
        if list(left) != list(right):
            return path or "attributes"
        pairs = [(f"{path}.{name}" if path else name, left[name], right[name]) for name in left]
    for where, x, y in pairs:
        found = find_difference(x, y, where, met)
        if found:
            return found
    return ""


def take_snapshot(thing: object, deep: bool = True, met: set[int] | None = None) -> object:
    """Return an immutable picture of an object and all it refers to, for a comparison after later changes.

    Args:
        thing: The object.
        deep: Whether to enter objects that are neither states nor steps, such as a game's tables of cards.
        met: Ids of the objects around this one, for recursion.
    """
    if isinstance(thing, ATOMS):
        return thing
    if isinstance(thing, OPAQUE) or not (deep or isinstance(thing, PLAIN)):
        return id(thing)
    met = met if met is not None else set()
    if id(thing) in met:
        return "met"
    met.add(id(thing))
    if isinstance(thing, (list, tuple)):
        picture: object = tuple(take_snapshot(item, deep, met) for item in thing)
    elif isinstance(thing, dict):
        picture = tuple((key, take_snapshot(value, deep, met)) for key, value in thing.items())
    elif isinstance(thing, (set, frozenset)):
        picture = tuple(sorted(map(repr, thing)))
    else:
        picture = (
            type(thing).__name__,
            tuple((n, take_snapshot(v, deep, met)) for n, v in read_attributes(thing).items()),
        )
    # Only cycles are cut: the same object in another place is entered again.
    met.discard(id(thing))
    return picture
