"""Whole games reviewed: twice the same, by any number of processes, and kept beside the record."""

from __future__ import annotations

import html
import re
from functools import cache
from io import StringIO
from pathlib import Path
from typing import cast

import pytest

from gonfalon import games
from gonfalon.bots.insight import Insight
from gonfalon.core.english import unbroken
from gonfalon.core.record import Record
from gonfalon.games.factionwars.rules.actions import TO
from gonfalon.games.generals.bots.explain import GAINS
from gonfalon.games.generals.bots.position_value import FITTED
from gonfalon.lab.overrides import variant
from gonfalon.review import Review, ReviewError, review
from gonfalon.review.budgets import Budgets
from gonfalon.review.command import Progress
from gonfalon.review.files import Believed, Cards, Case, Decided, Sums, dumps, kept
from gonfalon.review.players import insight_of
from gonfalon.review.report import NOT_CERTAIN, cards_in_words, in_all, judged_by, lines, mattered, not_certain
from gonfalon.review.story import likeliest, other_cases, summed, turning_points
from gonfalon.review.trust import CHECK, INTERVALS, MARKS, PARTS, SUMS
from gonfalon.review.work import Desk, ending_of, result_of, reviewer_of
from gonfalon.testing import random_record
from gonfalon.web.review_page import SeatPart, context, page
from tests.review.guess import DAVID, LOW_HALF, Guess

FORMER = Path("docs/studies/jinkei-former.toml").absolute()
FEW = Budgets(proposals=2, first=8, again=8, most=8, referee=8, hindsight=4, deals=2, par=1)


def guessed(action: int) -> Record:
    record = Record(Guess(), ["May", "David"], [(-1, -6), (DAVID, action)])
    record.close(record.replay())
    return record


@cache
def feint() -> Record:
    return random_record(games.game("feint"), 1)


@cache
def short() -> Record:
    """The same game, given up early."""
    record = random_record(games.game("feint"), 1, 24)
    record.ended = {"seat": 1, "how": "resigned"}
    return record


@cache
def reviewed() -> Review:
    return review(short(), [0], budgets=FEW)


def test_twice_the_same_by_any_number_of_processes() -> None:
    assert dumps(review(short(), [0], budgets=FEW)) == dumps(reviewed())
    assert dumps(review(short(), [0], workers=2, budgets=FEW)) == dumps(reviewed())


def test_what_is_said_of_a_guess() -> None:
    found = review(guessed(3), seed=4)
    [one] = found["decisions"]
    assert (one["at"], one["seat"], one["chosen"], one["best"]) == (1, DAVID, "card-3", "low")
    assert found["story"][0]["text"].startswith("Choose card-3. This gave away ")
    assert "Better: Choose low." in found["story"][0]["text"]
    assert found["sums"][1]["judged"] == 1
    assert found["sums"][0]["decisions"] == 0
    assert review(guessed(LOW_HALF), seed=4)["story"] == []


def chances_in(text: str) -> list[int]:
    """What a sentence says was given away, and the chances to win that it tells."""
    lost = re.findall(r"gave away (\d+) points?", text)
    with_it = re.findall(r"The chance to win was (\d+)\s% with it, and (\d+)\s% with what was chosen", text)
    return [int(one) for one in [*lost, *(one for pair in with_it for one in pair)]]


def test_what_is_told_adds_up_as_it_stands() -> None:
    """Chances before and after differ by what is said to be lost, on the page, in the terminal and in the file, though
    that is less than what the judge found."""
    found = review(guessed(3), seed=4)
    [one] = found["decisions"]
    assert (one["best_value"] or 0.0) - (one["value"] or 0.0) == pytest.approx(one["loss"], abs=2e-4)
    for text in (found["story"][0]["text"], "\n".join(lines(found)), html.unescape(page(found))):
        lost, with_it, without, *_ = chances_in(text)
        assert lost == with_it - without > 10


def story_of(found: Review, marks: int) -> Review:
    """The same review with so many marked decisions of the first seat, each with a loss of 10 points and more."""
    one = found["decisions"][0]
    some = [cast("Decided", {**one, "at": n, "mark": "mistake", "loss": 0.1 + n / 100}) for n in range(marks)]
    seat = one["seat"]
    return {**found, "decisions": some, "story": turning_points(some, seat), "sums": [summed(some, seat)]}


