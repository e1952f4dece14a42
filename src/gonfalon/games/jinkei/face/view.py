"""The table as data and as text. Everything here is computed from a masked state."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from gonfalon.core.cards import HIDDEN, KIND
from gonfalon.core.state import Action, Card, Seat
from gonfalon.games.jinkei.face import words
from gonfalon.games.jinkei.face.refusals import why_not_play
from gonfalon.games.jinkei.rules import events as ev
from gonfalon.games.jinkei.rules.actions import FORMATION, PLAY, TYPE
from gonfalon.games.jinkei.rules.setup import REINFORCEMENTS, ROWS, SPACES, Formation
from gonfalon.games.jinkei.rules.state import OPPONENT, TIE, JinkeiState

if TYPE_CHECKING:
    from gonfalon.games.jinkei.game import Jinkei

SHAPES = ["triangle", "circle"]


def printed(game: Jinkei, kind: int) -> dict[str, Any]:
    """What is printed on a card, and the rule that belongs to it."""
    rank, colour = game.setup.rank[kind], game.setup.colour[kind]
    text = {0: "0 beats 12, whatever the colours.", 12: "12 loses to 0, whatever the colours."}.get(rank, "")
    return {
        "slug": game.names[kind],
        "name": words.kind_name(game, kind),
        "rank": rank,
        "colour": game.box.colours[colour],
        "shape": SHAPES[colour],
        "points": game.setup.points[kind],
        "text": text,
        "rulings": [16, 17, 18] if rank in (0, 12) else [],
        "provenance": {"rank": "rulebook", "points": "rulebook"},
    }


def face(game: Jinkei, seat: Seat, card: Card, place: str) -> dict[str, Any]:
    """A card or its back. Each deck has one card of a kind, so a known card's id is its name."""
    if card & KIND == HIDDEN:
        return {"back": True, "owner": seat, "id": f"h{seat}-{place}"}
    return {**printed(game, card & KIND), "back": False, "owner": seat, "id": f"k{seat}-{game.names[card & KIND]}"}


def layout(game: Jinkei, formation: Formation) -> list[dict[str, Any]]:
    """The nine spaces of a formation."""
    return [
        {
            "space": SPACES[space],
            "name": words.space_name(space),
            "row": space // 3,
            "column": space % 3,
            "blank": formation.blank[space],
            "reveal": space == formation.reveal,
            "two": formation.two[space],
            "bonus": formation.bonus[space],
            "wild": formation.wild[space],
        }
        for space in range(9)
    ]


def board(game: Jinkei, view: JinkeiState) -> dict[str, Any]:
    """All that lies on the table, as the viewer may know it."""
    asked = view.stack[-1].prompt if view.stack else "over"
    fighting = asked in ("lead", "answer", "advance")
    return {
        "viewer": view.viewer,
        "me": view.viewer if view.viewer >= 0 else None,
        "game": view.game,
        "games": view.setup.games,
        "round": view.round,
        "rounds": view.setup.rounds,
        "phase": asked,
        "first": view.first,
        "starter": view.starter,
        "offense": view.offense() if fighting else None,
        "battles": [
            None if i >= len(view.battles) else "tie" if view.battles[i] == TIE else view.battles[i]
            for i in range(view.setup.hand)
        ],
        "seats": [_seat(game, view, seat, fighting) for seat in (0, 1)],
        "colours": game.box.colours,
        "types": _types(game, view) if asked == "type" else [],
        "duel": _duel(game, view),
        "outcome": _outcome(view),
    }


def _outcome(view: JinkeiState) -> dict[str, Any] | None:
    outcome = view.outcome()
    return None if outcome is None else {"winners": outcome.winners, "how": outcome.how}


def _seat(game: Jinkei, view: JinkeiState, seat: Seat, fighting: bool) -> dict[str, Any]:
    form = view.form(seat) if view.formation[seat] >= 0 else None
    role = None
    row = -1
    if fighting:
        leads = view.offense() == seat
        role = "offense" if leads else "defense"
        playable = view.row(seat, leads)
        row = playable[0] // 3 if playable else -1
    placed = [game.notation(action) for action in view.answers[seat]]
    choosable = view.type[seat] >= 0
    return {
        "seat": seat,
        "colour": game.seat_names()[seat].lower(),
        "type": game.box.types[view.type[seat]] if choosable else None,
        "formation": words.formation_name(game, view.formation[seat]) if form else None,
        "spaces": _spaces(game, view, seat, form) if form else [],
        "role": role,
        "row": row,
        "row_name": ROWS[row] if row >= 0 else None,
        "choices": _choices(game, view, seat) if choosable else [],
        "hand": [face(game, seat, card, f"hand-{i}") for i, card in enumerate(view.hand[seat])],
        "hand_count": len(view.hand[seat]),
        "deck_count": len(view.deck[seat]),
        "taken_count": len(view.taken[seat * 2]) + len(view.taken[seat * 2 + 1]),
        "taken": _taken(game, view, seat),
        "scored": view.scored[seat][:],
        "points": sum(view.scored[seat]),
        "total": view.totals[seat],
        "placed": placed,
        "to_act": seat in view.asked() and not (seat == view.viewer and view.turn != seat),
    }


