"""The API of bot accounts: the stream of an account, and its answers to challenges.

At its tables a program uses the same addresses as other clients, with the token of its account.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from gonfalon.table.accounts import Account
from gonfalon.table.errors import NoAccount
from gonfalon.table.live.programs import Programs
from gonfalon.web import messages
from gonfalon.web.api.bodies import read_field, read_json
from gonfalon.web.api.endpoints import KEEP_ALIVE, brings_of, format_line
from gonfalon.web.api.program_events import ChallengeAnswer, ChallengeAnswered, ShownAccounts
from gonfalon.web.api.program_stream import ProgramStream, describe_account
from gonfalon.web.http.errors import Malformed, Nothing
from gonfalon.web.http.rate_limits import GUESSES, client_of
from gonfalon.web.shared.context import services_of

MAX_STREAMS: Final = 4
"""The number of simultaneous streams of an account. A new one may start before the old one is known to have ended."""


async def list_programs(request: Request) -> Response:
    """Return the bot accounts that can be challenged."""
    found = await find_programs(request).list_programs()
    answer: ShownAccounts = {"programs": [describe_account(one.account, one.connected) for one in found]}
    return JSONResponse(answer)


async def stream_events(request: Request) -> Response:
    """Stream the events at all tables of an account."""
    programs, account = await read_account(request)
    states = request.query_params.get("state", "")
    if states not in ("", "yes"):
        raise Malformed(messages.API_STATE)
    limits, link = services_of(request).limits, f"program {account.id}"
    with limits.followed(link, MAX_STREAMS):
        pass  # the limit is checked before the response starts

    async def write() -> AsyncGenerator[str, None]:
        with limits.followed(link, MAX_STREAMS):
            async for event in ProgramStream(programs, account, states == "yes").events(KEEP_ALIVE):
                yield "\n" if event is None else format_line(event["type"], event, events=False)

    return StreamingResponse(write(), media_type="application/x-ndjson", headers={"x-accel-buffering": "no"})


async def answer_challenge(request: Request) -> Response:
    """Accept or decline a challenge."""
    key, body = request.path_params["key"], await read_json(request, ChallengeAnswer)
    programs, account = await read_account(request)
    accepted = read_field(body, "accept", bool)
    if accepted:
        await programs.accept(account, key, brings_of(body, 0).get(0, ""))
    else:
        await programs.decline(account, key, read_field(body, "reason", str, "later"))
    answer: ChallengeAnswered = {"table": key, "accepted": accepted}
    return JSONResponse(answer)


def find_programs(request: Request) -> Programs:
    """Return the bot accounts of the server. Raises Nothing where the operator does not allow them."""
    programs = services_of(request).programs
    if programs is None:
        raise Nothing(messages.NO_BOT_ACCOUNTS)
    return programs


async def read_account(request: Request) -> tuple[Programs, Account]:
    """Return the bot accounts, and the account of the request's token. Raises Nothing, NoAccount, TooMany."""
    programs = find_programs(request)
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    try:
        return programs, await programs.find_account(token.strip() if scheme.lower() == "bearer" else "")
    except NoAccount:
        # Wrong tokens are limited, because a token could otherwise be found by trying.
        services_of(request).limits.spend(GUESSES, client_of(request))
        raise