def test_the_heading_says_how_many_of_how_many_and_their_order() -> None:
    found, seat = reviewed(), reviewed()["decisions"][0]["seat"]
    assert mattered(story_of(found, 5), seat) == "What mattered most, 3 of 5, in the order of the game"
    assert mattered(story_of(found, 2), seat) == "What mattered most, in the order of the game"
    assert mattered(story_of(found, 1), seat) == "What mattered"


@pytest.mark.parametrize(("low", "high", "said"), [(-0.1, 0.3, False), (0.1, 1.2, False), (0.1, 0.3, True)])
def test_a_sum_that_says_nothing_is_not_told(low: float, high: float, said: bool) -> None:
    found = story_of(reviewed(), 2)
    found = {**found, "reviewer": {**found["reviewer"], "untold": []}}
    told = in_all(found, {**found["sums"][0], "loss": 0.2, "low": low, "high": high})
    sum_ = "Both judged decisions together gave away 20 percentage points of the chance to win (10 to 30)."
    assert (sum_ in told) == said
    assert ("cannot be told from one game" in told) != said


@pytest.mark.parametrize(
    ("game", "said"),
    [
        ("feint", "had a single answer, so there was nothing to judge."),
        ("factionwars", "had a single answer, so there was nothing to judge."),
        ("jinkei", "had a single answer, or concerned choosing or laying a formation, and nothing tells fast enough "),
        ("generals", "had a single answer, or only said which card pays, a small matter "),
        ("guess", "had a single answer, or concerned what no review judges in this game."),
    ],
)
def test_it_says_why_a_decision_was_not_judged(game: str, said: str) -> None:
    found: Review = {**reviewed(), "game": game}
    assert f" could be judged; none of them deserves a mark. The other 29 {said}" in in_all(found, sums(judged=20))
    assert f" The other one {said}" in in_all(found, sums(judged=48))
    assert f" of which none could be judged. They {said}" in in_all(found, sums(judged=0))
    assert "single answer" not in in_all(found, sums())


def test_a_game_says_in_words_what_it_leaves_out() -> None:
    for name in games.names():
        insight = insight_of(games.game(name))
        assert bool(insight.left_out) == (type(insight).judges is not Insight.judges)


def unmarked(*losses: float, **changed: object) -> Review:
    """The same review with decisions of the first seat that lost so much without a mark, each give or take 5 points."""
    one = reviewed()["decisions"][0]
    plain = {**one, "mark": "", "referee": None, "better": "Wiser.", "why": "", "value": 0.4, **changed}
    some = [
        cast("Decided", {**plain, "at": n, "loss": loss, "low": loss - 0.05, "high": loss + 0.05})
        for n, loss in enumerate(losses)
    ]
    found: Review = {**reviewed(), "decisions": some, "story": [], "sums": [summed(some, one["seat"])]}
    return {**found, "reviewer": {**found["reviewer"], "untold": []}}


def called_costly(found: Review) -> list[int]:
    """The decisions that the words and the page call likely to have cost something: the same ones."""
    said, drawn = "\n".join(lines(found)), html.unescape(page(found))
    ats = [one["at"] for one in not_certain(found, found["decisions"][0]["seat"])]
    for text in (said, drawn):
        assert text.count("Expected loss: ") == len(ats)
        assert (NOT_CERTAIN in text) == bool(ats)
    return ats


def test_what_most_likely_cost_something_is_told_without_a_mark() -> None:
    """The three likeliest, of 2 points and more, in the order of the game, with the better answer and the interval."""
    found = unmarked(0.03, 0.019, 0.02, 0.04, 0.06)
    assert called_costly(found) == [0, 3, 4]
    sentence = (
        "Expected loss: 3 points (−2 to 8) of the chance to win. Perhaps better: Wiser. With it the chance to win "
    )
    for text in ("\n".join(lines(found)), html.unescape(page(found))):
        assert sentence + "is put at 43\N{NO-BREAK SPACE}%, with what was chosen at 40\N{NO-BREAK SPACE}%." in text
    assert called_costly(unmarked(0.019, 0.0)) == []


