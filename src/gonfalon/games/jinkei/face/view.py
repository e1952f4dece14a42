"""The table as data and as text. Everything here is computed from a masked state."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from typing import ClassVar, Final, cast

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.rules.page import Arms, Choice, Page, Round, Shown, ended, is_due
from gonfalon.core.rules.state import OPEN, Action, Card, Seat, State
from gonfalon.core.text.english import verb
from gonfalon.core.text.sheet import Sheet, Still
from gonfalon.games.jinkei.face.board import (
    Board,
    Controls,
    Duel,
    Face,
    Fighter,
    FormationChoice,
    Play,
    Printed,
    SeatBoard,
    Space,
    Told,
    Type,
)
from gonfalon.games.jinkei.face.film import film
from gonfalon.games.jinkei.face.refusals import why_not_play
from gonfalon.games.jinkei.face.sheet import sheet
from gonfalon.games.jinkei.face.words import BECAUSE, WHY, JinkeiWords, space_name, sum_of
from gonfalon.games.jinkei.rules import events as ev
from gonfalon.games.jinkei.rules.actions import FORMATION, KINDS, PLAY, PUT, TYPE
from gonfalon.games.jinkei.rules.setup import REINFORCEMENTS, ROWS, SPACES, Formation
from gonfalon.games.jinkei.rules.state import OPPONENT, ORDER, TIE, JinkeiState, jinkei

CLOTHS: Final = (("black", "bendy"), ("white", "barry"))
FIGHTING: Final = ("lead", "answer", "advance", "duel")
SHAPES: Final = ["triangle", "circle"]


def printed(game: JinkeiWords, kind: int) -> Printed:
    """What is printed on a card, and the rule that belongs to it."""
    rank, colour = game.setup.rank[kind], game.setup.colour[kind]
    text = {0: "0 beats 12, whatever the colours.", 12: "12 loses to 0, whatever the colours."}.get(rank, "")
    return {
        "slug": game.names[kind],
        "name": game.kind_name(kind),
        "rank": rank,
        "colour": game.box.colours[colour],
        "shape": SHAPES[colour],
        "points": game.setup.points[kind],
        "text": text,
        "rulings": [16, 17, 18] if rank in (0, 12) else [],
        "provenance": {"rank": "rulebook", "points": "rulebook"},
    }


def face(game: JinkeiWords, seat: Seat, card: Card, place: str) -> Face:
    """A card or its back. Each deck has one card of a kind, so a known card's id is its name."""
    if card & KIND == HIDDEN:
        return {"back": True, "owner": seat, "id": f"h{seat}-{place}"}
    return {**printed(game, card & KIND), "back": False, "owner": seat, "id": f"k{seat}-{game.names[card & KIND]}"}


