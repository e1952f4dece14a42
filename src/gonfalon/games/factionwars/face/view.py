"""The table as data and as text. Everything here is computed from a masked state."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any, Final

from gonfalon.core.cards import HIDDEN, KIND
from gonfalon.core.english import several
from gonfalon.core.state import Card, Seat
from gonfalon.games.factionwars import box
from gonfalon.games.factionwars.face import words
from gonfalon.games.factionwars.face.refusals import PLAIN, why_not_at, why_not_card
from gonfalon.games.factionwars.rules import events as ev
from gonfalon.games.factionwars.rules import scoring
from gonfalon.games.factionwars.rules.actions import CARD, TAKE, TO
from gonfalon.games.factionwars.rules.goals import Goal
from gonfalon.games.factionwars.rules.state import FactionState
from gonfalon.games.factionwars.rules.tally import of_faction, total_of

if TYPE_CHECKING:
    from gonfalon.games.factionwars.game import FactionWars


# ---- cards ------------------------------------------------------------------------------------------


def printed(game: FactionWars, kind: int) -> dict[str, Any]:
    """What is printed on a card, with what is known about it."""
    entry = game.entries[kind]
    if "rule" in entry:
        return {
            "slug": entry["slug"],
            "name": entry["name"],
            "kind": "goal",
            "text": f"Goal: {words.goal_text(game, entry)}.",
            "points": entry["bonus"],
            "rulings": [31],
            "provenance": {"points": "reconstructed", "name": "ours"},
        }
    card_kind = game.setup.kinds[kind]
    conscript = kind >= len(game.box.cards)
    faction = card_kind.faction
    what = "recruit" if faction >= 0 else card_kind.sort
    text, rulings = words.card_text(game, kind)
    card: dict[str, Any] = {
        "slug": entry["slug"],
        "name": entry["name"],
        "kind": what,
        "faction": game.box.factions[faction]["slug"] if faction >= 0 else None,
        "ability": card_kind.ability or None,
        "icons": [card_kind.icon] if card_kind.icon else [],
        "symbol": entry.get("symbol"),
        "text": text,
        "rulings": list(rulings),
        "copies": entry["copies"] if conscript else game.copies(entry),
        "battle": entry.get("battle", 0),
        "points": entry.get("points", 0),
        "provenance": box.provenance(entry),
    }
    if what in ("action", "war"):
        del card["battle"], card["points"]
        for number in ("battle", "points"):
            del card["provenance"][number]
    return card


def face(game: FactionWars, card: Card) -> dict[str, Any]:
    """A card or its back."""
    return {"back": True} if card & KIND == HIDDEN else {**printed(game, card & KIND), "back": False}


def counted(game: FactionWars, cards: list[Card]) -> list[dict[str, Any]]:
    """The known cards of a pile by kind, each with how many there are."""
    kinds = [card & KIND for card in cards if card & KIND != HIDDEN]
    return [{"card": printed(game, kind), "count": kinds.count(kind)} for kind in sorted(set(kinds))]


# ---- the board --------------------------------------------------------------------------------------


def board(game: FactionWars, view: FactionState) -> dict[str, Any]:
    """All that lies on the table, as the viewer may know it."""
    setup = game.setup
    me = view.viewer if view.viewer >= 0 else None
    armies = [view.owned(seat) for seat in range(game.seats)]
    outcome = view.outcome()
    return {
        "viewer": view.viewer,
        "me": me,
        "players": game.seats,
        "revision": game.options["revision"],
        "reconstructed": game.later,
        "round": view.round,
        "last_round": view.last >= 0,
        "last_why": words.WHY_LAST[view.last] if view.last >= 0 else None,
        "phase": view.stack[-1].prompt if view.stack else "over",
        "lineup": lineup(game, view, me, armies),
        "resolving": view.place + 1 if view.place >= 0 and not view.over else None,
        "table": [face(game, card) for card in view.table],
        "deck": {
            "count": len(view.deck),
            "discard_count": len(view.discard),
            "discard": counted(game, view.discard),
            "depleted": view.depleted,
            "depletions": setup.depletions,
        },
        "bonus": [face(game, card) for card in view.bonus],
        "aside": [face(game, card) for card in view.aside],
        "factions": [
            {key: faction.get(key, "") for key in ("slug", "name", "colour", "glyph", "pattern")}
            for faction in game.box.factions
        ],
        "seats": [seat_of(game, view, seat, armies) for seat in range(game.seats)],
        "revealed": revealed(game, view),
        "scenes": scenes(game, view),
        "final": final(game, view, armies) if view.winners else None,
        "outcome": None if outcome is None else {"winners": outcome.winners, "how": outcome.how},
    }


def lineup(game: FactionWars, view: FactionState, me: Seat | None, armies: list[list[int]]) -> list[dict[str, Any]]:
    """The places of the line-up: what lies there, who has selected it (once revealed), what it would be
    worth to the viewer."""
    places = view.places()
    shown = []
    for place in range(game.setup.size):
        card = view.lineup[places.index(place)] if place in places else None
        shown.append(
            {
                "place": place + 1,
                "id": game.notation(TAKE + place),
                "card": None if card is None else face(game, card),
                "gone": place in view.gone(),
                "selected_by": [seat for seat in range(game.seats) if view.picks[seat] == place],
                "worth": worth(game, view, me, card & KIND, armies) if me is not None and card is not None else None,
            }
        )
    return shown


def my_goal(game: FactionWars, view: FactionState, seat: Seat) -> Goal | None:
    """A seat's goal as far as the viewer knows it, or None."""
    if not view.goal[seat] or view.goal[seat][0] & KIND == HIDDEN:
        return None
    return game.setup.goals[(view.goal[seat][0] & KIND) - game.setup.first_goal]


