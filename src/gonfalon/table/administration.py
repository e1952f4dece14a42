"""What an operator does with a server: list, show, close and rename tables, ban, notify, and settle reports.

The command line and the operator's page share these functions. They show public facts only: the record of a game, and
everything that its moves reveal, after its end. Times of activity are rounded to hours, because an exact time would
reveal a secret answer.
"""

from __future__ import annotations

import ipaddress
import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from hmac import compare_digest
from typing import Final, NamedTuple, TypeVar

import anyio
from anyio.to_thread import run_sync

from gonfalon.core.files.record import describe_stop
from gonfalon.core.rules.state import SPECTATOR
from gonfalon.core.text.english import many
from gonfalon.table import messages
from gonfalon.table.errors import Finished, NoChoice, NoRoom, NoTable, OtherRules, Secret
from gonfalon.table.links import LinkHolder, hash_token, list_seat_names, new_key, new_token, require_seat
from gonfalon.table.live.stored import KEY
from gonfalon.table.live.table import Table
from gonfalon.table.live.tables import Tables
from gonfalon.table.seats.names import clean_name, is_marked, make_distinct
from gonfalon.table.store.admin_rows import DEVICE, LINK, MAINTENANCE, NOTICE, Ban, ListedTable, Report
from gonfalon.table.store.store import SeatRow, Store, TableRow

T = TypeVar("T")
MAX_TEXT: Final = 300
"""Characters of a notice, a reason or a note."""
SHOWN_KEY: Final = 6
"""Letters of a key that are shown. The whole key is the link of spectators."""
SHORTEST_KEY: Final = 4
SHOWN_HASH: Final = 12
"""Letters of the hash of a device that are shown."""
MAX_REPORTS: Final = 1000
MAX_REPORTS_OF_DEVICE: Final = 10
"""The numbers of reports that wait for the operator: of all devices, and of one."""
HOUR: Final = 3600.0
DAY: Final = 86_400.0
LARGEST: Final = {4: 8, 6: 19}
"""The shortest prefix of a network that can be banned, by the version of the protocol."""


@dataclass(frozen=True)
class ShownSeat:
    """The public facts of a seat, and the devices that have visited it."""

    seat: int
    name: str
    by: str
    devices: tuple[str, ...]


@dataclass(frozen=True)
class ShownTable:
    """The public facts of a table."""

    key: str
    title: str
    stage: str
    opened: float
    result: str
    seats: tuple[ShownSeat, ...]


# ---- the list of tables -----------------------------------------------------------------------------


def list_tables(
    store: Store, game: str = "", name: str = "", days: float | None = None, state: str = ""
) -> list[ListedTable]:
    """Return tables, the latest first: of a game, with a player whose name contains a text, of the last days, and in
    one of the `STATES`."""
    since = None if days is None else read_time(store) - days * DAY
    return store.list_tables(game, name, since, state)


def read_time(store: Store) -> float:
    """Return the table time as far as it is known."""
    reached = store.table_time()
    return time.time() if reached is None else reached


def describe_stage(stage: str, ended: float | None) -> str:
    """Return the stage of a table in words."""
    if ended is not None:
        return messages.STAGE_OVER
    return {"waiting": messages.STAGE_WAITING, "closed": messages.STAGE_CLOSED}.get(stage, messages.STAGE_RUNNING)


