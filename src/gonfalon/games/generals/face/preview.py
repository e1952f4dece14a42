"""What an act would cost and do, as far as the viewer can see: costs with their parts, melees and
Sieges with their numbers, blockers that are missing, ends of turns that would lose."""

from __future__ import annotations

from typing import Required, TypedDict

from gonfalon.core.rules.state import Seat
from gonfalon.games.generals.effects.run import add_variables, is_idle
from gonfalon.games.generals.face.cards import Cost, Part
from gonfalon.games.generals.rules import cards, stats
from gonfalon.games.generals.rules.acts import legal
from gonfalon.games.generals.rules.acts.questions import Pay
from gonfalon.games.generals.rules.lasting import AMOUNT, LAST_MOD, PRINTED, WHAT, WHICH, WHOSE
from gonfalon.games.generals.rules.state import OPPONENT, GeneralsState
from gonfalon.games.generals.rules.zones import BORDER, ENEMY_BORDER, ZONE_OF
from gonfalon.games.generals.ruleset import GeneralsRules


class Upkeep(TypedDict):
    """What a seat would pay now; `turns` until RESOURCE is gone, if nothing changes."""

    due: int
    resource: int
    short: int
    generals: int
    change: int
    turns: int


class Preview(TypedDict, total=False):
    """A melee or a Siege as it would end now; of a melee that is answered also what `follows`."""

    text: Required[str]
    follows: str
    attacker: int
    defender: int
    result: str
    amount: int
    resource: int
    wins: bool


def card_parts(game: GeneralsRules, view: GeneralsState, stat: int, seat: Seat, kind: cards.Kind) -> list[Part]:
    """What changes a number of a card that a seat plays: each source with its amount."""
    parts: list[Part] = []
    setup = view.setup
    for source, giver in stats.list_sources(view):
        frame = setup.frames[source]
        if frame.seat == seat:
            amount = stats.sum_changes_from(view, giver.cards[stat], source, kind)
            if amount:
                parts.append({"what": giver.name, "by": amount})
    for entry in view.lasting:
        if entry[WHAT] == LAST_MOD and entry[WHOSE] == seat:
            mod = setup.mods[entry[WHICH]]
            if mod.stat == stat and mod.cards is not None and mod.cards.admits(kind) and entry[AMOUNT]:
                parts.append({"what": game.kinds[entry[PRINTED]].name, "by": entry[AMOUNT]})
    return parts


def cost(game: GeneralsRules, view: GeneralsState, seat: Seat, kind: cards.Kind) -> Cost:
    """A card's cost now, with its parts: 3 - 2 Affiliation - 1 Recruit (rulings 29 to 31)."""
    parts: list[Part] = []
    if kind.type == cards.CHARACTER:
        help = stats.count_affiliation(view, seat, kind)
        if help:
            parts.append({"what": "Affiliation", "by": -help})
        parts += card_parts(game, view, cards.RECRUITMENT, seat, kind)
    elif kind.type != cards.COMMANDMENT:
        parts += card_parts(game, view, cards.EXECUTION, seat, kind)
    now = stats.compute_cost(view, seat, kind) if kind.type != cards.COMMANDMENT else 0
    if now > max(0, kind.hand + sum(part["by"] for part in parts)):
        parts.append({"what": "returned this turn", "by": now})
    signs = "".join(f" {'-' if part['by'] < 0 else '+'} {abs(part['by'])} {part['what']}" for part in parts)
    words = [f"{kind.hand}{signs} = {now}" if parts else str(now)]
    if kind.resource:
        words.append(f"{kind.resource} of your RESOURCE")
    if kind.sacrifice:
        words.append(f"{kind.sacrifice} of your generals")
    return {
        "printed": kind.hand,
        "now": now,
        "parts": parts,
        "resource": kind.resource,
        "sacrifice": kind.sacrifice,
        "text": " and ".join(words if now or len(words) == 1 else words[1:]),
    }


def fight(view: GeneralsState, u: int, v: int) -> Preview:
    """A melee as it would end now: `result` is win, tie or loss for the attacker."""
    x = view.might_in(u, cards.ATTACKER, v)
    y = view.might_in(v, cards.DEFENDER, u)
    result = "win" if x > y else "tie" if x == y else "loss"
    return {"attacker": x, "defender": y, "result": result, "text": f"Melee {x} against {y}"}


def follows(game: GeneralsRules, view: GeneralsState, u: int, v: int) -> str:
    """What comes of a melee as it would end now: who falls, and the Sieges that nobody would hold then."""
    result = fight(view, u, v).get("result")
    if result == "loss":
        return f"{unit_name(game, view, u)} falls"
    owner = view.setup.owner[v]
    near = ZONE_OF[owner][BORDER]
    opened = threat(view, OPPONENT[owner]) - (siege(view, u).get("amount", 0) if result == "tie" else 0)
    held = view.zone[v] != near or view.count_standing(owner, near) > 1
    falls = "both fall" if result == "tie" else f"{unit_name(game, view, v)} falls"
    return falls if held or opened <= 0 else f"{falls}, then {opened} can besiege"


