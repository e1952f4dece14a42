"""A record with its review beside it: what is judged where, and what could be thought there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from gonfalon.bots import levels
from gonfalon.bots.reasons import percent
from gonfalon.core.english import unbroken
from gonfalon.core.record import Record
from gonfalon.core.state import CHANCE, OPEN, Seat
from gonfalon.review.files import Believed, Decided, LuckLine, Opened, Review
from gonfalon.review.report import POINTS, is_sure, is_told_uncertain
from gonfalon.review.story import (
    chances,
    expected,
    gained,
    likely,
    lost,
    perhaps_rather,
    summed,
    turning_points,
)
from gonfalon.terminal.columns import even
from gonfalon.terminal.past import Past
from gonfalon.terminal.sight import Sight

SIGNS: Final = {"inaccuracy": "○", "mistake": "▲", "blunder": "■"}
"""The marks as the page draws them."""
LITTLE: Final = 0.005
"""What open cards would have brought less than that is not told."""


class Reviewed(Past):
    """A record to be stepped through, with what a review has found of it so far."""

    def __init__(self, record: Record, viewer: int, found: Review) -> None:
        self.found = found
        self.progress: tuple[int, int] | None = None
        """How many decisions have been judged, of how many, while that goes on."""
        self.subject: Seat = viewer if viewer in found["seats"] else subject_of(found)
        """Whose chances are drawn."""
        self.by_at: dict[int, Decided] = {}
        self.opened: dict[int, Opened] = {}
        self.luck: dict[int, LuckLine] = {}
        super().__init__(record, viewer)
        self.viewers = [*found["seats"], *(one for one in self.viewers if one not in found["seats"])]
        self.take(found)

    def take(self, found: Review, progress: tuple[int, int] | None = None) -> None:
        """What has been found by now."""
        self.found, self.progress = found, progress
        self.by_at = {one["at"]: one for one in found["decisions"]}
        self.opened = {one["at"]: one for one in found["hindsight"]}
        cards = found["cards"]
        self.luck = {one["at"]: one for one in found["luck"]} if cards is not None and cards["shown"] else {}

    def look_as(self, viewer: int) -> None:
        """See it as somebody else; a reviewed seat's chances are drawn from then on."""
        super().look_as(viewer)
        if viewer in self.found["seats"]:
            self.subject = viewer

    # ---- where we are ----------------------------------------------------------------------------

    @property
    def decision(self) -> int | None:
        """Which decision of the record this step shows."""
        return self.ats[self.at]

    @property
    def place(self) -> int:
        """How many decisions lie before this step, its own not among them."""
        return self.steps[self.at][3] if self.decision is None else self.decision or 0

    @property
    def last(self) -> int:
        """The place of the end."""
        return len(self.record.decisions)

    def judged(self) -> Decided | None:
        """What is said of the decision of this step, to whom it may be said: all of it to open eyes, else what the
        viewer decided themselves."""
        one = None if self.decision is None else self.by_at.get(self.decision)
        return one if one is not None and self.viewer in (OPEN, one["seat"]) else None

    def whose(self) -> Seat | None:
        """Whose decision this step shows."""
        seat = None if self.decision is None else self.record.decisions[self.decision][0]
        return None if seat == CHANCE else seat

    def marked(self) -> list[Decided]:
        """The marked decisions: the viewer's, or everybody's where the viewer is no seat that was reviewed."""
        seats = [self.viewer] if self.viewer in self.found["seats"] else self.found["seats"]
        return [one for one in self.found["decisions"] if one["mark"] and one["seat"] in seats]

    def to_mark(self, by: int) -> bool:
        """To the next marked decision, or the one before; False where there is none."""
        there = {one["at"]: self.step_of(one["at"]) for one in self.marked()}
        ahead = [step for step in there.values() if (step - self.at) * by > 0]
        if ahead:
            self.at = min(ahead) if by > 0 else max(ahead)
        return bool(ahead)

    def sight(self) -> Sight:
        """The table as it was, and how far the review is."""
        sight = super().sight()
        if self.progress is None:
            return sight
        return replace(sight, notes=[f"judged {self.progress[0]} of {self.progress[1]}"])

    # ---- what is told ----------------------------------------------------------------------------

    def name(self, seat: Seat) -> str:
        """What a seat is called."""
        return even(self.found["names"][seat])

    def chances(self) -> list[tuple[int, float]]:
        """The subject's chance to win at its decisions, and what came of it."""
        own = [one for one in self.found["decisions"] if one["seat"] == self.subject]
        points = [(one["at"], one["value"]) for one in own if one["value"] is not None]
        shares = self.found["result"]
        if shares is not None and points and self.progress is None:
            points.append((self.last, shares[self.subject]))
        return points

    def chance(self) -> float | None:
        """The subject's chance to win here: as it stood at their last decision that could be judged."""
        before = [share for place, share in self.chances() if place <= self.place]
        return before[-1] if before else None

    def signs(self) -> dict[int, str]:
        """The subject's marks by their places."""
        return {
            one["at"]: SIGNS[one["mark"]]
            for one in self.found["decisions"]
            if one["mark"] and one["seat"] == self.subject
        }

    def hindsight(self, one: Decided) -> str:
        """What would have been best with all hands open, if that is something else."""
        opened = self.opened.get(one["at"])
        if opened is None or opened["open_best"] == one["chosen"] or opened["change"] < LITTLE:
            return ""
        return f"{opened['text'].rstrip('.')} ({gained(opened['change'])})"

    def brought(self) -> str:
        """What the cards brought at this step, where that is shown."""
        line = None if self.decision is None else self.luck.get(self.decision)
        if line is None or abs(line["seat0"]) < LITTLE:
            return ""
        name = self.name(0 if line["seat0"] > 0 else 1)
        return f"The cards brought {name} {100 * abs(line['seat0']):.1f} {POINTS} (± {196 * line['error']:.1f})."

    def beliefs(self) -> list[Believed]:
        """What the subject could think of what was hidden, here or last before. Nobody else is told."""
        if self.viewer not in (OPEN, self.subject):
            return []
        own = [one for one in self.found["beliefs"] if one["seat"] == self.subject and one["at"] <= self.place]
        return [one for one in own if one["at"] == own[-1]["at"]]

    def hidden(self) -> dict[str, list[tuple[int, float]]]:
        """How likely the truth could seem to the subject, decision by decision, by what it is about."""
        found: dict[str, list[tuple[int, float]]] = {}
        for one in self.found["beliefs"]:
            if one["seat"] == self.subject:
                found.setdefault(one["about"], []).append((one["at"], likely(one, one["truth"])))
        return found

    def changes(self, about: str) -> set[int]:
        """The decisions at which something else was true of what was hidden from the subject than at the one before."""
        own = [one for one in self.found["beliefs"] if (one["seat"], one["about"]) == (self.subject, about)]
        return {one["at"] for before, one in pairwise(own) if one["truth"] != before["truth"]}

    def lost(self, one: Decided) -> str:
        """What a decision gave away, with how sure that is where that is told."""
        return lost(one, is_sure(self.found))

    def in_short(self, one: Decided) -> str:
        """A decision in a line: its number, its mark, what was chosen."""
        sign = SIGNS.get(one["mark"], " ")
        return even(f"{one['at'] + 1:>4} {sign} {one['text']}")


