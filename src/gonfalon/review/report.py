"""A review in words, for a terminal; and what a page tells of it besides figures."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from gonfalon import games
from gonfalon.bots.insight import Insight
from gonfalon.bots.players.reasons import percent
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.text.english import all_of, inside, many, unbroken
from gonfalon.core.text.untrusted import isolate
from gonfalon.review.files import Cards, Decided, Review, Sums, untold
from gonfalon.review.judging.players import insight_of
from gonfalon.review.judging.trust import CHECK, INTERVALS, MARKS, SUMS
from gonfalon.review.story import lost, may_have_lost, perhaps, rather, uncertain

UNTOLD: Final = {
    MARKS: "No decision is marked, for in a check the second referee confirmed too few marks.",
    INTERVALS: "How sure a loss is is not told, for in a check the truth lay outside too often or too seldom.",
    SUMS: "What was given away on the whole is not told, for in a check that did not tell better players from worse.",
    CHECK: "How far this can be trusted is not known: no check was made of reviews with these rules, cards, seats and "
    "files.",
}
"""Why a part is left out."""
HOW_JUDGED: Final = "How this was judged"
"""The heading over that, at the foot of a review."""
REFEREE: Final = (
    "A second referee, who plays each deal to the end, has to find as much lost, and more than their own error."
)
CERTAIN: Final = (
    "An inaccuracy, a mistake or a blunder has as good as certainly cost more than 2, 5 or 10 points: the lower end of "
    "its 95 % interval passes that, not the middle. So a loss of 18 points of which 3 are sure is an inaccuracy."
)
"""What a mark says where a check has found intervals right."""
MARKED: Final = (
    "An inaccuracy, a mistake or a blunder is a decision whose loss passes 2, 5 or 10 points with the lower end of its "
    "interval, not with the middle."
)
"""The same where none has."""
POINTS: Final = "percentage points of the chance to win"
"""In what losses and luck are told; never points of the game."""
NARROW: Final = 0.2
"""An interval about nothing that is wider than that says nothing."""
NOT_CERTAIN: Final = "Not certain, but most likely to have cost something"
"""The heading of decisions without a mark that may have lost something."""
UNKNOWN: Final = "concerned what no review judges in this game"
"""The same where a game does not say what is left out."""
AGAIN: Final = "; that may be more than 100, for what was won back can be lost again"
LITTLE: Final = 0.15
"""Cards that explain less than that of who wins are said to explain little."""


def lines(found: Review) -> list[str]:
    """The review as lines of text."""
    found = {**found, "names": [isolate(name) for name in found["names"]]}
    told = [f"{found['title']}: {' against '.join(found['names'])}. {found['ending']}"]
    for sums in found["sums"]:
        told += ["", *of_seat(found, sums)]
    told += ["", *cards_in_words(found)]
    told += ["", f"{HOW_JUDGED}:", *(f"  {paragraph}" for paragraph in judged_by(found))]
    return [unbroken(line) for line in told]


def of_seat(found: Review, sums: Sums) -> list[str]:
    """What is said of one seat."""
    seat = sums["seat"]
    told = [in_all(found, sums)]
    story = [point for point in found["story"] if point["seat"] == seat]
    if story:
        told.append(f"  {mattered(found, seat)}")
    told += [f"    Decision {point['at'] + 1}: {point['text']}" for point in story]
    perhaps_ = not_certain(found, seat)
    if perhaps_:
        told.append(f"  {NOT_CERTAIN}")
    told += [f"    Decision {one['at'] + 1}: {perhaps(one, is_sure(found))}" for one in perhaps_]
    rest = [one for one in found["decisions"] if one["seat"] == seat and one["mark"]]
    others = [one for one in rest if one["at"] not in {point["at"] for point in story}]
    if others:
        told.append("  Marked as well:")
        told += [f"    {line_of(one, is_sure(found))}" for one in others]
    return told


def not_certain(found: Review, seat: int) -> list[Decided]:
    """The decisions of a seat that most likely lost something without a mark for it; none where no mark is told."""
    return [] if MARKS in untold(found["reviewer"]) else uncertain(found["decisions"], seat)


def is_told_uncertain(found: Review, one: Decided) -> bool:
    """Whether a decision may have lost something without a mark for it, and that is told."""
    return MARKS not in untold(found["reviewer"]) and may_have_lost(one)


def mattered(found: Review, seat: int) -> str:
    """Which of the marked decisions of a seat are told at length, as a heading."""
    told = sum(point["seat"] == seat for point in found["story"])
    marked = sum(bool(one["mark"]) for one in found["decisions"] if one["seat"] == seat)
    if told == 1:
        return "What mattered"
    return "What mattered most" + (f", {told} of {marked}" if marked > told else "") + ", in the order of the game"


def in_all(found: Review, sums: Sums) -> str:
    """What a seat gave away in all, as far as one game tells."""
    name = found["names"][sums["seat"]]
    told = f"{name} made {counted(sums)}"
    if MARKS not in untold(found["reviewer"]) and sums["judged"]:
        marks = [f"{count} {plural(mark, count)}" for mark, count in sums["marks"].items() if count]
        told += f": {', '.join(marks)}" if marks else "; none of them deserves a mark"
    return " ".join([f"{told}.", *unjudged(found["game"], sums), *together(found, sums)])


def counted(sums: Sums) -> str:
    """How many decisions there were, and how many of them were judged."""
    decisions, judged = sums["decisions"], sums["judged"]
    made = many(decisions, "decision")
    if not decisions:
        return "no decision"
    if judged == decisions:
        return (
            f"{made}, which was judged" if decisions == 1 else f"{made}, {'both' if decisions == 2 else 'all'} judged"
        )
    return f"{made}, of which {judged or 'none'} could be judged"


def unjudged(game: str, sums: Sums) -> list[str]:
    """Why some decisions were not judged, in a sentence; none where all were."""
    rest = sums["decisions"] - sums["judged"]
    if not rest:
        return []
    others = f"The other {rest if rest > 1 else 'one'}" if sums["judged"] else "They" if rest > 1 else "It"
    if not (reason := left_out(game)):
        return [f"{others} had a single answer, so there was nothing to judge."]
    return [f"{others} had a single answer, or {reason}."]


@lru_cache(16)
def left_out(game: str) -> str:
    """What is not judged of a game beside questions with a single answer; empty where that is nothing."""
    try:
        insight = insight_of(games.game(game))
    except OptionError:  # it is not installed any more
        return UNKNOWN
    return insight.left_out or ("" if type(insight).judges is Insight.judges else UNKNOWN)


def together(found: Review, sums: Sums) -> list[str]:
    """What all judged decisions of a seat gave away, in a sentence; none where a single one says it, or where no check
    allows it."""
    left_out = untold(found["reviewer"])
    if SUMS in left_out or sums["judged"] < 2:
        return []
    them = all_of(sums["judged"], "judged decision")
    if sums["low"] <= 0.0 or sums["high"] - sums["low"] >= 1.0:
        return [f"What {them} together gave away cannot be told from one game."]
    told = f"{them.capitalize()} together gave away {in_points(sums['loss'])}"
    if INTERVALS not in left_out:
        told += f" ({100 * sums['low']:.0f} to {100 * sums['high']:.0f})"
    most = sums["loss"] if INTERVALS in left_out else sums["high"]
    return [f"{told}{AGAIN if most > 1.0 else ''}."]


def in_points(share: float) -> str:
    """So large a part of the chance to win, in points of it."""
    count = round(100 * share)
    return f"{count} {POINTS if count != 1 else POINTS.replace('points', 'point')}"


def line_of(one: Decided, sure: bool) -> str:
    """A marked decision in a line."""
    return f"Decision {one['at'] + 1}, {one['mark']}: {one['text']} It gave away {lost(one, sure)}. {rather(one)}"


def plural(mark: str, count: int) -> str:
    """Some marks of a kind."""
    return mark if count == 1 else "inaccuracies" if mark == "inaccuracy" else f"{mark}s"


def is_sure(found: Review) -> bool:
    """Whether intervals are told."""
    return INTERVALS not in untold(found["reviewer"])


def judged_by(found: Review) -> list[str]:
    """By whose play it is judged, how far that goes, and what is left out: paragraphs for the foot of a review."""
    by = found["reviewer"]
    told = [
        f"By {by['judge']}: the cards that a player could not see are dealt anew many times, as that player could "
        "think of them, and what was chosen is set against what looks best.",
        scaled(by["discount"]),
    ]
    if MARKS not in untold(by):
        told.append(f"{MARKED if {INTERVALS, CHECK} & set(untold(by)) else CERTAIN} {REFEREE}")
    return [*told, *(UNTOLD[part] for part in untold(by) if part in UNTOLD)]


def scaled(told: float) -> str:
    """How much is told of what was lost in worlds, which are judged before their end."""
    if told > 1.0:
        return f"Played to the end, a loss comes to {told:.3g} times what is seen that way, so that is what is told."
    return f"Played to the end, {percent(told)} of a loss that is seen that way comes true, so that much is told."


def cards_in_words(found: Review) -> list[str]:
    """What the cards brought, or why nothing is said of them."""
    cards = found["cards"]
    if len(found["names"]) > 2:
        return ["What the cards brought is told of games for two only."]
    if cards is None:
        return ["What the cards brought is not told: nothing was fitted to such games."]
    if not cards["shown"]:
        return ["What the cards brought is not told: in such games that foretold nothing of who won."]
    told = [brought(found, cards)]
    if cards["explains"] < LITTLE:
        told.append(
            f"Luck of the cards explains little of who wins this game: about {percent(cards['explains'])} of it among "
            "ordinary players. The rest is what everybody does with them."
        )
    else:
        told.append(
            f"Luck of the cards explains about {percent(cards['explains'])} of who wins, among ordinary players."
        )
    return told


def brought(found: Review, cards: Cards) -> str:
    """What the cards brought the first seat, in a sentence."""
    low, high = 100 * cards["low"], 100 * cards["high"]
    if low <= 0.0 <= high:
        if high - low > 100 * NARROW:
            return "Whom the cards favoured cannot be told from this game."
        return f"The cards favoured nobody by much: at most {in_points(max(0.01, -low / 100, high / 100))}, either way."
    name = inside(found["names"][0 if cards["seat0"] > 0 else 1])
    few, most = sorted((abs(low), abs(high)))
    return f"The cards brought {name} {in_points(abs(cards['seat0']))} ({few:.0f} to {most:.0f})."
