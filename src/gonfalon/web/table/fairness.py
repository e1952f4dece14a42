"""Proved deals: the shares that devices send, and the page "Was the shuffle fair?"."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import Response

from gonfalon.core.basics.errors import RecordError
from gonfalon.core.files.proof import format_setup
from gonfalon.core.files.record import Record
from gonfalon.core.files.verify import final_log, find_proof, game_signs, is_proved, replay_draws, verify_record
from gonfalon.core.rules.state import SEED, Seat
from gonfalon.core.text.untrusted import isolate
from gonfalon.table.errors import NoChoice, Stale
from gonfalon.web.http.forms import is_scripted, parse_seat, read_form, read_number, read_text, redirect_to
from gonfalon.web.shared.context import at_table, services_of, table_path
from gonfalon.web.shared.failures import explain_error
from gonfalon.web.shared.template_context import Context
from gonfalon.web.table.proofs import proof_context
from gonfalon.web.table.table_context import table_title
from gonfalon.web.table.table_page import show_waiting


async def add_share(request: Request) -> Response:
    """Add a device's shares to a proved deal: closed ones, or none for all its seats; then the opened ones."""
    at, who, token = await at_table(request)
    form = await read_form(request)
    attempt = read_number(form, "attempt")
    try:
        if read_text(form, "none"):
            rows = [at.row.seats[seat] for seat in who.holds]
            # Seats that have sealed a share keep it, because a second answer would be refused.
            silent = [row.seat for row in rows if at.gathering.proving.find_share(row) is None]
            await at.gathering.add_shares(who, attempt, dict.fromkeys(silent))
        else:
            seat = parse_seat(read_text(form, "seat"), at.game.seats)
            if opened := read_text(form, "opened"):
                await at.gathering.open_shares(who, attempt, {seat: opened})
            else:
                await at.gathering.add_shares(who, attempt, {seat: read_text(form, "closed")})
    except (Stale, NoChoice) as error:
        if at.gathering.waits:
            if is_scripted(request):
                raise
            return await show_waiting(request, at, token, str(error), explain_error(error)[0])
    return redirect_to(request, table_path(at.key, token))


async def show_fairness(request: Request) -> Response:
    """Show whether the deal was fair: after the game all checks, before that the commitments."""
    at, who, _ = await at_table(request)
    context: Context = {
        "title": table_title(at),
        "game": at.game.name,
        "over": at.position.over,
        "dealt": at.position.dealt,
        "proof": proof_context(at, who),
        "table_url": "./",
        "findings": [],
    }
    if at.position.over and context["proof"]:
        context |= await run_sync(check_record, await at.moves.record(), () if who.invited else who.holds)
    return services_of(request).render.page("fair.html", **context)


def check_record(record: Record, seats: Collection[Seat] = ()) -> Context:
    """Return the checks of a record and their data, with the log as these seats read it."""
    findings, proof = verify_record(record), find_proof(record)
    logs: dict[Seat, list[str]] = {}
    with suppress(RecordError):  # which the findings tell
        logs = {seat: final_log(record, seat) for seat in seats}
    return {
        "findings": [finding._asdict() for finding in findings],
        "verdict": is_proved(findings),
        "secret": proof.secret,
        "rules": record.game.rules_version,
        "data": record.game.data_hash,
        "options": format_setup(record.game),
        "own_logs": logs,
        "game_signs": game_signs(record),
        "shares": [
            {"seat": seat, "name": isolate(name), "closed": proof.closed[seat], "opened": proof.opened[seat]}
            for seat, name in enumerate(record.names)
        ],
        "draws": [
            {
                "number": one.number,
                "nth": one.nth,
                "text": record.game.notation(one.gave),
                "seed": one.actions[0] == SEED,
                "given": -1 - one.gave if one.actions[0] == SEED else one.actions.index(one.gave),
                "weights": one.weights,
            }
            for one in replay_draws(record, proof)
        ],
    }
