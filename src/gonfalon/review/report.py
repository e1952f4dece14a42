"""A review in words, for the terminal, and sentences that pages share."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from gonfalon import games
from gonfalon.bots.insight import Insight
from gonfalon.bots.players.reasons import percent
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.text.english import all_of, inside, many, unbroken
from gonfalon.core.text.untrusted import isolate
from gonfalon.review.files import CardLuck, JudgedDecision, Review, SeatTotals, list_omitted
from gonfalon.review.judging.players import load_insight
from gonfalon.review.judging.trust import CHECK, INTERVALS, MARKS, SUMS
from gonfalon.review.story import describe_better, describe_uncertain, find_uncertain, format_loss, may_have_lost

OMISSION_REASONS: Final = {
    MARKS: "Decisions have no marks: in a check the second referee confirmed too few.",
    INTERVALS: "Intervals are omitted: in a check too many or too few of them contained the true loss.",
    SUMS: "Totals are omitted: in a check they did not separate better players from worse.",
    CHECK: "The accuracy of this review is unknown: no reviews with these rules, cards, seats and files were checked.",
}
"""The reason why a part of the review is omitted, by part."""
HOW_JUDGED: Final = "How this was judged"
"""Heading of the explanation at the end of a review."""
REFEREE: Final = (
    "A second referee plays each deal to the end. It must find as large a loss, and one above its own error."
)
"""The explanation of the second referee."""
CERTAIN_MARKS: Final = (
    "Inaccuracy: at least 2 points lost. Mistake: 5. Blunder: 10. We count only what is 95 % certain."
)
"""The explanation of marks, if a check found intervals right."""
UNCERTAIN_MARKS: Final = (
    "Inaccuracy: at least 2 points lost. Mistake: 5. Blunder: 10. The lower end of the interval counts."
)
"""The explanation of marks, if no check found intervals right."""
UNIT: Final = "Points are percentage points of the chance to win."
"""The unit of losses and luck, as opposed to points of the game."""
MAX_INTERVAL_WIDTH: Final = 0.2
"""Width of an interval around 0 above which nothing can be concluded, as a chance."""
NOT_CERTAIN: Final = "Not certain, but probable losses"
"""Heading of decisions without a mark that may have lost something."""
UNKNOWN_REASON: Final = "were of a kind that reviews of this game do not judge"
"""The reason for decisions without a judgement, if the game gives none."""
LARGE_TOTAL_REMARK: Final = "; the total can exceed 100, because a regained chance can be lost again"
"""The remark on a total of more than 100 points."""
LITTLE_LUCK_SHARE: Final = 0.15
"""Share of results below which the report says that cards explain little."""


def format_review(found: Review) -> list[str]:
    """Return the review as lines of text."""
    # Names come from records of any origin, and control characters could change the terminal.
    found = {**found, "names": [isolate(name) for name in found["names"]]}
    told = [f"{found['title']}: {' against '.join(found['names'])}. {found['ending']}"]
    for sums in found["sums"]:
        told += ["", *format_seat(found, sums)]
    told += ["", *describe_cards(found)]
    told += ["", f"{HOW_JUDGED}:", *(f"  {paragraph}" for paragraph in explain_judging(found))]
    return [unbroken(line) for line in told]


def format_seat(found: Review, sums: SeatTotals) -> list[str]:
    """Return the lines about one seat."""
    seat = sums["seat"]
    told = [summarize_seat(found, sums)]
    story = [point for point in found["story"] if point["seat"] == seat]
    if story:
        told.append(f"  {format_heading(found, seat)}")
    told += [f"    Decision {point['at'] + 1}: {point['text']}" for point in story]
    perhaps_ = list_uncertain(found, seat)
    if perhaps_:
        told.append(f"  {NOT_CERTAIN}")
    told += [f"    Decision {one['at'] + 1}: {describe_uncertain(one, has_intervals(found))}" for one in perhaps_]
    rest = [one for one in found["decisions"] if one["seat"] == seat and one["mark"]]
    others = [one for one in rest if one["at"] not in {point["at"] for point in story}]
    if others:
        told.append("  Other marked decisions:")
        told += [f"    {format_decision(one, has_intervals(found))}" for one in others]
    return told


def list_uncertain(found: Review, seat: int) -> list[JudgedDecision]:
    """Return the decisions of a seat without a mark that probably lost something; none if marks are omitted."""
    return [] if MARKS in list_omitted(found["reviewer"]) else find_uncertain(found["decisions"], seat)


def is_reported_uncertain(found: Review, one: JudgedDecision) -> bool:
    """Return whether a decision is reported as a probable loss without a mark."""
    return MARKS not in list_omitted(found["reviewer"]) and may_have_lost(one)


def format_heading(found: Review, seat: int) -> str:
    """Return the heading of a seat's turning points."""
    told = sum(point["seat"] == seat for point in found["story"])
    marked = sum(bool(one["mark"]) for one in found["decisions"] if one["seat"] == seat)
    if told == 1:
        return "What mattered"
    return "What mattered most" + (f", {told} of {marked}" if marked > told else "") + ", in the order of the game"


def summarize_seat(found: Review, sums: SeatTotals) -> str:
    """Return the summary of a seat's decisions."""
    name = found["names"][sums["seat"]]
    told = f"{name} made {format_counts(sums)}"
    if MARKS not in list_omitted(found["reviewer"]) and sums["judged"]:
        marks = [f"{count} {pluralize_mark(mark, count)}" for mark, count in sums["marks"].items() if count]
        told += f": {', '.join(marks)}" if marks else "; no mistakes"
    return " ".join([f"{told}.", *explain_unjudged(found["game"], sums), *summarize_losses(found, sums)])