def test_what_is_marked_takes_the_place_of_what_is_not_certain() -> None:
    found = unmarked(0.03, 0.04, 0.05)
    for one in found["decisions"][1:]:
        one["mark"] = "mistake"
    assert [one["at"] for one in not_certain(found, found["decisions"][0]["seat"])] == [0]
    found["decisions"] += [{**found["decisions"][1], "at": at} for at in (4, 5)]
    assert not_certain(found, found["decisions"][0]["seat"]) == []


def test_what_a_check_did_not_confirm_is_not_called_costly() -> None:
    """Neither what the second referee was asked about and earned no mark, nor anything where marks are not told."""
    assert called_costly(unmarked(0.1, referee={"loss": 0.0, "low": -0.1, "high": 0.1})) == []
    found = unmarked(0.03)
    without: Review = {**found, "reviewer": {**found["reviewer"], "untold": [MARKS]}}
    assert called_costly(without) == []
    alone: Review = {**found, "reviewer": {**found["reviewer"], "untold": [INTERVALS]}}
    assert called_costly(alone) == [0]
    assert "Expected loss: 3 points of the chance to win." in "\n".join(lines(alone))


def sums(**changed: object) -> Sums:
    """What is counted for the first seat, without a mark."""
    told = {"seat": 0, "decisions": 49, "judged": 49, "loss": 0.49, "low": 0.07, "high": 0.91, "marks": {}}
    return cast("Sums", {**told, **changed})


def test_a_sum_is_told_without_a_mark_and_of_all_judged_decisions() -> None:
    """But not where no check allows it, nor of a single decision, of which all else is told."""
    found: Review = {**reviewed(), "names": ["A", "B"], "reviewer": {**reviewed()["reviewer"], "untold": []}}
    sum_ = "All 49 judged decisions together gave away 49 percentage points of the chance to win (7 to 91)."
    assert in_all(found, sums()) == f"A made 49 decisions, all judged; none of them deserves a mark. {sum_}"
    one = sums(decisions=1, judged=1, marks={"mistake": 1})
    assert in_all(found, one) == "A made 1 decision, which was judged: 1 mistake."
    for part, said in ((SUMS, False), (MARKS, True)):
        left_out: Review = {**found, "reviewer": {**found["reviewer"], "untold": [part]}}
        assert (sum_ in in_all(left_out, sums())) == said


@pytest.mark.parametrize(("loss", "high", "explained"), [(0.76, 1.0, False), (0.76, 1.23, True)])
def test_a_sum_above_all_that_can_be_won_is_explained(loss: float, high: float, explained: bool) -> None:
    found: Review = {**reviewed(), "reviewer": {**reviewed()["reviewer"], "untold": []}}
    told = in_all(found, sums(loss=loss, low=0.29, high=high))
    assert f"gave away 76 percentage points of the chance to win (29 to {100 * high:.0f})" in told
    assert ("what was won back can be lost again" in told) == explained


@pytest.mark.parametrize(
    ("seat0", "low", "high", "said"),
    [
        (0.0, -0.81, 0.81, "Whom the cards favoured cannot be told from this game."),
        (0.01, -0.03, 0.05, "at most 5 percentage points of the chance to win, either way."),
        (-0.18, -0.24, -0.12, "The cards brought B 18 percentage points of the chance to win (12 to 24)."),
    ],
)
def test_what_the_cards_brought_is_no_victory_point(seat0: float, low: float, high: float, said: str) -> None:
    cards: Cards = {"seat0": seat0, "low": low, "high": high, "explains": 0.06, "shown": True}
    told = cards_in_words({**reviewed(), "names": ["A", "B"], "cards": cards, "par": 0.94})
    assert told[0].endswith(said)
    assert "94 %" not in " ".join(told), "it says how fixed players use the cards, which reads as if it were luck"
    assert cards_in_words({**reviewed(), "names": ["A", "B", "C"]}) == [
        "What the cards brought is told of games for two only."
    ]


