"""The views of a table as JSON: the one source of pages, streams and the API.

Everything is computed from the viewer's masked state.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, NamedTuple, NotRequired, TypedDict, cast

from gonfalon.bots.levels import write_level_note
from gonfalon.core.files.record import build_result, describe_stop
from gonfalon.core.files.start_position import TRUE, StartPosition, describe_start, find_start
from gonfalon.core.rules.game import Game, names_for
from gonfalon.core.rules.log import Line, LogReader, list_lines
from gonfalon.core.rules.state import Seat, State
from gonfalon.core.rules.words import describe_action
from gonfalon.table import messages
from gonfalon.table.game.entries import Ended
from gonfalon.table.game.own_cards import ShownCards, build_cards
from gonfalon.table.game.position import Position
from gonfalon.table.links import list_seat_names
from gonfalon.table.seats.gathering import Gathering
from gonfalon.table.seats.proving import ShownProof
from gonfalon.table.seats.seat_choices import Banner
from gonfalon.table.shared.current import Current
from gonfalon.table.store.store import SeatRow, Stage, TableRow

Board = Mapping[str, object]
"""A game's board, of the type that its `board` returns."""


class ShownSeat(TypedDict):
    """A seat as all viewers are shown it."""

    seat: int
    name: str
    by: Literal["person", "bot", "nobody"]
    note: Annotated[str, "How its bot differs from other games' bots of this level; mostly empty."]
    asked: Annotated[bool, "Whether the game waits for this seat."]
    ready: Annotated[bool, "Before the deal: whether it may begin for this seat."]
    leads: Annotated[list[Banner], "Before the deal: the factions that a seat has announced, by being ready."]


class ShownAction(TypedDict):
    """A legal action."""

    id: str
    text: str


class Decision(TypedDict):
    """A question to a seat."""

    seat: int
    prompt: str
    text: str
    actions: list[ShownAction]


class Result(TypedDict):
    """The result of a game by its rules."""

    winners: list[int]
    how: str
    why: str


class Over(TypedDict):
    """The end of a game in words for one viewer, and the reason if it was `ended` before its rules ended it."""

    text: str
    result: Result | None
    ended: Ended | None


Drawn = list[tuple[Line, str]]
"""Sentences of a log, and the HTML of each."""


class Offer(TypedDict):
    """A rematch that is offered or has begun. Its seats are those of the finished game."""

    stage: Stage
    joined: Annotated[list[int], "The players at it."]
    refused: Annotated[list[int], "The players that declined."]


class SeatTime(TypedDict):
    """A seat's clock for one viewer."""

    left: Annotated[int | None, "The time left, in milliseconds; null for a bot, which has no clock."]
    since: Annotated[
        float | None, "When it started to run, in seconds since 1970 by the server's clock; null while it stands still."
    ]
    runs: Annotated[bool, "Whether the game waits for this seat, as far as all viewers may know."]
    out: Annotated[bool, "Whether its flag has fallen."]


class ShownClock(TypedDict):
    """The clocks of a table. In simultaneous decisions the time that other seats use is hidden."""

    pace: PaceShown
    free_until: Annotated[
        float | None, "Until then no bank runs, because several seats are asked at once; null at other times."
    ]
    seats: list[SeatTime]


class PaceShown(TypedDict):
    """The time control of a table."""

    bank: NotRequired[Annotated[int, "The seconds that each seat has."]]
    step: NotRequired[Annotated[int, "The seconds that a seat gains after its turn, up to a full bank."]]
    days: NotRequired[Annotated[int, "In place of both: the days for each turn."]]
    end: Annotated[
        Literal["bot", "claim", "lose"],
        "At zero the strongest bot takes over, the others may claim that, or the game is lost.",
    ]


class ShownRequest(TypedDict):
    """An undo request, shown until the game continues."""

    number: Annotated[int, "Its number, which an answer repeats."]
    seat: Annotated[int, "The seat that asks."]
    agreed: Annotated[list[int], "The seats that have agreed so far."]
    answer: Annotated[Literal["", "agreed", "refused"], "Empty while it is open."]
    by: Annotated[int | None, "The seat that refused."]


class ShownBegun(TypedDict):
    """The position from which a game was played on."""

    step: Annotated[int, "The number of the decision in the finished game at which this game starts."]
    seat: Annotated[int, "The seat whose view of the position was used."]
    cards: Annotated[Literal["anew", "true"], "Whether unseen cards were dealt again or stayed."]
    text: Annotated[str, "A sentence with the same facts."]


