"""The table as data and as text. Everything here is computed from a masked state."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any, Final

from gonfalon.core.cards import HIDDEN, KIND
from gonfalon.core.state import Action, Card, Seat
from gonfalon.games.generals.cards.decks import cost_text
from gonfalon.games.generals.effects.frame import ARMAMENT, GENERAL, PARTS, TROOP
from gonfalon.games.generals.face import preview, refusals, words
from gonfalon.games.generals.rules import legal as possible
from gonfalon.games.generals.rules import stats
from gonfalon.games.generals.rules.actions import ACTIVE, CARD, PASS, SIEGE, UNIT, ZONE
from gonfalon.games.generals.rules.cards import NO_ACT, RULES
from gonfalon.games.generals.rules.state import (
    ACTIVE_USED,
    AGAIN,
    ATTACK_USED,
    HAS_MOVED,
    NEW,
    OPPONENT,
    GeneralsState,
)
from gonfalon.games.generals.rules.stats import LAST_MOD, LAST_RULE
from gonfalon.games.generals.rules.turn import ChooseAct
from gonfalon.games.generals.rules.zones import BORDER, ENEMY_BORDER, FORTRESS, PLACES, WORDS, ZONE_OF

if TYPE_CHECKING:
    from gonfalon.games.generals.game import Generals

OPENINGS: Final = ("toss", "shuffle", "deal", "mulligan")


# ---- cards ------------------------------------------------------------------------------------------


def printed(game: Generals, kind: int) -> dict[str, Any]:
    """What is printed on a card, with what is known about it."""
    card = game.pool.cards[kind]
    general = card.type == "character"
    faction = game.pool.faction(card.faction)
    return {
        "id": card.id,
        "slug": card.slug,
        "name": card.name,
        "type": card.type,
        "subtypes": list(card.subtypes),
        "faction": faction.slug,
        "faction_name": faction.name,
        "colour": faction.colour,
        "glyph": faction.glyph,
        "pattern": faction.pattern,
        "cost": card.cost if card.type != "commandment" else None,
        "cost_text": cost_text(card) if card.type != "commandment" else "",
        "might": card.might if general else None,
        "wits": card.wits if general else None,
        "upkeep": card.upkeep if general else None,
        "actives": [cost_of_active(active) for active in game.kinds[kind].actives],
        "text": card.text,
        "story": card.story,
        "rulings": list(card.rulings),
        "provenance": dict(card.sources),
    }


def cost_of_active(active: Any) -> str:
    """What an active effect costs, in words."""
    parts = [(active.resource, "RESOURCE"), (active.sacrifice, "general")]
    more = [f"{count} {what}" for count, what in parts if count]
    return " and ".join([str(active.hand), *more] if active.hand or not more else more)


class _Faces:
    """Gives every card on the page an id, from what the viewer sees alone: equal cards are numbered in
    the order they are drawn on the page, so no id can follow a card through a hidden place."""

    def __init__(self, game: Generals) -> None:
        self.game = game
        self.count: dict[str, int] = {}
        self.printed: dict[int, dict[str, Any]] = {}

    def face(self, seat: Seat, card: Card, zone: str) -> dict[str, Any]:
        kind = card & KIND
        if kind == HIDDEN:
            stem = f"h{seat}-{zone}"
            face: dict[str, Any] = {"back": True, "owner": seat}
        else:
            if kind not in self.printed:
                self.printed[kind] = printed(self.game, kind)
            stem = f"k{seat}-{self.printed[kind]['slug']}"
            face = {**self.printed[kind], "back": False, "owner": seat}
        number = self.count[stem] = self.count.get(stem, 0) + 1
        face["dom"] = f"{stem}-{number}"
        return face


# ---- the board --------------------------------------------------------------------------------------


def board(game: Generals, view: GeneralsState) -> dict[str, Any]:
    """All that lies on the table, as the viewer may know it."""
    faces = _Faces(game)
    me = view.viewer if view.viewer >= 0 else 0
    units = [[_unit(game, view, faces, u) for u in view.army[seat]] for seat in (0, 1)]
    asked = view.stack[-1].prompt if view.stack else "over"
    return {
        "viewer": view.viewer,
        "me": view.viewer if view.viewer >= 0 else None,
        "turn": view.number,
        "active": view.active,
        "first": view.first,
        "phase": "opening" if asked in OPENINGS and view.number == 0 else asked if asked == "over" else "turn",
        "asked": asked,
        "seats": [_seat(game, view, faces, seat, units[seat]) for seat in (0, 1)],
        "zones": [_zone(me, zone, units) for zone in ZONE_OF[OPPONENT[me]]],
        "act": preview.answered(game, view),
        "lasting": [_lasting(game, view, entry) for entry in view.lasting],
        "paying": preview.paying(view),
        "outcome": _outcome(view),
    }


def _outcome(view: GeneralsState) -> dict[str, Any] | None:
    outcome = view.outcome()
    return None if outcome is None else {"winners": outcome.winners, "how": outcome.how}


def _zone(me: Seat, zone: int, units: list[list[dict[str, Any]]]) -> dict[str, Any]:
    """A zone with both armies in it, named as `me` calls it; the zones come from the far end to their own."""
    return {
        "zone": zone,
        "place": WORDS[ZONE_OF[me][zone]],
        "name": PLACES[ZONE_OF[me][zone]],
        "sides": [[unit["id"] for unit in units[seat] if unit["zone"] == zone] for seat in (0, 1)],
    }


def _unit(game: Generals, view: GeneralsState, faces: _Faces, u: int) -> dict[str, Any]:
    """A general in play with its numbers as they are now."""
    setup = view.setup
    seat = setup.owner[u]
    flags = view.flags[u]
    bits = stats.bits(view, u)
    face = faces.face(seat, view.setup.kind[u], "field")
    return {
        **face,
        "id": preview.unit_id(game, u),
        "card_id": face["id"],
        "seat": seat,
        "zone": view.zone[u],
        "place": WORDS[ZONE_OF[seat][view.zone[u]]],
        "now": {"might": view.might(u), "wits": view.wits(u), "upkeep": stats.upkeep(view, u)},
        "gear": [
            {**faces.face(seat, worn, "gear"), "part": word, "marks": view.marks[u * PARTS + part]}
            for word, part, worn in (("armament", ARMAMENT, view.armament[u]), ("troop", TROOP, view.troop[u]))
            if worn >= 0
        ],
        "marks": view.marks[u * PARTS + GENERAL],
        "new": bool(flags & NEW),
        "moved": bool(flags & HAS_MOVED),
        "attacked": bool(flags & ATTACK_USED),
        "used": bool(flags & ACTIVE_USED),
        "again": bool(flags & AGAIN),
        "held": bool(bits & NO_ACT),
        "rules": [words.BARS[RULES[i]] for i in range(len(RULES)) if bits >> i & 1],
        "can_act": seat == view.active and possible.has_act(view, u),
    }


def _lasting(game: Generals, view: GeneralsState, entry: tuple[int, ...]) -> dict[str, Any]:
    """A temporary effect: the card it came from, whom it is about, until which turn."""
    what, index, seat, u, amount, expires, _, kind = entry
    setup = view.setup
    if what == LAST_MOD:
        text = f"{words.STAT_WORDS[setup.mods[index].stat]} {amount:+d}"
    elif what == LAST_RULE:
        text = words.BARS[RULES[setup.rules[index].bit.bit_length() - 1]]
    else:
        text = "in force"
    return {
        "seat": seat,
        "from": game.kinds[kind].name if kind >= 0 else "",
        "unit": preview.unit_id(game, u),
        "text": text,
        "turns": expires - view.number,
    }


def _seat(
    game: Generals, view: GeneralsState, faces: _Faces, seat: Seat, units: list[dict[str, Any]]
) -> dict[str, Any]:
    own = seat == view.viewer
    deck = view.lists[seat]
    # In the order in which cards are paid with; the view has those that others know at the end.
    hand = [faces.face(seat, card, "hand") for card in sorted(view.hand[seat], key=_kind)]
    for face in hand:
        if own and not face["back"]:
            kind = game.kinds[game.pool.by_slug[face["slug"]].kind]
            face["price"] = preview.cost(game, view, seat, kind)
            face["dead"] = preview.dead_weight(view, seat, kind.id)
    return {
        "seat": seat,
        "deck": game.lists[seat].name if deck and game.lists else "",
        "list": _counted(game, deck) if deck else None,
        "seen": _counted(game, view.seen[seat]) if not deck else [],
        "factions": _factions(game, seat),
        "hand_limit": view.setup.limits[seat],
        "resource": len(view.deck[seat]),
        "discard": len(view.discard[seat]),
        "hand": hand,
        "hand_count": len(view.hand[seat]),
        "known_resource": [
            faces.face(seat, card, "resource") for card in reversed(view.deck[seat]) if card & KIND != HIDDEN
        ],
        "casualty": [faces.face(seat, card, "casualty") for card in view.casualty[seat]],
        "out": [faces.face(seat, card, "out") for card in view.out[seat]],
        "flight": [faces.face(seat, card, "flight") for card in view.flight[seat]],
        "commandment": faces.face(seat, view.command[seat][0], "command"),
        "units": units,
        "upkeep": preview.upkeep(view, seat),
        "threat": preview.threat(view, seat),
        "warnings": preview.warnings(view, seat) if own and view.winner < 0 else [],
        "blockers_needed": view.standing(OPPONENT[seat], ZONE_OF[seat][BORDER]),
        "blockers": view.standing(seat, ZONE_OF[seat][BORDER]),
        "to_act": seat in view.asked(),
    }


def _kind(card: Card) -> int:
    return card & KIND


def _factions(game: Generals, seat: Seat) -> list[dict[str, Any]]:
    """The factions a seat announces (ruling 61)."""
    keys = ("slug", "name", "colour", "glyph", "pattern")
    found = [game.pool.faction(code) for code in game.announced[seat].factions]
    return [{key: getattr(faction, key) for key in keys} for faction in found]


def _counted(game: Generals, kinds: list[int]) -> list[dict[str, Any]]:
    """Cards of a deck list with their numbers, in the order in which lists are read."""
    order = sorted(set(kinds), key=lambda kind: (game.kinds[kind].type, kind))
    return [{"slug": game.kinds[k].slug, "name": game.kinds[k].name, "count": kinds.count(k)} for k in order]


# ---- the controls of a page -------------------------------------------------------------------------


def controls(game: Generals, view: GeneralsState) -> dict[str, Any]:
    """How a page asks the viewer's decision.

    `choices` are all legal actions. In the Main Phase `cards` tells for each card of the hand its cost
    and why it cannot be played, `units` for each own general what it could do, each with a preview, and
    why not the rest. `act` is the general that is acting.
    """
    blank: dict[str, Any] = {"mode": None, "choices": [], "cards": {}, "units": {}, "act": None, "end": None}
    seat = view.turn
    if seat < 0 or seat != view.viewer:
        return blank
    step = view.stack[-1]
    asked = step.prompt
    choices = [_choice(game, view, action) for action in view.actions]
    # The common prompt bar has a mode `place` of its own, for placings that are locked in together.
    mode = "zone" if asked == "place" else asked
    shown = {**blank, "mode": mode, "choices": choices, "pass": PASS in view.actions}
    if asked == "main":
        shown["cards"] = {
            game.kinds[k].slug: _card(game, view, seat, k) for k in sorted({c & KIND for c in view.hand[seat]})
        }
        shown["units"] = {str(preview.unit_id(game, u)): _acts(game, view, u) for u in view.army[seat]}
        shown["end"] = preview.warnings(view, seat)
    elif asked == "answer":
        held = sorted({card & KIND for card in view.hand[seat]} & set(view.setup.counters[seat]))
        shown["cards"] = {
            game.kinds[k].slug: {
                "why": None if CARD + k in view.actions else refusals.reason(view, seat, CARD + k),
                "cost": preview.cost(game, view, seat, game.kinds[k]),
            }
            for k in held
        }
    elif isinstance(step, ChooseAct):
        shown["act"] = preview.unit_id(game, step.unit)
        shown["units"] = {str(shown["act"]): _acts(game, view, step.unit)}
    return shown


def _choice(game: Generals, view: GeneralsState, action: Action) -> dict[str, Any]:
    return {"id": game.notation(action), "text": words.describe(game, view, action)}


def _card(game: Generals, view: GeneralsState, seat: Seat, number: int) -> dict[str, Any]:
    kind = game.kinds[number]
    why = refusals.why_no_play(view, seat, kind)
    idle = why is None and preview.idle_card(view, seat, kind)
    return {"why": why, "cost": preview.cost(game, view, seat, kind), "idle": idle}


def _acts(game: Generals, view: GeneralsState, u: int) -> dict[str, Any]:
    """What a general could do, and why not."""
    setup = view.setup
    seat = setup.owner[u]
    legal = possible.acts_of(view, u)
    foes = [UNIT + v for v in view.army[OPPONENT[seat]] if view.zone[v] == view.zone[u]]
    actives = [ACTIVE + i for i in range(len(setup.kinds[setup.kind[u]].actives))]
    here = ZONE_OF[seat][view.zone[u]]
    moves = [ZONE + place for place in (FORTRESS, BORDER, ENEMY_BORDER) if place != here]
    wanted = [*moves, *actives, *sorted(foes)]
    if here == ENEMY_BORDER:
        wanted.insert(0, SIEGE)
    out = []
    for action in wanted:
        entry: dict[str, Any] = {"id": game.notation(action), "text": _act_text(game, view, u, action), "preview": None}
        entry["why"] = None if action in legal else refusals.why_not_act(view, u, action)
        if action == SIEGE:
            entry["preview"] = preview.siege(game, view, u)["text"]
        elif action >= UNIT:
            entry["preview"] = preview.fight(game, view, u, action - UNIT)["text"]
        elif action >= ACTIVE:
            active = setup.kinds[setup.kind[u]].actives[action - ACTIVE]
            idle = f"; {words.IDLE}" if preview.idle_active(view, u, active) else ""
            entry["preview"] = f"Cost {cost_of_active(active)}{idle}"
        elif action == ZONE + ENEMY_BORDER and action not in legal and preview.blockers(view, u):
            entry["preview"] = f"{preview.blockers(view, u)} more needed at your BORDER"
        out.append(entry)
    return {"can": bool(legal), "why": None if legal else refusals.why_not_general(view, seat, u), "acts": out}


def _act_text(game: Generals, view: GeneralsState, u: int, action: Action) -> str:
    """An act of a general in a few words, for a button."""
    if action == SIEGE:
        return "Lay siege"
    if action >= UNIT:
        return f"Attack {words.unit_name(game, action - UNIT)}"
    if action >= ACTIVE:
        return "Use active effect"
    return f"Move to {PLACES[action - ZONE]}"


# ---- text for terminals -----------------------------------------------------------------------------


def text(game: Generals, view: GeneralsState, names: list[str]) -> str:
    """The table in words, at most 80 columns wide."""
    me = view.viewer if view.viewer >= 0 else 0
    other = OPPONENT[me]
    lines = _wrap(f"Turn {view.number}, {names[view.active]} on." if view.number else "Before the first turn.")
    lines += _seat_lines(game, view, other, names[other])
    for zone in ZONE_OF[other]:
        name = PLACES[ZONE_OF[me][zone]]
        lines.append(f"-- {name} " + "-" * (76 - len(name)))
        for seat in (other, me):
            for u in view.army[seat]:
                if view.zone[u] == zone:
                    lines += _wrap(f"   {'<' if seat == other else '>'} {_unit_text(game, view, u)}")
    lines += _seat_lines(game, view, me, names[me])
    if view.viewer >= 0:
        hand = ", ".join(_hand_text(game, view, me, card) for card in view.hand[me])
        lines += _wrap(f"Your hand: {hand or 'empty'}")
        if view.winner < 0:
            for warning in preview.warnings(view, me):
                lines += _wrap(f"! {warning}")
    shown = preview.answered(game, view)
    if shown is not None:
        seen = f" ({shown['preview']['text']})" if shown["preview"] else ""
        lines += _wrap(f"Declared: {shown['text']}{seen}.")
    return "\n".join(lines)


def _seat_lines(game: Generals, view: GeneralsState, seat: Seat, name: str) -> list[str]:
    due = stats.upkeep_total(view, seat)
    fallen = ", ".join(game.kinds[card & KIND].name for card in view.casualty[seat])
    command = game.kinds[view.setup.commands[seat]].name
    factions = ", ".join(game.pool.faction(code).name for code in game.announced[seat].factions) or "no faction"
    line = (
        f"{name} ({factions}): RESOURCE {len(view.deck[seat])} (Upkeep {due}), hand {len(view.hand[seat])} of "
        f"{view.setup.limits[seat]}, DISCARD {len(view.discard[seat])}, {command}"
    )
    lines = _wrap(line + (f"; CASUALTY: {fallen}" if fallen else ""))
    if view.seen[seat] and not view.lists[seat]:
        seen = ", ".join(f"{entry['count']} {entry['name']}" for entry in _counted(game, view.seen[seat]))
        lines += _wrap(f"  Seen of this deck: {seen}")
    return lines


def _unit_text(game: Generals, view: GeneralsState, u: int) -> str:
    gear = [game.kinds[kind].name for kind in (view.armament[u], view.troop[u]) if kind >= 0]
    worn = f" + {', '.join(gear)}" if gear else ""
    flags = view.flags[u]
    done = [
        word
        for bit, word in ((NEW, "new"), (HAS_MOVED, "moved"), (ATTACK_USED, "attacked"), (ACTIVE_USED, "active used"))
        if flags & bit
    ]
    return f"{words.unit_name(game, u)} {view.might(u)}/{view.wits(u)}{worn}" + (
        f" ({', '.join(done)})" if done else ""
    )


def _hand_text(game: Generals, view: GeneralsState, seat: Seat, card: Card) -> str:
    if card & KIND == HIDDEN:
        return "?"
    kind = game.kinds[card & KIND]
    return f"{kind.name} ({stats.cost(view, seat, kind)})"


def _wrap(line: str) -> list[str]:
    indent = " " * (len(line) - len(line.lstrip()) + 2)
    return textwrap.wrap(line, 80, subsequent_indent=indent) or [line]