def layout(game: JinkeiWords, formation: Formation) -> list[Space]:
    """The nine spaces of a formation."""
    return [
        {
            "space": SPACES[space],
            "name": space_name(space),
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


def phase(view: JinkeiState) -> str:
    """The moment, or what is asked."""
    return view.moment or (view.stack[-1].prompt if view.stack else "over")


def offense(view: JinkeiState) -> Seat:
    """Who leads the battle that is on, or the next one; at the moment of a battle who led it."""
    return view.attacker if view.moment else view.offense()


def _seat(game: JinkeiWords, view: JinkeiState, seat: Seat, fighting: bool) -> SeatBoard:
    form = view.form(seat) if view.formation[seat] >= 0 else None
    role = None
    row = -1
    if fighting:
        leads = offense(view) == seat
        role = "offense" if leads else "defense"
        playable = [] if view.moment else view.row(seat, leads)
        row = playable[0] // 3 if playable else -1
    placed = [game.notation(action) for action in view.answers[seat]]
    choosable = view.type[seat] >= 0
    return {
        "seat": seat,
        "colour": game.seat_names()[seat].lower(),
        "type": game.box.types[view.type[seat]] if choosable else None,
        "formation": game.formation_name(view.formation[seat]) if form else None,
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
        "to_act": is_due(view, seat),
    }


def _spaces(game: JinkeiWords, view: JinkeiState, seat: Seat, form: Formation) -> list[Space]:
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


def _taken(game: JinkeiWords, view: JinkeiState, seat: Seat) -> list[Face]:
    """What a seat took this round, as far as the table remembers it (the option memory=open)."""
    return [
        face(game, owner, card, "taken")
        for owner in (0, 1)
        for card in view.taken[seat * 2 + owner]
        if card & KIND != HIDDEN
    ]


def _choices(game: JinkeiWords, view: JinkeiState, seat: Seat) -> list[FormationChoice]:
    """The two formations a seat has for this round: public, only the choice is secret (ruling 34)."""
    choices = game.setup.choices(view.type[seat], view.round)
    return [
        {
            "id": game.notation(FORMATION + i),
            "name": game.formation_name(formation),
            "spaces": layout(game, game.setup.formations[formation]),
        }
        for i, formation in enumerate(choices)
    ]


def _types(game: JinkeiWords, view: JinkeiState) -> list[Type]:
    """All types with their formations, which are public (ruling 34), and who has taken which."""
    setup = game.setup
    return [
        {
            "id": game.notation(TYPE + type),
            "name": name.title(),
            "taken": view.type.index(type) if type in view.type else None,
            "formations": [
                {"name": game.formation_name(i), "round": form.round, "spaces": layout(game, form)}
                for i, form in enumerate(setup.formations)
                if form.type == type
            ],
        }
        for type, name in enumerate(game.box.types)
    ]


def _duel(game: JinkeiWords, view: JinkeiState) -> Duel | None:
    """The battle on the table: the attack, its answer, and how it ended."""
    if not view.duel[0] and not view.duel[1]:
        return None
    decided = bool(view.duel[0] and view.duel[1])
    sides: Duel = {
        "number": len(view.battles) + (not decided),
        "lead": _fighter(game, view, view.attacker),
        "answer": _fighter(game, view, OPPONENT[view.attacker]),
        "winner": None,
    }
    if decided:
        winner, why = view.judge()
        sides["winner"] = "tie" if winner == TIE else winner
        sides["why"] = "same colour, same rank" if winner == TIE else WHY[why]
        sides["told"] = _told(game, view)
    return sides


def _as_called(game: JinkeiWords, view: JinkeiState, seat: Seat) -> str:
    """A card of the battle by name: `Red 5`, or `Red 5 as Blue`."""
    kind, called = view.duel[seat][0] & KIND, view.called[seat]
    colour = "" if called == view.setup.colour[kind] else f" as {game.box.colours[called].title()}"
    return game.kind_name(kind) + colour


def _told(game: JinkeiWords, view: JinkeiState) -> Told:
    """Why the battle on the table ended as it did."""
    winner, why = view.judge()
    order = ORDER[view.attacker if winner == TIE else winner]
    ranks = [view.setup.rank[view.duel[seat][0] & KIND] for seat in order]
    sums = [
        sum_of(rank, view.effective(seat, view.origin[seat], view.duel[seat][0] & KIND))
        for seat, rank in zip(order, ranks, strict=True)
    ]
    led = game.box.colours[view.called[view.attacker]].title()
    because = "a tie" if winner == TIE else BECAUSE[why].format(led)
    beats = "meets" if winner == TIE else "beats"
    if why == ev.BY_COLOUR:
        named = [_as_called(game, view, seat) for seat in order]
    else:
        named = [str(rank) for rank in ranks] if why == ev.BY_ZERO else sums
    sentence = f"{named[0]} {beats} {named[1]}{':' if winner == TIE else ','} {because}"
    return {"sentence": sentence, "order": order, "beats": beats, "because": because}


def _fighter(game: JinkeiWords, view: JinkeiState, seat: Seat) -> Fighter | None:
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
        "sum": sum_of(view.setup.rank[card & KIND], rank),
        "sentence": game.played(card, space, colour * ev.CALLED + rank),
    }


def _usual_first(view: JinkeiState, actions: list[Action]) -> list[Action]:
    """The cards to play; of a Wild card's two colours the printed one comes first (ruling 9)."""

    def order(action: Action) -> tuple[int, bool]:
        space, colour = divmod(action - PLAY, 2)
        card = view.spaces[view.turn][space][0]
        return space, view.setup.colour[card & KIND] != colour

    return sorted(actions, key=order)


def _plays(choices: list[Choice]) -> dict[str, list[Play]]:
    """The cards that may be played, by the space on which they lie."""
    plays: dict[str, list[Play]] = {}
    for n, choice in enumerate(choices, 1):
        space, _, called = choice["id"].partition(":")
        plays.setdefault(space, []).append({"id": choice["id"], "called": called, "n": n})
    return plays


def _why_not(game: JinkeiWords, view: JinkeiState, seat: Seat, leads: bool) -> dict[str, str]:
    """For each card of the formation that cannot be played now, the rule."""
    legal = {game.notation(a).partition(":")[0] for a in view.actions}
    why = {}
    for space in range(REINFORCEMENTS):
        cards = view.spaces[seat][space]
        if cards and SPACES[space] not in legal:
            why[SPACES[space]] = why_not_play(view, seat, space, view.setup.colour[cards[0] & KIND], leads)
    return why


# ---- text for terminals -----------------------------------------------------------------------------


def _score(shown: Board, names: list[str]) -> str:
    return "Points: " + ", ".join(
        f"{names[s['seat']]} {s['points'] + s['total'] * (shown['games'] > 1)}" for s in shown["seats"]
    )


def _rows(spaces: list[Space]) -> list[list[Space]]:
    return [spaces[0:3], spaces[3:6], spaces[6:9]]


def _formation_lines(seat: SeatBoard, name: str, far: bool) -> list[str]:
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


def _space_text(space: Space, cards: bool) -> str:
    if space["blank"]:
        return "blank"
    effect = f" +{space['bonus']}" if space["bonus"] else " wild" if space["wild"] else ""
    if cards:
        shown = " & ".join("face down" if c["back"] else c.get("name", "") for c in space.get("cards", [])) or "-"
        return shown + effect
    return ("top card" if space["reveal"] else "two cards" if space["two"] else "open") + effect


class JinkeiPage(JinkeiWords, Page):
    """What pages, terminals and programs show of Jinkei."""

    moment_seconds: ClassVar[Mapping[str, float]] = {"duel": 1.8}
    counts = "Points"
    rounds_count = "points of each round"
    moment_lasts: ClassVar[str] = "duel"

    def board(self, view: State) -> Board:
        """All that lies on the table, as the viewer may know it."""
        s = jinkei(view)
        asked = phase(s)
        fighting = asked in FIGHTING
        return {
            "viewer": s.viewer,
            "me": s.viewer if s.viewer >= 0 else None,
            "game": s.game,
            "games": s.setup.games,
            "round": s.round,
            "rounds": s.setup.rounds,
            "phase": asked,
            "first": s.first,
            "starter": s.starter,
            "offense": offense(s) if fighting else None,
            "battles": [
                None if i >= len(s.battles) else "tie" if s.battles[i] == TIE else s.battles[i]
                for i in range(s.setup.hand)
            ],
            "seats": [_seat(self, s, seat, fighting) for seat in (0, 1)],
            "colours": self.box.colours,
            "types": _types(self, s) if asked == "type" else [],
            "duel": _duel(self, s),
            "outcome": ended(s),
        }

    def arms(self, seat: Seat) -> Arms:
        colour, pattern = CLOTHS[seat]
        return {"colour": colour, "pattern": pattern, "glyph": "gonfalon"}

    def chapter(self, view: State) -> str:
        s = jinkei(view)
        game = f"Game {s.game}, round" if s.setup.games > 1 else "Round"
        return f"{game} {s.round}" if s.round else ""

    def score(self, view: State) -> list[int]:
        """Nobody may look at taken cards again, so those of the round that is on count for open eyes alone."""
        s = jinkei(view)
        if s.winner >= 0:
            return s.totals[:]
        on = s.viewer == OPEN and phase(s) in FIGHTING
        taken = [[card & KIND for cards in s.taken[2 * seat : 2 * seat + 2] for card in cards] for seat in (0, 1)]
        now = [sum(s.setup.points[kind] for kind in kinds) if on else 0 for kinds in taken]
        return [s.totals[seat] + sum(s.scored[seat]) + now[seat] for seat in (0, 1)]

    def rounds(self, view: State) -> list[Round]:
        points: dict[str, list[int]] = {}
        game = 0
        for code, _, seat, _, a, b in view.log or []:
            game += code == ev.GAME
            if code == ev.SCORED:
                points.setdefault(f"{game}.{a}" if self.setup.games > 1 else str(a), [0, 0])[seat] = b
        return [
            {"name": name, "values": [black, white], "winner": None if black == white else int(white > black)}
            for name, (black, white) in points.items()
        ]

    def moment_words(self, view: State, names: list[str]) -> str:
        s = jinkei(view)
        if s.moment == "round":
            first, second = (f"{verb(names[seat], 'score')} {s.scored[seat][-1]}" for seat in (0, 1))
            return f"Round {s.round} is over: {first}, {second}."
        told = _told(self, s)
        winner = s.judge()[0]
        ends = "each takes one card" if winner == TIE else f"{verb(names[winner], 'take')} both cards"
        return f"{told['sentence']}: {ends}."

    def controls(self, view: State) -> Controls:
        """How a page asks the viewer's decision."""
        s = jinkei(view)
        blank: Controls = {"mode": None, "choices": [], "plays": {}, "open": [], "why": {}}
        seat = s.turn
        if seat < 0 or seat != s.viewer:
            return blank
        asked = s.stack[-1].prompt
        fight = asked in ("lead", "answer")
        actions = _usual_first(s, s.actions) if fight else s.actions
        choices = self.buttons(s, actions)
        if asked in ("front", "back"):
            spaces = s.form(seat).front if asked == "front" else s.form(seat).back
            return {**blank, "mode": "place", "open": [SPACES[space] for space in spaces]}
        if asked in ("type", "formation"):
            return {**blank, "mode": asked, "choices": choices}
        if fight:
            why = _why_not(self, s, seat, asked == "lead")
            return {**blank, "mode": "fight", "choices": choices, "plays": _plays(choices), "why": why}
        return {**blank, "mode": "choice", "choices": choices}

    def text(self, view: State, names: list[str]) -> str:
        """The table in words, at most 80 columns wide."""
        s = jinkei(view)
        shown = self.board(s)
        me = s.viewer if s.viewer >= 0 else 0
        other = OPPONENT[me]
        when = f"Round {shown['round']} of {shown['rounds']}" if shown["round"] else "Before the first round"
        lines = [f"{when}. " + _score(shown, names)]
        marks = " ".join("." if b is None else "=" if b == "tie" else "WL"[b != me] for b in shown["battles"])
        lines.append(f"Battles of this round: {marks}")
        lines += _formation_lines(shown["seats"][other], names[other], True)
        duel = shown["duel"]
        for fighter in (duel["lead"], duel["answer"]) if duel else ():
            if fighter:
                lines.append(f"   battle: {names[fighter['seat']]}: {fighter['sentence']}")
        lines += _formation_lines(shown["seats"][me], names[me], False)
        if s.viewer >= 0:
            hand = ", ".join(card.get("name", "") for card in shown["seats"][me]["hand"])
            lines += textwrap.wrap(f"Your hand: {hand or 'empty'}", 80, subsequent_indent="  ")
            laid = [divmod(action - PUT, KINDS) for action in s.answers[s.viewer] if PUT <= action < PLAY]
            if laid:
                told = ", ".join(f"{self.kind_name(kind)} on {space_name(space)}" for space, kind in laid)
                lines += textwrap.wrap(f"Laid, for your eyes alone yet: {told}", 80, subsequent_indent="  ")
            if s.stack and s.stack[-1].prompt == "formation":
                for choice in shown["seats"][me]["choices"]:
                    lines.append(f"{choice['name']}:")
                    lines += ["   " + " | ".join(_space_text(s, False) for s in row) for row in _rows(choice["spaces"])]
        return "\n".join(lines)

    def sheet(self, board: Shown, names: list[str], width: int, height: int) -> Sheet:
        """The table in characters."""
        return sheet(cast("Board", board), names, width, height)

    def film(self, board: Shown, before: Shown | None, names: list[str]) -> list[Still]:
        """The way to a board, in stills."""
        return film(cast("Board", board), names)

    def touches(self, notation: str) -> tuple[str, ...]:
        """A card and the space that it is laid on; a space of a battle and what its card is called."""
        for sign in "-:":
            first, found, second = notation.partition(sign)
            if found and first not in ("advance", "deal", "first", "seed"):
                return first, found + second
        return (notation,)

    def card(self, text: str) -> Printed | None:
        wanted = re.sub(r"[\s-]", "", text.lower())
        return printed(self, self.names.index(wanted)) if wanted in self.names else None

    def catalogue(self) -> list[Printed]:
        return [printed(self, kind) for kind in range(len(self.names))]
