"""The table as data and as text. Everything here is computed from a masked state."""

from __future__ import annotations

from typing import Final, cast

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.basics.decks import Decks
from gonfalon.core.rules.page import Arms, CardIds, Page, Shown, ended, wrapped
from gonfalon.core.rules.state import Action, Card, Seat, State
from gonfalon.core.text.english import of
from gonfalon.core.text.sheet import Sheet, Still
from gonfalon.games.generals.cards.decks import GeneralsDecks, cost_text
from gonfalon.games.generals.cards.pool import TYPES, Faction
from gonfalon.games.generals.effects.frame import ARMAMENT, GENERAL, PARTS, TROOP
from gonfalon.games.generals.face import drafts, preview, refusals, words
from gonfalon.games.generals.face.board import (
    ActControl,
    Banner,
    Barred,
    Board,
    CardControl,
    Controls,
    Counted,
    Declared,
    Done,
    Face,
    Lasting,
    Preview,
    Printed,
    Reach,
    SeatBoard,
    Unit,
    UnitControl,
    ZoneBoard,
)
from gonfalon.games.generals.face.deeds import done
from gonfalon.games.generals.face.drafts import Wanted
from gonfalon.games.generals.face.fights import fights
from gonfalon.games.generals.face.film import StagedBoard, film
from gonfalon.games.generals.face.sheet import sheet
from gonfalon.games.generals.face.words import GeneralsWords
from gonfalon.games.generals.rules import stats
from gonfalon.games.generals.rules.actions import ACTIVE, CARD, PASS, SIEGE, UNIT, ZONE
from gonfalon.games.generals.rules.acts import legal as possible
from gonfalon.games.generals.rules.acts.counters import Answer
from gonfalon.games.generals.rules.cards import (
    ACTS,
    BY_MELEE,
    BY_SIEGE,
    CHARACTER,
    COUNTER,
    EQUIPMENT,
    NO_ACT,
    RECRUIT_TO_BORDER,
    RULES,
    TACTICS,
    Active,
    Kind,
)
from gonfalon.games.generals.rules.lasting import LAST_MOD, LAST_RULE, Entry
from gonfalon.games.generals.rules.state import (
    ACTIVE_USED,
    AGAIN,
    ATTACK_USED,
    HAS_MOVED,
    NEW,
    OPPONENT,
    GeneralsState,
)
from gonfalon.games.generals.rules.turn import ChooseAct, Main
from gonfalon.games.generals.rules.zones import BORDER, ENEMY_BORDER, FORTRESS, PLACES, WORDS, ZONE_OF
from gonfalon.games.generals.ruleset import GeneralsRules, standard, the_state

OPENINGS: Final = ("toss", "shuffle", "deal", "mulligan")


# ---- cards ------------------------------------------------------------------------------------------


def printed(game: GeneralsRules, kind: int) -> Printed:
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
        "text": game.card_text(kind),
        "story": card.story,
        "rulings": list(card.rulings),
        "provenance": dict(card.sources),
    }


def cost_of_active(active: Active) -> str:
    """What an active effect costs, in words."""
    parts = [(active.resource, "RESOURCE"), (active.sacrifice, "general")]
    more = [f"{count} {what}" for count, what in parts if count]
    return " and ".join([str(active.hand), *more] if active.hand or not more else more)


class _Faces(CardIds):
    """The cards of a page."""

    def __init__(self, game: GeneralsRules) -> None:
        super().__init__()
        self.game = game
        self.printed: dict[int, Printed] = {}

    def face(self, seat: Seat, card: Card, zone: str) -> Face:
        kind = card & KIND
        if kind == HIDDEN:
            return {"back": True, "owner": seat, "dom": self.numbered(f"h{seat}-{zone}")}
        if kind not in self.printed:
            self.printed[kind] = printed(self.game, kind)
        shown = self.printed[kind]
        dom = self.numbered(f"k{seat}-{self.game.pool.cards[kind].slug}")
        return cast(Face, {**shown, "back": False, "owner": seat, "dom": dom})


# ---- the board --------------------------------------------------------------------------------------


