"""The controls of a page of Generals: the legal actions, and reasons for the others."""

from __future__ import annotations

from typing import Final, NotRequired, TypedDict

from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.page import Choice
from gonfalon.core.rules.state import Action, Seat
from gonfalon.games.generals.face import drafts, preview, refusals, words
from gonfalon.games.generals.face.cards import Cost, cost_of_active
from gonfalon.games.generals.face.drafts import Draft, Wanted
from gonfalon.games.generals.face.words import GeneralsWords
from gonfalon.games.generals.rules import stats
from gonfalon.games.generals.rules.actions import ACTIVE, CARD, PASS, SIEGE, UNIT, ZONE
from gonfalon.games.generals.rules.acts import legal as possible
from gonfalon.games.generals.rules.cards import CHARACTER, COUNTER, EQUIPMENT, RECRUIT_TO_BORDER, TACTICS, Kind
from gonfalon.games.generals.rules.state import OPPONENT, GeneralsState
from gonfalon.games.generals.rules.turn import ChooseAct, Main
from gonfalon.games.generals.rules.zones import BORDER, ENEMY_BORDER, FORTRESS, PLACES, ZONE_OF
from gonfalon.games.generals.ruleset import GeneralsRules

MAX_LIFTED: Final = 24
"""The number of generals, and of kinds of cards, that can be selected on the page. Its styles name each of them."""
MAX_MIGHT: Final = 1000
"""More than the Might of any general: a Siege is suggested before a melee."""
MARCHES: Final = {BORDER: "March", ENEMY_BORDER: "Advance"}
"""The words for a move towards the enemy."""
RETREATS: Final = {FORTRESS: "Back to FORTRESS", BORDER: "Back to BORDER"}
"""The words for a move away from the enemy."""
RESULTS: Final = {"win": "wins", "tie": "both fall", "loss": "loses"}
"""The words for the result of a melee, from the side of the attacker."""


class CardControl(TypedDict):
    """A card of the hand: the reason why it cannot be played, if any, and its cost.

    `idle` is true if it would have no effect, `use` rates it (see `rate_use`). A card that can be played has `n`, its
    name on the page, and a `draft` of the choices that it needs.
    """

    why: str | None
    cost: Cost
    idle: NotRequired[bool]
    use: NotRequired[int]
    n: NotRequired[str]
    draft: NotRequired[Draft]


class Reach(TypedDict):
    """The effect of the selected card or general `n` on a zone or general. `best` marks the general's best act."""

    n: str
    text: str
    score: str
    result: str
    best: bool


class Barred(TypedDict):
    """The reason why the selected general `n` cannot move to a zone."""

    n: str
    why: str


class ActControl(TypedDict):
    """An act of a general, with the reason why it is illegal, if it is."""

    id: str
    text: str
    preview: str | None
    why: str | None
    draft: Draft | None


class BestAct(TypedDict):
    """The act that the page suggests for a selected general."""

    id: str
    text: str
    score: str


class UnitControl(TypedDict):
    """A general with its acts. `n` is its name on the page, empty beyond `MAX_LIFTED`; `pays` is the cost in cards of
    its most expensive active effect; `best` is a Siege or, without one, the melee that beats the strongest enemy."""

    n: str
    pays: int
    can: bool
    why: str | None
    acts: list[ActControl]
    best: BestAct | None


Controls = TypedDict(
    "Controls",
    {
        "mode": str | None,
        "choices": list[Choice],
        "cards": dict[str, CardControl],
        "units": dict[str, UnitControl],
        "act": str | None,
        "end": list[str] | None,
        "reach": dict[str, list[Reach]],
        "barred": dict[str, list[Barred]],
        "pass": NotRequired[bool],
    },
)
"""The controls of the viewer's decision.

`choices` are all legal actions. In the Main Phase `cards` has the cost of each card of the hand and the reason why it
cannot be played, `units` the acts of each own general, and `end` the dangers of ending the turn. `reach` has the
possible acts by zone and general, `barred` the reasons against moves by zone. `act` is the general that is acting.
"""


def build_controls(game: GeneralsWords, s: GeneralsState) -> Controls:
    """Return the controls of the viewer's decision."""
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
    # The mode `place` belongs to the common prompt bar: placements that are confirmed together.
    shown["mode"] = "zone" if asked == "place" else asked
    shown["choices"] = [{"id": game.notation(action), "text": game.describe(s, action)} for action in s.actions]
    shown["pass"] = PASS in s.actions
    if asked == "main":
        reach = ReachBuilder(game, s)
        # One control for each kind, because copies of a card are played alike.
        for i, k in enumerate(sorted({card & KIND for card in s.hand[seat]})):
            shown["cards"][game.kinds[k].slug] = reach.build_card(k, f"c{i + 1}" if i < MAX_LIFTED else "")
        for i, u in enumerate(s.army[seat]):
            shown["units"][preview.unit_id(game, u)] = reach.build_unit(u, f"u{i + 1}" if i < MAX_LIFTED else "")
        shown["reach"], shown["barred"] = reach.reach, reach.barred
        shown["end"] = preview.list_warnings(s, seat)
    elif asked == "answer":
        # Only Counters can answer an act, so other cards have no controls.
        held = sorted({card & KIND for card in s.hand[seat]} & set(s.setup.counters[seat]))
        reach = ReachBuilder(game, s)
        shown["cards"] = {game.kinds[k].slug: reach.build_counter(k, f"c{i + 1}") for i, k in enumerate(held)}
    elif isinstance(step, ChooseAct):
        unit = preview.unit_id(game, step.unit)
        reach = ReachBuilder(game, s)
        shown["act"] = unit
        shown["units"] = {unit: reach.build_unit(step.unit, "now")}
        shown["reach"], shown["barred"] = reach.reach, reach.barred
    return shown