class View(TypedDict):
    """Everything that one viewer is shown."""

    table: str
    game: str
    title: str
    viewer: Annotated[int | Literal["spectator"], "A seat, or `spectator`."]
    version: Annotated[int, "The number of changes of this viewer's view."]
    names: list[str]
    seats: list[ShownSeat]
    board: Annotated[Board, "The board."]
    moments: Annotated[int, "The number of moments between decisions so far."]
    prompt: str
    decision: Decision | None
    can_take_back: Annotated[bool, "Whether this seat can undo its last decision, which has revealed nothing."]
    can_ask_back: Annotated[bool, "Whether this seat may ask the others for an undo (`take-back`)."]
    hints: Annotated[bool, "Whether a seat with a decision may ask for a hint (`hint`)."]
    request: ShownRequest | None
    stage: Annotated[
        Literal["waiting", "closed", "playing", "over"],
        "A table that waits is dealt when all seats are ready; one that was closed before never will be.",
    ]
    over: Over | None
    rematch: Offer | None
    clock: Annotated[ShownClock | None, "The clocks; null at a table without clocks."]
    proof: Annotated[ShownProof | None, "The progress of a proved deal; null if the deal is not proved."]
    decided: Annotated[
        list[str] | None,
        "The decisions of this seat so far, to compare with the record; null if the deal is not proved.",
    ]
    begun: Annotated[ShownBegun | None, "The position from which this game started; null for the usual start."]
    cards: Annotated[ShownCards | None, "The own cards; null with the standard ones."]
    log: list[Line]


class Company(TypedDict):
    """The presence of people at the table and their emotes, equal for all viewers."""

    seats: Annotated[
        list[str], "For each seat `here`, `lost` (the connection broke a moment ago), `away`, `bot` or `nobody`."
    ]
    says: Annotated[list[str | None], "For each seat its current emote."]
    watching: Annotated[int, "The number of spectators."]


class SeatingFacts(NamedTuple):
    """The facts of a table that change with its seating only, so that a move need not compute them again."""

    names: list[str]
    seats: list[ShownSeat]
    """The seats, with none of them asked."""
    late: list[Seat]
    """The seats for which the deal has to wait."""
    proof: ShownProof | None
    begun: ShownBegun | None
    cards: ShownCards | None


def build_seating_facts(current: Current, gathering: Gathering) -> SeatingFacts:
    """Return the facts of the seating as it is now."""
    rows, game, waits = current.row.seats, current.position.game, gathering.waits
    names = list_seat_names(rows)
    seats: list[ShownSeat] = [
        {
            "seat": row.seat,
            "name": names[row.seat],
            "by": row.by,
            "note": write_level_note(row.bot, game),
            "asked": False,
            "ready": waits and row.prepared,
            "leads": gathering.list_banners(row.seat),
        }
        for row in rows
    ]
    late = [row.seat for row in rows if gathering.waits_for(row)]
    return SeatingFacts(
        names, seats, late, gathering.proving.describe(), build_begun(find_start(game), names), build_cards(game)
    )


def build_view(current: Current, facts: SeatingFacts, viewer: int, told: LogReader, may_ask: bool = False) -> View:
    """Return the table as a viewer may know it.

    Args:
        current: The table.
        facts: The facts of its seating.
        viewer: A seat or SPECTATOR.
        told: The lines of the log that exist already.
        may_ask: Whether the viewer may ask the others for an undo.
    """
    position = current.position
    game = position.game
    playing: Literal["playing", "over"] = "over" if position.over else "playing"
    view = position.view(viewer)
    names = names_for(game, viewer, facts.names)
    end = build_ending(game, view, position.ended, names, facts.names)
    asked = position.find_awaited_seats()
    return {
        "table": current.key,
        "game": game.name,
        "title": game.title,
        "viewer": viewer if viewer >= 0 else "spectator",
        "version": position.version(viewer),
        "names": facts.names,
        "seats": [{**seat, "asked": seat["seat"] in asked} for seat in facts.seats],
        "board": game.board(view),
        "moments": position.moment_count,
        "prompt": build_prompt(current, view, names, [names[seat] for seat in facts.late]),
        "decision": build_decision(game, view, names, position),
        "stage": playing if current.row.stage == "dealt" else current.row.stage,
        "can_take_back": viewer >= 0 and position.can_undo(viewer),
        "can_ask_back": may_ask,
        "hints": current.row.hints,
        "request": build_request(position),
        "over": end,
        "log": add_ending_line(told.read(game, view, names), end),
        "rematch": build_offer(current.next_row, game.seats) if position.over else None,
        "clock": build_clock(current, viewer),
        "proof": facts.proof,
        "decided": list_decided(current, viewer),
        "begun": facts.begun,
        "cards": facts.cards,
    }


def list_decided(current: Current, viewer: int) -> list[str] | None:
    """Return the decisions of a seat as the record will hold them, where its device compares both."""
    if current.row.sealing is None or viewer < 0:
        return None
    return [current.game.notation(one.action) for one in current.position.course if one.seat == viewer]