def told_of(past: Reviewed, one: Decided) -> list[tuple[str, str]]:
    """What is said of a decision: paragraphs with their looks."""
    if one["value"] is None or one["best_value"] is None:
        return [(one["text"], "bold"), ("This could not be judged.", "soft")]
    told = [(one["text"], "bold")]
    if one["mark"]:
        told.append((f"{SIGNS[one['mark']]} {one['mark'].capitalize()}: gave away {past.lost(one)}.", "bad"))
        told.append((f"Better: {one['better']}", "good"))
        told.append((f"{chances(one)} {one['why']}".rstrip(), ""))
    elif one["best"] == one["chosen"]:
        told.append(("The best that was found.", "good"))
    elif is_told_uncertain(past.found, one):
        told.append((f"Not certain. {expected(one, is_sure(past.found))}", ""))
        told.append((perhaps_rather(one), ""))
    else:
        told.append((f"As good, as far as that can be told: {one['better']}", "soft"))
    if not one["mark"] and not is_told_uncertain(past.found, one):
        told.append((f"Chance to win {percent(one['value'])}.", "soft"))
    if hindsight := past.hindsight(one):
        told.append((f"Had all hands been open: {hindsight}. It is no mistake to have missed that.", "soft"))
    return [(unbroken(text), look) for text, look in told if text]


def subject_of(found: Review) -> Seat:
    """Whose game it is: the first person's among those that were reviewed, as far as names tell."""
    people = [seat for seat in found["seats"] if found["names"][seat].partition(" ")[0].lower() not in levels()]
    return (people or found["seats"])[0]


def so_far(empty: Review, decided: Sequence[Decided]) -> Review:
    """A review of which only these decisions have been judged."""
    some = list(decided)
    return {
        **empty,
        "decisions": some,
        "story": [point for seat in empty["seats"] for point in turning_points(some, seat, is_sure(empty))],
        "sums": [summed(some, seat) for seat in empty["seats"]],
    }
