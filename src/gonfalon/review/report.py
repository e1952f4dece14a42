"""A review in words, for the terminal, and sentences that pages share."""

from __future__ import annotations

from typing import Final

from gonfalon.bots.players.reasons import percent
from gonfalon.core.text.english import inside, many, unbroken
from gonfalon.core.text.untrusted import isolate
from gonfalon.review.files import CardLuck, JudgedDecision, Review, SeatTotals
from gonfalon.review.judging.judging import FELT
from gonfalon.review.story import MARK_POINTS, describe_loss

HOW_JUDGED: Final = "How this was judged"
"""Heading of the explanation at the end of a review."""
EXPLAINED_MARKS: Final = (
    "Inaccuracy: the chance to win fell by at least {inaccuracy} %. Mistake: {mistake} %. Blunder: {blunder} %. A "
    "second judge plays both actions to the end of the game by simple rules, in deals that the first judge did not "
    "see. The smaller loss counts, and the interval, which covers both, must lie above {felt} %."
)
"""The explanation of marks and of the second judge."""
MAX_INTERVAL_WIDTH: Final = 0.2
"""Width of an interval around 0 above which nothing can be concluded, as a chance."""
NOT_JUDGED: Final = "The others had only one option, or what is best depends on the players."
"""The reason for decisions without a judgement."""


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
    rest = [one for one in found["decisions"] if one["seat"] == seat and one["mark"]]
    others = [one for one in rest if one["at"] not in {point["at"] for point in story}]
    if others:
        told.append("  Other marked decisions:")
        told += [f"    {format_decision(one)}" for one in others]
    return told


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
    judged = "all" if sums["judged"] == sums["decisions"] else f"{sums['judged']} of them"
    told = f"{name} made {many(sums['decisions'], 'decision')}, {judged} judged"
    if sums["judged"]:
        marks = [f"{count} {pluralize_mark(mark, count)}" for mark, count in sums["marks"].items() if count]
        told += f": {', '.join(marks)}" if marks else "; no mistakes"
    return f"{told}." if judged == "all" else f"{told}. {NOT_JUDGED}"


def format_decision(one: JudgedDecision) -> str:
    """Return a marked decision as a line."""
    return f"Decision {one['at'] + 1}, {one['mark']}: {describe_loss(one)}"


def pluralize_mark(mark: str, count: int) -> str:
    """Return the name of a mark in singular or plural."""
    return mark if count == 1 else "inaccuracies" if mark == "inaccuracy" else f"{mark}s"


def explain_judging(found: Review) -> list[str]:
    """Return the paragraphs that explain the judges."""
    return [
        f"The judge is {found['reviewer']['judge']}. Many times it deals the cards that a player could "
        "not see, by that player's knowledge, and compares the chosen action with the best one.",
        EXPLAINED_MARKS.format(felt=round(100 * FELT), **MARK_POINTS),
    ]


def describe_cards(found: Review) -> list[str]:
    """Return the lines about the luck of the cards, or the reason why it is omitted."""
    cards = found["cards"]
    if len(found["names"]) > 2:
        return ["The luck of the cards is measured in games for two only."]
    if cards is None:
        return ["The luck of the cards is not measured: there is no baseline for such games."]
    if not cards["shown"]:
        return ["The luck of the cards is omitted: in such games it did not predict the winner."]
    explained = f"Luck of the cards explains about {percent(cards['explains'])} of who wins, among ordinary players."
    return [describe_luck(found, cards), explained]


def describe_luck(found: Review, cards: CardLuck) -> str:
    """Return a sentence about the luck of the cards."""
    low, high = 100 * cards["low"], 100 * cards["high"]
    # An interval that contains 0 does not show which player was lucky.
    if low <= 0.0 <= high:
        if high - low > 100 * MAX_INTERVAL_WIDTH:
            return "This game does not show whom the cards favored."
        return f"The cards were even: within {percent(max(0.01, -low / 100, high / 100))} of the chance to win."
    name = inside(found["names"][0 if cards["seat0"] > 0 else 1])
    few, most = sorted((abs(low), abs(high)))
    about = percent(abs(cards["seat0"]))
    return f"Luck favored {name}: the chance to win rose by about {about} ({few:.0f} to {most:.0f})."
