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
from gonfalon.table.game.own_cards import ShownCards, ShownChange
from gonfalon.table.links import LONGEST_NONCE, SHORTEST_NONCE
from gonfalon.table.live.views import Company, Moment, PaceShown, Result, View
from gonfalon.table.seats.emotes import PAUSE
from gonfalon.web.api.program_events import (
    AccountEvent,
    BegunEvent,
    ChallengeAnswer,
    ChallengeAnswered,
    ChallengeEvent,
    EndedEvent,
    ReplacedEvent,
    ShownAccounts,
    TurnEvent,
    WithdrawnEvent,
)
from gonfalon.web.api.schema import Schema, Schemas, return_type

Json = Mapping[str, object]


class ShownOption(TypedDict):
    """An option of a game."""

    name: str
    label: str
    help: str
    default: object
    choices: Annotated[list[tuple[str | int, str]] | None, "The values and their names."]
    least: Annotated[int | None, "The minimum of a number."]
    most: Annotated[int | None, "The maximum of a number."]


class ShownGame(TypedDict):
    """An installed game. The data of its lobby are added to these fields."""

    name: str
    title: str
    version: str
    seats: Annotated[str, "The numbers of players."]
    tagline: str
    options: list[ShownOption]
    guide: str | None


class Games(TypedDict):
    """The installed games, and the levels of bots."""

    games: list[ShownGame]
    bots: Annotated[list[str], "All levels; people are offered the numbered ones, without random and greedy."]


class LateBot(TypedDict):
    """The bot that takes the free seats of a listed table if no player comes."""

    after: Annotated[int, "Seconds to wait for players, from 1 to 3600."]
    level: str


class SeatingPlan(TypedDict):
    """The seats of a table to open."""

    hints: NotRequired[Annotated[bool, "Whether players may ask for hints."]]
    name: NotRequired[Annotated[str, "Your name at the table."]]
    ready: NotRequired[Annotated[bool, "At a table with invitations: whether you are ready at once, as by default."]]
    seats: NotRequired[
        Annotated[list[str], "For each seat me, open, bot:LEVEL or program:NAME; by default me and open ones."]
    ]


class Opening(SeatingPlan):
    """A table to open."""

    game: str
    options: NotRequired[Annotated[dict[str, object], "As /api/games lists them."]]
    cards: NotRequired[Annotated[str, "Own cards: a card file, or lines such as `patriot.strength = 7`."]]
    set: NotRequired[Annotated[str, "In place of `cards`: the id of a set of cards that the server keeps."]]
    clock: NotRequired[Annotated[PaceShown | None, "The time control; by default there is no clock."]]
    proved: NotRequired[Annotated[bool, "Whether the deal is to be proved: see `share`."]]
    listed: NotRequired[
        Annotated[bool, "Whether the open seats are listed for all, at /api/open-tables, while one of you is present."]
    ]
    bot: NotRequired[Annotated[LateBot, "At a listed table: the bot that sits down if no player comes."]]


class CardsToCheck(TypedDict):
    """Own cards as text."""

    game: str
    cards: Annotated[str, "A card file, or lines such as `patriot.strength = 7`."]
    name: NotRequired[Annotated[str, "The name of the set, in place of the one in the text."]]


class CardFault(TypedDict):
    """A fault of own cards."""

    line: Annotated[int | None, "Its line, from 1; null if it concerns no single line."]
    text: Annotated[str, "A sentence with the reason."]


class CheckedCards(ShownCards):
    """The faults of own cards, and without faults their differences from the standard cards."""

    faults: Annotated[list[CardFault], "The first faults."]
    fault_count: Annotated[int, "The number of all faults."]


class KeptSet(TypedDict):
    """A set of cards that the server keeps."""

    id: Annotated[str, "Its address. A set is listed only if it belongs to the server."]
    game: str
    name: str
    page: Annotated[str, "Its page for people."]


class KeptSets(TypedDict):
    """Sets of cards."""

    sets: list[KeptSet]


class WholeSet(KeptSet):
    """A set of cards with its text and its differences from the standard cards."""

    text: str
    changes: list[ShownChange]