def rate_use(view: GeneralsState, seat: Seat, number: int, plays: bool) -> int:
    """Return the usefulness of a card of the hand, for paying with the least useful ones.

    Returns:
        0 for a general whose name is in CASUALTY, 1 for one of several copies, 2 for a card that cannot be played now,
        3 for a card that can, and 4 for a Counter, which is kept for the enemy's turn.
    """
    if preview.is_dead_weight(view, seat, number):
        return 0
    if sum(card & KIND == number for card in view.hand[seat]) > 1:
        return 1
    return 4 if view.setup.kinds[number].type == COUNTER else 3 if plays else 2


class ReachBuilder:
    """Collects the possible acts of cards and generals by the zone or general that they affect."""

    def __init__(self, game: GeneralsRules, view: GeneralsState) -> None:
        self.game = game
        self.view = view
        self.reach: dict[str, list[Reach]] = {}
        self.barred: dict[str, list[Barred]] = {}

    def add(self, target: str, n: str, text: str, score: str = "", result: str = "") -> Reach:
        """Add an act of `n` on a target."""
        added: Reach = {"n": n, "text": text, "score": score, "result": result, "best": False}
        self.reach.setdefault(target, []).append(added)
        return added

    def bar(self, target: str, n: str, why: str) -> None:
        """Add the reason why `n` cannot move to a zone."""
        self.barred.setdefault(target, []).append({"n": n, "why": why})

    def build_unit(self, u: int, n: str) -> UnitControl:
        """Return a general of the viewer with its acts."""
        game, view = self.game, self.view
        control = build_unit_control(game, view, u)
        control["n"] = n
        if not n or not control["can"]:
            return control
        legal = possible.list_acts(view, u)
        name = words.unit_name(game, u)
        found: list[tuple[int, str, str, Reach]] = []
        for action, act in zip(list_acts(view, u), control["acts"], strict=True):
            text = f"{name}: {act['text']}"
            if action == SIEGE and action in legal:
                # The Siege is not declared yet, and effects count the Sieges of a turn.
                siege = preview.preview_siege(view, u, declared=1)
                amount, left = siege.get("amount", 0), siege.get("resource", 0)
                result = "wins" if siege.get("wins") else f"{left - amount} left"
                reached = self.add("siege", n, text, f"Siege \u2212{amount}", result)
                found.append((MAX_MIGHT, act["id"], act["text"], reached))
            elif action >= UNIT and action in legal:
                fight = preview.preview_melee(view, u, action - UNIT)
                attacker, defender, result = fight.get("attacker", 0), fight.get("defender", 0), fight.get("result", "")
                reached = self.add(act["id"], n, text, f"{attacker} vs {defender}", RESULTS[result])
                if result == "win":
                    found.append((defender, act["id"], act["text"], reached))
            elif action == SIEGE and act["why"]:
                self.bar("siege", n, act["why"])
            elif ZONE <= action < ACTIVE:
                if action in legal:
                    here = ZONE_OF[view.setup.owner[u]][view.zone[u]]
                    self.add(act["id"], n, text, (MARCHES if action - ZONE > here else RETREATS)[action - ZONE])
                # Blockers are the reason that is hardest to see (ruling 4).
                elif act["why"] and action == ZONE + ENEMY_BORDER:
                    self.bar(act["id"], n, act["why"])
        if found:
            _, id, text, reached = max(found, key=lambda one: one[0])
            reached["best"] = True
            control["best"] = {"id": id, "text": text, "score": f"{reached['score']} · {reached['result']}"}
        return control

    def build_counter(self, number: int, n: str) -> CardControl:
        """Return a Counter of the viewer's hand while an act can be answered."""
        game, view = self.game, self.view
        why = None if CARD + number in view.actions else refusals.explain_refusal(view, view.turn, CARD + number)
        control: CardControl = {
            "why": why,
            "cost": preview.build_cost(game, view, view.turn, game.kinds[number]),
            "use": 4,
        }
        if why is None:
            control["n"] = n
            control["draft"] = drafts.build_draft(game, view, [CARD + number], [])
        return control

    def build_card(self, number: int, n: str) -> CardControl:
        """Return a card of the viewer's hand with its possible bearers, executors or places."""
        game, view = self.game, self.view
        control = build_card_control(game, view, view.turn, number)
        control["use"] = rate_use(view, view.turn, number, control["why"] is None)
        if control["why"] is None and n:
            ways = self._list_ways(game.kinds[number])
            for way in ways:
                self.add(game.notation(way.action), n, way.text, way.score)
            control["n"] = n
            control["draft"] = drafts.build_draft(game, view, [CARD + number], ways)
        return control

    def _list_ways(self, kind: Kind) -> list[Wanted]:
        """Return the bearers or executors that a card can have, or its places if there is a choice."""
        view, seat, setup = self.view, self.view.turn, self.view.setup
        units = [(u, self.game.kinds[setup.kind[u]].name, words.unit_name(self.game, u)) for u in view.army[seat]]
        if kind.type == CHARACTER:
            free = bool(stats.find_seat_bits(view, seat) & RECRUIT_TO_BORDER)
            places = (FORTRESS, BORDER) if free else ()
            return [Wanted(ZONE + p, PLACES[p], f"{kind.name} to {PLACES[p]}", "") for p in places]
        if kind.type == EQUIPMENT:
            can = possible.list_bearers(view, seat, kind)
            return [Wanted(UNIT + u, one, f"{one} bears {kind.name}", "bears it") for u, _, one in units if u in can]
        if not kind.subtypes & TACTICS:
            return []
        can = possible.list_executors(view, seat, kind)
        plots = {u: f"Wits {preview.count_plot_wits(self.game, view, seat, kind, u)}" for u in can}
        return [Wanted(UNIT + u, name, f"{one} executes {kind.name}", plots[u]) for u, name, one in units if u in can]