def _spaces(game: Jinkei, view: JinkeiState, seat: Seat, form: Formation) -> list[dict[str, Any]]:
    spaces = layout(game, form)
    for space in range(9):
        cards = view.spaces[seat][space]
        known = [card for card in cards if card & KIND != HIDDEN]
        spaces[space]["cards"] = [face(game, seat, card, f"{SPACES[space]}-{i}") for i, card in enumerate(cards)]
        spaces[space]["sum"] = None
        if len(known) == 1 and form.bonus[space]:
            rank = view.setup.rank[known[0] & KIND]
            spaces[space]["sum"] = f"{rank}+{form.bonus[space]} = {rank + form.bonus[space]}"
    return spaces


def _taken(game: Jinkei, view: JinkeiState, seat: Seat) -> list[dict[str, Any]]:
    """What a seat took this round, as far as the table remembers it (the option memory=open)."""
    return [
        face(game, owner, card, "taken")
        for owner in (0, 1)
        for card in view.taken[seat * 2 + owner]
        if card & KIND != HIDDEN
    ]


def _choices(game: Jinkei, view: JinkeiState, seat: Seat) -> list[dict[str, Any]]:
    """The two formations a seat has for this round: public, only the choice is secret (ruling 34)."""
    choices = game.setup.choices(view.type[seat], view.round)
    return [
        {
            "id": game.notation(FORMATION + i),
            "name": words.formation_name(game, formation),
            "spaces": layout(game, game.setup.formations[formation]),
        }
        for i, formation in enumerate(choices)
    ]


def _types(game: Jinkei, view: JinkeiState) -> list[dict[str, Any]]:
    """All types with their formations, which are public (ruling 34), and who has taken which."""
    setup = game.setup
    return [
        {
            "id": game.notation(TYPE + type),
            "name": name.title(),
            "taken": view.type.index(type) if type in view.type else None,
            "formations": [
                {"name": words.formation_name(game, i), "round": form.round, "spaces": layout(game, form)}
                for i, form in enumerate(setup.formations)
                if form.type == type
            ],
        }
        for type, name in enumerate(game.box.types)
    ]


def _duel(game: Jinkei, view: JinkeiState) -> dict[str, Any] | None:
    """The battle on the table: the attack, its answer, and how it ended."""
    if not view.duel[0] and not view.duel[1]:
        return None
    decided = bool(view.duel[0] and view.duel[1])
    sides: dict[str, Any] = {
        "number": len(view.battles) + (not decided),
        "lead": _fighter(game, view, view.attacker),
        "answer": _fighter(game, view, OPPONENT[view.attacker]),
        "winner": None,
    }
    if decided:
        winner, why = view.judge()
        sides["winner"] = "tie" if winner == TIE else winner
        sides["why"] = "same colour, same rank" if winner == TIE else words.WHY[why]
    return sides


def _fighter(game: Jinkei, view: JinkeiState, seat: Seat) -> dict[str, Any] | None:
    """One card of the battle: where it came from, what it was called, what it was worth there."""
    if not view.duel[seat]:
        return None
    card, space, colour = view.duel[seat][0], view.origin[seat], view.called[seat]
    rank = view.effective(seat, space, card & KIND)
    return {
        **face(game, seat, card, "duel"),
        "seat": seat,
        "space": SPACES[space],
        "called": game.box.colours[colour],
        "effective": rank,
        "sentence": words.played(game, card, space, colour * ev.CALLED + rank),
    }