class OpenTable(TypedDict):
    """A listed table with a free seat."""

    id: Annotated[str, "Its public number, which leads to a free seat and to nothing else."]
    game: str
    options: Annotated[dict[str, object], "The house rules that differ from the default."]
    cards: Annotated[ShownCards | None, "The own cards; null with the standard ones."]
    clock: PaceShown | None
    players: Annotated[list[str], "The names of those who wait, bots included."]
    seats: int
    free: Annotated[int, "The number of free seats."]
    opened: Annotated[float, "In table time, which runs while the server does."]


class OpenTables(TypedDict):
    """The listed tables, the newest first."""

    tables: list[OpenTable]


class DeckToRead(TypedDict):
    """A deck in any form."""

    game: str
    deck: Annotated[str, "A list of cards, also of other deck builders, a share code, a link, or a preset deck's name."]


class ReadDeck(TypedDict):
    """A deck in all its forms."""

    name: str
    cards: Annotated[dict[str, int], "The number of copies by the id of the card."]
    size: int
    faults: Annotated[list[str], "Lines that cannot be read, and reasons why the deck cannot be played."]
    code: Annotated[str, "The share code: the cards, without the name."]
    link: Annotated[str, "The deck in the deck builder."]
    qr: Annotated[str, "The picture of the link's QR code."]
    text: Annotated[str, "The list of cards, which reads back to the same deck."]


class RecordToOpen(TypedDict):
    """The record of a finished game."""

    record: Annotated[str, "The text of its file, in JSON or in the text form."]


class OpenedRecord(TypedDict):
    """A finished game as a table to watch."""

    table: Annotated[str, "Its key. The table is deleted after a day."]
    page: str
    replay: str


class PlayingOn(SeatingPlan):
    """A position to play on from, and the opponent."""

    at: Annotated[int, "The number of decisions of the record before the position."]
    seat: NotRequired[Annotated[int, "The seat whose view the new table starts from; by default the first `me`."]]
    cards: NotRequired[
        Annotated[Literal["anew", "true"], "Whether unseen cards are dealt again (the default) or stay as they were."]
    ]


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
    page: Annotated[str, "The link to this seat for a person."]


class Opened(TypedDict):
    """A table that was opened."""

    table: str
    watch: str
    seats: list[SeatTaken]
    invitation: Annotated[str | None, "The token that takes any free seat: the bearer's token of `seats`."]
    invitations: Annotated[list[SeatOffered], "For each free seat the token and the link that take it alone."]


Brings = Annotated[
    str,
    "The faction or deck that you bring, as the option names it (`lot`: a random preset deck); by default that of the "
    "game before, else any. Other players see the factions only.",
]


class BeingReady(TypedDict):
    """Whether a seat is ready for the deal."""

    ready: NotRequired[Annotated[bool, "By default true; false cancels it."]]
    brings: NotRequired[Brings]


class Sharing(TypedDict):
    """The share of a seat in a proved deal."""

    attempt: Annotated[int, "The attempt of the view; requests for an older one are refused."]
    closed: NotRequired[
        Annotated[
            str | None, 'SHA-256 of `["gonfalon proof 1","share",commitment,seat,share]`; null: the seat adds none.'
        ]
    ]
    opened: NotRequired[Annotated[str, "The share: 256 random bits in hexadecimal digits."]]


class OnceMore(TypedDict):
    """A request for a rematch."""

    nonce: Annotated[str, {"minLength": SHORTEST_NONCE, "maxLength": LONGEST_NONCE}, "A secret as for a free seat."]
    swap: NotRequired[
        Annotated[bool, "Whether two people exchange their factions; only the first request for the rematch decides."]
    ]
    ready: NotRequired[Annotated[bool, "Whether you are ready at once, as by default."]]


class SittingDown(TypedDict):
    """A request for a free seat."""

    name: NotRequired[str]
    ready: NotRequired[Annotated[bool, "Whether you are ready at once, as by default."]]
    brings: NotRequired[Brings]
    nonce: Annotated[
        str,
        {"minLength": SHORTEST_NONCE, "maxLength": LONGEST_NONCE},
        "Made at random for this seat and as secret as its token. A repeated request gets the same seat and token for "
        "ten minutes.",
    ]


