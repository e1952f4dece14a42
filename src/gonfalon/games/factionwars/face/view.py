"""The table as data and as text. Everything here is computed from a masked state."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from typing import Final, cast

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.rules.page import Page, Shown, ended, is_due
from gonfalon.core.rules.state import Action, Seat, State
from gonfalon.core.text.english import several
from gonfalon.core.text.sheet import Sheet, Still
from gonfalon.games.factionwars import box
from gonfalon.games.factionwars.face import board as forms
from gonfalon.games.factionwars.face import words
from gonfalon.games.factionwars.face.cards import abilities, copies, counted, face, printed
from gonfalon.games.factionwars.face.film import film
from gonfalon.games.factionwars.face.refusals import PLAIN
from gonfalon.games.factionwars.face.scenes import revealed, scenes, told
from gonfalon.games.factionwars.face.sheet import sheet
from gonfalon.games.factionwars.face.words import FactionWords
from gonfalon.games.factionwars.rules import moments
from gonfalon.games.factionwars.rules.actions import CARD, TAKE, TO
from gonfalon.games.factionwars.rules.scoring import scoring
from gonfalon.games.factionwars.rules.scoring.goals import EveryFaction, Goal
from gonfalon.games.factionwars.rules.scoring.tally import of_faction, total_of
from gonfalon.games.factionwars.rules.state import FactionState, faction_wars

# ---- the board --------------------------------------------------------------------------------------


def lineup(game: FactionWords, view: FactionState, me: Seat | None, armies: list[list[int]]) -> list[forms.Place]:
    """The places of the line-up: what lies there, who has selected it (once revealed), what it would be
    worth to the viewer."""
    places = view.places()
    lay = {pick["place"]: pick["card"] for pick in revealed(game, view)} if view.claims else {}
    taken = {scene["place"]: scene["winner"] for scene in scenes(game, view)} if view.claims else {}
    shown: list[forms.Place] = []
    for place in range(game.setup.size):
        card = view.lineup[places.index(place)] if place in places else None
        shown.append(
            {
                "place": place + 1,
                "id": game.notation(TAKE + place),
                "card": None if card is None else face(game, card),
                "was": lay.get(place + 1) if card is None else None,
                "gone": place in view.gone(),
                "taken_by": taken.get(place + 1),
                "selected_by": [seat for seat in range(game.seats) if view.picks[seat] == place],
                "worth": worth(game, view, me, card & KIND, armies) if me is not None and card is not None else None,
            }
        )
    return shown


def my_goal(game: FactionWords, view: FactionState, seat: Seat) -> Goal | None:
    """A seat's goal as far as the viewer knows it, or None."""
    if not view.goal[seat] or view.goal[seat][0] & KIND == HIDDEN:
        return None
    return game.setup.goals[(view.goal[seat][0] & KIND) - game.setup.first_goal]


def parts_of(game: FactionWords, view: FactionState, seat: Seat, armies: list[list[int]]) -> list[int]:
    """A seat's score by its parts, as far as the viewer knows it: an unknown goal counts nothing."""
    shown = [card & KIND for card in view.bonus]
    return scoring.parts(game.setup, seat, armies, my_goal(game, view, seat), shown)


def worth(game: FactionWords, view: FactionState, seat: Seat, kind: int, armies: list[list[int]]) -> forms.Worth:
    """What owning one more card of a kind would add to a seat's score now, by parts; what its ability
    brings is left open. Bystanders and Action cards are not kept, so they add nothing themselves."""
    card = game.setup.kinds[kind]
    keeps = card.faction >= 0
    delta = [0] * len(scoring.PARTS)
    goal = my_goal(game, view, seat)
    progress: forms.Progress | None = None
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


def seat_of(game: FactionWords, view: FactionState, seat: Seat, armies: list[list[int]]) -> forms.SeatBoard:
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
        "best": best_of(game, view, seat),
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
        "to_act": is_due(view, seat),
    }


def best_of(game: FactionWords, view: FactionState, seat: Seat) -> forms.Printed | None:
    """The recruit of an army that scores most by itself, and in a battle."""
    kinds = [action - CARD for action in view.choices(seat)]
    if not kinds:
        return None
    return printed(game, max(kinds, key=lambda kind: (game.setup.kinds[kind].points, game.setup.kinds[kind].battle)))