def _declared(game: GeneralsRules, view: GeneralsState) -> Declared | None:
    """The act that is being answered, with what it would do; None while nothing is."""
    step = view.stack[-1] if view.stack else None
    if not isinstance(step, Answer):
        return None
    act = step.act
    shown: Preview | None = None
    if act.code == BY_MELEE and view.in_play(act.unit) and view.in_play(act.other):
        shown = {
            **preview.fight(view, act.unit, act.other),
            "follows": preview.follows(game, view, act.unit, act.other),
        }
    elif act.code == BY_SIEGE and view.in_play(act.unit):
        shown = preview.siege(view, act.unit)
    return {
        "seat": act.doer,
        "act": ACTS[act.code] if act.code >= 0 else "recruit",
        "text": words.act_words(game, act),
        "card": game.kinds[act.kind].slug if act.kind >= 0 else None,
        "unit": preview.unit_or_none(game, act.unit),
        "targets": [preview.unit_id(game, u) for u in act.aims()],
        "preview": shown,
    }


def _zone(me: Seat, zone: int, units: list[list[Unit]]) -> ZoneBoard:
    """A zone with both armies in it, named as `me` calls it; the zones come from the far end to their own."""
    return {
        "zone": zone,
        "place": WORDS[ZONE_OF[me][zone]],
        "name": PLACES[ZONE_OF[me][zone]],
        "sides": [[unit["id"] for unit in units[seat] if "id" in unit and unit["zone"] == zone] for seat in (0, 1)],
    }


def _unit(game: GeneralsRules, view: GeneralsState, faces: _Faces, u: int) -> Unit:
    """A general in play with its numbers as they are now."""
    setup = view.setup
    seat = setup.owner[u]
    flags = view.flags[u]
    bits = stats.bits(view, u)
    face = faces.face(seat, view.setup.kind[u], "field")
    return {
        **face,
        "id": preview.unit_id(game, u),
        "card_id": game.pool.cards[view.setup.kind[u] & KIND].id,
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
        "note": _note(flags, bool(bits & NO_ACT)),
    }


NOTES: Final = (
    (AGAIN, "again"),
    (NEW, "new"),
    (ATTACK_USED, "attacked"),
    (HAS_MOVED, "moved"),
    (ACTIVE_USED, "effect"),
)


def _note(flags: int, held: bool) -> str:
    """What a general has done, in a word."""
    return "held" if held else next((word for bit, word in NOTES if flags & bit), "")


def _noted(units: list[list[Unit]], deeds: list[Done]) -> None:
    """Write what the enemy did in a turn that is over on their generals."""
    did = {deed["unit"]: f"{deed['word']} {deed['score']}".strip() for deed in deeds}
    for unit in (unit for army in units for unit in army):
        unit["note"] = unit["note"] or did.get(unit.get("id"), "")


def _lasting(game: GeneralsRules, view: GeneralsState, entry: Entry) -> Lasting:
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
        "unit": preview.unit_or_none(game, u),
        "text": text,
        "turns": expires - view.number,
    }


