"""Forecasts of acts from the knowledge of the viewer: costs with their parts, results of melees and Sieges, missing
blockers, and warnings of ends of turns that would lose the game."""

from __future__ import annotations

from typing import Required, TypedDict

from gonfalon.core.rules.state import Seat
from gonfalon.games.generals.effects.run import add_variables, is_idle
from gonfalon.games.generals.face.cards import Cost, Part
from gonfalon.games.generals.face.words import unit_name
from gonfalon.games.generals.rules import cards, stats
from gonfalon.games.generals.rules.acts import legal
from gonfalon.games.generals.rules.acts.questions import Pay
from gonfalon.games.generals.rules.lasting import AMOUNT, LAST_MOD, PRINTED, WHAT, WHICH, WHOSE
from gonfalon.games.generals.rules.state import OPPONENT, GeneralsState
from gonfalon.games.generals.rules.zones import BORDER, ENEMY_BORDER, ZONE_OF
from gonfalon.games.generals.ruleset import GeneralsRules


class Upkeep(TypedDict):
    """The Upkeep of a seat as it is due now. `turns` is the number of turns until RESOURCE is empty if nothing
    changes."""

    due: int
    resource: int
    short: int
    generals: int
    change: int
    turns: int


class Preview(TypedDict, total=False):
    """The result of a melee or a Siege if it were carried out now. A melee that can be answered has `follows`, its
    consequences."""

    text: Required[str]
    follows: str
    attacker: int
    defender: int
    result: str
    amount: int
    resource: int
    wins: bool


def list_parts(game: GeneralsRules, view: GeneralsState, stat: int, seat: Seat, kind: cards.Kind) -> list[Part]:
    """Return the changes of a number of a card that a seat plays: each source with its amount."""
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


def build_cost(game: GeneralsRules, view: GeneralsState, seat: Seat, kind: cards.Kind) -> Cost:
    """Return the present cost of a card with its parts: 3 - 2 Affiliation - 1 Recruit (rulings 29 to 31)."""
    parts: list[Part] = []
    if kind.type == cards.CHARACTER:
        help = stats.count_affiliation(view, seat, kind)
        if help:
            parts.append({"what": "Affiliation", "by": -help})
        parts += list_parts(game, view, cards.RECRUITMENT, seat, kind)
    elif kind.type != cards.COMMANDMENT:
        parts += list_parts(game, view, cards.EXECUTION, seat, kind)
    now = stats.compute_cost(view, seat, kind) if kind.type != cards.COMMANDMENT else 0
    # A general that returned to the hand this turn costs at least 1 card (ruling 68).
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
        # A cost of 0 cards is left out if the card costs something else.
        "text": " and ".join(words if now or len(words) == 1 else words[1:]),
    }


def preview_melee(view: GeneralsState, u: int, v: int) -> Preview:
    """Return the result of a melee if it were fought now: win, tie or loss for the attacker."""
    # Some cards change Might only in a melee, depending on the role and the opponent.
    x = view.might_in(u, cards.ATTACKER, v)
    y = view.might_in(v, cards.DEFENDER, u)
    result = "win" if x > y else "tie" if x == y else "loss"
    return {"attacker": x, "defender": y, "result": result, "text": f"Melee {x} against {y}"}


def describe_result(game: GeneralsRules, view: GeneralsState, u: int, v: int) -> str:
    """Return the consequences of a melee if it were fought now: the generals that fall, and the Sieges that are then
    possible."""
    result = preview_melee(view, u, v).get("result")
    if result == "loss":
        return f"{unit_name(game, u)} falls"
    owner, opened = view.setup.owner[v], count_siege_threat(view, view.setup.owner[u])
    near = ZONE_OF[owner][BORDER]
    # In a tie the attacker falls as well, and cannot besiege.
    opened -= preview_siege(view, u).get("amount", 0) if result == "tie" else 0
    # Another general at BORDER prevents Sieges.
    held = view.zone[v] != near or view.count_standing(owner, near) > 1
    falls = "both fall" if result == "tie" else f"{unit_name(game, v)} falls"
    return falls if held or opened <= 0 else f"{falls}, then {opened} can besiege"


