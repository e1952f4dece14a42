"""Reference rules of Faction Wars for the conformance kit: armies, piles and scores recomputed from
the log and the printed cards, in the simplest way."""

from __future__ import annotations

from collections import Counter

from gonfalon.check.reference_rules import ReferenceRules
from gonfalon.core.basics.cards import KIND
from gonfalon.core.files.card_files import Raw
from gonfalon.core.rules.state import State
from gonfalon.games.factionwars import FactionWars
from gonfalon.games.factionwars.rules import events as ev
from gonfalon.games.factionwars.rules.state import FactionState, as_faction_state

SCORING = ("berserker", "bonus", "bonus-sets")
"""The abilities that score. Scores in a game with another one are not checked."""


class FactionWarsReferenceRules(ReferenceRules[FactionWars]):
    """Reference rules of Faction Wars."""

    def find_faults(self, game: FactionWars, state: State) -> list[str]:
        s = as_faction_state(state)
        faults = []
        held = Counter(card & KIND for zone in (s.deck, s.discard, s.lineup, s.table, s.aside) for card in zone)
        for seat in range(game.seats):
            cards = [*s.army[seat], *s.pile[seat]]
            lies = Counter(card & KIND for card in cards)
            if any(lies[kind] != count for kind, count in Counter(game.setup.conscripts).items()):
                faults.append(f"seat {seat} has not all of its conscripts")
            if any(card & game.setup.full != game.setup.full for card in cards):
                faults.append(f"seat {seat}'s army has a card that not everybody has seen")
            lies.subtract(game.setup.conscripts)
            held.update(lies)
            choosing = bool(s.stack) and s.stack[-1].prompt == "select"
            if not s.army[seat] and choosing:
                faults.append(f"seat {seat} has no battle deck at the beginning of a round")
        if {k: n for k, n in held.items() if n} != Counter(game.setup.deck):
            faults.append("the recruit deck's cards are not complete")
        if s.log is not None:
            faults += _faults_of_log(game, s)
        return faults


def _faults_of_log(game: FactionWars, s: FactionState) -> list[str]:
    """Follow every card from army to army, and recompute every score."""
    assert s.log is not None
    quiet = not s.table and (not s.stack or s.stack[-1].prompt == "select")
    if not quiet:
        return []
    armies: list[Counter[int]] = [Counter() for _ in range(game.seats)]
    gift: tuple[int, int] | None = None
    for code, _, seat, card, a, _b in s.log:
        kind = card & KIND
        if code in (ev.CLAIMED, ev.DREW, ev.KEPT, ev.FREED, ev.STOLE) and not _passes(game, kind):
            armies[seat][kind] += 1
        if code == ev.STOLE:
            armies[a][kind] -= 1
            if gift is not None:
                armies[gift[0]][gift[1]] += 1
                gift = None
        elif code in (ev.REMOVED, ev.DESERTED, ev.GAVE):
            armies[seat][kind] -= 1
            if code == ev.GAVE:
                gift = a, kind
        elif code == ev.HANDED:
            armies[a][kind] += 1
    faults = []
    for seat in range(game.seats):
        counted = {kind: count for kind, count in enumerate(s.count_owned(seat)) if count}
        if {kind: n for kind, n in armies[seat].items() if n} != counted:
            faults.append(f"seat {seat}'s army is not what the log tells of it")
    if s.over and all(kind.prints_points or kind.ability in SCORING for kind in game.setup.kinds):
        scores = [_score(game, s, armies, seat) for seat in range(game.seats)]
        if scores != s.totals:
            faults.append(f"the scores are {s.totals}, but the armies are worth {scores}")
    return faults


def _passes(game: FactionWars, kind: int) -> bool:
    """Return whether a collector of this card does not own it."""
    entry = game.entries[kind]
    return entry["of"] < 0 and entry.get("ability") != "bonus-sets"


def _score(game: FactionWars, s: FactionState, armies: list[Counter[int]], seat: int) -> int:
    """Compute a final score card by card."""
    army = [game.entries[kind] for kind, count in armies[seat].items() for _ in range(count)]
    score = 0
    for card in army:
        ability = card.get("ability", "")
        if ability == "berserker":
            score += sum(other.get("ability") == "berserker" for other in army)
        elif ability == "bonus":
            score += sum(other["of"] == card["of"] for other in army)
        else:
            score += card.get("points", 0)
    for shown in s.bonus:
        card = game.entries[shown & KIND]
        tally = Counter(other["of"] for other in army)
        if card["ability"] == "bonus":
            score += tally[card["of"]]
        else:
            score += card["points"] * min(tally[faction] for faction in range(len(game.box.factions)))
    if s.goal[seat]:
        goal = game.entries[s.goal[seat][0] & KIND]
        if _met(game, goal, armies, seat):
            bonus = goal["bonus"]
            score += bonus[game.seats - 2] if isinstance(bonus, list) else bonus
    return score


def _met(game: FactionWars, goal: Raw, armies: list[Counter[int]], seat: int) -> bool:
    """Return whether a goal is met by the words on the card."""
    apart = game.options["bonus"] == "apart"

    def recruits(who: int, **like: object) -> int:
        cards = [game.entries[kind] for kind, count in armies[who].items() for _ in range(count)]
        cards = [c for c in cards if c["of"] >= 0 and not (apart and c.get("ability") == "bonus")]
        return sum(all(c.get(key) == value for key, value in like.items()) for c in cards)

    others = [who for who in range(game.seats) if who != seat]
    slugs = [faction["slug"] for faction in game.box.factions]
    rule, count = goal["rule"], goal.get("count", 0)
    if isinstance(count, list):
        count = count[game.seats - 2]
    if rule == "most-faction":
        like = {"of": slugs.index(goal["faction"])}
        return all(recruits(seat, **like) > recruits(other, **like) for other in others)
    if rule == "most-recruits":
        return all(recruits(seat) > recruits(other) for other in others)
    if rule == "no-bystander":
        return not any(n for kind, n in armies[seat].items() if game.entries[kind].get("ability") == "bystander")
    if rule == "every-faction":
        return all(recruits(seat, of=faction) >= count for faction in range(len(slugs)))
    if rule == "battle-value":
        return bool(recruits(seat, battle=goal["value"]) >= count)
    if rule == "abilities":
        return bool(sum(recruits(seat, ability=ability) for ability in goal["abilities"]) >= count)
    # Of a rule that was added since there is no second opinion.
    owned = [[armies[who][kind] for kind in range(game.setup.owned)] for who in range(game.seats)]
    return game.setup.goals[game.kind_of[goal["slug"]] - game.setup.first_goal].is_met(game.setup, seat, owned)