def test_seats_have_the_names_of_the_record() -> None:
    """Faction Wars calls seats by numbers where nobody has said their names."""
    record = random_record(games.game("factionwars"), 1, 12)
    record.names, record.ended = ["Ada", "Bo", "Cy"], {"seat": -1, "how": "abandoned"}
    found = review(record, [1], budgets=FEW)
    assert {one["about"] for one in found["beliefs"]} == {"Ada's goal", "Cy's goal"}
    assert "Player " not in dumps(found)


def test_between_two_the_other_has_the_name_of_the_record() -> None:
    """Whoever chooses reads "Take from your opponent.", and a review is read by others as well."""
    record = Record(games.game("factionwars", seats=2), names=["Ada", "Bo"])
    desk = Desk(record, 0, FEW)
    for seat, other in ((0, "Bo"), (1, "Ada")):
        assert desk.described(record.game.start().mask(seat), TO + 1 - seat) == f"Take from {other}."


def test_what_was_judged_before_has_no_say_in_what_comes_next() -> None:
    """With several workers it was judged elsewhere. A memory of nonsense, if it were kept, would play other games."""
    record = random_record(games.game("feint"), 1)
    alone, after = Desk(record, 3, FEW), Desk(record, 3, FEW)
    at = next(at for at, (seat, _) in enumerate(record.decisions) if seat >= 0)
    view = after.positions[at].mask(record.decisions[at][0])
    learnt = after.table.learnt
    assert learnt is not None
    learnt.shares([after.positions[at]])
    learnt.adviser.likely[:] = [[0.0] * (len(view.actions) - 1) + [1.0]]
    assert after.par() == alone.par()
    learnt.adviser.likely[:] = [[0.0] * len(one) for one in learnt.adviser.likely]
    assert dumps_of(after, at) == dumps_of(alone, at)


def dumps_of(desk: Desk, at: int) -> str:
    """A decision as it is judged at a desk."""
    return repr(desk.part(at)._replace(spent=0.0))


def test_who_passes_first_hears_that_the_round_is_given_away() -> None:
    """After a pass before any card is laid the other has only to lay one."""
    insight = insight_of(games.game("feint"))
    assert insight.because([0.5], [0.0]).endswith("; what was chosen gives the round away.")
    assert insight.because([0.5], [0.1]).endswith("rather than in 10 %.")


def test_what_speaks_for_a_better_answer_is_said_of_anybody() -> None:
    """A review is read by others than who played: nobody in it is "you", "I" or "they"."""
    insight = insight_of(games.game("generals"))
    found = []
    for term in GAINS:
        ends = [[0.0] * len(FITTED), [0.0] * len(FITTED)]
        ends[0][term] = 10.0 / FITTED[term] if FITTED[term] else 0.0
        found.append(insight.because(*ends))
    told = [sentence for sentence in found if sentence]
    assert len(told) > len(GAINS) / 2
    for sentence in told:
        assert not {"you", "your", "I", "my", "me", "them", "their"} & set(re.findall(r"\w+", sentence)), sentence


@pytest.mark.parametrize(("change", "said"), [(0.01, "(+1 point)"), (0.02, "(+2 points)")])
def test_one_point_is_one_point(change: float, said: str) -> None:
    found = unmarked(0.0)
    found["hindsight"] = [{"at": 0, "open_best": "other", "text": "Other.", "change": change}]
    assert f"Other. {said}" in html.unescape(page(found))
    together_ = in_all(found, sums(loss=0.01, low=0.009, high=0.03))
    assert "gave away 1 percentage point of the chance to win (1 to 3)" in together_


def test_whoever_looks_comes_first_and_is_you() -> None:
    found = review(guessed(3), seed=4)
    told = context(found, DAVID)
    assert [part["name"] for part in cast("list[SeatPart]", told["seats"])] == ["You", "May"]
    assert cast("list[SeatPart]", told["seats"])[0]["in_all"].startswith("You made 1 decision, which was judged")
    assert [part["name"] for part in cast("list[SeatPart]", context(found)["seats"])] == ["May", "David"]