def unit_name(game: GeneralsRules, view: GeneralsState, u: int) -> str:
    """A general's name."""
    return game.kinds[view.setup.kind[u]].name


def siege(view: GeneralsState, u: int, declared: int = 0) -> Preview:
    """A Siege as it would end now; `declared` is 1 where it does not count among those of the turn yet."""
    if declared:  # everybody reads the same view
        view = view.clone()
        view.sieges += declared
    amount = legal.siege_amount(view, u)
    left = len(view.deck[OPPONENT[view.setup.owner[u]]])
    wins = amount > left
    text = f"Siege depletes {amount} of {left}" + (" and wins" if wins else "")
    return {"amount": amount, "resource": left, "wins": wins, "text": text}


def plot(game: GeneralsRules, view: GeneralsState, seat: Seat, kind: cards.Kind, u: int) -> int:
    """The Wits a general would plot with, before what the card adds."""
    return view.wits(u) + stats.sum_card_changes(view, cards.PLOT, seat, kind)


def idle_active(view: GeneralsState, u: int, active: cards.Active) -> bool:
    """Whether an active effect would do nothing as things are."""
    return is_idle(view, active.script, add_variables(active.script, legal.active_frame(view, u)))


def idle_card(view: GeneralsState, seat: Seat, kind: cards.Kind) -> bool:
    """Whether a Strategy would do nothing as things are. Tactics always have a target."""
    if kind.type != cards.STRATEGY or kind.subtypes & cards.TACTICS or kind.script is None:
        return False
    return is_idle(view, kind.script, legal.strategy_frame(seat, kind))


def blockers(view: GeneralsState, u: int) -> int:
    """How many more generals a move to ENEMY'S BORDER needs at BORDER; 0 when it may pass."""
    return 0 if legal.can_enter(view, u) else view.missing_blockers(u)


def upkeep(view: GeneralsState, seat: Seat) -> Upkeep:
    """The Upkeep a seat would pay now, and what is left after it and the next draw."""
    due = stats.compute_upkeep_total(view, seat)
    left = len(view.deck[seat])
    return {
        "due": due,
        "resource": left,
        "short": max(0, due - left),
        "generals": sum(stats.compute_upkeep(view, u) for u in view.army[seat]),
        "change": stats.sum_upkeep_changes(view, seat),
        "turns": left // (due + 1) if due + 1 else 0,
    }


def threat(view: GeneralsState, seat: Seat) -> int:
    """What a seat's generals at the enemy's gate could deplete by Sieges if nobody stopped them."""
    far = ZONE_OF[seat][ENEMY_BORDER]
    return sum(legal.siege_amount(view, u) for u in view.army[seat] if view.zone[u] == far)


def warnings(view: GeneralsState, seat: Seat) -> list[str]:
    """What would lose the game soon, as sentences; none when all is well."""
    out = []
    left = len(view.deck[seat])
    if seat == view.active:
        due = stats.compute_upkeep_total(view, seat)
        if due > left:
            out.append(f"Your Upkeep is {due} and your RESOURCE {left}: ending your turn loses the game (ruling 54).")
        elif due == left:
            out.append("After your Upkeep your RESOURCE is empty: your next draw would lose the game (ruling 52).")
    elif left == 0:
        out.append("Your RESOURCE is empty: your next draw loses the game (ruling 52).")
    danger = threat(view, OPPONENT[seat])
    near = ZONE_OF[seat][BORDER]
    if danger > left and not view.count_standing(seat, near):
        out.append(f"Enemy Sieges could deplete {danger}, and your RESOURCE is {left} (ruling 24).")
    return out


def unit_id(game: GeneralsRules, u: int) -> str:
    """A general's name in the notation."""
    return f"{game.kinds[game.setup.kind[u]].slug}#{game.setup.owner[u] + 1}"


def unit_or_none(game: GeneralsRules, u: int) -> str | None:
    """The same of a general there may be none of (-1)."""
    return unit_id(game, u) if u >= 0 else None


def paying(view: GeneralsState) -> int:
    """How many cards are still to be paid in the payment under way; 0 when none is."""
    step = view.stack[-1] if view.stack else None
    return step.left if isinstance(step, Pay) else 0


def dead_weight(view: GeneralsState, seat: Seat, kind: int) -> bool:
    """Whether a general of the hand can never be recruited, so that it pays first: its name lies in
    CASUALTY."""
    u = view.setup.unit_of[seat][kind]
    return u >= 0 and any(view.zone[v] == -2 for v in view.setup.alike[u])