def build_begun(told: StartPosition | None, names: list[str]) -> ShownBegun | None:
    """Return the place from which a game was played on, without the position itself."""
    if told is None:
        return None
    cards: Literal["anew", "true"] = "true" if told["cards"] == TRUE else "anew"
    return {"step": told["step"], "seat": told["seat"], "cards": cards, "text": describe_start(told, names)}


def build_clock(current: Current, viewer: int) -> ShownClock | None:
    """Return the clocks for a viewer. The clock of a bot does not run."""
    sight, found = current.position.sight(viewer), current.position.clock
    if sight is None or found is None:
        return None
    seats: list[SeatTime] = []
    for row, hand in zip(current.row.seats, sight.hands, strict=True):
        bot = row.bot is not None
        # Browsers know the wall clock only, so table time is converted for them.
        since = None if bot or hand.since is None else round(current.time.to_wall(hand.since), 3)
        seats.append(
            {"left": None if bot else hand.left, "since": since, "runs": hand.runs and not bot, "out": hand.out}
        )
    free = None if sight.free is None else round(current.time.to_wall(sight.free), 3)
    return {"pace": cast(PaceShown, found.pace.to_json()), "free_until": free, "seats": seats}


def build_prompt(current: Current, view: State, names: list[str], late: list[str]) -> str:
    """Return the prompt for a viewer: the question, or the reason to wait. `late` are the names that delay the deal."""
    if current.position.over:
        return ""
    if current.row.stage == "closed":
        return messages.WITHDRAWN
    if current.row.stage == "waiting":
        if all(row.prepared for row in current.row.seats):
            return messages.WAITING_FOR_SHARES.format(names=", ".join(late))
        return messages.WAITING_FOR_PLAYERS.format(names=", ".join(late))
    return messages.BOT_ANSWERS if is_timed_out(current.position, view.viewer) else current.game.prompt(view, names)


def build_offer(row: TableRow | None, seats: int) -> Offer | None:
    """Return the rematch at the table of this row."""
    if row is None:
        return None
    before = [(row.seats[(seat + 1) % seats], seat) for seat in range(seats)]
    return {
        "stage": row.stage,
        "joined": [seat for there, seat in before if there.token is not None],
        "refused": [seat for there, seat in before if there.ready == "no"],
    }


class Moment(TypedDict):
    """The table between two decisions, for one viewer."""

    number: int
    name: Annotated[str, "Its name in the rules."]
    text: Annotated[str, "A sentence that describes it; lines of a summary may follow."]
    board: Board
    log: list[Line]


def build_moment(game: Game, seats: tuple[SeatRow, ...], view: State, number: int) -> Moment:
    """Return a moment from the view of its viewer."""
    names = names_for(game, view.viewer, list_seat_names(seats))
    return {
        "number": number,
        "name": view.moment,
        "text": game.moment_words(view, names) if view.moment else "",
        "board": game.board(view),
        "log": list(list_lines(game, view, names)),
    }


def build_decision(game: Game, view: State, names: list[str], position: Position) -> Decision | None:
    """Return the question to a viewer with every legal action; None if there is none."""
    if position.over or not position.dealt or view.viewer < 0:
        return None
    if is_timed_out(position, view.viewer):
        return None
    for asked in view.decisions():
        if asked.seat == view.viewer:
            return {
                "seat": asked.seat,
                "prompt": asked.prompt,
                "text": game.prompt(view, names),
                "actions": [
                    {"id": game.notation(a), "text": describe_action(game, view, a, names)} for a in asked.actions
                ],
            }
    return None


def build_request(position: Position) -> ShownRequest | None:
    """Return the undo request, equal for all viewers."""
    found = position.asking.request
    if found is None or position.over:
        return None
    by = found.by if found.answer == "refused" else None
    agreed = sorted(found.agreed)
    return {"number": found.number, "seat": found.seat, "agreed": agreed, "answer": found.answer, "by": by}


def is_timed_out(position: Position, viewer: int) -> bool:
    """Return whether a viewer's time is up in a simultaneous question, which no other player knows yet."""
    return position.clock is not None and viewer in position.clock.secret


def build_ending(
    game: Game, view: State, ended: Mapping[str, object] | None, names: list[str], plain: list[str]
) -> Over | None:
    """Return the ending in words for a viewer; None while the game continues. `ended` is the reason why the table
    stopped before the rules ended the game."""
    if ended is not None:
        why = cast(Ended, ended)
        return {"text": describe_stop(why, view.viewer, names), "result": None, "ended": why}
    if not view.over:
        return None
    return {"text": game.ending(view, names), "result": cast(Result, build_result(game, view, plain)), "ended": None}


def add_ending_line(lines: list[Line], end: Over | None) -> list[Line]:
    """Return a log with a last line on why the table stopped before the rules ended the game, for no event says so."""
    if end is None or end["ended"] is None:
        return lines
    n = lines[-1]["n"] + 1 if lines else 0
    return [*lines, {"n": n, "text": end["text"], "indent": 0, "private": False, "mark": ""}]