def test_hindsight_stands_apart() -> None:
    """With open cards the card that lies there is the answer; by the view it is not, and no mark is for that."""
    record = guessed(LOW_HALF)
    card = record.game.start()
    card.apply(-1, -6)
    kind = card.zones()[0][0] & 3
    found = review(record, budgets=Budgets(proposals=8), seed=2)
    [opened] = found["hindsight"]
    assert opened["open_best"] == ("low" if kind < 2 else f"card-{kind}")
    assert opened["change"] == (0.0 if kind < 2 else 1.0)
    assert found["decisions"][0]["mark"] == ""


def test_progress_is_told() -> None:
    heard: list[tuple[int, int]] = []
    review(guessed(1), budgets=FEW, report=lambda number, count, _: heard.append((number, count)))
    assert heard == [(1, 1)]


def test_cards_that_nothing_was_fitted_to_are_not_told() -> None:
    told = "\n".join(lines(review(guessed(1), budgets=FEW)))
    assert "What the cards brought is not told" in told


def test_it_says_by_what_it_is_judged() -> None:
    """Guess has neither network nor rule of thumb; the battles of Jinkei are solved, whoever plays worlds on."""
    found = review(guessed(1), budgets=FEW)
    told = lines(found)
    assert told[told.index("How this was judged:") + 1].startswith("  By the play of chance: the cards ")
    reviewer = reviewer_of(Record(games.game("jinkei")), 0)
    assert (reviewer["judge"], reviewer["player"]) == (
        "battles solved with open cards",
        "the rule of thumb, which lays at first sight",
    )


@pytest.mark.parametrize(
    ("told", "said"), [(0.75, "75 % of a loss that is seen that way comes true"), (1.3, "a loss comes to 1.3 times")]
)
def test_more_than_all_is_no_part(told: float, said: str) -> None:
    reviewer = reviewed()["reviewer"]
    _, scaled, marked, *_ = judged_by({**reviewed(), "reviewer": {**reviewer, "discount": told}})
    assert said in scaled
    assert ("%" in scaled) == (told < 1.0)
    assert "more than their own error" in marked


@pytest.mark.parametrize("part", [INTERVALS, CHECK])
def test_no_mark_is_called_certain_where_no_check_found_intervals_right(part: str) -> None:
    words = " ".join(judged_by({**reviewed(), "reviewer": {**reviewed()["reviewer"], "untold": [part]}}))
    assert "the lower end of its interval, not with the middle" in words
    assert "certain" not in words
    assert "A second referee" in words


def test_it_is_told_that_a_mark_is_for_what_is_certain() -> None:
    words = " ".join(judged_by({**reviewed(), "reviewer": {**reviewed()["reviewer"], "untold": []}}))
    assert "the lower end of its 95 % interval passes that, not the middle" in words
    assert "a loss of 18 points of which 3 are sure is an inaccuracy" in words


def test_a_review_opens_with_what_mattered_and_ends_with_how_it_was_judged() -> None:
    found = review(guessed(3), seed=4)
    for text in ("\n".join(lines(found)), page(found)):
        places = [text.index(part) for part in ("What mattered", "What the cards brought", "How this was judged")]
        assert places == sorted(places)
        assert "By the play of chance" not in text[: places[-1]]
        assert "By the play of chance" in text[places[-1] :]


def test_a_game_that_goes_on_is_refused() -> None:
    with pytest.raises(ReviewError, match="not over"):
        review(random_record(Guess(), 1, 1))


@pytest.mark.parametrize(("how", "said"), [("resigned", "May conceded."), ("time", "May had no time left.")])
def test_who_gives_up_has_lost(how: str, said: str) -> None:
    record = Record(Guess(), ["May", "David"], ended={"seat": 0, "how": how})
    assert result_of(record) == [0.0, 1.0]
    assert ending_of(record, record.names) == said


def test_no_percent_sign_is_parted_from_its_number() -> None:
    """On a phone "16 / %" stood at the end of a line: in sentences, in tables and in what was kept before."""
    found = unmarked(0.03)
    found["beliefs"] = [believed("card 6", 0.4, 0.3, 0.15, 0.08, 0.04, 0.03)]
    found["story"] = [{"at": 0, "seat": found["decisions"][0]["seat"], "text": "It wins in 16 % of the ways."}]
    for text in ("\n".join(lines(found)), html.unescape(page(found)).partition("<body>")[2]):
        assert "16\N{NO-BREAK SPACE}%" in text
        assert " %" not in text


