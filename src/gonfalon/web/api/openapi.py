"""The description of the API (OpenAPI 3.1). Its schemas follow from the types of requests and responses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import UnionType
from typing import Annotated, Final, Literal, NamedTuple, NotRequired, TypedDict

from gonfalon.bots.players.thoughts import Thought
from gonfalon.core.rules.game import Game
from gonfalon.core.text.emotes import EMOTES
from gonfalon.table.game.entries import Ended
from gonfalon.table.links import LONGEST_NONCE, SHORTEST_NONCE
from gonfalon.table.live.views import Company, Moment, PaceShown, Result, View
from gonfalon.table.seats.emotes import PAUSE
from gonfalon.web.api.schema import Schema, Schemas, return_type

Json = Mapping[str, object]


class ShownOption(TypedDict):
    """An option of a game."""

    name: str
    label: str
    help: str
    default: object
    choices: Annotated[list[tuple[str | int, str]] | None, "Each a value and what it is called."]
    least: Annotated[int | None, "Of a number: the smallest it may be."]
    most: Annotated[int | None, "The largest."]


class ShownGame(TypedDict):
    """An installed game. The data of its lobby are added to these fields."""

    name: str
    title: str
    version: str
    seats: Annotated[str, "How many people play."]
    tagline: str
    options: list[ShownOption]
    guide: str | None


class Games(TypedDict):
    """The installed games, and the levels of bots."""

    games: list[ShownGame]
    bots: Annotated[list[str], "All levels; people are offered the numbered ones, without random and greedy."]


class Opening(TypedDict):
    """A table to open."""

    game: str
    options: NotRequired[Annotated[dict[str, object], "As /api/games lists them."]]
    hints: NotRequired[Annotated[bool, "Whether people may ask what a bot would do."]]
    clock: NotRequired[Annotated[PaceShown | None, "How much time everybody has; by default there is no clock."]]
    name: NotRequired[Annotated[str, "Your name at the table."]]
    ready: NotRequired[Annotated[bool, "Where others are invited: whether you are ready at once, as by default."]]
    proved: NotRequired[Annotated[bool, "Whether the deal is to be proved: see `share`."]]
    seats: NotRequired[Annotated[list[str], "For each seat me, open or bot:LEVEL; by default me and open ones."]]


class PlayingOn(TypedDict):
    """A position to play on from, and the opponent."""

    at: Annotated[int, "After how many decisions of the record."]
    seat: NotRequired[
        Annotated[int, "Whose view of that moment the new table begins with; by default that of the first `me`."]
    ]
    cards: NotRequired[
        Annotated[
            Literal["anew", "true"],
            "Whether what that seat could not know is dealt anew, as by default, or lies as it did.",
        ]
    ]
    hints: NotRequired[Annotated[bool, "Whether people may ask what a bot would do."]]
    name: NotRequired[Annotated[str, "Your name at the table."]]
    ready: NotRequired[Annotated[bool, "Where others are invited: whether you are ready at once, as by default."]]
    seats: NotRequired[Annotated[list[str], "For each seat me, open or bot:LEVEL; by default me and open ones."]]


class SeatTaken(TypedDict):
    """A seat that the client holds from now on."""

    seat: int
    token: str
    page: str


class NextSeat(SeatTaken):
    """A seat at the table of the rematch."""

    table: str


class OwnTable(TypedDict):
    """A table at which the bearer's token holds a seat."""

    table: str
    game: str
    seat: int
    page: str


class OwnTables(TypedDict):
    """The tables of a bearer's token."""

    tables: list[OwnTable]


class SeatOffered(TypedDict):
    """A free seat."""

    seat: int
    invitation: Annotated[str, "The token that takes this seat alone: the bearer's token of `seats`."]
    page: Annotated[str, "The same as a link for a person."]


class Opened(TypedDict):
    """A table that was opened."""

    table: str
    watch: str
    seats: list[SeatTaken]
    invitation: Annotated[str | None, "The token that takes any free seat: the bearer's token of `seats`."]
    invitations: Annotated[list[SeatOffered], "For each free seat the token and the link that take it alone."]


Brings = Annotated[
    str,
    "The faction or deck that you bring, as the option names it (`lot`: a ready-made deck by lot); by default what you "
    "brought to the game before, else any. Others learn the factions alone.",
]


class BeingReady(TypedDict):
    """Whether a seat is ready for the deal."""

    ready: NotRequired[Annotated[bool, "By default true; false takes it back."]]
    brings: NotRequired[Brings]