def build_card_control(game: GeneralsRules, view: GeneralsState, seat: Seat, number: int) -> CardControl:
    """Return a card of the hand with its cost and the reason why it cannot be played."""
    kind = game.kinds[number]
    why = refusals.why_no_play(view, seat, kind)
    idle = why is None and preview.is_idle_card(view, seat, kind)
    return {"why": why, "cost": preview.build_cost(game, view, seat, kind), "idle": idle}


def build_unit_control(game: GeneralsRules, view: GeneralsState, u: int) -> UnitControl:
    """Return a general with its acts and the reasons why some are illegal."""
    setup = view.setup
    seat = setup.owner[u]
    legal = possible.list_acts(view, u)
    out = []
    for action in list_acts(view, u):
        entry: ActControl = {
            "id": game.notation(action),
            "text": describe_act(game, view, u, action),
            "preview": None,
            "why": None,
            "draft": None,
        }
        if action not in legal:
            entry["why"] = refusals.why_not_act(view, u, action)
        if action == SIEGE:
            entry["preview"] = preview.preview_siege(view, u, declared=1)["text"]
        elif action >= UNIT:
            entry["preview"] = preview.preview_melee(view, u, action - UNIT)["text"]
        elif action >= ACTIVE:
            active = setup.kinds[setup.kind[u]].actives[action - ACTIVE]
            idle = f"; {words.IDLE_NOTE}" if preview.is_idle_active(view, u, active) else ""
            entry["preview"] = f"Cost {cost_of_active(active)}{idle}"
            # In the Main Phase a draft names the general before its effect.
            before = [UNIT + u] if isinstance(view.stack[-1], Main) else []
            if action in legal:
                entry["draft"] = drafts.build_draft(game, view, before, [Wanted(action, "", entry["text"], "")])
        elif action == ZONE + ENEMY_BORDER and action not in legal and preview.count_missing_blockers(view, u):
            entry["preview"] = f"{preview.count_missing_blockers(view, u)} more needed at your BORDER"
        out.append(entry)
    pays = max((entry["draft"]["pays"] for entry in out if entry["draft"]), default=0)
    return {
        "n": "",
        "pays": pays,
        "can": bool(legal),
        "why": None if legal else refusals.why_not_general(view, seat, u),
        "acts": out,
        "best": None,
    }


def list_acts(view: GeneralsState, u: int) -> list[Action]:
    """Return all acts of a general in its zone, illegal ones included."""
    setup = view.setup
    seat = setup.owner[u]
    foes = [UNIT + v for v in view.army[OPPONENT[seat]] if view.zone[v] == view.zone[u]]
    actives = [ACTIVE + i for i in range(len(setup.kinds[setup.kind[u]].actives))]
    here = ZONE_OF[seat][view.zone[u]]
    moves = [ZONE + place for place in (FORTRESS, BORDER, ENEMY_BORDER) if place != here]
    return [SIEGE, *moves, *actives, *sorted(foes)] if here == ENEMY_BORDER else [*moves, *actives, *sorted(foes)]


def describe_act(game: GeneralsRules, view: GeneralsState, u: int, action: Action) -> str:
    """Return the label of the button for an act of a general."""
    if action == SIEGE:
        return "Lay siege"
    if action >= UNIT:
        return f"Attack {words.unit_name(game, action - UNIT)}"
    return "Use active effect" if action >= ACTIVE else f"Move to {PLACES[action - ZONE]}"