def parts_of(game: FactionWars, view: FactionState, seat: Seat, armies: list[list[int]]) -> list[int]:
    """A seat's score by its parts, as far as the viewer knows it: an unknown goal counts nothing."""
    shown = [card & KIND for card in view.bonus]
    return scoring.parts(game.setup, seat, armies, my_goal(game, view, seat), shown)


def worth(game: FactionWars, view: FactionState, seat: Seat, kind: int, armies: list[list[int]]) -> dict[str, Any]:
    """What owning one more card of a kind would add to a seat's score now, by parts; what its ability
    brings is left open. Bystanders and Action cards are not kept, so they add nothing themselves."""
    card = game.setup.kinds[kind]
    keeps = card.faction >= 0
    delta = [0] * len(scoring.PARTS)
    goal = my_goal(game, view, seat)
    progress = None
    if keeps:
        after = [army[:] for army in armies]
        after[seat][kind] += 1
        before, now = parts_of(game, view, seat, armies), parts_of(game, view, seat, after)
        delta = [y - x for x, y in zip(before, now, strict=True)]
        if goal is not None:
            was, will = (goal.progress(game.setup, seat, all_) for all_ in (armies, after))
            if was != will:
                progress = {"have": will[0], "need": will[1], "had": was[0]}
    return {
        "points": sum(delta),
        "parts": dict(zip(scoring.PARTS, delta, strict=True)),
        "goal": progress,
        "ability": card.acts or not keeps,
        "kept": keeps,
    }


def seat_of(game: FactionWars, view: FactionState, seat: Seat, armies: list[list[int]]) -> dict[str, Any]:
    """One army: what it owns is public, in which order its battle deck lies nobody knows (ruling 31)."""
    setup = game.setup
    owned = armies[seat]
    parts = parts_of(game, view, seat, armies)
    berserkers = total_of(owned, setup.berserkers)
    return {
        "seat": seat,
        "factions": [
            {
                "slug": faction["slug"],
                "name": faction["name"],
                "count": of_faction(setup, owned, number),
                "cards": [
                    {"card": printed(game, kind), "count": owned[kind]}
                    for kind in range(len(owned))
                    if owned[kind] and setup.faction_of[kind] == number
                ],
            }
            for number, faction in enumerate(game.box.factions)
        ],
        "recruits": view.recruits(seat),
        "pool": view.pool(seat),
        "bystanders": total_of(owned, setup.bystanders),
        "berserkers": berserkers,
        "berserker_points": berserkers * berserkers,
        "conscripts": len(setup.conscripts),
        "battle_deck": len(view.army[seat]),
        "pile_count": len(view.pile[seat]),
        "pile": counted(game, view.pile[seat]),
        "goal": goal_of(game, view, seat, armies),
        "has_goal": bool(view.goal[seat]),
        "score": dict(zip(scoring.PARTS, parts, strict=True)),
        "points": sum(parts),
        "points_complete": not view.goal[seat] or my_goal(game, view, seat) is not None,
        "to_act": seat in view.asked() and not (seat == view.viewer and view.turn != seat),
    }