class Sharing(TypedDict):
    """The share of a seat in a proved deal."""

    attempt: Annotated[int, "The one of the view: what is meant for an older one is refused."]
    closed: NotRequired[
        Annotated[
            str | None, 'SHA-256 of `["gonfalon proof 1","share",commitment,seat,share]`; null: nothing is added.'
        ]
    ]
    opened: NotRequired[Annotated[str, "The share: 256 random bits in hexadecimal digits."]]


class OnceMore(TypedDict):
    """A request for a rematch."""

    nonce: Annotated[str, {"minLength": SHORTEST_NONCE, "maxLength": LONGEST_NONCE}, "As for a free seat."]
    swap: NotRequired[Annotated[bool, "Whether two people exchange their factions; counts for whoever offers."]]
    ready: NotRequired[Annotated[bool, "Whether you are ready at once, as by default."]]


class SittingDown(TypedDict):
    """A request for a free seat."""

    name: NotRequired[str]
    ready: NotRequired[Annotated[bool, "Whether you are ready at once, as by default."]]
    brings: NotRequired[Brings]
    nonce: Annotated[
        str,
        {"minLength": SHORTEST_NONCE, "maxLength": LONGEST_NONCE},
        "Made at random for this seat and kept as secret as its token. The same request again gets the same seat and "
        "token for ten minutes: safe to repeat.",
    ]


class Acting(TypedDict):
    """An answer to a question."""

    expected: int
    actions: NotRequired[Annotated[list[str], "Ids of legal actions."]]
    take_back: NotRequired[
        Annotated[bool, "Instead of actions, where `can_take_back` is true: undo your last decision."]
    ]


class BackWish(TypedDict):
    """A take-back request, or an answer to it."""

    wish: Annotated[Literal["ask", "agree", "refuse"], "To withdraw what one has asked is to refuse it."]
    expected: NotRequired[Annotated[int, "To ask: the `version` of the view."]]
    number: NotRequired[Annotated[int, "To answer: the `number` of the request."]]


class SeatWish(TypedDict):
    """The player that a seat shall have."""

    by: Annotated[Literal["bot", "me", "nobody"], "Nobody: between two, you claim the win over that seat."]


class Standing(TypedDict):
    """The standing answer in a game's windows."""

    answers: Literal["always", "able", "never"]


class Saying(TypedDict):
    """An emote."""

    emote: Annotated[str, {"enum": list(EMOTES)}, "; ".join(f"{name}: {text}" for name, text in EMOTES.items())]


class Words(TypedDict):
    """The table as text."""

    text: str


class PastThought(Thought):
    """A bot's thought about a past decision."""

    decision: Annotated[int, "Its number in the record."]
    seat: int


class Thoughts(TypedDict):
    """The bots' thoughts, in the order of the record."""

    thoughts: list[PastThought]


class RecordFile(TypedDict):
    """A record, which every command of the project reads."""

    format: str
    format_version: int
    game: str
    options: dict[str, object]
    rules: str
    data: str
    names: list[str]
    decisions: Annotated[list[tuple[int, str]], "Each the seat (chance: -1) and the action."]
    result: Result | None
    ended: Ended | None
    clock: NotRequired[RecordedTime]


class RecordedTime(TypedDict):
    """The clock of a game, and the time of its decisions."""

    spec: PaceShown
    spent: Annotated[list[int | None], "For each decision the milliseconds; null for bots and chance."]


class Problem(TypedDict):
    """The reason of a refusal."""

    type: NotRequired[str]
    code: str
    title: str
    status: int
    detail: Annotated[str, "A sentence with the reason."]


class Query(NamedTuple):
    """The query parameters of an address."""

    name: str
    says: str
    schema: Schema


class CompanyLine(TypedDict):
    """The presence of people, in a stream."""

    company: Company


class Operation(NamedTuple):
    """An operation at an address."""

    summary: str
    answer: type | UnionType
    says: str
    description: str = ""
    body: type | None = None
    status: str = "200"
    forms: tuple[str, ...] = ("application/json",)
    refuses: bool = True
    query: tuple[Query, ...] = ()