class Acting(TypedDict):
    """An answer to a question."""

    expected: int
    actions: NotRequired[Annotated[list[str], "Ids of legal actions."]]
    take_back: NotRequired[
        Annotated[bool, "Instead of actions, where `can_take_back` is true: undo your last decision."]
    ]


class BackWish(TypedDict):
    """An undo request, or an answer to it."""

    wish: Annotated[Literal["ask", "agree", "refuse"], "The asking seat withdraws its request by refuse."]
    expected: NotRequired[Annotated[int, "To ask: the `version` of the view."]]
    number: NotRequired[Annotated[int, "To answer: the `number` of the request."]]


class SeatWish(TypedDict):
    """The player that a seat shall have."""

    by: Annotated[Literal["bot", "me", "nobody"], "`nobody` claims the win over that seat in a game of two."]


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
    tag: NotRequired[Annotated[str, "Of `illegal_action`: the reason in two or three words; may be empty."]]
    rule: NotRequired[Annotated[str, "Of `illegal_action`: the rule, such as `ruling 18`; may be empty."]]


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


TEXT: Final = "text/plain"
NOW: Final = "The table as the owner of the token may know it."
TABLE: Final = "/api/tables/{key}"
OPERATIONS: Final[dict[tuple[str, str], Operation]] = {
    ("get", "/api/games"): Operation("The installed games and bots", Games, "The games.", refuses=False),
    ("post", "/api/tables"): Operation(
        "Open a table", Opened, "Opened. This response alone holds the tokens.", body=Opening, status="201"
    ),
    ("get", "/api/tables"): Operation(
        "The tables at which the bearer's token holds a seat",
        OwnTables,
        "The tables; none without a token.",
        "Other tables are not listed, since a table's key allows watching.",
    ),
    ("post", "/api/cards/check"): Operation(
        "Check own cards",
        CheckedCards,
        "The faults by line, or the differences from the standard cards.",
        "Nothing is stored.",
        CardsToCheck,
    ),
    ("get", "/api/cards"): Operation(
        "The sets of cards of this server",
        KeptSets,
        "The sets.",
        "Sets of other people are found by their id only.",
        refuses=False,
    ),
    ("post", "/api/cards"): Operation(
        "Keep a set of own cards",
        WholeSet,
        "Kept, until it has not been used for more than a year.",
        body=CardsToCheck,
        status="201",
    ),
    ("get", "/api/cards/{id}"): Operation("A set of cards", WholeSet, "The set."),
    ("post", "/api/decks"): Operation(
        "Read a deck, and write it in every form",
        ReadDeck,
        "The deck as far as it can be read, and its faults.",
        "Nothing is stored. Options take a deck by its `code` or its `text`.",
        DeckToRead,
    ),
    ("post", "/api/records"): Operation(
        "Open the record of a finished game",
        OpenedRecord,
        "Opened. Anyone with the link can replay it, have it reviewed and play on from it.",
        body=RecordToOpen,
        status="201",
    ),
    ("get", "/api/open-tables"): Operation(
        "The listed tables with a free seat", OpenTables, "The tables, without their keys.", refuses=False
    ),
    ("post", "/api/open-tables/{offer}/seats"): Operation(
        "Take a free seat of a listed table", NextSeat, "Seated.", body=SittingDown, status="201"
    ),
    ("get", "/api/programs"): Operation(
        "The bot accounts that can be challenged",
        ShownAccounts,
        "The accounts.",
        "A seat `program:NAME` of a new table challenges one. Refused where the operator does not allow bot accounts.",
    ),
    ("get", "/api/bot/stream"): Operation(
        "The events at all tables of a bot account",
        AccountEvent | ChallengeEvent | WithdrawnEvent | BegunEvent | TurnEvent | ReplacedEvent | EndedEvent,
        "Events.",
        "NDJSON; the token of the account is the bearer's token, here and at its tables. A new stream first reports "
        "everything that is open: challenges, running games and questions. After 7 seconds of silence an empty line "
        "shows that the stream is alive.",
        forms=("application/x-ndjson",),
        query=(
            Query(
                "state",
                "Whether questions hold the view in the form of Gonfalon's own bots.",
                {"type": "string", "enum": ["yes"]},
            ),
        ),
    ),
    ("post", "/api/bot/challenges/{key}"): Operation(
        "Accept or decline a challenge to a bot account",
        ChallengeAnswered,
        "Answered.",
        "`{key}` is the `table` of the challenge. A program that has accepted is ready at once.",
        ChallengeAnswer,
    ),
    ("get", TABLE): Operation(
        "The table now",
        View,
        NOW,
        query=(
            Query(
                "log",
                "The number of the first line of the log. Earlier lines may change, and are removed by an undo.",
                {"type": "integer", "minimum": 0},
            ),
        ),
    ),
    ("post", f"{TABLE}/seats"): Operation(
        "Take a free seat; the invitation is the bearer's token", SeatTaken, "Seated.", body=SittingDown, status="201"
    ),
    ("post", f"{TABLE}/seats/{{seat}}"): Operation(
        "Let a bot play at a seat, return your own seat from its bot, or claim the win",
        View,
        NOW,
        "A bot may play for a person who is away while the game waits, or whose time is up if the clock allows that "
        "claim; in a game of two the win can be claimed then. The player who opened the table may put a bot at a "
        "free seat; other players may while the game waits for the seat and the opener is away.",
        SeatWish,
    ),
    ("post", f"{TABLE}/ready"): Operation(
        "Before the deal: become ready, or not ready again",
        View,
        NOW,
        "At a table with invited seats the game starts as soon as all players are ready. Readiness and factions are "
        "public.",
        BeingReady,
    ),
    ("post", f"{TABLE}/share"): Operation(
        "Before a proved deal: seal a share of the seat, and then open it",
        View,
        NOW,
        "The deal waits until every person's seat has sent `closed`, and, once `opening` is true in the `proof` of the "
        "view, the share itself as `opened`. The hash is that of JSON without spaces, in lowercase hexadecimal digits.",
        Sharing,
    ),
    ("post", f"{TABLE}/leave"): Operation(
        "Before the deal: leave", View, NOW, "If the player who opened the table leaves, the game is withdrawn."
    ),
    ("post", f"{TABLE}/rematch"): Operation(
        "Offer a rematch, or join the one that is offered",
        NextSeat,
        "Your seat there.",
        "The seats move on by one. The game begins when all are ready; against bots alone at once.",
        OnceMore,
        "201",
    ),
    ("post", f"{TABLE}/play-on"): Operation(
        "After the end: play on from any position",
        Opened,
        "Opened. This response alone holds the tokens.",
        "A new table starts at a position of this game, as one seat saw it. Its `begun` is public.",
        PlayingOn,
        "201",
    ),
    ("post", f"{TABLE}/rematch/refusal"): Operation("Decline a rematch", View, NOW),
    ("post", f"{TABLE}/answers"): Operation(
        "Set the standing answer of the seat in the game's answer windows",
        Standing,
        "The standing answer.",
        "`able` asks only if the seat has an answer other than a pass; `never` lasts for this turn. The setting is "
        "secret.",
        Standing,
    ),
    ("post", f"{TABLE}/actions"): Operation(
        "Act: all of these actions, in order, or none",
        View,
        NOW,
        "`expected` is the `version` of the answered view; if that view has changed, the response is 409 `stale`. A "
        "repeated request is accepted and changes nothing.",
        Acting,
    ),
    ("post", f"{TABLE}/take-back"): Operation(
        "Ask the others for an undo of your last decision, or answer such a request",
        View,
        NOW,
        "Possible while `can_ask_back` is true. All present people must agree; bots always do. The request is part of "
        "all views as `request` and expires with the next decision.",
        BackWish,
    ),
    ("post", f"{TABLE}/resignation"): Operation(
        "Resign", View, NOW, "A game of two ends; with more seats a bot takes over."
    ),
    ("post", f"{TABLE}/hint"): Operation(
        "The move of the strongest bot in the seat's place",
        Thought,
        "A move and the reasons for it.",
        "For a seat with a decision, at tables with hints. The move follows from the seat's view.",
    ),
    ("get", f"{TABLE}/moments/{{number}}"): Operation(
        "The table at a moment between two decisions",
        Moment,
        "The table then, as you may know it.",
        "Events between two decisions (cards turned up, a battle) are over when the next view arrives. The latest such "
        "moments are stored; the field `moments` of a view is their number so far, and the first has number 1.",
    ),
    ("get", f"{TABLE}/words"): Operation(
        "The table as text of at most 80 columns", Words, "As you may know it.", "For clients without a board."
    ),
    ("get", f"{TABLE}/company"): Operation("The people at the table now", Company, "Equal for all viewers."),
    ("post", f"{TABLE}/emotes"): Operation(
        "Greet the others",
        Company,
        "All viewers see it for a moment.",
        f"One of a few greetings, at most one every {PAUSE:g} seconds. Greetings are not stored.",
        Saying,
    ),
    ("get", f"{TABLE}/thoughts"): Operation(
        "The thoughts of the bots, after the game", Thoughts, "In the order of the record."
    ),
    ("get", f"{TABLE}/stream"): Operation(
        "A view at once and after each change, until the end of the game",
        View | CompanyLine,
        "Views.",
        "NDJSON, or server-sent events if requested. After 7 seconds of silence an empty line shows that the stream is "
        "alive: a client that reads nothing for 20 seconds should reconnect. A slow reader misses views, never the "
        "newest.",
        forms=("application/x-ndjson", "text/event-stream"),
        query=(
            Query(
                "company",
                "Whether the presence of people is included (events `company`), at once and after each change.",
                {"type": "string", "enum": ["yes"]},
            ),
        ),
    ),
    ("get", f"{TABLE}/record"): Operation(
        "The record of the game, after its end",
        RecordFile,
        "The record.",
        forms=("application/json", TEXT),
        query=(
            Query("form", "`text` for one decision on each line, for people.", {"type": "string", "enum": ["text"]}),
        ),
    ),
}
INFO: Final = {
    "title": "Gonfalon",
    "version": "1",
    "description": "Play at a table as a program. The token of a seat (or of an invitation) comes as a bearer's "
    "token; without one you are a spectator. Every response shows only the facts that its reader may know. Clients "
    "over a rate limit get 429 with Retry-After. Hold a stream open, or send a request every minute, to be present; "
    "bots play among themselves only while a viewer is present.",
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
        # Games may use the same names for different parts of their boards.
        schemas.prefix = kind.name.capitalize()
        board = schemas.of(return_type(kind.board))
        boards += [] if board in boards else [board]
    view = schemas.named["View"]["properties"]
    assert isinstance(view, dict)
    view["board"] = {"anyOf": boards, "description": "The board, in the form of the game."}
    return {
        "openapi": "3.1.0",
        "info": INFO,
        "security": [{}, {"seat": []}],
        "paths": paths,
        "components": {"securitySchemes": {"seat": {"type": "http", "scheme": "bearer"}}, "schemas": schemas.named},
    }


def describe_parameter(name: str) -> Json:
    """Return the description of a parameter in an address."""
    number = {"type": "integer", "minimum": 0 if name == "seat" else 1}
    schema = {"type": "string"} if name in ("key", "offer", "id") else number
    return {"name": name, "in": "path", "required": True, "schema": schema}


def describe_operation(operation: Operation, schemas: Schemas) -> Json:
    """Return the description of an operation."""
    answer = {form: {"schema": schemas.of(str if form == TEXT else operation.answer)} for form in operation.forms}
    found: dict[str, object] = {"summary": operation.summary}
    if operation.description:
        found["description"] = operation.description
    if operation.query:
        found["parameters"] = [
            {"name": one.name, "in": "query", "description": one.says, "schema": one.schema} for one in operation.query
        ]
    if operation.body is not None:
        content = {"application/json": {"schema": schemas.of(operation.body)}}
        # `read_json` refuses unknown fields, so the schema forbids them too.
        schemas.named[operation.body.__name__]["additionalProperties"] = False
        found["requestBody"] = {"required": True, "content": content}
    responses: dict[str, object] = {operation.status: {"description": operation.says, "content": answer}}
    if operation.refuses:
        responses["4XX"] = {
            "description": "Refused; nothing has changed.",
            "content": {"application/problem+json": {"schema": schemas.of(Problem)}},
        }
    return {**found, "responses": responses}