def goal_of(game: FactionWars, view: FactionState, seat: Seat, armies: list[list[int]]) -> dict[str, Any] | None:
    """A goal that the viewer knows, with its progress as it stands."""
    goal = my_goal(game, view, seat)
    if goal is None:
        return None
    have, need = goal.progress(game.setup, seat, armies)
    return {
        **printed(game, goal.id),
        "have": have,
        "need": need,
        "met": goal.met(game.setup, seat, armies),
        "bonus": goal.bonus,
    }


def final(game: FactionWars, view: FactionState, armies: list[list[int]]) -> list[dict[str, Any]]:
    """The final table: every part of every score, and every kind of card with its points."""
    table = []
    for seat in range(game.seats):
        owned = armies[seat]
        setup = game.setup
        rows = []
        for kind in range(len(owned)):
            if not owned[kind]:
                continue
            entry = game.entries[kind]
            each = setup.kinds[kind].score(setup, owned)
            rows.append(
                {"slug": entry["slug"], "name": entry["name"], "count": owned[kind], "each": each}
                | {"points": each * owned[kind]}
            )
        shown = [card & KIND for card in view.bonus]
        table.append(
            {
                "seat": seat,
                "cards": rows,
                "open": [
                    {"slug": game.entries[kind]["slug"], "name": game.entries[kind]["name"]}
                    | {"points": setup.kinds[kind].score(setup, owned)}
                    for kind in shown
                ],
                "parts": dict(zip(scoring.PARTS, parts_of(game, view, seat, armies), strict=True)),
                "goal": goal_of(game, view, seat, armies),
                "total": view.totals[seat],
                "winner": bool(view.winners >> seat & 1),
            }
        )
    return table


# ---- what has happened this round, as small scenes ----------------------------------------------------


def revealed(game: FactionWars, view: FactionState) -> list[dict[str, Any]]:
    """The selectors that were revealed last, seat by seat: who selected which place, and what lay there."""
    found: list[dict[str, Any]] = []
    for code, _, seat, card, a, _ in reversed(view.log or []):
        if code == ev.CHOSE:
            found.append({"seat": seat, "place": a + 1, "card": face(game, card)})
        elif found:
            break
    return found[::-1]


def scenes(game: FactionWars, view: FactionState) -> list[dict[str, Any]]:
    """One scene for each place that was resolved since the last selectors were revealed: a claim or a
    battle reveal by reveal, and what it led to. Without a log there are none."""
    log = view.log or []
    begin = len(log)
    while begin and log[begin - 1][0] != ev.CHOSE:
        begin -= 1
    found: list[dict[str, Any]] = []
    for event in log[begin:]:
        code, _, seat, card, a, b = event
        if code == ev.CLEARED:
            break
        if code == ev.BATTLE:
            fighters = [i for i in range(game.seats) if b >> i & 1]
            found.append(scene(game, a, card, fighters))
        elif code == ev.CLAIMED:
            if b == ev.SOLE:
                found.append(scene(game, a, card, [seat]))
            found[-1]["winner"] = seat
        elif code == ev.LOST:
            found[-1]["lost"] = "no clear winner" if b == ev.NO_CLEAR_WINNER else "all are out"
        elif code == ev.SHOWN:
            rounds = found[-1]["reveals"]
            if len(rounds) < a:
                rounds.append({"shown": [], "out": [], "tied": None})
            rounds[-1]["shown"].append({"seat": seat, "card": face(game, card), "value": b})
        elif code == ev.OUT:
            rounds = found[-1]["reveals"]
            if a == ev.NO_CARD and (not rounds or rounds[-1]["tied"] is not None):
                rounds.append({"shown": [], "out": [], "tied": None})
            why = "no card left" if a == ev.NO_CARD else words.WHY_OUT[a]
            rounds[-1]["out"].append({"seat": seat, "why": why})
        elif code == ev.TIED:
            found[-1]["reveals"][-1]["tied"] = {
                "seats": [i for i in range(game.seats) if a >> i & 1],
                "why": "same symbol" if b == ev.SAME_SYMBOL else "level",
            }
        elif found and code in AFTERMATH:
            found[-1]["then"].append(aftermath(game, event))
    return found