def test_what_is_no_picture_is_not_drawn_and_a_guess_alone_lies_open() -> None:
    """A seat that has decided once: there is one guess, and luck is told of at most two steps, folded in as ever."""
    found = reviewed().copy()
    found["luck"], found["beliefs"] = [{"at": 0, "seat0": -0.02, "error": 0.01}] * 2, found["beliefs"][:1]
    found["cards"] = {"seat0": -0.04, "low": -0.06, "high": -0.02, "explains": 0.06, "shown": True}
    drawn = page(found)
    assert "chart luck" not in drawn
    assert drawn.count("<details open>") == 1
    assert "<details><summary>The luck of each step" in drawn
    found["luck"] = found["luck"] * 2
    assert "chart luck" in page(found)
    assert page(found).count("<details open>") == 1


def test_progress_calls_a_decision_by_its_number_in_the_record() -> None:
    """The 37th decision of a record may be the third of those that are judged."""
    one, out = {**reviewed()["decisions"][0]}, StringIO()
    one |= {"at": 36, "mark": "mistake", "loss": 0.07, "low": 0.06, "high": 0.08}
    Progress(out, ["May", "David"], False)(3, 38, cast("Decided", one))
    assert out.getvalue() == "judged 3 of 38, decision 37: May, mistake, 7 points\n"


def test_a_closed_table_has_no_winner() -> None:
    assert result_of(Record(Guess(), ended={"seat": -1, "how": "abandoned"})) is None


def test_another_record_is_reviewed_anew(tmp_path: Path) -> None:
    found = review(guessed(1), budgets=FEW)
    path = tmp_path / "a.review.json"
    path.write_text(dumps(found), "utf-8")
    assert kept(path, found["record"], found["reviewer"], [0, 1]) == found
    assert kept(path, found["record"], found["reviewer"], [0]) is None
    assert kept(path, "", found["reviewer"], [0, 1]) is None
    for text in ("{", "{}", "[]"):
        path.write_text(text, "utf-8")
        assert kept(path, found["record"], found["reviewer"], [0, 1]) is None


def believed(truth: str, *chances: float) -> Believed:
    """What could be thought of a card, which may be as many things as there are chances."""
    cases: list[Case] = [{"text": f"card {n}", "chance": chance} for n, chance in enumerate(chances, 1)]
    return {"at": 0, "seat": 0, "about": "their card", "likely": cases, "truth": truth}


@pytest.mark.parametrize(
    ("one", "named", "others"),
    [
        (believed("card 6", 0.4, 0.3, 0.15, 0.08, 0.04, 0.03), [1, 2, 3, 6], "and 2 others, together 12 %"),
        (believed("card 2", 0.4, 0.3, 0.15, 0.1, 0.05), [1, 2, 3, 4], "and 1 other, 5 %"),
        (believed("card 9", 0.6, 0.399, 0.001), [1, 2, 3, 9], ""),
        (believed("card 1", 0.4, 0.3, 0.2, 0.098, 0.002), [1, 2, 3, 4], "and 1 other, less than 1 %"),
    ],
)
def test_what_could_be_thought_names_the_truth_and_says_what_it_leaves_out(
    one: Believed, named: list[int], others: str
) -> None:
    assert [case["text"] for case in likeliest(one)] == [f"card {n}" for n in named]
    assert other_cases(one) == others
    drawn = html.unescape(page({**reviewed(), "beliefs": [one]}))
    assert f'<span class="true">{one["truth"]}</span>: ' in drawn
    assert unbroken(others) in drawn
    assert ("and 1 other" in drawn or "others, together" in drawn) == bool(others)


# ---- the page -----------------------------------------------------------------------------------


def test_the_page_needs_nothing_else() -> None:
    text = page(reviewed())
    assert "<script" not in text
    assert "http" not in text
    assert "src=" not in text
    assert text.count('<div class="chart') == text.count('role="img" aria-label="')
    assert "never a mistake" in text


def test_rounds_stand_along_the_foot_of_a_chart() -> None:
    assert '<p class="chart-foot">Rounds' in page(reviewed(), ["Round 1"] * 9 + ["Round 2"] * 16)
    assert '<p class="chart-foot">Decisions' in page(reviewed())