def my_pick(view: FactionState) -> int | None:
    """The place the viewer has selected, while they wait for the others."""
    if view.viewer < 0 or view.moment or not view.stack or view.stack[-1] is not view.setup.select:
        return None
    answer = view.answers[view.viewer]
    return answer[0] - TAKE + 1 if answer else None


def goal_of(game: FactionWords, view: FactionState, seat: Seat, armies: list[list[int]]) -> forms.GoalBoard | None:
    """A goal that the viewer knows, with its progress as it stands."""
    goal = my_goal(game, view, seat)
    if goal is None:
        return None
    have, need = goal.progress(game.setup, seat, armies)
    return {
        **printed(game, goal.id),
        "have": have,
        "need": need,
        "steps": goal_steps(game, goal, armies[seat]),
        "met": goal.met(game.setup, seat, armies),
        "bonus": goal.bonus,
    }


def goal_steps(game: FactionWords, goal: Goal, owned: list[int]) -> list[forms.GoalStep]:
    """How far an army is with each faction, for a goal that asks for some of every one."""
    if not isinstance(goal, EveryFaction):
        return []
    return [
        {"slug": faction["slug"], "have": of_faction(game.setup, owned, number, True)}
        for number, faction in enumerate(game.box.factions)
    ]


def final(game: FactionWords, view: FactionState, armies: list[list[int]]) -> list[forms.Final]:
    """The final table: every part of every score, and every kind of card with its points."""
    table: list[forms.Final] = []
    for seat in range(game.seats):
        owned = armies[seat]
        setup = game.setup
        rows: list[forms.Row] = []
        for kind in range(len(owned)):
            if not owned[kind]:
                continue
            entry = game.entries[kind]
            each = setup.kinds[kind].score(setup, owned)
            worth = each * owned[kind]
            name, slug = entry["name"], entry["slug"]
            rows.append({"slug": slug, "name": name, "count": owned[kind], "each": each, "points": worth})
        shown = [card & KIND for card in view.bonus]
        table.append(
            {
                "seat": seat,
                "cards": rows,
                "open": [
                    {
                        "slug": game.entries[kind]["slug"],
                        "name": game.kind_name(kind),
                        "points": setup.kinds[kind].score(setup, owned),
                    }
                    for kind in shown
                ],
                "parts": dict(zip(scoring.PARTS, parts_of(game, view, seat, armies), strict=True)),
                "goal": goal_of(game, view, seat, armies),
                "total": view.totals[seat],
                "winner": bool(view.winners >> seat & 1),
            }
        )
    return table


# ---- text for terminals -----------------------------------------------------------------------------


def wrapped(line: str, indent: str = "  ") -> list[str]:
    """A line in at most 80 columns."""
    return textwrap.wrap(line, 80, subsequent_indent=indent) or [""]


def _progress(goal: forms.GoalBoard) -> str:
    state = "met" if goal["met"] else "not met"
    count = f"{goal['have']} of {goal['need']}" if goal["need"] else f"{goal['have']}"
    return f"{goal.get('text', '').removeprefix('Goal: ').rstrip('.')} ({count}, {state}; {goal['bonus']} points)"


def _place(place: forms.Place, names: list[str]) -> str:
    card = place["card"]
    if card is None:
        return f"  {place['place']}. -"
    by = [names[seat] for seat in place["selected_by"]]
    selected = f"  <- {several(by)}" if by else ""
    numbers = f" [{card['battle']}/{card.get('points')}]" if "battle" in card else ""
    faction = f", {card.get('faction')}" if card.get("faction") else ""
    worth = place["worth"]
    mine = f"  ({worth['points']:+d} for you)" if worth is not None and worth["kept"] else ""
    rule = f" {card.get('text')}" if card.get("text") else ""
    return f"  {place['place']}. {card.get('name')}{numbers}{faction}.{rule}{mine}{selected}"


