"""What the board and the controls of Generals hold, for pages, terminals and programs."""

from __future__ import annotations

from typing import NotRequired, Required, TypedDict

from gonfalon.core.rules.page import Choice, GameEnd


class Part(TypedDict):
    """What changes a number, and by how much."""

    what: str
    by: int


class Cost(TypedDict):
    """What a card costs now: its `parts` change what is printed."""

    printed: int
    now: int
    parts: list[Part]
    resource: int
    sacrifice: int
    text: str


class Printed(TypedDict, total=False):
    """What is printed on a card, and where it comes from."""

    id: str
    slug: str
    name: str
    type: str
    subtypes: list[str]
    faction: str
    faction_name: str
    colour: str
    glyph: str
    pattern: str
    cost: int | None
    cost_text: str
    might: int | None
    wits: int | None
    upkeep: int | None
    actives: list[str]
    text: str
    story: str
    rulings: list[int]
    provenance: dict[str, str]


class Face(Printed, total=False):
    """A card that lies somewhere. Of one whose `back` is seen nothing printed is told."""

    back: Required[bool]
    owner: Required[int]
    dom: Required[str]
    price: Cost
    dead: bool
    """Whether a general of the hand can never be recruited."""


class Gear(Face):
    """Equipment that a general bears."""

    part: str
    marks: int


class Now(TypedDict):
    """The numbers of a general as they are."""

    might: int
    wits: int
    upkeep: int


class Unit(Face):
    """A general in play. Its `id` is the one of the notation."""

    card_id: str
    seat: int
    zone: int
    place: str
    now: Now
    gear: list[Gear]
    marks: int
    new: bool
    moved: bool
    attacked: bool
    used: bool
    again: bool
    held: bool
    rules: list[str]
    can_act: bool
    note: str
    """What they did in the turn of now, or in the enemy's of before."""


class Banner(TypedDict):
    """A faction."""

    slug: str
    name: str
    colour: str
    glyph: str
    pattern: str
    style: NotRequired[str]


class Counted(TypedDict):
    """A card of a deck list."""

    slug: str
    name: str
    count: int


class Upkeep(TypedDict):
    """What a seat would pay now; `turns` until RESOURCE is gone, if nothing changes."""

    due: int
    resource: int
    short: int
    generals: int
    change: int
    turns: int


class SeatBoard(TypedDict):
    """What lies on a seat's side."""

    seat: int
    deck: str
    list: list[Counted] | None
    seen: list[Counted]
    factions: list[Banner]
    hand_limit: int
    resource: int
    discard: int
    hand: list[Face]
    hand_count: int
    known_resource: list[Face]
    casualty: list[Face]
    out: list[Face]
    flight: list[Face]
    commandment: Face
    units: list[Unit]
    upkeep: Upkeep
    threat: int
    warnings: list[str]
    blockers_needed: int
    blockers: int
    to_act: bool


class ZoneBoard(TypedDict):
    """A zone with the generals of both sides in it."""

    zone: int
    place: str
    name: str
    sides: list[list[str]]


class Preview(TypedDict, total=False):
    """A melee or a Siege as it would end now; of a melee that is answered also what `follows`."""

    text: Required[str]
    follows: str
    attacker: int
    defender: int
    result: str
    amount: int
    resource: int
    wins: bool


class Done(TypedDict):
    """Something a seat did in the turn of now or of before: which general, and in a word and a number what. `bad` says
    that it cost the other seat something."""

    icon: str
    who: str
    word: str
    score: str
    bad: bool
    unit: str | None


class Fight(TypedDict):
    """A melee or a Siege: the attacker, in a melee also the attacked; their Might, or how much RESOURCE it cost; who
    was beaten. `n` is its place in the log."""

    n: int
    seat: int
    units: list[str]
    names: list[str]
    score: list[int]
    beaten: list[str]


class Declared(TypedDict):
    """The act that is being answered."""

    seat: int
    act: str
    text: str
    card: str | None
    unit: str | None
    targets: list[str]
    preview: Preview | None


Lasting = TypedDict("Lasting", {"seat": int, "from": str, "unit": str | None, "text": str, "turns": int})
"""A temporary effect."""


class Board(TypedDict):
    """All that lies on the table, as a viewer may know it."""

    viewer: int
    me: int | None
    turn: int
    active: int
    first: int
    phase: str
    asked: str
    seats: list[SeatBoard]
    zones: list[ZoneBoard]
    act: Declared | None
    done: list[Done]
    """What the viewer's enemy did in their latest turn, in its order."""
    fights: list[Fight]
    """The melees and Sieges of the turn of now and of the one before, in their order."""
    lasting: list[Lasting]
    paying: int
    outcome: GameEnd | None


class Aim(TypedDict):
    """A general or a zone that may be chosen for a draft: the zone it is in, as the seat calls it, the ways (`Way.at`)
    in which it may be chosen, and those in which it goes without saying."""

    id: str
    text: str
    zone: int
    of: list[str]
    fixed: list[str]


class Way(TypedDict):
    """A way to play a card or to use an effect: who executes or bears it, where it goes, or which effect it is (`at`,
    "" for none of these), and how many of the draft's aims are chosen then, all in `one_zone` perhaps."""

    at: str
    name: str
    text: str
    score: str
    least: int
    most: int
    one_zone: bool


class Draft(TypedDict):
    """What is laid out before a card or an effect is sent: `pays` cards of the hand are chosen to pay. `more` says that
    the rules ask on, for something that cannot be foreseen."""

    pays: int
    more: bool
    ways: list[Way]
    aims: list[Aim]


class CardControl(TypedDict):
    """A card of the hand: why it cannot be played (None where it can), whether it would do nothing, and its `use`: the
    lowest pay best. Where it can be played, `n` names it on the page, and `draft` is what there is to choose."""

    why: str | None
    cost: Cost
    idle: NotRequired[bool]
    use: NotRequired[int]
    n: NotRequired[str]
    draft: NotRequired[Draft]


class Reach(TypedDict):
    """What a card or general that has been taken up, `n`, would do to a zone or general."""

    n: str
    text: str
    score: str
    result: str


class Barred(TypedDict):
    """Why a general that has been taken up, `n`, cannot go to a zone."""

    n: str
    why: str


class ActControl(TypedDict):
    """Something a general could do."""

    id: str
    text: str
    preview: str | None
    why: str | None
    draft: Draft | None


class UnitControl(TypedDict):
    """A general that may act; `n` names it on the page, where there are not too many, `pays` the dearest effect."""

    n: str
    pays: int
    can: bool
    why: str | None
    acts: list[ActControl]


Controls = TypedDict(
    "Controls",
    {
        "mode": str | None,
        "choices": list[Choice],
        "cards": dict[str, CardControl],
        "units": dict[str, UnitControl],
        "act": str | None,
        "end": list[str] | None,
        "reach": dict[str, list[Reach]],
        "barred": dict[str, list[Barred]],
        "pass": NotRequired[bool],
    },
)
"""How a page asks the viewer's decision: `choices` are all legal actions. In the Main Phase `cards` tells for each card
of the hand its cost and why it cannot be played, `units` for each own general what it could do and why not the rest,
`end` what would lose the game; `reach` tells by zone and general what may be done there, `barred` by zone why not.
`act` is the general that is acting."""