def describe_age(moment: float, now: float) -> str:
    """Return how long ago something was, rounded to hours or days."""
    hours = int(max(0.0, now - moment) // HOUR)
    if hours < 1:
        return messages.WITHIN_HOUR
    return messages.AGO.format(time=many(hours, "hour") if hours < 48 else many(hours // 24, "day"))


def find_key(store: Store, beginning: str) -> str:
    """Return the table whose key begins like this. Raises NoChoice."""
    if len(beginning) < SHORTEST_KEY:
        raise NoChoice(messages.SHORT_KEY.format(least=SHORTEST_KEY))
    found = store.find_keys(beginning) if KEY.fullmatch(beginning) else []
    if not found:
        raise NoChoice(messages.NO_KEY_BEGINS.format(beginning=beginning[:SHOWN_HASH]))
    if len(found) > 1:
        raise NoChoice(messages.AMBIGUOUS_KEY)
    return found[0]


# ---- one table --------------------------------------------------------------------------------------


def show_table(tables: Tables, key: str) -> ShownTable:
    """Return the public facts of a table. Raises NoTable."""
    row = tables.store.table(key)
    devices = tables.store.devices_of([seat.token for seat in row.seats if seat.token])
    seats = tuple(show_seat(seat, tuple(devices.get(seat.token or "", ()))) for seat in row.seats)
    return ShownTable(
        row.key, find_title(tables, row), describe_stage(row.stage, row.ended), row.opened, read_result(row), seats
    )


def show_seat(row: SeatRow, devices: tuple[str, ...]) -> ShownSeat:
    """Return the public facts of a seat."""
    by = messages.BY_PROGRAM if row.program and not row.free else BY[row.by]
    return ShownSeat(row.seat, row.name or messages.FREE_SEAT, by, devices)


BY: Final = {"person": messages.BY_PERSON, "bot": messages.BY_BOT, "nobody": messages.BY_NOBODY}


def find_title(tables: Tables, row: TableRow) -> str:
    """Return the title of a game, or its name if it is not installed."""
    try:
        return tables.stored.make_game(row).title
    except Exception:  # a game of others can raise anything, and the operator needs the table all the same
        return row.game


def read_result(row: TableRow) -> str:
    """Return the ending of a finished game in a sentence; empty for a running one."""
    try:
        ending = json.loads(row.ending) if row.ending else {}
        if ending.get("ended"):
            return describe_stop(ending["ended"], SPECTATOR, list_seat_names(row.seats))
        return str((ending.get("result") or {}).get("why", ""))
    except (ValueError, LookupError, TypeError, AttributeError):
        return ""


async def read_record(tables: Tables, key: str) -> str:
    """Return the record of a finished game. Raises Secret before its end, NoTable, Broken."""
    row = await run_sync(tables.store.table, key)
    if row.ended is None:
        raise Secret(messages.RECORD_SECRET)
    try:
        return (await (await tables.table(key)).moves.record()).dumps()
    except OtherRules:
        return (await tables.stored.old_table(key)).record


async def close_table(tables: Tables, key: str) -> None:
    """End a game without a result, or close a table that waits for players. The players read a sentence about it.

    Raises:
        Finished: The game is over.
        NoTable, OtherRules, Broken: The table cannot be opened.
    """
    table = await tables.table(key)
    if table.position.over or table.gathering.closed:
        raise Finished(messages.OVER_ALREADY)
    if table.gathering.waits and await run_sync(tables.store.leave, key, {}, "", True):
        await table.refresh()
        return
    await table.refresh()
    await tables.abandon(key, 0)


def run_beside(store: Store, key: str, work: Callable[[Tables, str], Awaitable[T]]) -> T:
    """Return the result of work at a table, in a process beside those of the server."""

    async def run() -> T:
        tables = Tables(store)
        try:
            await tables.beat()  # starts table time, for what is written
            return await work(tables, key)
        finally:
            store.stop(store.process, tables.now())

    return anyio.run(run)


def rename_seat(store: Store, key: str, seat: int, name: str) -> str:
    """Change the name of a seat, and return it: different from the other names at the table. Raises NoTable,
    NoChoice."""
    rows = store.table(key).seats
    if not 0 <= seat < len(rows):
        raise NoChoice(messages.NO_SUCH_SEAT.format(last=len(rows) - 1))
    if rows[seat].by != "person" or rows[seat].program is not None:
        raise NoChoice(messages.NO_PLAYER_AT_SEAT.format(seat=seat))
    if not (cleaned := clean_name(name)) or is_marked(cleaned):
        raise NoChoice(messages.NO_VISIBLE_NAME)
    cleaned = make_distinct(cleaned, [row.name for row in rows if row.seat != seat])
    store.rename_seat(key, seat, cleaned)
    return cleaned


# ---- bans -------------------------------------------------------------------------------------------


def ban(store: Store, subject: str, note: str = "") -> str:
    """Ban a device by its hash or the beginning of it, or an address or network. Return the stored subject. Raises
    NoChoice."""
    found = find_subject(store, subject)
    store.add_ban(Ban(found, clean_text(note, messages.NOTE_TOO_LONG.format(most=MAX_TEXT)), time.time()))
    return found


def find_subject(store: Store, subject: str) -> str:
    """Return the whole hash of a device, or a network. Raises NoChoice."""
    if DEVICE.fullmatch(subject):
        devices = store.find_devices(subject)
        if len(devices) != 1:
            raise NoChoice(messages.AMBIGUOUS_DEVICE if devices else messages.NO_DEVICE)
        return devices[0]
    try:
        network = ipaddress.ip_network(subject)
    except ValueError:
        raise NoChoice(messages.BAD_SUBJECT) from None
    if network.prefixlen < LARGEST[network.version]:
        raise NoChoice(messages.NETWORK_TOO_LARGE)
    return str(network)


def unban(store: Store, subject: str) -> str:
    """Remove a ban, named by its subject or its beginning. Return the subject. Raises NoChoice."""
    found = [one.subject for one in store.list_bans() if one.subject in (subject, f"{subject}/32", f"{subject}/128")]
    if not found and DEVICE.fullmatch(subject):
        found = [one.subject for one in store.list_bans() if one.subject.startswith(subject)]
    if len(found) != 1:
        raise NoChoice(messages.AMBIGUOUS_DEVICE if found else messages.NOT_BANNED)
    store.remove_ban(found[0])
    return found[0]


def shorten_subject(subject: str) -> str:
    """Return the subject of a ban as it is shown."""
    return subject[:SHOWN_HASH] if DEVICE.fullmatch(subject) else subject


# ---- the notice, maintenance, and the link of the operator ------------------------------------------


def clean_text(text: str, too_long: str) -> str:
    """Return a text as one line without invisible characters. Raises NoChoice with the sentence if it is too long."""
    # Cut before anything else, so that a huge text costs no time.
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in text[: 8 * MAX_TEXT]).split())
    if len(line) > MAX_TEXT or len(text) > 8 * MAX_TEXT:
        raise NoChoice(too_long)
    return line


def set_notice(store: Store, text: str) -> str:
    """Show a line on all pages; empty for none. Raises NoChoice."""
    line = clean_text(text, messages.NOTICE_TOO_LONG.format(most=MAX_TEXT))
    store.set_operation(NOTICE, line)
    return line


def set_maintenance(store: Store, on: bool) -> None:
    """Open no new tables, or open them again."""
    store.set_operation(MAINTENANCE, "on" if on else "")


def make_link(store: Store, new: bool = False) -> str:
    """Return the token of a new link to the operator's page. Raises NoChoice if there is a link and not `new`."""
    if store.operator_link() and not new:
        raise NoChoice(messages.LINK_EXISTS)
    token = new_token()
    store.set_operation(LINK, hash_token(token))
    return token


def is_operator(store: Store, token: str) -> bool:
    """Return whether a token is that of the operator's link."""
    known = store.operator_link()
    return bool(known) and compare_digest(known, hash_token(token))


# ---- reports ----------------------------------------------------------------------------------------


def report_player(table: Table, who: LinkHolder, device: str, seat: int, reason: str) -> None:
    """Store a player's report of another player.

    Args:
        table: The table.
        who: The person that reports.
        device: The hash of their device.
        seat: The seat of the reported player.
        reason: Their words.

    Raises:
        NotSeated: A spectator reports.
        NoChoice: The seat or the reason is missing.
        NoRoom: Too many reports wait for the operator.
    """
    own, store = who.holds or (require_seat(who),), table.backend.store
    rows = table.row.seats
    if not 0 <= seat < len(rows) or seat in own or rows[seat].token is None:
        raise NoChoice(messages.REPORT_WHOM)
    if not (words := clean_text(reason, messages.REASON_TOO_LONG.format(most=MAX_TEXT))):
        raise NoChoice(messages.REPORT_WHY)
    if store.count_open_reports(device) >= MAX_REPORTS_OF_DEVICE or store.count_open_reports() >= MAX_REPORTS:
        raise NoRoom(messages.MANY_REPORTS)
    decisions = table.position.decisions if table.position.dealt else 0
    store.add_report(Report(new_key(), table.key, own[0], seat, rows[seat].name, device, words, decisions, time.time()))


class ShownReport(NamedTuple):
    """A report as the operator sees it."""

    id: str
    key: str
    reporter: str
    name: str
    seat: int
    reason: str
    created: float
    settled: bool
    decisions: int | None
    """The number of decisions at the time of the report; None until the game is over, because it is secret."""


def show_report(store: Store, report: Report) -> ShownReport:
    """Return a report as the operator sees it: sealed until the game is over."""
    try:
        row = store.table(report.table)
    except NoTable:
        row = None
    return ShownReport(
        report.id[:SHOWN_KEY],
        report.table[:SHOWN_KEY],
        row.seats[report.reporter].name if row else messages.TABLE_GONE,
        report.name,
        report.seat,
        report.reason,
        report.created,
        report.settled is not None,
        report.decisions if row and row.ended is not None else None,
    )


def find_report(store: Store, beginning: str) -> Report:
    """Return the report whose id begins like this. Raises NoChoice."""
    found = [one for one in store.list_reports(settled=True) if one.id.startswith(beginning)]
    if len(found) != 1 or len(beginning) < SHORTEST_KEY:
        raise NoChoice(messages.NO_REPORT)
    return found[0]