def _army(seat: forms.SeatBoard, name: str) -> list[str]:
    points = f"{seat['points']} points" + ("" if seat["points_complete"] else " and a goal")
    lines = wrapped(f"{name}: {points}; battle deck {seat['battle_deck']}, discard pile {seat['pile_count']}.")
    parts = []
    for faction in seat["factions"]:
        if faction["cards"]:
            cards = ", ".join(
                row["card"].get("name", "") + (f" x{row['count']}" if row["count"] > 1 else "")
                for row in faction["cards"]
            )
            parts.append(f"{faction['name']} {faction['count']}: {cards}")
    if seat["bystanders"]:
        parts.append(f"Bystanders {seat['bystanders']}")
    return lines + (["  " + line for line in textwrap.wrap("; ".join(parts), 78)] if parts else [])


def _final(shown: forms.Board, names: list[str]) -> list[str]:
    lines = ["Final scores:"]
    for row in sorted(shown["final"] or (), key=lambda row: -row["total"]):
        parts = ", ".join(f"{part} {points}" for part, points in row["parts"].items() if points)
        mark = "*" if row["winner"] else " "
        goal = row["goal"]
        note = f"; goal {goal.get('name')} {'met' if goal['met'] else 'not met'}" if goal else ""
        lines += wrapped(f" {mark}{names[row['seat']]}: {row['total']} ({parts or 'nothing'}{note})", "   ")
    return lines


MOMENT_SECONDS: Final[Mapping[str, float]] = {
    moments.FLAGS: 1.2,
    moments.CLAIMED: 0.9,
    moments.BATTLE: 0.7,
    moments.CARDS: 1.8,
    moments.WON: 1.5,
    moments.LOST: 1.5,
    moments.EFFECT: 1.3,
    moments.ROUND: 2.5,
}
"""A round with a battle of three and a tie takes about nine seconds."""


# ---- the page ---------------------------------------------------------------------------------------