AFTERMATH: Final = {
    ev.DREW: "drew",
    ev.NOTHING: "nothing",
    ev.TARGET: "target",
    ev.STOLE: "stole",
    ev.REMOVED: "removed",
    ev.DESERTED: "deserted",
    ev.GAVE: "gave",
    ev.HANDED: "handed",
    ev.ACTION: "action",
    ev.ACTION_DONE: "action_done",
    ev.CALLED: "called",
    ev.KEPT: "kept",
    ev.DISMISSED: "dismissed",
    ev.FREED: "freed",
    ev.SHUFFLED: "shuffled",
    ev.DEPLETED: "depleted",
    ev.RENEWED: "renewed",
    ev.WAR_OVER: "war_over",
    ev.WORTHLESS: "worthless",
}


def scene(game: FactionWars, place: int, card: Card, seats: list[Seat]) -> dict[str, Any]:
    """The beginning of a scene."""
    return {
        "place": place + 1,
        "card": face(game, card),
        "seats": seats,
        "battle": len(seats) > 1,
        "reveals": [],
        "winner": None,
        "lost": None,
        "then": [],
    }


def aftermath(game: FactionWars, event: tuple[int, int, int, int, int, int]) -> dict[str, Any]:
    """One thing that a claim led to: what, who, which card, whom, out of how many."""
    code, _, seat, card, a, b = event
    shown: dict[str, Any] = {"what": AFTERMATH[code], "seat": seat if seat >= 0 else None}
    shown["card"] = face(game, card) if card & KIND != HIDDEN else None
    shown["other"] = a if code in (ev.TARGET, ev.STOLE, ev.REMOVED, ev.DESERTED, ev.GAVE, ev.HANDED) else None
    shown["of"] = b if code in (ev.STOLE, ev.REMOVED) else None
    if code == ev.NOTHING:
        shown["why"] = words.WHY_NOTHING[a]
    return shown


# ---- controls ---------------------------------------------------------------------------------------


def controls(game: FactionWars, view: FactionState) -> dict[str, Any]:
    """How a page asks the viewer's decision: `mode` is the prompt, `choices` what may be chosen, `why` for
    everything else of the same sort the rule that forbids it."""
    seat = view.turn
    if seat < 0 or seat != view.viewer:
        return {"mode": None, "kind": None, "choices": [], "why": {}}
    asked = view.stack[-1].prompt
    legal = view.actions
    choices = []
    for action in legal:
        choice: dict[str, Any] = {"id": game.notation(action), "text": words.describe(game, view, action)}
        if CARD <= action < CARD + len(game.entries):
            choice["card"] = printed(game, action - CARD)
        elif TO <= action < CARD:
            choice["seat"] = action - TO
        else:
            choice["place"] = action - TAKE + 1
        choices.append(choice)
    why: dict[str, str] = {}
    kind = "card"
    if asked == "select":
        kind = "place"
        empty = [place for place in range(game.setup.size) if TAKE + place not in legal]
        why = {game.notation(TAKE + place): view.reason(seat, TAKE + place) for place in empty}
    elif asked in ("bystander", "victim", "parley"):
        kind = "seat"
        barred = [other for other in range(game.seats) if TO + other not in legal]
        why = {game.notation(TO + other): why_not_at(view, seat, asked, other) for other in barred}
    elif asked == "exchange":
        there = sorted({card & KIND for card in view.discard})
        why = {game.notation(CARD + k): why_not_card(view, seat, asked, k) for k in there if CARD + k not in legal}
    elif asked in ("desert", "gift"):
        owned = view.owned(seat)
        mine = [k for k in range(game.setup.owned) if owned[k] and CARD + k not in legal]
        why = {game.notation(CARD + k): why_not_card(view, seat, asked, k) for k in mine}
    return {"mode": asked, "kind": kind, "choices": choices, "why": why, "rule": PLAIN[asked]}


