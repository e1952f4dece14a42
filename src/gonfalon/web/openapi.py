"""The API's description (OpenAPI 3.1), written by hand: it is short and should read well."""

from __future__ import annotations

from typing import Any, Final

from gonfalon.table.seats import LONGEST_NONCE, SHORTEST_NONCE


def ref(name: str) -> dict[str, Any]:
    """A schema by name."""
    return {"$ref": f"#/components/schemas/{name}"}


def body(schema: dict[str, Any]) -> dict[str, Any]:
    """A request body of this form."""
    return {"required": True, "content": {"application/json": {"schema": schema}}}


def answer(text: str, schema: dict[str, Any]) -> dict[str, Any]:
    """An answer of this form."""
    return {"description": text, "content": {"application/json": {"schema": schema}}}


def obj(required: str = "", **properties: Any) -> dict[str, Any]:
    """An object's schema; `required` names fields."""
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required.split()
    return schema


TEXT: Final = {"type": "string"}
INT: Final = {"type": "integer"}
ANY: Final[dict[str, Any]] = {"type": "object"}
PROBLEM: Final = {
    "description": "Refused; nothing has changed. `detail` is a sentence with the reason.",
    "content": {"application/problem+json": {"schema": ref("Problem")}},
}
CHANCE: Final = {
    "type": ["object", "null"],
    "description": "A chance to win in percent, with the ends of its 95 % interval.",
    "properties": {"value": INT, "low": INT, "high": INT},
}
KEY: Final = {"name": "key", "in": "path", "required": True, "schema": TEXT}
VIEW: Final = answer("The table as the owner of the token may know it.", ref("View"))