class FactionPage(FactionWords, Page):
    """What pages, terminals and programs show of Faction Wars."""

    moment_seconds = MOMENT_SECONDS
    counts = "Points"

    def board(self, view: State) -> forms.Board:
        """All that lies on the table, as the viewer may know it."""
        s = faction_wars(view)
        setup = self.setup
        me = s.viewer if s.viewer >= 0 else None
        armies = [s.owned(seat) for seat in range(self.seats)]
        return {
            "viewer": s.viewer,
            "me": me,
            "players": self.seats,
            "revision": self.options["revision"],
            "reconstructed": self.later,
            "round": s.round,
            "last_round": s.last >= 0,
            "last_why": words.WHY_LAST[s.last] if s.last >= 0 else None,
            "phase": s.moment or (s.stack[-1].prompt if s.stack else "over"),
            "my_pick": my_pick(s),
            "lineup": lineup(self, s, me, armies),
            "resolving": s.place + 1 if s.place >= 0 and not s.over else None,
            "table": [face(self, card) for card in s.table],
            "deck": {
                "count": len(s.deck),
                "discard_count": len(s.discard),
                "discard": counted(self, s.discard),
                "depleted": s.depleted,
                "depletions": setup.depletions,
            },
            "bonus": [face(self, card) for card in s.bonus],
            "aside": [face(self, card) for card in s.aside],
            "factions": [
                {key: faction.get(key, "") for key in ("slug", "name", "colour", "glyph", "pattern")}
                for faction in self.box.factions
            ],
            "seats": [seat_of(self, s, seat, armies) for seat in range(self.seats)],
            "revealed": revealed(self, s),
            "scenes": scenes(self, s),
            "final": final(self, s, armies) if s.winners else None,
            "outcome": ended(s),
        }

    def chapter(self, view: State) -> str:
        s = faction_wars(view)
        return f"Round {s.round}" if s.round else ""

    def score(self, view: State) -> list[int]:
        """With the goals that the viewer knows."""
        s = faction_wars(view)
        armies = [s.owned(seat) for seat in range(self.seats)]
        return [sum(parts_of(self, s, seat, armies)) for seat in range(self.seats)]

    def moment_words(self, view: State, names: list[str]) -> str:
        return told(self, faction_wars(view), names)

    def controls(self, view: State) -> forms.Controls:
        """How a page asks the viewer's decision: `mode` is the prompt, `choices` what may be chosen, `why` for
        everything else of the same sort the rule that forbids it."""
        s = faction_wars(view)
        seat = s.turn
        if seat < 0 or seat != s.viewer:
            return {"mode": None, "kind": None, "choices": [], "why": {}}
        asked = s.stack[-1].prompt
        legal = s.actions
        armies = [s.owned(one) for one in range(self.seats)]
        choices: list[forms.Choice] = []
        for action in legal:
            choice: forms.Choice = {"id": self.notation(action), "text": self.describe(s, action)}
            if CARD <= action < CARD + len(self.entries):
                choice["card"] = printed(self, action - CARD)
                if asked in ("keep", "exchange"):
                    choice["worth"] = worth(self, s, seat, action - CARD, armies)
            elif TO <= action < CARD:
                choice["seat"] = action - TO
            else:
                choice["place"] = action - TAKE + 1
            choices.append(choice)
        kind = "place" if asked == "select" else "seat" if asked in ("bystander", "victim", "parley") else "card"
        why = {
            self.notation(action): s.reason(seat, action) for action in self._others(s, asked) if action not in legal
        }
        barred: list[forms.Barred] = [
            {"seat": action - TO, "why": s.reason(seat, action)}
            for action in (self._others(s, asked) if kind == "seat" else ())
            if action not in legal and action != TO + seat
        ]
        shown: forms.Controls = {"mode": asked, "kind": kind, "choices": choices, "why": why}
        return {**shown, "barred": barred, "rule": PLAIN[asked]}

    def _others(self, s: FactionState, asked: str) -> list[Action]:
        """What a page shows beside what may be chosen."""
        if asked == "select":
            return [TAKE + place for place in range(self.setup.size)]
        if asked in ("bystander", "victim", "parley"):
            return [TO + other for other in range(self.seats)]
        if asked == "exchange":
            return [CARD + kind for kind in sorted({card & KIND for card in s.discard})]
        owned = s.owned(s.turn) if asked in ("desert", "gift") else []
        return [CARD + kind for kind, count in enumerate(owned) if count]

    def text(self, view: State, names: list[str]) -> str:
        """The table in words, at most 80 columns wide."""
        s = faction_wars(view)
        shown = self.board(s)
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
            lines += wrapped(f"Open Bonus Card: {card.get('name')}. {card.get('text')}")
        for place in shown["lineup"]:
            lines += wrapped(_place(place, names), "     ")
        if shown["table"]:
            lines += wrapped("On the table: " + ", ".join(card.get("name", "") for card in shown["table"]))
        for seat in shown["seats"]:
            lines += _army(seat, names[seat["seat"]])
        me = shown["me"]
        goal = None if me is None else shown["seats"][me]["goal"]
        if goal:
            lines += wrapped(f"Your goal, {goal.get('name')}: {_progress(goal)}.")
        if shown["final"]:
            lines += _final(shown, names)
        return "\n".join(lines)

    def sheet(self, board: Shown, names: list[str], width: int, height: int) -> Sheet:
        """The table in characters."""
        return sheet(cast("forms.Board", board), names, width, height)

    def film(self, board: Shown, before: Shown | None, names: list[str]) -> list[Still]:
        """The way to a board, in stills."""
        return film(cast("forms.Board", board), names)

    def card(self, text: str) -> forms.Printed | None:
        wanted = re.sub(r"[\s-]+", "-", text.strip().lower().replace("'", "").replace("(", "").replace(")", ""))
        kind = self.kind_of.get(wanted)
        if kind is None:
            named = [k for k, entry in enumerate(self.entries) if entry["name"].lower() == text.strip().lower()]
            kind = named[0] if named else None
        return None if kind is None else printed(self, kind)

    def guide_tables(self) -> dict[str, list[list[str]]]:
        return {"abilities": abilities(self), "every card": copies(self, type(self)(revision="later"))}

    def catalogue(self) -> list[forms.CatalogueCard]:
        arms: dict[str, forms.CatalogueCard] = {
            f["slug"]: {"faction_name": f["name"], "colour": f.get("colour", "")} for f in self.box.factions
        }
        cards = (printed(self, kind) for kind in range(len(self.entries)))
        return [{**card, **arms.get(card.get("faction") or "", {})} for card in cards]

    @classmethod
    def lobby(cls) -> Shown:
        """What a page needs to show this game's arms: its factions."""
        keys = ("slug", "name", "colour", "glyph", "pattern", "style")
        return {"factions": [{key: faction.get(key, "") for key in keys} for faction in box.read(None).factions]}