# ---- text for terminals -----------------------------------------------------------------------------


def wrapped(line: str, indent: str = "  ") -> list[str]:
    """A line in at most 80 columns."""
    return textwrap.wrap(line, 80, subsequent_indent=indent) or [""]


def text(game: FactionWars, view: FactionState, names: list[str]) -> str:
    """The table in words, at most 80 columns wide."""
    shown = board(game, view)
    deck = shown["deck"]
    head = f"Round {shown['round']}." if shown["round"] else "Before the first round."
    head += f" Recruit deck {deck['count']}, discarded {deck['discard_count']}, "
    head += f"emptied {deck['depleted']} of {deck['depletions']} times."
    if shown["last_round"]:
        head += f" LAST ROUND: {shown['last_why']}."
    lines = wrapped(head)
    if shown["reconstructed"]:
        lines += wrapped("Later revision, partly reconstructed.")
    for card in shown["bonus"]:
        lines += wrapped(f"Open Bonus Card: {card['name']}. {card['text']}")
    for place in shown["lineup"]:
        lines += wrapped(_place(place, names), "     ")
    if shown["table"]:
        lines += wrapped("On the table: " + ", ".join(card["name"] for card in shown["table"]))
    for seat in shown["seats"]:
        name, number = names[seat["seat"]], game.seat_names()[seat["seat"]]
        lines += _army(seat, name if name == number else f"{name} ({number})")
    me = shown["me"]
    if me is not None and shown["seats"][me]["goal"]:
        goal = shown["seats"][me]["goal"]
        lines += wrapped(f"Your goal, {goal['name']}: {_progress(goal)}.")
    if shown["final"]:
        lines += _final(shown, names)
    return "\n".join(lines)


def _progress(goal: dict[str, Any]) -> str:
    state = "met" if goal["met"] else "not met"
    count = f"{goal['have']} of {goal['need']}" if goal["need"] else f"{goal['have']}"
    return f"{goal['text'].removeprefix('Goal: ').rstrip('.')} ({count}, {state}; {goal['bonus']} points)"


def _place(place: dict[str, Any], names: list[str]) -> str:
    card = place["card"]
    if card is None:
        return f"  {place['place']}. -"
    by = [names[seat] for seat in place["selected_by"]]
    selected = f"  <- {several(by)}" if by else ""
    numbers = f" [{card['battle']}/{card['points']}]" if "battle" in card else ""
    faction = f", {card['faction']}" if card["faction"] else ""
    worth = place["worth"]
    mine = f"  ({worth['points']:+d} for you)" if worth is not None and worth["kept"] else ""
    rule = f" {card['text']}" if card["text"] else ""
    return f"  {place['place']}. {card['name']}{numbers}{faction}.{rule}{mine}{selected}"


def _army(seat: dict[str, Any], name: str) -> list[str]:
    points = f"{seat['points']} points" + ("" if seat["points_complete"] else " and a goal")
    lines = wrapped(f"{name}: {points}; battle deck {seat['battle_deck']}, discard pile {seat['pile_count']}.")
    parts = []
    for faction in seat["factions"]:
        if faction["cards"]:
            cards = ", ".join(
                row["card"]["name"] + (f" x{row['count']}" if row["count"] > 1 else "") for row in faction["cards"]
            )
            parts.append(f"{faction['name']} {faction['count']}: {cards}")
    if seat["bystanders"]:
        parts.append(f"Bystanders {seat['bystanders']}")
    return lines + (["  " + line for line in textwrap.wrap("; ".join(parts), 78)] if parts else [])


def _final(shown: dict[str, Any], names: list[str]) -> list[str]:
    lines = ["Final scores:"]
    for row in sorted(shown["final"], key=lambda row: -row["total"]):
        parts = ", ".join(f"{part} {points}" for part, points in row["parts"].items() if points)
        mark = "*" if row["winner"] else " "
        goal = row["goal"]
        note = f"; goal {goal['name']} {'met' if goal['met'] else 'not met'}" if goal else ""
        lines += wrapped(f" {mark}{names[row['seat']]}: {row['total']} ({parts or 'nothing'}{note})", "   ")
    return lines