NOW: Final = "The table as the owner of the token may know it."
TABLE: Final = "/api/tables/{key}"
OPERATIONS: Final[dict[tuple[str, str], Operation]] = {
    ("get", "/api/games"): Operation("The installed games and bots", Games, "The games.", refuses=False),
    ("post", "/api/tables"): Operation(
        "Open a table", Opened, "Opened. The tokens are told here and never again.", body=Opening, status="201"
    ),
    ("get", "/api/tables"): Operation(
        "The tables at which the bearer's token holds a seat",
        OwnTables,
        "The tables; none without a token.",
        "Other tables are not listed, since a table's key lets anybody watch.",
    ),
    ("get", TABLE): Operation(
        "The table now",
        View,
        NOW,
        query=(
            Query(
                "log",
                "The number of the line with which the log begins. Earlier lines may change, and go when something is "
                "taken back.",
                {"type": "integer", "minimum": 0},
            ),
        ),
    ),
    ("post", f"{TABLE}/seats"): Operation(
        "Take a free seat; the invitation is the bearer's token", SeatTaken, "Seated.", body=SittingDown, status="201"
    ),
    ("post", f"{TABLE}/seats/{{seat}}"): Operation(
        "Let a bot play at a seat, take one's own back, or claim the win",
        View,
        NOW,
        "A bot may play for a person who is away while the game waits, or whose time is up where the clock says that "
        "the others may claim it; between two the win can be claimed then. At a free seat it may sit if whoever opened "
        "the table says so, or anybody seated once the game waits and they are away.",
        SeatWish,
    ),
    ("post", f"{TABLE}/ready"): Operation(
        "Before the deal: be ready, or not after all",
        View,
        NOW,
        "At a table with invited seats the game begins as soon as all are ready. Who is ready, and which "
        "factions they bring, everybody sees.",
        BeingReady,
    ),
    ("post", f"{TABLE}/share"): Operation(
        "Before a proved deal: say what the seat adds, and then open it",
        View,
        NOW,
        "The deal waits until every person's seat has sent `closed`, and, when `opening` is true in the `proof` of the "
        "view, what was closed as `opened`. What is hashed is JSON without spaces, in small hexadecimal digits.",
        Sharing,
    ),
    ("post", f"{TABLE}/leave"): Operation(
        "Before the deal: get up", View, NOW, "If whoever opened the table gets up, there will be no game."
    ),
    ("post", f"{TABLE}/rematch"): Operation(
        "Offer a rematch, or come to the one that is offered",
        NextSeat,
        "Your seat there.",
        "The seats move on by one. The game begins when all are ready; against bots alone at once.",
        OnceMore,
        "201",
    ),
    ("post", f"{TABLE}/play-on"): Operation(
        "After the end: play on from any position",
        Opened,
        "Opened. The tokens are told here and never again.",
        "A new table begins where this game was, as one seat saw it. Its `begun` says so to everybody.",
        PlayingOn,
        "201",
    ),
    ("post", f"{TABLE}/rematch/refusal"): Operation("Say no to a rematch", View, NOW),
    ("post", f"{TABLE}/answers"): Operation(
        "Set what the table answers for the seat in the game's answer windows",
        Standing,
        "What holds now.",
        "`able` asks only when the seat could do more than pass; `never` lasts for this turn. Nobody else learns of "
        "it.",
        Standing,
    ),
    ("post", f"{TABLE}/actions"): Operation(
        "Act: all of these actions, in order, or none",
        View,
        NOW,
        "`expected` is the `version` of the view that is answered; if that view has changed, the answer is 409 "
        "`stale`. The same request again is accepted and changes nothing.",
        Acting,
    ),
    ("post", f"{TABLE}/take-back"): Operation(
        "Ask the others to let you take back your last decision, or answer whoever has asked",
        View,
        NOW,
        "Where `can_ask_back` is true. All people who are here must agree; bots do. The request stands in everybody's "
        "view as `request` and is past when the game goes on.",
        BackWish,
    ),
    ("post", f"{TABLE}/resignation"): Operation(
        "Give up", View, NOW, "With two seats the game ends; with more a bot takes the seat over."
    ),
    ("post", f"{TABLE}/hint"): Operation(
        "What the strongest bot would do in the seat's place",
        Thought,
        "A move and the reasons for it.",
        "From what the seat sees, at tables that were opened with hints, for who is asked.",
    ),
    ("get", f"{TABLE}/moments/{{number}}"): Operation(
        "What lay on the table at a moment between two decisions",
        Moment,
        "The table then, as you may know it.",
        "What happens between two decisions (cards turned up, a battle) has passed when the next view comes. The "
        "latest such moments are kept; a view says how many there have been (`moments`), and the first has number 1.",
    ),
    ("get", f"{TABLE}/words"): Operation(
        "The table in words, of at most 80 columns", Words, "As you may know it.", "For whoever draws no board."
    ),
    ("get", f"{TABLE}/company"): Operation("Who is at the table just now", Company, "The same for everybody."),
    ("post", f"{TABLE}/emotes"): Operation(
        "Greet the others",
        Company,
        "Everybody reads it for a moment.",
        f"One of a few greetings, {PAUSE:g} seconds after the last at the soonest. They are kept nowhere.",
        Saying,
    ),
    ("get", f"{TABLE}/thoughts"): Operation(
        "What the bots thought, when the game is over", Thoughts, "In the order of the record."
    ),
    ("get", f"{TABLE}/stream"): Operation(
        "A view at once and after each change, until the game is over",
        View | CompanyLine,
        "Views.",
        "NDJSON, or server-sent events when asked for. After 7 seconds of silence an empty line says that the stream "
        "lives: a client that reads nothing for 20 seconds has lost it and should connect again. A slow reader misses "
        "views, never the newest.",
        forms=("application/x-ndjson", "text/event-stream"),
        query=(
            Query(
                "company",
                "Whether who is there is told among them (events `company`), at once and after each change.",
                {"type": "string", "enum": ["yes"]},
            ),
        ),
    ),
    ("get", f"{TABLE}/record"): Operation("The record of the game, once it is over", RecordFile, "The record."),
}
INFO: Final = {
    "title": "Gonfalon",
    "version": "1",
    "description": "Play at a table as a program. The token of a seat (or of an invitation) comes as a bearer's "
    "token; without one you are a spectator. Every answer shows what its reader may know, never more. Who asks for "
    "too much gets 429 with Retry-After. Hold a stream open, or send a request every minute, to count as there; "
    "bots that play among themselves do so only while somebody looks on.",
}