def controls(game: Jinkei, view: JinkeiState) -> dict[str, Any]:
    """How a page asks the viewer's decision."""
    blank: dict[str, Any] = {"mode": None, "choices": [], "open": [], "why": {}}
    seat = view.turn
    if seat < 0 or seat != view.viewer:
        return blank
    asked = view.stack[-1].prompt
    fight = asked in ("lead", "answer")
    actions = _usual_first(view, view.actions) if fight else view.actions
    choices = [{"id": game.notation(a), "text": words.describe(game, view, a)} for a in actions]
    if asked in ("front", "back"):
        form = view.form(seat)
        return {**blank, "mode": "place", "open": [SPACES[s] for s in (form.front if asked == "front" else form.back)]}
    if asked in ("type", "formation"):
        return {**blank, "mode": asked, "choices": choices}
    if fight:
        return {**blank, "mode": "fight", "choices": choices, "why": _why_not(game, view, seat, asked == "lead")}
    return {**blank, "mode": "choice", "choices": choices}


def _usual_first(view: JinkeiState, actions: list[Action]) -> list[Action]:
    """The cards to play; of a Wild card's two colours the printed one comes first (ruling 9)."""

    def order(action: Action) -> tuple[int, bool]:
        space, colour = divmod(action - PLAY, 2)
        card = view.spaces[view.turn][space][0]
        return space, view.setup.colour[card & KIND] != colour

    return sorted(actions, key=order)


def _why_not(game: Jinkei, view: JinkeiState, seat: Seat, leads: bool) -> dict[str, str]:
    """For each card of the formation that cannot be played now, the rule."""
    legal = {game.notation(a).partition(":")[0] for a in view.actions}
    why = {}
    for space in range(REINFORCEMENTS):
        cards = view.spaces[seat][space]
        if cards and SPACES[space] not in legal:
            why[SPACES[space]] = why_not_play(view, seat, space, view.setup.colour[cards[0] & KIND], leads)
    return why


# ---- text for terminals -----------------------------------------------------------------------------


def text(game: Jinkei, view: JinkeiState, names: list[str]) -> str:
    """The table in words, at most 80 columns wide."""
    shown = board(game, view)
    me = view.viewer if view.viewer >= 0 else 0
    other = OPPONENT[me]
    when = f"Round {shown['round']} of {shown['rounds']}" if shown["round"] else "Before the first round"
    lines = [f"{when}. " + _score(shown, names)]
    marks = " ".join("." if b is None else "=" if b == "tie" else "WL"[b != me] for b in shown["battles"])
    lines.append(f"Battles of this round: {marks}")
    lines += _formation_lines(shown["seats"][other], names[other], True)
    duel = shown["duel"]
    if duel:
        for part in ("lead", "answer"):
            if duel[part]:
                lines.append(f"   battle: {names[duel[part]['seat']]}: {duel[part]['sentence']}")
    lines += _formation_lines(shown["seats"][me], names[me], False)
    if view.viewer >= 0:
        hand = ", ".join(card["name"] for card in shown["seats"][me]["hand"])
        lines += textwrap.wrap(f"Your hand: {hand or 'empty'}", 80, subsequent_indent="  ")
        if view.stack and view.stack[-1].prompt == "formation":
            for choice in shown["seats"][me]["choices"]:
                lines.append(f"{choice['name']}:")
                lines += ["   " + " | ".join(_space_text(s, False) for s in row) for row in _rows(choice["spaces"])]
    return "\n".join(lines)


def _score(shown: dict[str, Any], names: list[str]) -> str:
    return "Points: " + ", ".join(
        f"{names[s['seat']]} {s['points'] + s['total'] * (shown['games'] > 1)}" for s in shown["seats"]
    )


def _rows(spaces: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    return [spaces[0:3], spaces[3:6], spaces[6:9]]


def _formation_lines(seat: dict[str, Any], name: str, far: bool) -> list[str]:
    role = f", {seat['role'].upper()}" if seat["role"] else ""
    what = seat["formation"] or seat["type"] or "no type yet"
    lines = textwrap.wrap(f"{name} ({what}{role}): hand {seat['hand_count']}, deck {seat['deck_count']}", 80)
    if seat["spaces"]:
        rows = list(enumerate(_rows(seat["spaces"])))
        for number, row in reversed(rows) if far else rows:
            mark = "*" if number == seat["row"] else " "
            spaces = " | ".join(f"{_space_text(s, True):<16}" for s in row)
            lines.append(f" {mark}{ROWS[number]:<14} {spaces}".rstrip())
    return lines


def _space_text(space: dict[str, Any], cards: bool) -> str:
    if space["blank"]:
        return "blank"
    effect = f" +{space['bonus']}" if space["bonus"] else " wild" if space["wild"] else ""
    if cards:
        shown = " & ".join("face down" if c["back"] else c["name"] for c in space["cards"]) or "-"
        return shown + effect
    return ("top card" if space["reveal"] else "two cards" if space["two"] else "open") + effect