def _seat(game: GeneralsRules, view: GeneralsState, faces: _Faces, seat: Seat, units: list[Unit]) -> SeatBoard:
    own = seat == view.viewer
    deck = view.lists[seat]
    # In the order in which cards are paid with; the view has those that others know at the end.
    hand = [faces.face(seat, card, "hand") for card in sorted(view.hand[seat], key=_kind)]
    for face in hand:
        if own and "slug" in face:
            kind = game.kinds[game.pool.by_slug[face["slug"]].kind]
            face["price"] = preview.cost(game, view, seat, kind)
            face["dead"] = preview.dead_weight(view, seat, kind.id)
    return {
        "seat": seat,
        "deck": game.lists[seat].name if deck and game.lists else "",
        "list": _counted(game, deck) if deck else None,
        "seen": _counted(game, view.seen[seat]) if not deck else [],
        "factions": [_banner(game.pool.faction(code)) for code in game.announced[seat].factions],  # ruling 61
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


def _banner(faction: Faction) -> Banner:
    return {
        "slug": faction.slug,
        "name": faction.name,
        "colour": faction.colour,
        "glyph": faction.glyph,
        "pattern": faction.pattern,
    }


def _counted(game: GeneralsRules, kinds: list[int]) -> list[Counted]:
    """Cards of a deck list with their numbers, in the order in which lists are read."""
    order = sorted(set(kinds), key=lambda kind: (game.kinds[kind].type, kind))
    return [{"slug": game.kinds[k].slug, "name": game.kinds[k].name, "count": kinds.count(k)} for k in order]


# ---- the controls of a page -------------------------------------------------------------------------


def _use(view: GeneralsState, seat: Seat, number: int, plays: bool) -> int:
    """How much a card of the hand is still good for: 0 a name in CASUALTY, 1 one of several copies, 2 what cannot be
    played now, 3 what can, 4 a Counter, which waits."""
    if preview.dead_weight(view, seat, number):
        return 0
    if sum(card & KIND == number for card in view.hand[seat]) > 1:
        return 1
    return 4 if view.setup.kinds[number].type == COUNTER else 3 if plays else 2


LIFTED: Final = 24
"""So many generals, and kinds of cards, can be taken up on the page: its styles name them."""
RESULTS: Final = {"win": "wins", "tie": "both fall", "loss": "loses"}


class _Reach:
    """Gathers by zone and general what the cards and generals that can be taken up would do there."""

    def __init__(self, game: GeneralsRules, view: GeneralsState) -> None:
        self.game = game
        self.view = view
        self.reach: dict[str, list[Reach]] = {}
        self.barred: dict[str, list[Barred]] = {}

    def add(self, target: str, n: str, text: str, score: str = "", result: str = "") -> None:
        self.reach.setdefault(target, []).append({"n": n, "text": text, "score": score, "result": result})

    def bar(self, target: str, n: str, why: str) -> None:
        self.barred.setdefault(target, []).append({"n": n, "why": why})

    def unit(self, u: int, n: str) -> UnitControl:
        """A general of the viewer's, with all they can do."""
        game, view = self.game, self.view
        control = _acts(game, view, u)
        control["n"] = n
        if not n or not control["can"]:
            return control
        legal = possible.acts_of(view, u)
        name = words.unit_name(game, u)
        for action, act in zip(_wanted(view, u), control["acts"], strict=True):
            if action == SIEGE and action in legal:
                siege = preview.siege(view, u, declared=1)
                result = "wins" if siege.get("wins") else f"{siege.get('resource')} left"
                self.add("siege", n, f"{name}: {act['text']}", f"Siege {siege.get('amount')}", result)
            elif action >= UNIT and action in legal:
                fight = preview.fight(view, u, action - UNIT)
                score, result = f"{fight.get('attacker')} : {fight.get('defender')}", RESULTS[fight.get("result", "")]
                self.add(act["id"], n, f"{name}: {act['text']}", score, result)
            elif action == SIEGE and act["why"]:
                self.bar("siege", n, act["why"])
            elif ZONE <= action < ACTIVE:
                if action in legal:
                    self.add(act["id"], n, f"{name}: {act['text']}")
                elif act["why"] and action == ZONE + ENEMY_BORDER:
                    self.bar(act["id"], n, act["why"])
        return control

    def counter(self, number: int, n: str) -> CardControl:
        """A Counter of the viewer's hand, while they may answer."""
        game, view = self.game, self.view
        why = None if CARD + number in view.actions else refusals.reason(view, view.turn, CARD + number)
        control: CardControl = {"why": why, "cost": preview.cost(game, view, view.turn, game.kinds[number]), "use": 4}
        if why is None:
            control["n"] = n
            control["draft"] = drafts.draft(game, view, [CARD + number], [])
        return control

    def card(self, number: int, n: str) -> CardControl:
        """A card of the viewer's hand, with who may bear or execute it and where it may come into play."""
        game, view = self.game, self.view
        control = _card(game, view, view.turn, number)
        control["use"] = _use(view, view.turn, number, control["why"] is None)
        if control["why"] is None and n:
            ways = self._ways(game.kinds[number])
            for way in ways:
                self.add(game.notation(way.action), n, way.text, way.score)
            control["n"] = n
            control["draft"] = drafts.draft(game, view, [CARD + number], ways)
        return control

    def _ways(self, kind: Kind) -> list[Wanted]:
        """Who may bear or execute a card, or where it may come into play when there is a choice."""
        view, seat, setup = self.view, self.view.turn, self.view.setup
        units = [(u, self.game.kinds[setup.kind[u]].name, words.unit_name(self.game, u)) for u in view.army[seat]]
        if kind.type == CHARACTER:
            free = bool(stats.seat_bits(view, seat) & RECRUIT_TO_BORDER)
            places = (FORTRESS, BORDER) if free else ()
            return [Wanted(ZONE + p, PLACES[p], f"{kind.name} to {PLACES[p]}", "") for p in places]
        if kind.type == EQUIPMENT:
            can = possible.bearers(view, seat, kind)
            return [Wanted(UNIT + u, one, f"{one} bears {kind.name}", "bears it") for u, _, one in units if u in can]
        if not kind.subtypes & TACTICS:
            return []
        can = possible.executors(view, seat, kind)
        plots = {u: f"Wits {preview.plot(self.game, view, seat, kind, u)}" for u in can}
        return [Wanted(UNIT + u, name, f"{one} executes {kind.name}", plots[u]) for u, name, one in units if u in can]


def _card(game: GeneralsRules, view: GeneralsState, seat: Seat, number: int) -> CardControl:
    kind = game.kinds[number]
    why = refusals.why_no_play(view, seat, kind)
    idle = why is None and preview.idle_card(view, seat, kind)
    return {"why": why, "cost": preview.cost(game, view, seat, kind), "idle": idle}


def _acts(game: GeneralsRules, view: GeneralsState, u: int) -> UnitControl:
    """What a general could do, and why not."""
    setup = view.setup
    seat = setup.owner[u]
    legal = possible.acts_of(view, u)
    out = []
    for action in _wanted(view, u):
        entry: ActControl = {
            "id": game.notation(action),
            "text": _act_text(game, view, u, action),
            "preview": None,
            "why": None,
            "draft": None,
        }
        if action not in legal:
            entry["why"] = refusals.why_not_act(view, u, action)
        if action == SIEGE:
            entry["preview"] = preview.siege(view, u, declared=1)["text"]
        elif action >= UNIT:
            entry["preview"] = preview.fight(view, u, action - UNIT)["text"]
        elif action >= ACTIVE:
            active = setup.kinds[setup.kind[u]].actives[action - ACTIVE]
            idle = f"; {words.IDLE}" if preview.idle_active(view, u, active) else ""
            entry["preview"] = f"Cost {cost_of_active(active)}{idle}"
            before = [UNIT + u] if isinstance(view.stack[-1], Main) else []
            if action in legal:
                entry["draft"] = drafts.draft(game, view, before, [Wanted(action, "", entry["text"], "")])
        elif action == ZONE + ENEMY_BORDER and action not in legal and preview.blockers(view, u):
            entry["preview"] = f"{preview.blockers(view, u)} more needed at your BORDER"
        out.append(entry)
    pays = max((entry["draft"]["pays"] for entry in out if entry["draft"]), default=0)
    return {
        "n": "",
        "pays": pays,
        "can": bool(legal),
        "why": None if legal else refusals.why_not_general(view, seat, u),
        "acts": out,
    }


def _wanted(view: GeneralsState, u: int) -> list[Action]:
    """What a general would do where it stands if it could."""
    setup = view.setup
    seat = setup.owner[u]
    foes = [UNIT + v for v in view.army[OPPONENT[seat]] if view.zone[v] == view.zone[u]]
    actives = [ACTIVE + i for i in range(len(setup.kinds[setup.kind[u]].actives))]
    here = ZONE_OF[seat][view.zone[u]]
    moves = [ZONE + place for place in (FORTRESS, BORDER, ENEMY_BORDER) if place != here]
    return [SIEGE, *moves, *actives, *sorted(foes)] if here == ENEMY_BORDER else [*moves, *actives, *sorted(foes)]


def _act_text(game: GeneralsRules, view: GeneralsState, u: int, action: Action) -> str:
    """An act of a general in a few words, for a button."""
    if action == SIEGE:
        return "Lay siege"
    if action >= UNIT:
        return f"Attack {words.unit_name(game, action - UNIT)}"
    if action >= ACTIVE:
        return "Use active effect"
    return f"Move to {PLACES[action - ZONE]}"


# ---- text for terminals -----------------------------------------------------------------------------


def _seat_lines(game: GeneralsRules, view: GeneralsState, seat: Seat, name: str) -> list[str]:
    due = stats.upkeep_total(view, seat)
    fallen = ", ".join(game.kinds[card & KIND].name for card in view.casualty[seat])
    command = game.kinds[view.setup.commands[seat]].name
    factions = ", ".join(game.pool.faction(code).name for code in game.announced[seat].factions) or "no faction"
    line = (
        f"{name} ({factions}): RESOURCE {len(view.deck[seat])} (Upkeep {due}), hand {len(view.hand[seat])} of "
        f"{view.setup.limits[seat]}, DISCARD {len(view.discard[seat])}, {command}"
    )
    lines = wrapped(line + (f"; CASUALTY: {fallen}" if fallen else ""))
    if view.seen[seat] and not view.lists[seat]:
        seen = ", ".join(f"{entry['count']} {entry['name']}" for entry in _counted(game, view.seen[seat]))
        lines += wrapped(f"  Seen of this deck: {seen}")
    return lines


def _unit_text(game: GeneralsRules, view: GeneralsState, u: int) -> str:
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


def _hand_text(game: GeneralsRules, view: GeneralsState, seat: Seat, card: Card) -> str:
    if card & KIND == HIDDEN:
        return "?"
    kind = game.kinds[card & KIND]
    return f"{kind.name} ({stats.cost(view, seat, kind)})"


# ---- the page ---------------------------------------------------------------------------------------


class GeneralsPage(GeneralsWords, Page):
    """What pages, terminals and programs show of the game."""

    counts = "RESOURCE"

    def arms(self, seat: Seat) -> Arms:
        faction = self.pool.faction(self.announced[seat].factions[0])
        return {"colour": faction.colour, "pattern": faction.pattern, "glyph": faction.glyph}

    def chapter(self, view: State) -> str:
        s = the_state(view)
        return f"Turn {s.number}" if s.number else ""

    def score(self, view: State) -> list[int]:
        return [len(deck) for deck in the_state(view).deck]

    def board(self, view: State) -> Board:
        s = the_state(view)
        faces = _Faces(self)
        me = s.viewer if s.viewer >= 0 else 0
        units = [[_unit(self, s, faces, u) for u in s.army[seat]] for seat in (0, 1)]
        deeds = done(self, s, OPPONENT[me])
        _noted(units, deeds)
        asked = s.stack[-1].prompt if s.stack else "over"
        return {
            "viewer": s.viewer,
            "me": s.viewer if s.viewer >= 0 else None,
            "turn": s.number,
            "active": s.active,
            "first": s.first,
            "phase": "opening" if asked in OPENINGS and s.number == 0 else asked if asked == "over" else "turn",
            "asked": asked,
            "seats": [_seat(self, s, faces, seat, units[seat]) for seat in (0, 1)],
            "zones": [_zone(me, zone, units) for zone in ZONE_OF[OPPONENT[me]]],
            "act": _declared(self, s),
            "done": deeds,
            "fights": fights(self, s),
            "lasting": [_lasting(self, s, entry) for entry in s.lasting],
            "paying": preview.paying(s),
            "outcome": ended(s),
        }

    def controls(self, view: State) -> Controls:
        s = the_state(view)
        shown: Controls = {
            "mode": None,
            "choices": [],
            "cards": {},
            "units": {},
            "act": None,
            "end": None,
            "reach": {},
            "barred": {},
        }
        seat = s.turn
        if seat < 0 or seat != s.viewer:
            return shown
        step = s.stack[-1]
        asked = step.prompt
        # The common prompt bar has a mode `place` of its own, for placings that are locked in together.
        shown["mode"] = "zone" if asked == "place" else asked
        shown["choices"] = self.buttons(s, s.actions)
        shown["pass"] = PASS in s.actions
        if asked == "main":
            reach = _Reach(self, s)
            for i, k in enumerate(sorted({card & KIND for card in s.hand[seat]})):
                shown["cards"][self.kinds[k].slug] = reach.card(k, f"c{i + 1}" if i < LIFTED else "")
            for i, u in enumerate(s.army[seat]):
                shown["units"][preview.unit_id(self, u)] = reach.unit(u, f"u{i + 1}" if i < LIFTED else "")
            shown["reach"], shown["barred"] = reach.reach, reach.barred
            shown["end"] = preview.warnings(s, seat)
        elif asked == "answer":
            held = sorted({card & KIND for card in s.hand[seat]} & set(s.setup.counters[seat]))
            reach = _Reach(self, s)
            shown["cards"] = {self.kinds[k].slug: reach.counter(k, f"c{i + 1}") for i, k in enumerate(held)}
        elif isinstance(step, ChooseAct):
            unit = preview.unit_id(self, step.unit)
            reach = _Reach(self, s)
            shown["act"] = unit
            shown["units"] = {unit: reach.unit(step.unit, "now")}
            shown["reach"], shown["barred"] = reach.reach, reach.barred
        return shown

    def arranged(self, view: State, actions: list[Action]) -> list[Action]:
        return drafts.arranged(the_state(view), actions)

    def text(self, view: State, names: list[str]) -> str:
        s = the_state(view)
        me = s.viewer if s.viewer >= 0 else 0
        other = OPPONENT[me]
        lines = wrapped(f"Turn {s.number}. {of(names[s.active])} turn." if s.number else "Before the first turn.")
        lines += _seat_lines(self, s, other, names[other])
        for zone in ZONE_OF[other]:
            name = PLACES[ZONE_OF[me][zone]]
            lines.append(f"-- {name} " + "-" * (76 - len(name)))
            for seat in (other, me):
                for u in s.army[seat]:
                    if s.zone[u] == zone:
                        lines += wrapped(f"   {'<' if seat == other else '>'} {_unit_text(self, s, u)}")
        lines += _seat_lines(self, s, me, names[me])
        if s.viewer >= 0:
            hand = ", ".join(_hand_text(self, s, me, card) for card in s.hand[me])
            lines += wrapped(f"Your hand: {hand or 'empty'}")
            if s.winner < 0:
                for warning in preview.warnings(s, me):
                    lines += wrapped(f"! {warning}")
        shown = _declared(self, s)
        if shown is not None:
            seen = f" ({shown['preview']['text']})" if shown["preview"] else ""
            lines += wrapped(f"Declared: {shown['text']}{seen}.")
        return "\n".join(lines)

    def sheet(self, board: Shown, names: list[str], width: int, height: int) -> Sheet:
        """The table in characters."""
        return sheet(cast("StagedBoard", board), names, width, height)

    def film(self, board: Shown, before: Shown | None, names: list[str]) -> list[Still]:
        """The way to a board, in stills."""
        return film(cast("Board", board), cast("Board | None", before), names)

    def card(self, text: str) -> Printed | None:
        card = self.pool.find(text)
        return printed(self, card.kind) if card is not None else None

    def catalogue(self) -> list[Printed]:
        order = sorted(self.pool.cards, key=lambda card: (TYPES.index(card.type), card.kind))
        return [printed(self, card.kind) for card in order]

    @classmethod
    def lobby(cls) -> dict[str, list[Banner]]:
        """What a page needs beside the decks: the banners of the factions."""
        return {"banners": [{**_banner(faction), "style": faction.style} for faction in standard().pool.factions]}

    def decks(self) -> Decks:
        return GeneralsDecks(self.pool, self.options["qun_counts"])