PLACES: Final = re.compile(r"{(\w+)}")
"""The parameters in an address."""


def build_document(kinds: Iterable[type[Game]]) -> dict[str, object]:
    """Return the description of the API of a server with these games, including their boards."""
    schemas = Schemas()
    paths: dict[str, dict[str, object]] = {}
    for (method, path), operation in OPERATIONS.items():
        names = PLACES.findall(path)
        item = paths.setdefault(path, {"parameters": [describe_parameter(name) for name in names]} if names else {})
        item[method] = describe_operation(operation, schemas)
    boards: list[Schema] = []
    for kind in kinds:
        schemas.prefix = kind.name.capitalize()
        board = schemas.of(return_type(kind.board))
        boards += [] if board in boards else [board]
    view = schemas.named["View"]["properties"]
    assert isinstance(view, dict)
    view["board"] = {"anyOf": boards, "description": "What lies on the table; its form is the game's."}
    return {
        "openapi": "3.1.0",
        "info": INFO,
        "security": [{}, {"seat": []}],
        "paths": paths,
        "components": {"securitySchemes": {"seat": {"type": "http", "scheme": "bearer"}}, "schemas": schemas.named},
    }


def describe_parameter(name: str) -> Json:
    """Return the description of a parameter in an address."""
    schema = {"type": "string"} if name == "key" else {"type": "integer", "minimum": 0 if name == "seat" else 1}
    return {"name": name, "in": "path", "required": True, "schema": schema}


def describe_operation(operation: Operation, schemas: Schemas) -> Json:
    """Return the description of an operation."""
    answer = {form: {"schema": schemas.of(operation.answer)} for form in operation.forms}
    found: dict[str, object] = {"summary": operation.summary}
    if operation.description:
        found["description"] = operation.description
    if operation.query:
        found["parameters"] = [
            {"name": one.name, "in": "query", "description": one.says, "schema": one.schema} for one in operation.query
        ]
    if operation.body is not None:
        content = {"application/json": {"schema": schemas.of(operation.body)}}
        schemas.named[operation.body.__name__]["additionalProperties"] = False
        found["requestBody"] = {"required": True, "content": content}
    responses: dict[str, object] = {operation.status: {"description": operation.says, "content": answer}}
    if operation.refuses:
        responses["4XX"] = {
            "description": "Refused; nothing has changed.",
            "content": {"application/problem+json": {"schema": schemas.of(Problem)}},
        }
    return {**found, "responses": responses}
