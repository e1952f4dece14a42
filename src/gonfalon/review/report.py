"""A review in words, for a terminal; and what a page tells of it besides figures."""

from __future__ import annotations

from typing import Final

from gonfalon.bots.reasons import percent
from gonfalon.review.files import Cards, Decided, Review, Sums
from gonfalon.review.story import lost

LITTLE: Final = 0.15
"""Cards that explain less than that of who wins are said to explain little."""


def lines(found: Review) -> list[str]:
    """The review as lines of text."""
    told = [f"{found['title']}: {' against '.join(found['names'])}. {found['ending']}", judged_by(found)]
    told += ["", *cards_in_words(found)]
    for sums in found["sums"]:
        told += ["", *of_seat(found, sums)]
    return told


def of_seat(found: Review, sums: Sums) -> list[str]:
    """What is said of one seat."""
    seat = sums["seat"]
    told = [in_all(found, sums)]
    story = [point for point in found["story"] if point["seat"] == seat]
    told += [f"  Decision {point['at'] + 1}: {point['text']}" for point in story]
    rest = [one for one in found["decisions"] if one["seat"] == seat and one["mark"]]
    others = [one for one in rest if one["at"] not in {point["at"] for point in story}]
    if others:
        told.append("  Marked as well:")
        told += [f"    {line_of(one)}" for one in others]
    return told


def in_all(found: Review, sums: Sums) -> str:
    """What a seat gave away in all."""
    name = found["names"][sums["seat"]]
    marks = [f"{count} {plural(mark, count)}" for mark, count in sums["marks"].items() if count]
    lost_ = f"{100 * sums['loss']:.0f} points of chance ({100 * sums['low']:.0f} to {100 * sums['high']:.0f})"
    told = f"{name} gave away {lost_} in "
    told += f"{sums['judged']} of {sums['decisions']} decisions that could be judged"
    return f"{told}: {', '.join(marks)}." if marks else f"{told}; none of them deserves a mark."


def line_of(one: Decided) -> str:
    """A marked decision in a line."""
    return f"Decision {one['at'] + 1}, {one['mark']}: {one['text']} {lost(one)} less than: {one['better']}"


def plural(mark: str, count: int) -> str:
    """Some marks of a kind."""
    return mark if count == 1 else "inaccuracies" if mark == "inaccuracy" else f"{mark}s"


def judged_by(found: Review) -> str:
    """By whose play it is judged."""
    by = found["reviewer"]
    share = percent(by["discount"])
    return (
        f"Judged by {by['judge']}, in worlds dealt from what each seat could know. {share} of what was "
        "lost there is told, for so much comes true. A decision is marked only where the lower end of its loss passes "
        "2, 5 or 10 %, and a second referee, who plays to the end, finds a loss too."
    )


def cards_in_words(found: Review) -> list[str]:
    """What the cards brought, or why nothing is said of them."""
    cards = found["cards"]
    if cards is None:
        return ["What the cards brought is not told: nothing was fitted to such games."]
    if not cards["shown"]:
        return ["What the cards brought is not told: in such games that foretold nothing of who won."]
    told = [brought(found, cards)]
    if cards["explains"] < LITTLE:
        told.append(
            f"Cards explain little of who wins here: about {percent(cards['explains'])} of it in games of ordinary "
            "players. The rest is what everybody does with them."
        )
    else:
        told.append(f"In games of ordinary players cards explain about {percent(cards['explains'])} of who wins.")
    player = found["reviewer"]["player"]
    if found["par"] is not None:
        told.append(
            f"With exactly these cards {found['names'][0]}'s seat won {percent(found['par'])} of "
            f"{found['reviewer']['budgets']['par']:.0f} games that {player} played from both seats."
        )
    return told


def brought(found: Review, cards: Cards) -> str:
    """What the cards brought the first seat, in a sentence."""
    low, high = 100 * cards["low"], 100 * cards["high"]
    if low <= 0.0 <= high:
        return f"The cards favoured nobody for certain: {100 * cards['seat0']:+.0f} points ({low:+.0f} to {high:+.0f})."
    name = found["names"][0 if cards["seat0"] > 0 else 1]
    few, most = sorted((abs(low), abs(high)))
    return f"The cards brought {name} {abs(100 * cards['seat0']):.0f} points ({few:.0f} to {most:.0f})."