def format_counts(sums: SeatTotals) -> str:
    """Return the numbers of decisions and of judged ones, as a phrase."""
    decisions, judged = sums["decisions"], sums["judged"]
    made = many(decisions, "decision")
    if not decisions:
        return "no decision"
    if judged == decisions:
        return (
            f"{made}, which was judged" if decisions == 1 else f"{made}, {'both' if decisions == 2 else 'all'} judged"
        )
    return f"{made}, of which {judged or 'none'} could be judged"


def explain_unjudged(game: str, sums: SeatTotals) -> list[str]:
    """Return the reason why some decisions were not judged, as a sentence; none if all were."""
    rest = sums["decisions"] - sums["judged"]
    if not rest:
        return []
    others = f"The other {rest if rest > 1 else 'one'}" if sums["judged"] else "They" if rest > 1 else "It"
    if not (reason := describe_left_out(game)):
        return [f"{others} had only one option."]
    return [f"{others} had only one option, or {reason}."]


@lru_cache(16)
def describe_left_out(game: str) -> str:
    """Return the game's description of decisions that it does not judge; empty if it judges all."""
    try:
        insight = load_insight(games.game(game))
    except OptionError:  # the game is no longer installed
        return UNKNOWN_REASON
    return insight.left_out or ("" if type(insight).judges is Insight.judges else UNKNOWN_REASON)


def summarize_losses(found: Review, sums: SeatTotals) -> list[str]:
    """Return a seat's total loss as a sentence; none for a single decision, or if totals are omitted."""
    left_out = list_omitted(found["reviewer"])
    if SUMS in left_out or sums["judged"] < 2:
        return []
    them = all_of(sums["judged"], "judged decision")
    # A total that may be 0, or is uncertain by a whole game, would be noise as a number.
    if sums["low"] <= 0.0 or sums["high"] - sums["low"] >= 1.0:
        return ["One game is too short to say how well it was played overall."]
    told = f"{them.capitalize()} together cost {format_points(sums['loss'])}"
    if INTERVALS not in left_out:
        told += f" ({100 * sums['low']:.0f} to {100 * sums['high']:.0f})"
    most = sums["loss"] if INTERVALS in left_out else sums["high"]
    return [f"{told}{LARGE_TOTAL_REMARK if most > 1.0 else ''}."]


def format_points(share: float) -> str:
    """Return a chance in percentage points."""
    return many(round(100 * share), "point")


def format_decision(one: JudgedDecision, sure: bool) -> str:
    """Return a marked decision as a line."""
    text = f"Decision {one['at'] + 1}, {one['mark']}: {one['text']}"
    return f"{text} It cost {format_loss(one, sure)}. {describe_better(one)}"


def pluralize_mark(mark: str, count: int) -> str:
    """Return the name of a mark in singular or plural."""
    return mark if count == 1 else "inaccuracies" if mark == "inaccuracy" else f"{mark}s"


def has_intervals(found: Review) -> bool:
    """Return whether intervals are shown."""
    return INTERVALS not in list_omitted(found["reviewer"])


def explain_judging(found: Review) -> list[str]:
    """Return the paragraphs that explain the judges and the omitted parts."""
    by = found["reviewer"]
    told = [
        f"The judge is {by['judge']}. Many times it deals the cards that a player could not see, by that player's "
        "knowledge, and compares the chosen action with the best one.",
        f"{UNIT} {explain_scale(by['discount'])}",
    ]
    if MARKS not in list_omitted(by):
        told.append(f"{UNCERTAIN_MARKS if {INTERVALS, CHECK} & set(list_omitted(by)) else CERTAIN_MARKS} {REFEREE}")
    return [*told, *(OMISSION_REASONS[part] for part in list_omitted(by) if part in OMISSION_REASONS)]


def explain_scale(told: float) -> str:
    """Return the explanation of the scale of losses."""
    if told > 1.0:
        return f"A loss is reported as {told:.3g} times that size, which is its size in games played to the end."
    return f"A loss is reported as {percent(told)} of that size, which is its size in games played to the end."


def describe_cards(found: Review) -> list[str]:
    """Return the lines about the luck of the cards, or the reason why it is omitted."""
    cards = found["cards"]
    if len(found["names"]) > 2:
        return ["The luck of the cards is measured in games for two only."]
    if cards is None:
        return ["The luck of the cards is not measured: there is no baseline for such games."]
    if not cards["shown"]:
        return ["The luck of the cards is omitted: in such games it did not predict the winner."]
    told = [describe_luck(found, cards)]
    if cards["explains"] < LITTLE_LUCK_SHARE:
        told.append(
            f"Luck of the cards explains little of who wins this game: about {percent(cards['explains'])} of it among "
            "ordinary players. The rest is how they are played."
        )
    else:
        told.append(
            f"Luck of the cards explains about {percent(cards['explains'])} of who wins, among ordinary players."
        )
    return told


def describe_luck(found: Review, cards: CardLuck) -> str:
    """Return a sentence about the luck of the cards."""
    low, high = 100 * cards["low"], 100 * cards["high"]
    # An interval that contains 0 does not show which player was lucky.
    if low <= 0.0 <= high:
        if high - low > 100 * MAX_INTERVAL_WIDTH:
            return "This game does not show whom the cards favored."
        return f"The cards were even (within {format_points(max(0.01, -low / 100, high / 100))})."
    name = inside(found["names"][0 if cards["seat0"] > 0 else 1])
    few, most = sorted((abs(low), abs(high)))
    return f"Luck favored {name} by about {format_points(abs(cards['seat0']))} ({few:.0f} to {most:.0f})."