DOCUMENT: Final[dict[str, Any]] = {
    "openapi": "3.1.0",
    "info": {
        "title": "Gonfalon",
        "version": "1",
        "description": "Play at a table as a program. The token of a seat (or of an invitation) comes as a bearer's "
        "token; without one you are a spectator. Every answer shows what its reader may know, never more. A client "
        "that asks for too much gets 429 with Retry-After. Hold a stream open, or send a request every minute, to "
        "count as there; bots that play among themselves do so only while somebody looks on.",
    },
    "security": [{}, {"seat": []}],
    "paths": {
        "/api/games": {
            "get": {"summary": "The installed games and bots", "responses": {"200": answer("The games.", ANY)}}
        },
        "/api/tables": {
            "post": {
                "summary": "Open a table",
                "requestBody": body(
                    obj(
                        "game",
                        game=TEXT,
                        options=ANY | {"description": "As /api/games lists them."},
                        hints={"type": "boolean", "description": "Whether people may ask what a bot would do."},
                        name=TEXT | {"description": "Your name at the table."},
                        seats={
                            "type": "array",
                            "items": TEXT,
                            "description": "For each seat me, open or bot:LEVEL; by default me and open ones.",
                        },
                    )
                ),
                "responses": {
                    "201": answer(
                        "Opened. The tokens are told here and never again.",
                        obj(
                            "table watch seats invitation invitations",
                            table=TEXT,
                            watch=TEXT,
                            seats={"type": "array", "items": obj("seat token page", seat=INT, token=TEXT, page=TEXT)},
                            invitation={"type": ["string", "null"], "description": "Leads to any free seat."},
                            invitations={
                                "type": "array",
                                "description": "For each free seat the link that leads to it alone.",
                                "items": obj("seat invitation", seat=INT, invitation=TEXT),
                            },
                        ),
                    ),
                    "4XX": PROBLEM,
                },
            }
        },
        "/api/tables/{key}": {
            "parameters": [KEY],
            "get": {"summary": "The table now", "responses": {"200": VIEW, "4XX": PROBLEM}},
        },
        "/api/tables/{key}/seats": {
            "parameters": [KEY],
            "post": {
                "summary": "Take a free seat; the invitation is the bearer's token",
                "requestBody": body(
                    obj(
                        "nonce",
                        name=TEXT,
                        nonce=TEXT
                        | {
                            "minLength": SHORTEST_NONCE,
                            "maxLength": LONGEST_NONCE,
                            "description": "Made at random for this seat and kept as secret as its token. The same "
                            "request again gets the same seat and token for ten minutes: safe to repeat.",
                        },
                    )
                ),
                "responses": {
                    "201": answer("Seated.", obj("seat token page", seat=INT, token=TEXT, page=TEXT)),
                    "4XX": PROBLEM,
                },
            },
        },
        "/api/tables/{key}/seats/{seat}": {
            "parameters": [KEY, {"name": "seat", "in": "path", "required": True, "schema": INT}],
            "post": {
                "summary": "Let a bot play at a seat, or take one's own back",
                "description": "A bot may play for a person who is away while the game waits. At a free seat it may "
                "sit if whoever opened the table says so, or anybody seated once the game waits and they are away.",
                "requestBody": body(obj("by", by={"enum": ["bot", "me"]})),
                "responses": {"200": VIEW, "4XX": PROBLEM},
            },
        },
        "/api/tables/{key}/answers": {
            "parameters": [KEY],
            "post": {
                "summary": "Set what the table answers for the seat in the game's answer windows",
                "description": "`able` asks only when the seat could do more than pass; `never` lasts for this turn. "
                "Nobody else learns of it.",
                "requestBody": body(obj("answers", answers={"enum": ["always", "able", "never"]})),
                "responses": {"200": answer("What holds now.", obj("answers", answers=TEXT)), "4XX": PROBLEM},
            },
        },
        "/api/tables/{key}/actions": {
            "parameters": [KEY],
            "post": {
                "summary": "Act: all of these actions, in order, or none",
                "description": "`expected` is the `version` of the view that is answered; if that view has changed, "
                "the answer is 409 `stale`. The same request again is accepted and changes nothing.",
                "requestBody": body(
                    obj(
                        "expected",
                        expected=INT,
                        actions={"type": "array", "items": TEXT, "description": "Ids of legal actions."},
                        take_back={
                            "type": "boolean",
                            "description": "Instead of actions: undo your answer while others have still to answer, "
                            "or (in games that allow it) your last decision while it has told nobody anything.",
                        },
                    )
                ),
                "responses": {"200": VIEW, "4XX": PROBLEM},
            },
        },
        "/api/tables/{key}/resignation": {
            "parameters": [KEY],
            "post": {
                "summary": "Give up",
                "description": "With two seats the game ends; with more a bot takes the seat over.",
                "responses": {"200": VIEW, "4XX": PROBLEM},
            },
        },
        "/api/tables/{key}/hint": {
            "parameters": [KEY],
            "post": {
                "summary": "What the strongest bot would do in the seat's place",
                "description": "From what the seat sees, at tables that were opened with hints, for who is asked.",
                "responses": {"200": answer("A move and the reasons for it.", ref("Thought")), "4XX": PROBLEM},
            },
        },
        "/api/tables/{key}/thoughts": {
            "parameters": [KEY],
            "get": {
                "summary": "What the bots thought, when the game is over",
                "responses": {
                    "200": answer(
                        "In the order of the record.",
                        obj("thoughts", thoughts={"type": "array", "items": ref("Thought")}),
                    ),
                    "4XX": PROBLEM,
                },
            },
        },
        "/api/tables/{key}/stream": {
            "parameters": [KEY],
            "get": {
                "summary": "A view at once and after each change, until the game is over",
                "description": "NDJSON, or server-sent events when asked for. An empty line every few seconds "
                "says that the stream lives. A slow reader misses views, never the newest.",
                "responses": {
                    "200": {
                        "description": "Views.",
                        "content": {
                            "application/x-ndjson": {"schema": ref("View")},
                            "text/event-stream": {"schema": ref("View")},
                        },
                    },
                    "4XX": PROBLEM,
                },
            },
        },
        "/api/tables/{key}/record": {
            "parameters": [KEY],
            "get": {
                "summary": "The record of the game, once it is over",
                "responses": {"200": answer("The record.", ANY), "4XX": PROBLEM},
            },
        },
    },
    "components": {
        "securitySchemes": {"seat": {"type": "http", "scheme": "bearer"}},
        "schemas": {
            "View": obj(
                "table game viewer version names seats board prompt decision over log",
                table=TEXT,
                game=TEXT,
                title=TEXT,
                viewer={"type": ["integer", "string"], "description": "A seat, or `spectator`."},
                version=INT | {"description": "Counts the changes of what this viewer may see."},
                names={"type": "array", "items": TEXT},
                seats={
                    "type": "array",
                    "items": obj(
                        "seat name by asked",
                        seat=INT,
                        name=TEXT,
                        by={"enum": ["person", "bot", "nobody"]},
                        asked={"type": "boolean", "description": "Whether the game waits for this seat."},
                    ),
                },
                board=ANY | {"description": "What lies on the table; its form is the game's."},
                prompt=TEXT,
                decision={"oneOf": [{"type": "null"}, ref("Decision")]},
                can_take_back={"type": "boolean"},
                over={"type": ["object", "null"], "description": "How it ended."},
                log={
                    "type": "array",
                    "items": obj("n text", n=INT, text=TEXT, indent=INT, private={"type": "boolean"}),
                },
            ),
            "Decision": obj(
                "seat prompt text actions",
                seat=INT,
                prompt=TEXT,
                text=TEXT,
                actions={"type": "array", "items": obj("id text", id=TEXT, text=TEXT)},
            ),
            "Thought": obj(
                "action text why chance alternatives beliefs otherwise",
                action=TEXT,
                text=TEXT,
                why=TEXT,
                chance=CHANCE,
                alternatives={
                    "type": "array",
                    "items": obj("action text chance", action=TEXT, text=TEXT, chance=CHANCE),
                },
                beliefs={
                    "type": "array",
                    "items": obj(
                        "about likely",
                        about=TEXT,
                        likely={"type": "array", "items": obj("text chance", text=TEXT, chance=INT)},
                    ),
                },
                otherwise=TEXT,
                decision=INT | {"description": "Its number in the record, after the game."},
                seat=INT,
            ),
            "Problem": obj("code title status detail", type=TEXT, code=TEXT, title=TEXT, status=INT, detail=TEXT),
        },
    },
}