def preview_siege(view: GeneralsState, u: int, declared: int = 0) -> Preview:
    """Return the result of a Siege if it were carried out now.

    Args:
        declared: The number of Sieges to count as declared beside those of the turn: 1 if this one is not declared yet.
    """
    if declared:  # the view is shared, so change a copy
        view = view.clone()
        view.sieges += declared
    amount = legal.siege_amount(view, u)
    left = len(view.deck[OPPONENT[view.setup.owner[u]]])
    wins = amount > left
    text = f"Siege depletes {amount} of {left}" + (" and wins" if wins else "")
    return {"amount": amount, "resource": left, "wins": wins, "text": text}


def count_plot_wits(game: GeneralsRules, view: GeneralsState, seat: Seat, kind: cards.Kind, u: int) -> int:
    """Return the Wits of a general in a plot, without the addition of the card itself."""
    return view.wits(u) + stats.sum_card_changes(view, cards.PLOT, seat, kind)


def is_idle_active(view: GeneralsState, u: int, active: cards.Active) -> bool:
    """Return whether an active effect would have no effect in this position."""
    return is_idle(view, active.script, add_variables(active.script, legal.active_frame(view, u)))


def is_idle_card(view: GeneralsState, seat: Seat, kind: cards.Kind) -> bool:
    """Return whether a Strategy would have no effect in this position. Tactics always have a target."""
    if kind.type != cards.STRATEGY or kind.subtypes & cards.TACTICS or kind.script is None:
        return False
    return is_idle(view, kind.script, legal.strategy_frame(seat, kind))


def count_missing_blockers(view: GeneralsState, u: int) -> int:
    """Return the number of generals missing at BORDER for a move to ENEMY'S BORDER; 0 if the move is possible."""
    return 0 if legal.can_enter(view, u) else view.missing_blockers(u)


def build_upkeep(view: GeneralsState, seat: Seat) -> Upkeep:
    """Return the Upkeep of a seat as it is due now."""
    due = stats.compute_upkeep_total(view, seat)
    left = len(view.deck[seat])
    return {
        "due": due,
        "resource": left,
        "short": max(0, due - left),
        "generals": sum(stats.compute_upkeep(view, u) for u in view.army[seat]),
        "change": stats.sum_upkeep_changes(view, seat),
        # Each turn costs the Upkeep and the card of the draw.
        "turns": left // (due + 1) if due + 1 else 0,
    }


def count_siege_threat(view: GeneralsState, seat: Seat) -> int:
    """Return the RESOURCE that a seat's generals at ENEMY'S BORDER would deplete if all of them besieged."""
    far = ZONE_OF[seat][ENEMY_BORDER]
    return sum(legal.siege_amount(view, u) for u in view.army[seat] if view.zone[u] == far)


def list_warnings(view: GeneralsState, seat: Seat) -> list[str]:
    """Return a sentence for each danger to lose the game soon."""
    out = []
    left = len(view.deck[seat])
    if seat == view.active:
        due = stats.compute_upkeep_total(view, seat)
        # An Upkeep that cannot be paid loses (ruling 54), and so does the draw from an empty RESOURCE (ruling 52).
        if due > left:
            out.append(f"Your Upkeep is {due} and your RESOURCE {left}: ending your turn loses the game.")
        elif due == left:
            out.append("After your Upkeep your RESOURCE is empty: your next draw would lose the game.")
    elif left == 0:
        out.append("Your RESOURCE is empty: your next draw loses the game.")
    # Damage beyond RESOURCE loses at once; just as much does not (ruling 24).
    danger = count_siege_threat(view, OPPONENT[seat])
    near = ZONE_OF[seat][BORDER]
    if danger > left and not view.count_standing(seat, near):
        out.append(f"Enemy Sieges could deplete {danger}, and your RESOURCE is {left}.")
    return out


def unit_id(game: GeneralsRules, u: int) -> str:
    """Return the notation of a general."""
    return f"{game.kinds[game.setup.kind[u]].slug}#{game.setup.owner[u] + 1}"


def unit_or_none(game: GeneralsRules, u: int) -> str | None:
    """Return the notation of a general, or None for -1."""
    return unit_id(game, u) if u >= 0 else None


def count_cards_to_pay(view: GeneralsState) -> int:
    """Return the number of cards still to pay in the present payment; 0 if there is no payment."""
    step = view.stack[-1] if view.stack else None
    return step.left if isinstance(step, Pay) else 0


def is_dead_weight(view: GeneralsState, seat: Seat, kind: int) -> bool:
    """Return whether a general of the hand can never be recruited, because its name is in CASUALTY.

    Such a card is the best one to pay with.
    """
    u = view.setup.unit_of[seat][kind]
    return u >= 0 and any(view.zone[v] == -2 for v in view.setup.alike[u])