def test_marked_and_costly_decisions_have_a_table_of_their_own() -> None:
    """All decisions are a long page on a phone. Where it would hold all or nothing there is none."""
    found = unmarked(0.03, 0.0, 0.04, 0.01)
    found["decisions"][2]["mark"] = "mistake"
    drawn = html.unescape(page(found))
    assert "<summary>Marked, or may have cost 2 points and more: 2</summary>" in drawn
    assert "<summary>All decisions: 4</summary>" in drawn
    few, every = drawn.partition("<summary>Marked, or")[2].split("<summary>All decisions")
    assert re.findall(r'<tr><th scope="row">(\d+)</th>', few) == ["1", "3"]
    assert re.findall(r'<tr><th scope="row">(\d+)</th>', every.partition("</table>")[0]) == ["1", "2", "3", "4"]
    assert '<span class="soft">not certain</span> 3 points (−2 to 8)<small>Perhaps better: Wiser.' in few
    assert '<span class="mark">mistake</span> 4 points' in few
    for losses in ((0.03, 0.04), (0.0, 0.01)):
        assert "Marked, or" not in page(unmarked(*losses))


def test_names_are_text() -> None:
    record = guessed(1)
    record.names = ["<b>May", "David"]
    assert "<b>May" not in page(review(record, budgets=FEW))


@pytest.fixture
def untold(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if a check had found nothing right."""
    monkeypatch.setattr("gonfalon.review.players.untold_of", lambda game, network: PARTS)


def test_a_review_that_no_check_was_made_of_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Guess has no file that says what was checked. Feint has one, which holds for its own baseline."""
    told = "no check was made of reviews with these rules, cards, seats and files"
    assert told in page(review(guessed(1), budgets=FEW))
    feint = Record(games.game("feint"))
    assert told not in " ".join(judged_by({**reviewed(), "reviewer": reviewer_of(feint, 0)}))
    monkeypatch.setattr("gonfalon.review.trust.held_hash", lambda game, name: "another")
    assert told in " ".join(judged_by({**reviewed(), "reviewer": reviewer_of(feint, 0)}))


@pytest.mark.parametrize("name", ["feint", "generals", "factionwars", "jinkei"])
def test_reviews_of_each_game_at_its_usual_options_were_checked(name: str) -> None:
    assert CHECK not in reviewer_of(Record(games.game(name)), 0)["untold"]


def test_a_check_holds_for_the_cards_that_it_was_made_with() -> None:
    """Jinkei's bots need no file that would tell other formations from today's."""
    told = "no check was made of reviews"
    ours = games.game("jinkei")
    former = games.game("jinkei", **variant("jinkei", {}, file=FORMER).options)
    for game, said in ((ours, False), (former, True)):
        assert (told in " ".join(judged_by({**reviewed(), "reviewer": reviewer_of(Record(game), 0)}))) == said


@pytest.mark.usefixtures("untold")
def test_what_a_check_found_wrong_is_left_out_everywhere() -> None:
    """David loses a quarter for certain, which is a mistake at least where marks are told."""
    found = review(guessed(3), seed=4)
    [one] = found["decisions"]
    assert (one["mark"], found["story"], found["sums"][1]["marks"]) == (
        "",
        [],
        {"inaccuracy": 0, "mistake": 0, "blunder": 0},
    )
    said, drawn = "\n".join(lines(found)), page(found)
    for text in (said, drawn):
        assert "David made 1 decision, which was judged." in text
        assert "gave away" not in text
        assert "No decision is marked" in text
    assert 'class="dot' not in drawn


def test_without_intervals_a_loss_stands_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gonfalon.review.players.untold_of", lambda game, network: (INTERVALS,))
    found = review(guessed(3), seed=4)
    [story] = [point["text"] for point in found["story"]]
    assert re.search(r"This gave away \d+ points of the chance to win\. Better", story)
    for text in ("\n".join(lines(found)), page(found)):
        assert not re.search(r"\(-?\d+ to -?\d+\)", text)
        assert "How sure a loss is is not told" in text
